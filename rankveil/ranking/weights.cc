#include "rankveil/ranking/weights.h"

#include <fmt/core.h>

#include <cassert>
#include <cmath>
#include <limits>

namespace rankveil {

namespace {

constexpr double largest_weight = 1e6;
constexpr std::int64_t max_decimals = 1'000'000;
// What a decimal number times a power of ten may be off by.
constexpr double max_rounding = 4 * std::numeric_limits<double>::epsilon();

bool all_whole(std::span<const double> weights, double factor) {
  for (double weight : weights) {
    double scaled = weight * factor;
    if (std::abs(scaled - std::round(scaled)) > max_rounding * scaled) return false;
  }
  return true;
}

}  // namespace

Result<Weights> Weights::of(std::span<const double> weights) {
  constexpr double max_lost = 1e-3;  // by rounding, of the weight
  for (double weight : weights) {
    if (!(weight > 0) || weight > largest_weight || std::round(weight * 1e6) < 1) {
      return bad_input(
          fmt::format("weight {} does not work; use a number from 0.000001 to 1000000", weight));
    }
    double kept = std::round(weight * 1e6) / 1e6;
    if (std::abs(kept - weight) > max_lost * weight) {
      return bad_input(
          fmt::format("of weight {} only {} is left, since six decimals count; use larger weights",
                      weight, kept));
    }
  }
  Weights exact;
  while (exact.per_one < max_decimals && !all_whole(weights, static_cast<double>(exact.per_one))) {
    exact.per_one *= 10;
  }
  std::int64_t total = 0;
  for (double weight : weights) {
    exact.units.push_back(std::llround(weight * static_cast<double>(exact.per_one)));
    total += exact.units.back();
  }
  if (total > largest_total) {
    return bad_input(fmt::format(
        "weights that add up to {} with steps of {} span too much; use smaller numbers or fewer "
        "decimals (sum divided by step: at most {})",
        static_cast<double>(total) / static_cast<double>(exact.per_one),
        1.0 / static_cast<double>(exact.per_one), largest_total));
  }
  return exact;
}

namespace {

Result<Weights> from_schema(const Schema& schema) {
  std::vector<double> weights;
  for (const Attribute& attribute : schema.attributes) weights.push_back(attribute.weight);
  return Weights::of(weights);
}

}  // namespace

Status check_weights(const Schema& schema) {
  auto exact = from_schema(schema);
  if (!exact) return exact.error();
  return {};
}

Weights weights_of(const Schema& schema) {
  auto exact = from_schema(schema);
  assert(exact && "check_weights says whether the weights of a schema work");
  return *exact;
}

}  // namespace rankveil

#include "rankveil/ranking/weights.h"

#include <fmt/core.h>

#include <cassert>
#include <cmath>

namespace rankveil {

namespace {

constexpr double largest_weight = 1e6;
constexpr std::int64_t most_decimals = 1'000'000;

bool all_whole(std::span<const double> weights, double factor) {
  for (double weight : weights) {
    double scaled = weight * factor;
    if (std::abs(scaled - std::round(scaled)) > 1e-9 * scaled) return false;
  }
  return true;
}

}  // namespace

Result<Weights> Weights::of(std::span<const double> weights) {
  for (double weight : weights) {
    if (!(weight > 0) || weight > largest_weight || std::round(weight * 1e6) < 1) {
      return bad_input(
          fmt::format("weight {} does not work; use a number from 0.000001 to 1000000", weight));
    }
  }
  Weights exact;
  while (exact.per_one < most_decimals && !all_whole(weights, static_cast<double>(exact.per_one))) {
    exact.per_one *= 10;
  }
  for (double weight : weights) {
    exact.units.push_back(std::llround(weight * static_cast<double>(exact.per_one)));
  }
  return exact;
}

Weights weights_of(const Schema& schema) {
  std::vector<double> weights;
  for (const Attribute& attribute : schema.attributes) weights.push_back(attribute.weight);
  auto exact = Weights::of(weights);
  assert(exact && "the weights of a schema are checked when it is made");
  return *exact;
}

}  // namespace rankveil

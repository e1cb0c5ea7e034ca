#include "rankveil/ranking/scan/plane_program.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <map>

#include "rankveil/base/bits.h"

namespace rankveil {

namespace {

using kernels::WeightClasses;

// How much work a class of its own saves: its planes are read once rather than once for each bit of
// their weight, but their count has to be added for each bit (a power of two less one is added and
// taken away). Reading and counting a plane takes about three instructions, adding a slice two.
std::int64_t gain(const WeightClasses::Wide& wide, std::uint32_t slices) {
  auto bits = std::int64_t{std::popcount(wide.weight)};
  std::int64_t times =
      std::has_single_bit(wide.weight + 1) ? std::min<std::int64_t>(bits, 2) : bits;
  return 3 * wide.count * (bits - 1) - 2 * times * slices;
}

// The weights that are no powers of two, and how many planes have each.
std::vector<WeightClasses::Wide> wide_weights(std::span<const std::uint32_t> weights) {
  std::map<std::uint32_t, std::uint32_t> counts;
  for (std::uint32_t weight : weights) {
    if (!std::has_single_bit(weight)) ++counts[weight];
  }
  std::vector<WeightClasses::Wide> found;
  for (const auto& [weight, count] : counts) found.push_back({weight, count});
  return found;
}

bool is_wide(const WeightClasses& classes, std::uint32_t weight) {
  return weight == classes.wide[0].weight || weight == classes.wide[1].weight;
}

}  // namespace

WeightClasses weight_classes(std::span<const std::uint32_t> weights, std::uint32_t slices) {
  WeightClasses classes;
  std::vector<WeightClasses::Wide> wide = wide_weights(weights);
  std::stable_sort(wide.begin(), wide.end(), [&](const auto& left, const auto& right) {
    return gain(left, slices) > gain(right, slices);
  });
  for (std::size_t i = 0; i < std::min(std::size(classes.wide), wide.size()); ++i) {
    if (gain(wide[i], slices) > 0) classes.wide[i] = wide[i];
  }
  for (std::uint32_t weight : weights) {
    classes.top = std::max(classes.top, static_cast<std::uint32_t>(std::bit_width(weight)) - 1);
    if (is_wide(classes, weight)) continue;
    for_each_set_bit(weight, [&](std::uint32_t bit) { ++classes.counts[bit]; });
  }
  return classes;
}

PlaneProgram::PlaneProgram(std::vector<const std::uint64_t*> planes,
                           std::span<const std::uint32_t> weights, std::uint32_t largest)
    : planes_(std::move(planes)), largest_(largest) {
  assert(planes_.size() == weights.size() && "one weight per plane");
  assert(!planes_.empty() && planes_.size() <= kernels::max_planes && "too many planes, or none");
  assert(largest <= kernels::largest_wide_sum && "sums must fit the slices");
  bool unit = planes_.size() <= kernels::max_tree_planes &&
              std::all_of(weights.begin(), weights.end(), [](std::uint32_t w) { return w == 1; });
  // The code for unit weights counts its planes, whatever sums can really occur.
  slices_ = static_cast<std::uint32_t>(
      std::bit_width(unit ? static_cast<std::uint32_t>(planes_.size()) : largest));
  if (unit) return;
  classes_ = weight_classes(weights, slices_);
  sort_by_class(weights);
}

// The wide classes, then bit by bit from the lowest. A plane whose weight has no class of its own
// is in those of its bits.
void PlaneProgram::sort_by_class(std::span<const std::uint32_t> weights) {
  std::vector<const std::uint64_t*> sorted;
  sorted.reserve(planes_.size());
  auto take = [&](const auto& is_taken) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (is_taken(weights[i])) sorted.push_back(planes_[i]);
    }
  };
  for (const auto& wide : classes_->wide) {
    if (wide.count > 0) take([&](std::uint32_t weight) { return weight == wide.weight; });
  }
  for (std::uint32_t bit = 0; bit <= classes_->top; ++bit) {
    if (classes_->counts[bit] == 0) continue;
    take([&](std::uint32_t weight) {
      return !is_wide(*classes_, weight) && ((weight >> bit) & 1) != 0;
    });
  }
  planes_ = std::move(sorted);
}

kernels::Program PlaneProgram::view() const {
  return {planes_.data(), static_cast<std::uint32_t>(planes_.size()), slices_,
          classes_ ? &*classes_ : nullptr, far_};
}

}  // namespace rankveil

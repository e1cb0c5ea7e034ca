#include "rankveil/ranking/scan/plane_program.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <numeric>

namespace rankveil {

namespace {

// A class takes trees of its own; so few planes had better be counted with others, bit by bit.
constexpr std::uint32_t least_wide_planes = 3;
// Planes of other weights are counted once for each of their bits: there may be a few.
constexpr std::uint32_t most_split_planes = 4;

// How many planes have each of the weights that are no powers of two, most planes first. None when
// there are too many such weights.
std::optional<std::vector<kernels::WeightClasses::Wide>> wide_weights(
    std::span<const std::uint32_t> weights) {
  std::vector<kernels::WeightClasses::Wide> found;
  for (std::uint32_t weight : weights) {
    if (std::has_single_bit(weight)) continue;
    auto place = std::find_if(found.begin(), found.end(),
                              [&](const auto& wide) { return wide.weight == weight; });
    if (place == found.end()) {
      if (found.size() == most_split_planes + 2) return std::nullopt;
      place = found.insert(found.end(), {weight, 0});
    }
    ++place->count;
  }
  std::stable_sort(found.begin(), found.end(),
                   [](const auto& a, const auto& b) { return a.count > b.count; });
  return found;
}

bool is_wide(const kernels::WeightClasses& classes, std::uint32_t weight) {
  return weight == classes.wide[0].weight || weight == classes.wide[1].weight;
}

// What it takes to count `planes` planes and add their count `times` times, in instructions.
std::uint32_t effort(std::uint32_t planes, std::uint32_t slices, std::uint32_t times) {
  return planes == 0 ? 0 : 2 * planes + 2 * slices * times;
}

// Whether classes take less than one tree for each bit of all weights. Such trees are not made for
// large sums.
bool pay(const kernels::WeightClasses& classes, std::span<const std::uint32_t> weights) {
  std::uint32_t sum = std::accumulate(weights.begin(), weights.end(), 0U);
  if (sum > kernels::largest_sum) return true;
  auto slices = static_cast<std::uint32_t>(std::bit_width(sum));
  std::uint32_t by_class = 0;
  std::uint32_t by_bit = 0;
  for (const auto& wide : classes.wide) {
    // A power of two less one is added and taken away.
    auto bits = static_cast<std::uint32_t>(std::popcount(wide.weight));
    bool one_less = std::has_single_bit(wide.weight + 1);
    by_class += effort(wide.count, slices, one_less ? std::min(bits, 2U) : bits);
  }
  for (std::uint32_t bit = 0; bit <= classes.top; ++bit) {
    std::uint32_t planes = classes.counts[bit];
    by_class += effort(planes, slices, 1);
    for (const auto& wide : classes.wide) planes += (wide.weight >> bit) & 1 ? wide.count : 0;
    by_bit += effort(planes, slices, 1);
  }
  // Trees for bits read planes again and keep sums in memory: measured, a quarter more.
  return by_class * 4 <= by_bit * 5;
}

}  // namespace

std::optional<kernels::WeightClasses> weight_classes(std::span<const std::uint32_t> weights) {
  bool fit = std::all_of(weights.begin(), weights.end(),
                         [](std::uint32_t w) { return w > 0 && w <= kernels::largest_sum; });
  if (!fit) return std::nullopt;
  auto wide = wide_weights(weights);
  if (!wide) return std::nullopt;
  kernels::WeightClasses classes;
  if (!wide->empty()) classes.wide[0] = wide->front();
  if (wide->size() > 1 && (*wide)[1].count >= least_wide_planes) classes.wide[1] = (*wide)[1];
  std::uint32_t split = 0;
  for (std::uint32_t weight : weights) {
    classes.top = std::max(classes.top, static_cast<std::uint32_t>(std::bit_width(weight)) - 1);
    if (is_wide(classes, weight)) continue;
    split += std::has_single_bit(weight) ? 0 : 1;
    for (std::uint32_t left = weight; left != 0; left &= left - 1) {
      if (++classes.counts[std::countr_zero(left)] > kernels::most_class_planes)
        return std::nullopt;
    }
  }
  bool few = classes.wide[0].count <= kernels::most_class_planes;  // and so is the other
  if (!few || split > most_split_planes) return std::nullopt;
  return wide->size() < 2 || pay(classes, weights) ? std::optional(classes) : std::nullopt;
}

PlaneProgram::PlaneProgram(std::vector<const std::uint64_t*> planes,
                           std::span<const std::uint32_t> weights, std::uint32_t largest)
    : planes_(std::move(planes)), largest_(largest) {
  assert(planes_.size() == weights.size() && "one weight per plane");
  assert(!planes_.empty() && planes_.size() <= kernels::most_planes && "too many planes, or none");
  unit_ = planes_.size() <= kernels::most_tree_planes &&
          std::all_of(weights.begin(), weights.end(), [](std::uint32_t w) { return w == 1; });
  // The code for unit weights counts its planes, whatever sums can really occur.
  slices_ = static_cast<std::uint32_t>(
      std::bit_width(unit_ ? static_cast<std::uint32_t>(planes_.size()) : largest));
  if (unit_) return;
  classes_ = weight_classes(weights);
  assert((largest <= kernels::largest_sum || (classes_ && largest <= kernels::largest_wide_sum)) &&
         "sums must fit the slices");
  if (classes_) {
    sort_by_class(weights);
  } else {
    add_parts(weights);
  }
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

// Bit by bit: the planes whose weight has the bit, as many to a tree as it takes.
void PlaneProgram::add_parts(std::span<const std::uint32_t> weights) {
  for (std::uint32_t shift = 0; shift < slices_; ++shift) {
    auto first = static_cast<std::uint32_t>(part_planes_.size());
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if ((weights[i] >> shift) & 1) part_planes_.push_back(planes_[i]);
    }
    auto end = static_cast<std::uint32_t>(part_planes_.size());
    for (; first < end; first += kernels::most_tree_planes) {
      std::uint32_t count = std::min(kernels::most_tree_planes, end - first);
      parts_.push_back({first, count, shift});
    }
  }
}

kernels::Program PlaneProgram::view() const {
  return {planes_.data(),
          static_cast<std::uint32_t>(planes_.size()),
          slices_,
          unit_,
          part_planes_.data(),
          parts_.data(),
          static_cast<std::uint32_t>(parts_.size()),
          classes_ ? &*classes_ : nullptr,
          far_};
}

}  // namespace rankveil

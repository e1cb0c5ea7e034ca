#include "rankveil/ranking/plane_program.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace rankveil {

std::optional<kernels::WeightClasses> weight_classes(std::span<const std::uint32_t> weights) {
  kernels::WeightClasses classes;
  for (std::uint32_t weight : weights) {
    if (weight == 0 || weight > kernels::largest_sum) return std::nullopt;
    if (!std::has_single_bit(weight)) {
      if (classes.full_count++ > 0 && weight != classes.full_weight) return std::nullopt;
      classes.full_weight = weight;
    } else if (++classes.counts[std::countr_zero(weight)] > kernels::most_class_planes) {
      return std::nullopt;
    }
    classes.top = std::max(classes.top, static_cast<std::uint32_t>(std::bit_width(weight)) - 1);
  }
  if (classes.full_count > kernels::most_class_planes) return std::nullopt;
  return classes;
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

// Full matches, then bit by bit from the lowest.
void PlaneProgram::sort_by_class(std::span<const std::uint32_t> weights) {
  std::vector<const std::uint64_t*> sorted;
  sorted.reserve(planes_.size());
  auto take = [&](std::uint32_t weight) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (weights[i] == weight) sorted.push_back(planes_[i]);
    }
  };
  if (classes_->full_count > 0) take(classes_->full_weight);
  for (std::uint32_t bit = 0; bit <= classes_->top; ++bit) {
    if (classes_->counts[bit] > 0) take(1U << bit);
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

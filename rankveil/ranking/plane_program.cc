#include "rankveil/ranking/plane_program.h"

#include <algorithm>
#include <bit>
#include <cassert>

namespace rankveil {

PlaneProgram::PlaneProgram(std::vector<const std::uint64_t*> planes,
                           std::span<const std::uint32_t> weights, std::uint32_t largest)
    : planes_(std::move(planes)), largest_(largest) {
  assert(planes_.size() == weights.size() && "one weight per plane");
  assert(!planes_.empty() && planes_.size() <= kernels::most_planes && "too many planes, or none");
  assert(largest <= kernels::largest_sum && "sums must fit eight slices");
  unit_ = planes_.size() <= kernels::most_tree_planes &&
          std::all_of(weights.begin(), weights.end(), [](std::uint32_t w) { return w == 1; });
  // The code for unit weights counts its planes, whatever sums can really occur.
  slices_ = static_cast<std::uint32_t>(
      std::bit_width(unit_ ? static_cast<std::uint32_t>(planes_.size()) : largest));
  if (!unit_) add_parts(weights);
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
          far_};
}

}  // namespace rankveil

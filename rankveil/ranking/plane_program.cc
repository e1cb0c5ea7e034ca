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
  unit_ = std::all_of(weights.begin(), weights.end(), [](std::uint32_t w) { return w == 1; });
  // The code for unit weights counts its planes, whatever sums can really occur.
  slices_ = static_cast<std::uint32_t>(
      std::bit_width(unit_ ? static_cast<std::uint32_t>(planes_.size()) : largest));
  first_.push_back(0);
  for (std::uint32_t slice = 0; slice < slices_; ++slice) {
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if ((weights[i] >> slice) & 1) inputs_.push_back(static_cast<std::uint16_t>(i));
    }
    first_.push_back(static_cast<std::uint32_t>(inputs_.size()));
  }
}

kernels::Program PlaneProgram::view() const {
  return {planes_.data(), static_cast<std::uint32_t>(planes_.size()),
          slices_,        unit_,
          inputs_.data(), first_.data()};
}

}  // namespace rankveil

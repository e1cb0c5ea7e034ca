// Owns what a kernels::Program points to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil {

// How planes of these weights are counted with the least work, where sums have so many bits.
kernels::WeightClasses weight_classes(std::span<const std::uint32_t> weights, std::uint32_t slices);

class PlaneProgram {
 public:
  // `planes[i]` counts `weights[i]` >= 1; `largest` bounds every row's sum, and is at most
  // kernels::largest_wide_sum.
  // REQUIRES: 1 to kernels::max_planes planes.
  PlaneProgram(std::vector<const std::uint64_t*> planes, std::span<const std::uint32_t> weights,
               std::uint32_t largest);

  // Whether the planes are expected in memory rather than in a cache.
  void expect_far(bool far) { far_ = far; }

  kernels::Program view() const;
  std::uint32_t slices() const { return slices_; }
  std::uint32_t largest() const { return largest_; }

 private:
  void sort_by_class(std::span<const std::uint32_t> weights);

  std::vector<const std::uint64_t*> planes_;
  std::optional<kernels::WeightClasses> classes_;
  std::uint32_t slices_;
  std::uint32_t largest_;
  bool far_ = false;
};

}  // namespace rankveil

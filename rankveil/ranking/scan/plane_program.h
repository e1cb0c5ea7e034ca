// Owns what a kernels::Program points to.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil {

// None when the weights are too many different ones, or trees for their bits are quicker.
std::optional<kernels::WeightClasses> weight_classes(std::span<const std::uint32_t> weights);

class PlaneProgram {
 public:
  // `planes[i]` counts `weights[i]` >= 1; `largest` bounds every row's sum. It is at most
  // kernels::largest_sum, or, when weight_classes(weights) says so, kernels::largest_wide_sum.
  // REQUIRES: 1 to kernels::most_planes planes.
  PlaneProgram(std::vector<const std::uint64_t*> planes, std::span<const std::uint32_t> weights,
               std::uint32_t largest);

  // Whether the planes are expected in memory rather than in a cache.
  void expect_far(bool far) { far_ = far; }

  kernels::Program view() const;
  std::uint32_t slices() const { return slices_; }
  std::uint32_t largest() const { return largest_; }

 private:
  void add_parts(std::span<const std::uint32_t> weights);
  void sort_by_class(std::span<const std::uint32_t> weights);

  std::vector<const std::uint64_t*> planes_;
  std::vector<const std::uint64_t*> part_planes_;
  std::vector<kernels::ProgramPart> parts_;
  std::optional<kernels::WeightClasses> classes_;
  std::uint32_t slices_;
  std::uint32_t largest_;
  bool unit_;
  bool far_ = false;
};

}  // namespace rankveil

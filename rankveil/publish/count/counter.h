// How many points a box holds, for thousands of boxes.
//
// For every distinct value of a dimension there are two bitmaps over points, "at least" and "at
// most"; a box is what two for each dimension share. Where they would take more than
// `most_bytes`, places are compared point by point instead, which gives the same numbers.
#pragma once

#include <cstdint>
#include <limits>
#include <vector>

#include "rankveil/publish/count/field.h"
#include "rankveil/publish/count/kernel.h"

namespace rankveil::publish {

class Counter {
 public:
  static constexpr std::size_t most_bytes = std::size_t{1} << 29;
  static constexpr std::uint32_t no_limit = std::numeric_limits<std::uint32_t>::max();

  explicit Counter(const Field& field, std::size_t bytes = most_bytes);

  // Points inside the box that are left. REQUIRES: remove() was told what left the field.
  Counts count(const Edges& edges) const;
  std::uint32_t positives(const Edges& edges) const;
  // Right up to `limit`; beyond, some number above it.
  std::uint32_t others(const Edges& edges, std::uint32_t limit = no_limit) const;

  void remove(Point point);
  bool uses_bitmaps() const { return !bits_.empty(); }

 private:
  struct Shared;
  void fill_dimension(std::size_t dimension);
  std::uint64_t* bitmap(std::size_t dimension, bool at_most, std::uint32_t rank);
  const std::uint64_t* bitmap(std::size_t dimension, bool at_most, std::uint32_t rank) const;
  Shared shared(const Edges& edges) const;
  std::uint32_t walk(const Edges& edges, Point first, Point last) const;

  const Field& field_;
  const count::Kernel& kernel_;
  std::size_t words_;
  std::vector<std::uint64_t> left_;
  std::vector<std::size_t> starts_;  // of each dimension's bitmaps, in words
  std::vector<std::uint64_t> bits_;
};

}  // namespace rankveil::publish

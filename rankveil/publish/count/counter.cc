#include "rankveil/publish/count/counter.h"

#include <algorithm>

namespace rankveil::publish {

// The bitmaps that bound a box. An edge that cuts nothing off needs none.
struct Counter::Shared {
  const std::uint64_t* bitmaps[2 * most_dimensions + 1];
  std::uint32_t number = 0;
};

Counter::Counter(const Field& field, std::size_t bytes)
    : field_(field),
      kernel_(count::kernel_in_use()),
      words_((std::size_t{field.size()} + 63) / 64),
      left_(words_) {
  for (Point point = 0; point < field.size(); ++point) {
    if (field.is_left(point)) left_[point / 64] |= std::uint64_t{1} << (point % 64);
  }
  std::size_t total = 0;
  for (std::size_t d = 0; d < field.dimensions(); ++d) {
    starts_.push_back(total);
    total += 2 * std::size_t{field.distinct(d)} * words_;
  }
  if (total * sizeof(std::uint64_t) > bytes) return;
  bits_.resize(total);
  for (std::size_t d = 0; d < field.dimensions(); ++d) fill_dimension(d);
}

std::uint64_t* Counter::bitmap(std::size_t dimension, bool at_most, std::uint32_t rank) {
  return bits_.data() + starts_[dimension] + (2 * std::size_t{rank} + (at_most ? 1 : 0)) * words_;
}

const std::uint64_t* Counter::bitmap(std::size_t dimension, bool at_most,
                                     std::uint32_t rank) const {
  return bits_.data() + starts_[dimension] + (2 * std::size_t{rank} + (at_most ? 1 : 0)) * words_;
}

// Each bitmap is its neighbour and the points in between.
void Counter::fill_dimension(std::size_t dimension) {
  auto add = [&](std::uint64_t* bits, std::uint32_t first, std::uint32_t last) {
    for (Point point : field_.between(dimension, first, last)) {
      bits[point / 64] |= std::uint64_t{1} << (point % 64);
    }
  };
  std::uint32_t distinct = field_.distinct(dimension);
  for (std::uint32_t rank = 0; rank < distinct; ++rank) {
    std::uint64_t* bits = bitmap(dimension, true, rank);
    if (rank > 0) std::copy_n(bitmap(dimension, true, rank - 1), words_, bits);
    add(bits, rank == 0 ? 0 : 2 * rank - 1, 2 * rank + 1);
  }
  for (std::uint32_t rank = distinct; rank-- > 0;) {
    std::uint64_t* bits = bitmap(dimension, false, rank);
    if (rank + 1 < distinct) std::copy_n(bitmap(dimension, false, rank + 1), words_, bits);
    add(bits, 2 * rank, rank + 1 < distinct ? 2 * rank + 2 : 2 * rank + 1);
  }
}

Counter::Shared Counter::shared(const Edges& edges) const {
  Shared shared;
  shared.bitmaps[shared.number++] = left_.data();
  for (std::size_t d = 0; d < field_.dimensions(); ++d) {
    if (edges.low[d] > 0) shared.bitmaps[shared.number++] = bitmap(d, false, edges.low[d]);
    if (edges.high[d] + 1 < field_.distinct(d)) {
      shared.bitmaps[shared.number++] = bitmap(d, true, edges.high[d]);
    }
  }
  return shared;
}

std::uint32_t Counter::walk(const Edges& edges, Point first, Point last) const {
  std::uint32_t inside = 0;
  for (Point point = first; point < last; ++point) {
    bool left = ((left_[point / 64] >> (point % 64)) & 1) != 0;
    if (left && field_.holds(edges, point)) ++inside;
  }
  return inside;
}

std::uint32_t Counter::positives(const Edges& edges) const {
  if (!uses_bitmaps()) return walk(edges, 0, field_.positives());
  Shared all = shared(edges);
  return kernel_.shared(all.bitmaps, all.number, 0, field_.others_begin() / 64, no_limit);
}

std::uint32_t Counter::others(const Edges& edges, std::uint32_t limit) const {
  if (!uses_bitmaps()) return walk(edges, field_.others_begin(), field_.size());
  Shared all = shared(edges);
  return kernel_.shared(all.bitmaps, all.number, field_.others_begin() / 64, words_, limit);
}

Counts Counter::count(const Edges& edges) const {
  std::uint32_t found = positives(edges);
  return {found, found + others(edges)};
}

void Counter::remove(Point point) { left_[point / 64] &= ~(std::uint64_t{1} << (point % 64)); }

}  // namespace rankveil::publish

// The few rows of a segment without which planes of strengths would be alike.
//
// Equivalent sets of two rows give both values 3 of 6 levels: two of a value's three planes are
// alike, and the third is empty. But where rows are odd in number, one set has three, with 2 and 4
// of 6 levels, and for the sake of these rows every query would read all planes. So they are a
// small segment of their own, with all their planes. The best of it and the best of the other rows,
// for which fewer planes are read, make up the answer:
//
//   rank(segment without rows.mask(...), rows.weights())
//   rank(rows.slot(...)), or score rows.segment() where they are few
//
// Where all rows but a few are of one group, those few are exceptional anyhow: their scores have
// another base.
//
// Made when queries keep coming; it is not part of the file. Any number of threads may read it.
#pragma once

#include <atomic>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "rankveil/ranking/store/state.h"

namespace rankveil {

// To rank some rows apart is taken to cost a query as much as to read this: some three
// microseconds. Tests set it to 0, so that small tables are ranked as large ones are.
inline std::atomic<std::size_t> apart_bytes{std::size_t{256} << 10};

// Up to so many are scored without a plan (few_rows.h), rather than scanned: at most a line of
// them. Tests set it to 0, so that few are scanned as many are.
inline std::atomic<std::uint32_t> most_scored{kernels::rows_per_line};

class ExceptionalRows {
 public:
  // Null where they are not worth it, or too many; or rows are of many groups.
  static std::shared_ptr<const ExceptionalRows> of(const Segment& segment);

  std::uint32_t count() const { return static_cast<std::uint32_t>(rows_.size()); }
  bool has(std::uint32_t position) const { return (mask(position / 64) >> (position % 64)) & 1; }
  // Those of positions 64 x word and so on, in the segment's planes.
  std::uint64_t mask(std::size_t word) const { return mask_[word]; }
  // What the segment's planes count, in all other rows.
  const PlaneWeights& weights() const { return weights_; }
  // These rows as a segment, in the same order.
  const Segment& segment() const { return *segment_; }
  // The same, less those that `whole` has lost.
  SegmentSlot slot(const SegmentSlot& whole) const;
  // Row `i` of that segment, in the whole one.
  std::uint32_t row(std::uint32_t i) const { return rows_[i]; }
  // The same for the one at `position` in its planes.
  std::uint32_t row_at(std::uint32_t position) const {
    return row(segment_->groups ? segment_->groups->order[position] : position);
  }

 private:
  class Finder;
  ExceptionalRows(const Segment& whole, std::vector<std::uint64_t> mask, PlaneWeights weights);

  std::vector<std::uint64_t> mask_;
  PlaneWeights weights_;
  std::vector<std::uint32_t> rows_;  // ascending
  std::shared_ptr<const Segment> segment_;
};

}  // namespace rankveil

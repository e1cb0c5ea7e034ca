// Scanning a segment whose groups stand in columns (group_columns.h).
//
// Block by block: add up what the query gives 512 groups, bound it from above in steps of a
// fraction of a sum, spread the thresholds that follow over the bits of a line, and run the kernel
// over the block's lines. Rows that reach their threshold are scored exactly.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rankveil/ranking/scan/first_guess.h"
#include "rankveil/ranking/scan/scan.h"

namespace rankveil {

class ColumnPlan {
 public:
  // Null where it is not for this query: private attributes of quite different weights, or sums
  // that do not fit a byte. `segment` has to outlive it.
  static std::unique_ptr<ColumnPlan> of(const SegmentPlan& segment);
  static std::unique_ptr<ColumnPlan> of(const SegmentPlan& segment, const GroupColumns& columns);

  std::uint32_t lines() const { return columns_->lines(); }
  Guess guess(std::uint32_t k) const;
  // A scan of lines of the columns, which are not the segment's lines.
  std::unique_ptr<Scan> start(std::uint32_t k, std::int64_t floor) const;

 private:
  class ColumnScan;
  ColumnPlan(const SegmentPlan& segment, const GroupColumns& columns);

  // Whether scores can be bounded in steps that fit a byte.
  bool choose_steps();
  void add_shares();
  // What the group in this slot gives its rows.
  std::int64_t base(std::size_t slot) const;
  // A score in steps, rounded down, and back.
  std::uint32_t steps_of(std::int64_t score) const;
  std::int64_t score_of(std::int32_t steps) const;

  const SegmentPlan* segment_;
  const GroupColumns* columns_;
  FeedList list_;
  Summing sums_;
  double weight_ = 1;  // of an entry of `counts_`
  // Of all groups: an asked value is there as many times as its weight is a multiple of weight_.
  std::vector<const std::uint8_t*> counts_;
  std::uint32_t shift_ = 0;           // 2^shift steps make up a sum of 1
  std::uint16_t steps_per_unit_ = 0;  // of groups, times 2^16
  // By slot: the sum of counts, or 255 for any larger one; and an upper bound of the base, in
  // steps.
  std::unique_ptr<std::uint8_t[]> shares_;
  std::unique_ptr<std::uint8_t[]> bounds_;
};

}  // namespace rankveil

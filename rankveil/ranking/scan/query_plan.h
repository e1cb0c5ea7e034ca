// A query turned into numbers: what each plane counts, and what each group gives all its rows.
//
// Scores are exact integers. Without groups, a row's score is the sum over asked attributes of
// weight x strength, strengths from 0 to `levels` (and 16 times that, where there are several and
// it fits). With groups, keep = a/b and a scale F (a power of two), it is F (b levels x public
// weights + a x weights x strengths) + base(group), where base = round(F (b - a) levels sum_j
// weight_j count_j / size).
//
// Equal shares give equal bases, and rounding never turns an order round; it can only make a tie of
// two scores that differ by less than 1/F of the smallest step of the weights. F is 2^40 for unit
// weights, which tells all shares of groups up to half a million rows apart, and at least 2^7.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/scan/bound_feeds.h"
#include "rankveil/ranking/scan/feed.h"
#include "rankveil/ranking/scan/group_bases.h"

namespace rankveil {

struct QueryPlan {
  QueryPlan(const Index::State& state, const Query& query, const Weights& weights);
  // `asked`: public attributes first; weights are units, of which 1 is `per_one`.
  QueryPlan(const Index::State& state, std::vector<Wish> asked, std::int64_t per_one);

  std::vector<Wish> wishes;
  GroupBases bases;        // empty without groups
  double unit;             // real score = score x unit
  bool has_parts = false;  // a level's weight divides by StrengthBounds::parts
  Memory memory;
};

// The planes of a query's wishes.
class FeedList {
 public:
  // `attributes` are of `rows` rows, and have to outlive this.
  FeedList(const std::vector<AttributePlanes>& attributes, std::uint32_t rows,
           const std::vector<Wish>& wishes);

  const std::vector<Feed>& feeds() const { return feeds_; }
  // The first of them: those of attributes without strengths, which come before the others.
  std::span<const Feed> unit_feeds() const { return std::span(feeds_).first(unit_count_); }

 private:
  void add_wish(const AttributePlanes& planes, const Wish& wish);
  void add_union(const AttributePlanes& planes, const Wish& wish);
  void add_strengths(const AttributePlanes& planes, const Wish& wish);
  void add_grades(const AttributePlanes& planes, const Wish& wish);
  void add_feed(const Plane& plane, std::int64_t weight);
  std::uint64_t* scratch_plane();

  std::uint32_t rows_;
  std::vector<Feed> feeds_;
  std::size_t unit_count_ = 0;
  std::vector<AlignedWords> scratch_;
};

// The query against one segment.
class SegmentPlan {
 public:
  // `query` has to outlive this.
  SegmentPlan(const SegmentSlot& slot, const QueryPlan& query, RowFilter filter = {});

  const SegmentSlot& slot() const { return *slot_; }
  const Segment& segment() const { return *slot_->segment; }
  const std::vector<Wish>& wishes() const { return query_->wishes; }
  const std::vector<Feed>& feeds() const { return list_.feeds(); }
  // Fewer feeds, that bound strengths; or null.
  const BoundFeeds* bounds() const { return bounds_ ? &*bounds_ : nullptr; }
  const RowFilter& filter() const { return filter_; }
  bool has_grades() const;
  const Memory& memory() const { return query_->memory; }
  const GroupBases& bases() const { return query_->bases; }
  bool grouped() const { return segment().groups.has_value(); }

  // What feeds count, without bases. `position` counts as the planes do.
  std::int64_t planes_score(std::uint32_t position) const;
  // What the row's group gives it; 0 without groups.
  std::int64_t base_at(std::uint32_t position) const {
    if (!grouped()) return 0;
    return bases().of(segment().group_at(position));
  }
  // planes_score of 512 x (end - begin) positions.
  void planes_scores(std::uint32_t begin_line, std::uint32_t end_line, std::int64_t* out) const;

 private:
  const SegmentSlot* slot_;
  const QueryPlan* query_;
  RowFilter filter_;
  FeedList list_;
  std::optional<BoundFeeds> bounds_;
};

}  // namespace rankveil

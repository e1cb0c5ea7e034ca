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

#include "rankveil/ranking/apart/exceptional_rows.h"
#include "rankveil/ranking/scan/bound_feeds.h"
#include "rankveil/ranking/scan/feed.h"
#include "rankveil/ranking/scan/group_bases.h"

namespace rankveil {

struct QueryPlan {
  QueryPlan(const Index::State& state, const Query& query, const Weights& weights);

  std::vector<Wish> wishes;
  GroupBases bases;              // empty without groups
  double unit;                   // real score = score x unit
  std::uint32_t full_match = 0;  // levels of a full match; 0: no whole number
};

// The planes of a query's wishes.
class FeedList {
 public:
  // `attributes` are of `rows` rows, and have to outlive this. `weights` may be null.
  FeedList(const std::vector<AttributePlanes>& attributes, std::uint32_t rows,
           const std::vector<Wish>& wishes, const PlaneWeights* weights);

  const std::vector<Feed>& feeds() const { return feeds_; }
  // What every row has on top of what they count.
  std::int64_t constant() const { return constant_; }
  // How many of the planes were made for this query.
  std::size_t made_planes() const { return scratch_.size(); }
  // The first of them: those of attributes without strengths, which come before the others.
  std::span<const Feed> unit_feeds() const { return std::span(feeds_).first(unit_count_); }

 private:
  void add_wish(const AttributePlanes& planes, const Wish& wish, const PlaneWeights* weights);
  void add_union(const AttributePlanes& planes, const Wish& wish);
  void add_strengths(const AttributePlanes& planes, const Wish& wish, const PlaneWeights* weights);
  void add_feed(const Plane& plane, std::int64_t weight);
  std::uint64_t* scratch_plane();

  std::uint32_t rows_;
  std::vector<Feed> feeds_;
  std::int64_t constant_ = 0;
  std::size_t unit_count_ = 0;
  std::vector<AlignedWords> scratch_;
};

// Whether the planes of a plan are right for all rows, or exceptional ones, where a segment has
// them, are left to a plan of their own.
enum class Exceptions { Included, Apart };

// The query against one segment.
class SegmentPlan {
 public:
  // `query` has to outlive this.
  SegmentPlan(const SegmentSlot& slot, const QueryPlan& query,
              Exceptions exceptions = Exceptions::Included);

  const SegmentSlot& slot() const { return *slot_; }
  const QueryPlan& query() const { return *query_; }
  const Segment& segment() const { return *slot_->segment; }
  const std::vector<Wish>& wishes() const { return query_->wishes; }
  const std::vector<Feed>& feeds() const { return list_.feeds(); }
  std::size_t made_planes() const { return list_.made_planes(); }
  // Every row's score has this on top of what feeds count, exceptional rows aside.
  std::int64_t constant() const { return list_.constant(); }
  const PlaneWeights* plane_weights() const { return plane_weights_; }
  // Rows that the feeds count wrong; or null.
  const ExceptionalRows* exceptional() const { return exceptional_; }
  bool is_exceptional(std::uint32_t position) const {
    return exceptional_ != nullptr && exceptional_->has(position);
  }
  // Fewer feeds, that bound strengths; or null.
  const BoundFeeds* bounds() const { return bounds_ ? &*bounds_ : nullptr; }
  // The segment once more, in another order; or null, also until it was asked for often enough.
  const GroupColumns* columns() const {
    return grouped() ? segment().group_columns(bases().kind()) : nullptr;
  }
  const GroupBases& bases() const { return query_->bases; }
  bool grouped() const { return segment().groups.has_value(); }
  // REQUIRES: grouped(). The row comes from far: nobody asks for it without need.
  bool is_deleted(std::uint32_t position) const {
    return slot_->deleted != nullptr && slot_->is_deleted(segment().groups->order[position]);
  }
  std::uint32_t live_rows() const { return segment().rows - slot_->deleted_count; }

  // What feeds count, without bases or constant. `position` counts as the planes do. Wrong for
  // exceptional rows: no answer may depend on theirs, a guess may.
  std::int64_t planes_score(std::uint32_t position) const;
  // What the row's group gives it; 0 without groups.
  std::int64_t base_at(std::uint32_t position) const {
    if (!grouped()) return 0;
    return bases().of(segment().group_at(position));
  }
  // planes_score of 512 x (end - begin) positions; anything for exceptional ones.
  void planes_scores(std::uint32_t begin_line, std::uint32_t end_line, std::int64_t* out) const;

 private:
  const SegmentSlot* slot_;
  const QueryPlan* query_;
  const ExceptionalRows* exceptional_;
  const PlaneWeights* plane_weights_;
  FeedList list_;
  std::optional<BoundFeeds> bounds_;
};

}  // namespace rankveil

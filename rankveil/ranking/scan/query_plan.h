// A query turned into whole numbers: what each plane counts, and what each group gives all its
// rows.
//
// Without groups, with L levels:
//   score(r) = F x sum over asked attributes of weight x strength(r),
// where strengths go from 0 to L, a public match has strength L, and F is 16 where L > 1 and it
// fits (StrengthBounds count in parts of a level), else 1.
//
// With groups, keep = a/b:
//   score(r) = F x (b L x (sum of weights of public matches) + a x sum of weight x strength(r))
//              + base(group of r),
//   base(g)  = round(F x (b - a) x L x (sum of weight x count(g)) / size(g)).
// Groups whose shares count in full have b for b - a. The real score is the integer times `unit`,
// which is 1 / (F x b x L x Weights::per_one).
//
// Eight rows, city public and religion private, both of weight 1, L = 1, keep = 1/3, and F = 4 to
// keep numbers small. Of group A (rows 0 to 3) two of four people have religion=none, of group B
// (rows 4 to 7) one of four. For city=Paris, religion=none a public match counts F b L = 12, a
// shown value F a = 4, base(A) = 4 x 2 x 2/4 = 4 and base(B) = 4 x 2 x 1/4 = 2:
//
//   row            0  1  2  3 |  4  5  6  7
//   is in Paris    1  0  1  0 |  1  1  0  0     x 12
//   shows none     1  0  0  1 |  0  1  0  0     x 4
//   base           4  4  4  4 |  2  2  2  2
//   score         20  4 16  8 | 14 18  2  2     best three: 0, 5, 2
//
// Row 5 really scores 18 / 12 = 1 + 1/3 + 2/3 x 1/4.
//
// Invariant: planes_score(position) + base_at(position) is the score, exactly, whichever scan asks.
// Equal shares give equal bases whatever the sizes of their groups, so ties are ties. Rounding
// never turns an order round: it can only make a tie of two scores that differ by less than 1/F of
// the smallest step of the weights. F is 2^40 for unit weights, which tells all shares of groups of
// up to half a million rows apart, and at least 2^7.
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

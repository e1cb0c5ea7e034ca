#include "rankveil/ranking/scan/query_plan.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <functional>
#include <numeric>

#include "rankveil/base/bits.h"

namespace rankveil {

namespace {

// Scores with shares stay below this, so that doubles hold them exactly.
constexpr int score_bits = 51;
// Finer than this, two different sums of shares of groups up to half a million rows never meet.
constexpr int max_scale_bits = 40;

// Levels have parts, for bounds of strengths; where a set of 65,535 values does not overflow then.
constexpr int parts_bits = std::bit_width(StrengthBounds::parts) - 1;
constexpr std::int64_t max_with_parts = std::int64_t{1} << 40;

int scale_bits(std::int64_t total) {
  auto used = static_cast<int>(std::bit_width(static_cast<std::uint64_t>(total)));
  return std::clamp(score_bits - used, 0, max_scale_bits);
}

// `wishes`: with weights in units.
std::vector<ShareColumn> share_columns(const Index::State& state, const std::vector<Wish>& wishes) {
  const ShareTable& shares = state.kind.shares;
  std::uint32_t first_private = state.schema.public_count();
  std::vector<ShareColumn> columns;
  columns.reserve(wishes.size());
  for (const Wish& wish : wishes) {
    if (wish.attribute < first_private) continue;
    for (std::size_t i = 0; i < wish.values->size(); ++i) {
      ValueId value = (*wish.values)[i];
      if (+value >= shares.domain_sizes[wish.attribute - first_private]) continue;
      auto counts = shares.counts_of(wish.attribute - first_private, +value);
      auto place = counts.data() - shares.counts.items().data();
      columns.push_back({static_cast<std::size_t>(place),
                         static_cast<double>(wish.weight * wish.grade(i)),
                         wish.attribute - first_private, +value});
    }
  }
  return columns;
}

}  // namespace

namespace {

std::vector<Wish> wishes_of(const Query& query, const Weights& weights) {
  std::vector<Wish> wishes;
  wishes.reserve(query.wanted.size());
  for (std::uint32_t i = 0; i < query.wanted.size(); ++i) {
    if (!query.wanted[i].empty()) wishes.push_back({i, &query.wanted[i], weights.units[i]});
  }
  return wishes;
}

// Of a row that matches fully.
std::int64_t max_units(const Wish& wish) {
  std::int64_t best = 1;
  for (std::size_t i = 0; wish.grades != nullptr && i < wish.grades->size(); ++i) {
    best = std::max(best, wish.grade(i));
  }
  return wish.weight * best;
}

}  // namespace

QueryPlan::QueryPlan(const Index::State& state, const Query& query, const Weights& weights)
    : QueryPlan(state, wishes_of(query, weights), weights.per_one) {
  assert(query.wanted.size() == state.schema.size() && "a query of another schema");
  assert(weights.units.size() == state.schema.size() && "weights of another schema");
}

QueryPlan::QueryPlan(const Index::State& state, std::vector<Wish> asked, std::int64_t per_one)
    : wishes(std::move(asked)), memory(state.memory) {
  const ProfileKind& kind = state.kind;
  std::int64_t public_factor = std::int64_t{kind.keep.denominator} * kind.levels;
  std::int64_t private_factor = kind.keep.numerator;
  std::uint32_t first_private = state.schema.public_count();
  std::int64_t most = 0;  // a row's score when everything matches fully
  for (const Wish& wish : wishes) most += max_units(wish) * public_factor;
  bool with_parts = kind.levels > 1 && most < max_with_parts;
  int bits = kind.grouped ? scale_bits(most) : with_parts ? parts_bits : 0;
  has_parts = bits >= parts_bits;
  unit = std::ldexp(1.0 / static_cast<double>(per_one * public_factor), -bits);
  if (kind.grouped) bases = GroupBases(kind, share_columns(state, wishes), std::ldexp(1.0, bits));
  for (Wish& wish : wishes) {
    wish.weight *= wish.attribute < first_private ? public_factor : private_factor;
    wish.weight <<= bits;
  }
}

namespace {

// Adds the rows of a plane that are not taken yet to the planes of the bits of `grade`.
void add_fresh(const Plane& plane, std::uint64_t grade, AlignedWords& taken,
               const std::vector<std::uint64_t*>& bits) {
  auto add_word = [&](std::size_t i, std::uint64_t rows) {
    std::uint64_t fresh = rows & ~taken.data()[i];
    taken.data()[i] |= rows;
    for (std::uint64_t left = grade; left != 0; left &= left - 1) {
      bits[static_cast<std::size_t>(std::countr_zero(left))][i] |= fresh;
    }
  };
  for (std::uint32_t row : plane.rows) add_word(row / 64, std::uint64_t{1} << (row % 64));
  for (std::size_t i = 0; plane.bits != nullptr && i < taken.size(); ++i) {
    add_word(i, plane.bits[i]);
  }
}

}  // namespace

FeedList::FeedList(const std::vector<AttributePlanes>& attributes, std::uint32_t rows,
                   const std::vector<Wish>& wishes)
    : rows_(rows) {
  feeds_.reserve(wishes.size() * 2);
  for (const Wish& wish : wishes) add_wish(attributes[wish.attribute], wish);
}

void FeedList::add_wish(const AttributePlanes& planes, const Wish& wish) {
  if (wish.weight == 0) return;  // nothing is kept: only shares count
  if (planes.bits > 1) {
    add_strengths(planes, wish);
  } else {
    wish.grades != nullptr ? add_grades(planes, wish) : add_union(planes, wish);
    unit_count_ = feeds_.size();
  }
}

void FeedList::add_strengths(const AttributePlanes& planes, const Wish& wish) {
  for (std::size_t i = 0; i < wish.values->size(); ++i) {
    ValueId value = (*wish.values)[i];
    if (+value >= planes.domain_size()) continue;  // a value that came with later rows
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      add_feed(planes.plane(+value, bit), (wish.weight * wish.grade(i)) << bit);
    }
  }
}

// One plane for each bit of a row's best grade: so sums go no higher than a row's can.
void FeedList::add_grades(const AttributePlanes& planes, const Wish& wish) {
  std::vector<std::size_t> order(wish.values->size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, std::greater<>(), [&](std::size_t i) { return wish.grade(i); });
  std::size_t words = std::size_t{lines_of(rows_)} * kernels::words_per_line;
  AlignedWords taken(words);
  std::vector<std::uint64_t*> bits(8, nullptr);
  for (std::size_t i : order) {
    ValueId value = (*wish.values)[i];
    if (+value >= planes.domain_size() || planes.plane(+value).is_empty()) continue;
    auto grade = static_cast<std::uint64_t>(wish.grade(i));
    for (std::size_t bit = 0; bit < bits.size(); ++bit) {
      if (((grade >> bit) & 1) != 0 && bits[bit] == nullptr) bits[bit] = scratch_plane();
    }
    add_fresh(planes.plane(+value), grade, taken, bits);
  }
  for (std::size_t bit = 0; bit < bits.size(); ++bit) {
    if (bits[bit] != nullptr) feeds_.push_back({bits[bit], wish.weight << bit});
  }
}

void FeedList::add_union(const AttributePlanes& planes, const Wish& wish) {
  if (wish.values->size() == 1 && +wish.values->front() < planes.domain_size()) {
    return add_feed(planes.plane(+wish.values->front()), wish.weight);
  }
  std::vector<const Plane*> parts;
  for (ValueId value : *wish.values) {
    if (+value >= planes.domain_size()) continue;
    const Plane& plane = planes.plane(+value);
    if (!plane.is_empty()) parts.push_back(&plane);
  }
  if (parts.size() == 1) return add_feed(*parts[0], wish.weight);
  if (parts.empty()) return;
  std::uint64_t* joined = scratch_plane();
  std::size_t words = std::size_t{lines_of(rows_)} * kernels::words_per_line;
  for (const Plane* part : parts) {
    if (part->bits != nullptr) {
      for (std::size_t i = 0; i < words; ++i) joined[i] |= part->bits[i];
    }
    for (std::uint32_t row : part->rows) joined[row / 64] |= std::uint64_t{1} << (row % 64);
  }
  feeds_.push_back({joined, wish.weight});
}

void FeedList::add_feed(const Plane& plane, std::int64_t weight) {
  if (plane.bits != nullptr) {
    feeds_.push_back({plane.bits, weight});
  } else if (!plane.rows.empty()) {
    std::uint64_t* spread = scratch_plane();
    for (std::uint32_t row : plane.rows) spread[row / 64] |= std::uint64_t{1} << (row % 64);
    feeds_.push_back({spread, weight});
  }
}

std::uint64_t* FeedList::scratch_plane() {
  return scratch_.emplace_back(plane_stride(rows_)).data();
}

SegmentPlan::SegmentPlan(const SegmentSlot& slot, const QueryPlan& query, RowFilter filter)
    : slot_(&slot),
      query_(&query),
      filter_(filter),
      list_(slot.segment->attributes, slot.segment->rows, query.wishes) {
  auto first_private = static_cast<std::uint32_t>(segment().columns.size());
  const std::optional<StrengthBounds>& bounds = segment().bounds;
  if (!bounds || !query.has_parts) return;
  bool graded = list_.unit_feeds().size() < list_.feeds().size();
  bool several = feeds().size() > query.wishes.size();         // planes a wish; bounds take one
  bool far = memory().is_far(feeds().size(), segment().rows);  // else reading less gains little
  if (!graded || !several || !far || !BoundFeeds::fit(query.wishes, first_private)) return;
  bounds_.emplace(list_.unit_feeds(), query.wishes, first_private, *bounds);
  std::size_t planes = bounds_->feeds().size();
  if (planes == 0 || planes >= feeds().size()) bounds_.reset();
}

bool SegmentPlan::has_grades() const {
  return std::ranges::any_of(wishes(), [](const Wish& wish) { return wish.grades != nullptr; });
}

std::int64_t SegmentPlan::planes_score(std::uint32_t position) const {
  std::int64_t total = 0;
  for (const Feed& feed : feeds()) total += feed.at(position);
  return total;
}

void SegmentPlan::planes_scores(std::uint32_t begin_line, std::uint32_t end_line,
                                std::int64_t* out) const {
  std::size_t first = std::size_t{begin_line} * kernels::words_per_line;
  std::size_t words = std::size_t{end_line - begin_line} * kernels::words_per_line;
  std::fill(out, out + words * 64, 0);
  for (const Feed& feed : feeds()) {
    for_each_set_bit(feed.plane + first, words, [&](std::size_t i) { out[i] += feed.weight; });
  }
}

}  // namespace rankveil

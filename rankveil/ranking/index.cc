#include "rankveil/ranking/index.h"

#include <algorithm>
#include <cassert>
#include <unordered_set>

#include "rankveil/base/parallel.h"
#include "rankveil/ranking/apart/scan_group.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

PublicTable public_part(const Table& table) {
  PublicTable part{table.schema(), {}, table.names()};
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    part.columns.push_back(table.column(AttributeId{i}));
  }
  return part;
}

namespace {

ProfileKind frozen_kind(const Profiles& profiles) {
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) {
    return ProfileKind::with_levels(levels->levels());
  }
  const auto& grouped = std::get<GroupedProfiles>(profiles.kinds());
  return ProfileKind::with_shares(grouped.keep, grouped.signals.levels(), freeze(grouped.shares));
}

}  // namespace

Index Index::build(PublicTable rows, const Profiles& profiles, IndexInfo info) {
  auto state = std::make_shared<State>();
  state->info = std::move(info);
  if (profiles.unprotected()) state->info.scheme = unprotected_scheme;
  state->kind = frozen_kind(profiles);
  state->weights = weights_of(rows.schema);
  SegmentSlot slot;
  slot.segment = std::make_shared<const Segment>(make_segment(rows.columns, rows.names, profiles));
  state->slots.push_back(std::move(slot));
  state->schema = std::move(rows.schema);
  return Index(std::move(state));
}

std::uint32_t Index::rows() const { return state_->rows(); }

std::uint32_t Index::live_rows() const {
  std::uint32_t live = rows();
  for (const SegmentSlot& slot : state_->slots) live -= slot.deleted_count;
  return live;
}

const Schema& Index::schema() const { return state_->schema; }
const IndexInfo& Index::info() const { return state_->info; }

bool Index::is_live(RowId row) const {
  const SegmentSlot& slot = state_->slot_of(row);
  return !slot.is_deleted(+row - slot.first_row);
}

std::string Index::name(RowId row) const {
  const SegmentSlot& slot = state_->slot_of(row);
  return slot.segment->name(+row - slot.first_row);
}

std::optional<RowId> Index::find_row(std::string_view name) const {
  for (const SegmentSlot& slot : state_->slots) {
    for (std::uint32_t row = 0; row < slot.segment->rows; ++row) {
      if (!slot.is_deleted(row) && slot.segment->name(row) == name) {
        return RowId{slot.first_row + row};
      }
    }
  }
  return std::nullopt;
}

ValueId Index::public_value(RowId row, AttributeId attribute) const {
  assert(+attribute < state_->schema.public_count() && "private values are not stored");
  const SegmentSlot& slot = state_->slot_of(row);
  return slot.segment->columns[+attribute].value(+row - slot.first_row);
}

namespace {

std::uint32_t strength_at(const AttributePlanes& planes, ValueId value, std::uint32_t position) {
  if (+value >= planes.domain_size()) return 0;
  std::uint32_t strength = 0;
  for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
    if (planes.plane(+value, bit).test(position)) strength |= 1U << bit;
  }
  return strength;
}

// What the row's group adds, in units of 1 / (levels x keep's denominator).
double share_at(const ProfileKind& kind, const Segment& segment, PrivateId attribute, ValueId value,
                std::uint32_t position) {
  std::uint32_t group = segment.group_at(position);
  double share = static_cast<double>(kind.shares.counts_of(+attribute, +value)[group]) /
                 kind.shares.sizes[group];
  return kind.factors[group] * share;
}

}  // namespace

double Index::match(RowId row, PrivateId attribute, ValueId value) const {
  const ProfileKind& kind = state_->kind;
  const SegmentSlot& slot = state_->slot_of(row);
  const Segment& segment = *slot.segment;
  std::uint32_t position = segment.position(+row - slot.first_row);
  const auto& planes = segment.attributes[state_->schema.public_count() + +attribute];
  double total = kind.keep.numerator * strength_at(planes, value, position);
  if (kind.grouped) total += share_at(kind, segment, attribute, value, position);
  return total / (kind.keep.denominator * kind.levels);
}

std::size_t Index::bytes() const {
  std::size_t total = state_->kind.shares.counts.bytes() + state_->kind.shares.sizes.bytes();
  for (const SegmentSlot& slot : state_->slots) total += slot.segment->bytes();
  return total;
}

namespace {

// Rows of later segments lose ties, so they must do better than the worst of k.
std::int64_t floor_after(const std::vector<Hit>& best, std::uint32_t k) {
  return best.size() < k || best.empty() ? no_floor : best.back().score + 1;
}

}  // namespace

Answer Index::rank(const Query& query, const RankOptions& options) const {
  QueryPlan plan(*state_, query, state_->weights_or_own(options.weights));
  std::uint32_t k = std::min(options.k, rows());
  Answer answer{{}, plan.unit};
  for (const SegmentSlot& slot : state_->slots) {
    SegmentPlan segment(slot, plan, Exceptions::Apart);
    auto found = best_of_segment(segment, k, floor_after(answer.hits, k), options.threads);
    answer.hits = merge_best(std::move(answer.hits), std::move(found), k);
  }
  return answer;
}

namespace {

// Queries scanned together go over a piece of the planes one after the other, while it is cached.
constexpr std::size_t queries_together = 64;
constexpr std::uint32_t lines_a_turn = 32;
// Planes of no more than this are expected in a cache.
constexpr std::size_t near_bytes = 12 << 20;

struct BatchEntry {
  QueryPlan plan;
  std::optional<SegmentPlan> segment;
  std::optional<ScanPlan> scan_plan;
  std::unique_ptr<Scan> scan;
  std::vector<Hit> best;
};

// All planes that the queries read, each once.
std::vector<const std::uint64_t*> planes_of(const std::vector<BatchEntry>& entries) {
  std::unordered_set<const std::uint64_t*> seen;
  std::vector<const std::uint64_t*> planes;
  for (const BatchEntry& entry : entries) {
    for (const Feed& feed : entry.segment->feeds()) {
      if (seen.insert(feed.plane).second) planes.push_back(feed.plane);
    }
  }
  return planes;
}

// At least as many.
std::size_t most_planes_of(const std::vector<BatchEntry>& entries) {
  std::size_t count = 0;
  for (const auto& attribute : entries[0].segment->segment().attributes) {
    count += attribute.bitmaps();
  }
  for (const BatchEntry& entry : entries) count += entry.segment->made_planes();
  return count;
}

// Lines [begin, end) of share `i` of `shares` of the planes: while queries go over one piece one
// after the other, the next one comes in.
Fetch fetch_share(const std::vector<const std::uint64_t*>& planes, std::size_t i,
                  std::size_t shares, std::uint32_t begin, std::uint32_t end) {
  std::size_t first = planes.size() * i / shares;
  return {planes.data() + first, planes.size() * (i + 1) / shares - first, begin, end};
}

// Piece by piece, all scans over one piece before the next.
void advance_together(const std::vector<BatchEntry>& entries, std::uint32_t lines) {
  std::vector<Scan*> scans;
  scans.reserve(entries.size());
  for (const BatchEntry& entry : entries) scans.push_back(entry.scan.get());
  std::size_t most_near = near_bytes / (std::size_t{lines} * kernels::rows_per_line / 8);
  bool near = most_planes_of(entries) <= most_near;
  std::vector<const std::uint64_t*> planes;  // to fetch
  if (!near) {
    planes = planes_of(entries);
    near = planes.size() <= most_near;
  }
  std::vector<ScanGroup> groups = ScanGroup::of(scans, near);
  std::size_t turns = 0;  // in a piece
  for (const ScanGroup& group : groups) turns += lines_a_turn / group.lines_at_once();
  for (std::uint32_t line = 0; line < lines; line += lines_a_turn) {
    std::uint32_t end = std::min(lines, line + lines_a_turn);
    std::uint32_t next = std::min(lines, end + lines_a_turn);
    std::size_t turn = 0;
    for (ScanGroup& group : groups) {
      std::uint32_t step = group.lines_at_once();
      for (std::uint32_t begin = line; begin < end; begin += step) {
        group.advance(begin, std::min(end, begin + step),
                      fetch_share(planes, turn++, turns, end, next));
      }
    }
  }
}

void scan_together(const SegmentSlot& slot, std::uint32_t k, std::vector<BatchEntry>& entries) {
  std::uint32_t lines = lines_of(slot.segment->rows);
  if (lines == 0 || k == 0) return;
  for (BatchEntry& entry : entries) {
    entry.segment.emplace(slot, entry.plan, Exceptions::Apart);
    entry.scan_plan.emplace(*entry.segment, k, floor_after(entry.best, k), false);
    entry.scan = entry.scan_plan->start(0);
  }
  advance_together(entries, lines);
  for (BatchEntry& entry : entries) {
    std::vector<Hit> found = entry.scan_plan->with_constant(entry.scan->take());
    found = merge_best(std::move(found), entry.scan_plan->exceptional(0), k);
    if (found.size() < k && entry.scan_plan->attempts() > 1) {
      found = best_of_segment(*entry.segment, k, floor_after(entry.best, k), 1);
    }
    entry.best = merge_best(std::move(entry.best), std::move(found), k);
  }
}

}  // namespace

std::vector<Answer> Index::rank_all(std::span<const Query> queries,
                                    const RankOptions& options) const {
  std::vector<Answer> answers(queries.size());
  const Weights& weights = state_->weights_or_own(options.weights);
  std::uint32_t k = std::min(options.k, rows());
  std::size_t together = queries_together;
  if (options.threads > 1) {  // a share for every thread
    std::size_t share = (queries.size() + options.threads - 1) / options.threads;
    together = std::clamp<std::size_t>(share, 1, queries_together);
  }
  std::size_t batches = (queries.size() + together - 1) / together;
  parallel_for(batches, options.threads, [&](std::size_t batch) {
    std::size_t begin = batch * together;
    std::size_t end = std::min(queries.size(), begin + together);
    std::vector<BatchEntry> entries;
    entries.reserve(end - begin);  // plans point at each other: they must not move
    for (std::size_t i = begin; i < end; ++i) {
      entries.push_back({QueryPlan(*state_, queries[i], weights), {}, {}, {}, {}});
    }
    for (const SegmentSlot& slot : state_->slots) scan_together(slot, k, entries);
    for (std::size_t i = begin; i < end; ++i) {
      answers[i] = {std::move(entries[i - begin].best), entries[i - begin].plan.unit};
    }
  });
  return answers;
}

}  // namespace rankveil

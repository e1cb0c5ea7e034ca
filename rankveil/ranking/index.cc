#include "rankveil/ranking/index.h"

#include <algorithm>
#include <cassert>

#include "rankveil/base/parallel.h"
#include "rankveil/ranking/scan/scan.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

PublicTable public_part(const Table& table) {
  PublicTable part{table.schema(), {}, table.names()};
  for (std::uint32_t i = 0; i < table.schema().public_count(); ++i) {
    part.columns.push_back(table.column(AttributeId{i}));
  }
  return part;
}

Index build_index(PublicTable rows, const Profiles& profiles, IndexInfo info,
                  const Memory& memory) {
  auto state = std::make_shared<Index::State>();
  state->info = std::move(info);
  if (profiles.unprotected()) state->info.scheme = unprotected_scheme;
  state->kind = ProfileKind::of(profiles);
  state->memory = memory;
  state->weights = weights_of(rows.schema);
  SegmentSlot slot;
  slot.segment = std::make_shared<const Segment>(
      make_segment(rows.columns, rows.names, profiles, state->kind, memory));
  state->slots.push_back(std::move(slot));
  state->schema = std::move(rows.schema);
  return Index(std::move(state));
}

Index Index::build(PublicTable rows, const Profiles& profiles, IndexInfo info) {
  return build_index(std::move(rows), profiles, std::move(info), {});
}

std::uint32_t Index::rows() const { return state_->rows(); }

const Schema& Index::schema() const { return state_->schema; }
const IndexInfo& Index::info() const { return state_->info; }

std::string Index::name(RowId row) const {
  const SegmentSlot& slot = state_->slot_of(row);
  return slot.segment->name(+row - slot.first_row);
}

std::optional<RowId> Index::find_row(std::string_view name) const {
  for (const SegmentSlot& slot : state_->slots) {
    for (std::uint32_t row = 0; row < slot.segment->rows; ++row) {
      if (slot.segment->name(row) == name) return RowId{slot.first_row + row};
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
  std::size_t total = state_->kind.bytes();
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
    SegmentPlan segment(slot, plan);
    auto found = best_of_segment(segment, k, floor_after(answer.hits, k), options.threads);
    answer.hits = merge_best(std::move(answer.hits), std::move(found), k);
  }
  return answer;
}

std::uint32_t threads_a_query(std::size_t queries, std::uint32_t threads) {
  if (queries >= threads) return 1;
  return (threads + static_cast<std::uint32_t>(queries) - 1) / static_cast<std::uint32_t>(queries);
}

std::vector<Answer> Index::rank_all(std::span<const Query> queries,
                                    const RankOptions& options) const {
  std::vector<Answer> answers(queries.size());
  if (queries.empty()) return answers;
  RankOptions each = options;
  each.threads = threads_a_query(queries.size(), options.threads);
  parallel_for(queries.size(), options.threads,
               [&](std::size_t i) { answers[i] = rank(queries[i], each); });
  return answers;
}

}  // namespace rankveil

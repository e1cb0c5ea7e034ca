// Rows that come and go: appended segments, masks of deleted rows, and rewriting without them.
#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cassert>

#include "rankveil/ranking/store/state.h"

namespace rankveil {

namespace {

// ---- append ----

Status check_domain(const Attribute& old, const Attribute& grown) {
  const auto& before = old.domain.values();
  const auto& after = grown.domain.values();
  if (after.size() < before.size() || !std::equal(before.begin(), before.end(), after.begin())) {
    return bad_input(fmt::format(
        "the new rows' domain of {} does not begin with the index's {} values; keep their order "
        "and add new values at the end",
        old.name, before.size()));
  }
  return {};
}

Status check_schema(const Schema& old, const Schema& grown) {
  if (old.size() != grown.size()) {
    return bad_input(
        fmt::format("the new rows have {} attributes, the index has {}", grown.size(), old.size()));
  }
  for (std::uint32_t i = 0; i < old.size(); ++i) {
    const Attribute& mine = old.attributes[i];
    const Attribute& theirs = grown.attributes[i];
    if (mine.name != theirs.name || mine.visibility != theirs.visibility) {
      return bad_input(fmt::format("attribute {} of the new rows is {} {}, that of the index {} {}",
                                   i + 1, theirs.is_private() ? "private" : "public", theirs.name,
                                   mine.is_private() ? "private" : "public", mine.name));
    }
    if (auto same = check_domain(mine, theirs); !same) return same;
  }
  return {};
}

// What profiles must have in common with an index to join it.
struct KindOfProfiles {
  bool grouped;
  std::uint32_t levels;
  Fraction keep;
};

KindOfProfiles kind_of(const Profiles& profiles) {
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) {
    return {false, levels->levels(), {1, 1}};
  }
  const auto& grouped = std::get<GroupedProfiles>(profiles.kinds());
  return {true, grouped.signals.levels(), grouped.keep};
}

Status check_kind(const ProfileKind& old, const Profiles& profiles) {
  KindOfProfiles kind = kind_of(profiles);
  if (kind.grouped != old.grouped) {
    return bad_input("the new rows' profiles are of another kind than the index's");
  }
  if (kind.levels != old.levels) {
    return bad_input(fmt::format("the new rows' profiles have {} levels, the index's {}",
                                 kind.levels, old.levels));
  }
  if (std::uint64_t{kind.keep.numerator} * old.keep.denominator !=
      std::uint64_t{old.keep.numerator} * kind.keep.denominator) {
    return bad_input(fmt::format("the new rows keep {}/{}, the index keeps {}/{}",
                                 kind.keep.numerator, kind.keep.denominator, old.keep.numerator,
                                 old.keep.denominator));
  }
  return {};
}

template <typename T>
Block<T> joined(const Block<T>& left, const Block<T>& right) {
  std::vector<T> all(left.items().begin(), left.items().end());
  all.insert(all.end(), right.items().begin(), right.items().end());
  return Block<T>(std::move(all));
}

void add_counts(const ShareTable& from, std::uint32_t attribute, std::uint32_t value,
                std::vector<std::uint32_t>& counts) {
  if (value < from.domain_sizes[attribute]) {
    auto column = from.counts_of(attribute, value);
    counts.insert(counts.end(), column.begin(), column.end());
  } else {
    counts.insert(counts.end(), from.groups(), 0);  // a value that came later: nobody had it
  }
}

// The groups of `right` behind those of `left`; domains as `right` has them.
ShareTable joined(const ShareTable& left, const ShareTable& right) {
  ShareTable all;
  all.domain_sizes = right.domain_sizes;
  all.sizes = joined(left.sizes, right.sizes);
  all.in_full = joined(left.in_full, right.in_full);
  std::vector<std::uint32_t> counts;
  for (std::uint32_t j = 0; j < all.domain_sizes.size(); ++j) {
    for (std::uint32_t value = 0; value < all.domain_sizes[j]; ++value) {
      add_counts(left, j, value, counts);
      add_counts(right, j, value, counts);
    }
  }
  all.counts = Block<std::uint32_t>(std::move(counts));
  return all;
}

void renumber_groups(Segment& segment, std::uint32_t first_group) {
  std::vector<GroupRun> runs;
  for (const GroupRun& run : segment.groups->runs.items()) {
    runs.push_back({run.group + first_group, run.begin});
  }
  segment.groups->runs = Block<GroupRun>(std::move(runs));
}

// Rows without names of their own are numbered on, behind all numbers in use.
std::int64_t next_name(const Index::State& state) {
  std::int64_t next = state.rows();
  for (const SegmentSlot& slot : state.slots) {
    if (slot.segment->rows == 0) continue;
    if (const auto* counted = std::get_if<CountedNames>(&slot.segment->names)) {
      next = std::max(next, counted->first + slot.segment->rows);
    } else if (const auto* offsets = std::get_if<OffsetNames>(&slot.segment->names)) {
      auto items = offsets->offsets.items();
      next = std::max(next, offsets->base + *std::max_element(items.begin(), items.end()) + 1);
    } else if (const auto* wide = std::get_if<WideNames>(&slot.segment->names)) {
      auto items = wide->values.items();
      next = std::max(next, *std::max_element(items.begin(), items.end()) + 1);
    }
  }
  return next;
}

}  // namespace

Result<Index> Index::append(PublicTable rows, const Profiles& profiles) const {
  if (auto same = check_schema(state_->schema, rows.schema); !same) return same.error();
  if (auto same = check_kind(state_->kind, profiles); !same) return same.error();
  if (std::uint64_t{this->rows()} + rows.names.size() > most_rows) {
    return bad_input(fmt::format("an index holds at most {} rows", most_rows));
  }
  auto state = std::make_shared<State>(*state_);
  if (profiles.unprotected()) state->info.scheme = unprotected_scheme;
  for (std::uint32_t i = 0; i < rows.schema.size(); ++i) {
    state->schema.attributes[i].domain = rows.schema.attributes[i].domain;
  }
  Segment segment = make_segment(rows.columns, rows.names, profiles);
  if (std::holds_alternative<RowNumbers>(rows.names.kinds())) {
    segment.names = CountedNames{next_name(*state_)};
  }
  if (state->kind.grouped) {
    renumber_groups(segment, state->kind.shares.groups());
    const auto& grouped = std::get<GroupedProfiles>(profiles.kinds());
    state->kind = ProfileKind::with_shares(state->kind.keep, state->kind.levels,
                                           joined(state->kind.shares, freeze(grouped.shares)));
  }
  SegmentSlot slot;
  slot.first_row = this->rows();
  slot.segment = std::make_shared<const Segment>(std::move(segment));
  state->slots.push_back(std::move(slot));
  return Index(std::move(state));
}

Index Index::erase(std::span<const RowId> rows) const {
  auto state = std::make_shared<State>(*state_);
  std::vector<std::vector<std::uint64_t>> masks(state->slots.size());
  for (RowId row : rows) {
    assert(+row < this->rows() && "a row of this index");
    auto number = static_cast<std::size_t>(&state->slot_of(row) - state->slots.data());
    SegmentSlot& slot = state->slots[number];
    auto& mask = masks[number];
    if (mask.empty() && slot.deleted != nullptr) mask = *slot.deleted;
    mask.resize(std::size_t{lines_of(slot.segment->rows)} * kernels::words_per_line);
    std::uint32_t place = +row - slot.first_row;
    std::uint64_t bit = std::uint64_t{1} << (place % 64);
    if ((mask[place / 64] & bit) == 0) ++slot.deleted_count;
    mask[place / 64] |= bit;
  }
  for (std::size_t i = 0; i < masks.size(); ++i) {
    if (masks[i].empty()) continue;
    state->slots[i].deleted =
        std::make_shared<const std::vector<std::uint64_t>>(std::move(masks[i]));
  }
  return Index(std::move(state));
}

// ---- compact: take every segment apart into rows, and build one anew ----

namespace {

// Live rows of all segments, in order, numbered anew.
struct LiveRows {
  explicit LiveRows(const Index::State& state) {
    for (const SegmentSlot& slot : state.slots) {
      auto& numbers = new_row.emplace_back(slot.segment->rows, gone);
      for (std::uint32_t row = 0; row < slot.segment->rows; ++row) {
        if (!slot.is_deleted(row)) numbers[row] = count++;
      }
    }
  }
  static constexpr std::uint32_t gone = UINT32_MAX;
  std::vector<std::vector<std::uint32_t>> new_row;  // [segment][row]
  std::uint32_t count = 0;
};

// Calls visit(new row, value, bit) for every set bit of an attribute's planes.
template <typename Visit>
void for_each_bit(const Index::State& state, const LiveRows& live, std::uint32_t attribute,
                  const Visit& visit) {
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    const AttributePlanes& planes = segment.attributes[attribute];
    auto at = [&](std::uint32_t position, std::size_t plane) {
      std::uint32_t row = segment.groups ? segment.groups->order[position] : position;
      std::uint32_t renumbered = live.new_row[i][row];
      if (renumbered != LiveRows::gone) {
        visit(renumbered, static_cast<std::uint32_t>(plane / planes.bits),
              static_cast<std::uint32_t>(plane % planes.bits));
      }
    };
    for (std::size_t p = 0; p < planes.planes.size(); ++p) {
      const Plane& plane = planes.planes[p];
      for (std::uint32_t position : plane.rows) at(position, p);
      if (plane.bits == nullptr) continue;
      for (std::uint32_t word = 0; word * 64 < segment.rows; ++word) {
        for (std::uint64_t left = plane.bits[word]; left != 0; left &= left - 1) {
          at(word * 64 + static_cast<std::uint32_t>(std::countr_zero(left)), p);
        }
      }
    }
  }
}

Column public_column(const Index::State& state, const LiveRows& live, std::uint32_t attribute) {
  std::vector<ValueId> values(live.count, missing_value);
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    for (std::uint32_t row = 0; row < segment.rows; ++row) {
      std::uint32_t renumbered = live.new_row[i][row];
      if (renumbered != LiveRows::gone) values[renumbered] = segment.columns[attribute].value(row);
    }
  }
  return Column(state.schema.attributes[attribute].domain.size(), values);
}

std::vector<std::uint32_t> private_domains(const Schema& schema) {
  std::vector<std::uint32_t> sizes;
  for (const Attribute& attribute : schema.attributes) {
    if (attribute.is_private()) sizes.push_back(attribute.domain.size());
  }
  return sizes;
}

LevelProfiles level_profiles(const Index::State& state, const LiveRows& live) {
  LevelProfiles profiles(live.count, private_domains(state.schema), state.kind.levels);
  std::uint32_t first = state.schema.public_count();
  for (std::uint32_t j = 0; j < state.schema.private_count(); ++j) {
    PrivateId id{j};
    for_each_bit(
        state, live, first + j, [&](std::uint32_t row, std::uint32_t value, std::uint32_t bit) {
          ValueId v{static_cast<std::uint16_t>(value)};
          profiles.set(RowId{row}, id, v, profiles.strength(RowId{row}, id, v) | (1U << bit));
        });
  }
  return profiles;
}

// The shares of the groups listed in `kept`, numbered anew in that order.
GroupShares thawed(const ShareTable& table, const std::vector<std::uint32_t>& kept) {
  auto count = static_cast<std::uint32_t>(kept.size());
  GroupShares shares(count, table.domain_sizes);
  for (std::uint32_t g = 0; g < count; ++g) {
    shares.set_size(g, table.sizes[kept[g]]);
    if (table.in_full[kept[g]] != 0) shares.set_in_full(g);
  }
  for (std::uint32_t j = 0; j < table.domain_sizes.size(); ++j) {
    for (std::uint32_t value = 0; value < table.domain_sizes[j]; ++value) {
      auto counts = table.counts_of(j, value);
      for (std::uint32_t g = 0; g < count; ++g) {
        shares.set_count(g, PrivateId{j}, ValueId{static_cast<std::uint16_t>(value)},
                         counts[kept[g]]);
      }
    }
  }
  return shares;
}

// The group of every live row.
std::vector<std::uint32_t> live_groups(const Index::State& state, const LiveRows& live) {
  std::vector<std::uint32_t> group_of(live.count);
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    for (std::uint32_t position = 0; position < segment.rows; ++position) {
      std::uint32_t row = live.new_row[i][segment.groups->order[position]];
      if (row != LiveRows::gone) group_of[row] = segment.group_at(position);
    }
  }
  return group_of;
}

// Groups without rows are dropped: their shares would outlive the people they were counted from.
GroupedProfiles grouped_profiles(const Index::State& state, const LiveRows& live) {
  GroupedProfiles profiles{
      state.kind.keep, level_profiles(state, live), live_groups(state, live), {}};
  std::vector<std::uint32_t> kept = profiles.group_of;
  std::sort(kept.begin(), kept.end());
  kept.erase(std::unique(kept.begin(), kept.end()), kept.end());
  for (std::uint32_t& group : profiles.group_of) {
    auto place = std::lower_bound(kept.begin(), kept.end(), group);
    group = static_cast<std::uint32_t>(place - kept.begin());
  }
  profiles.shares = thawed(state.kind.shares, kept);
  return profiles;
}

Profiles live_profiles(const Index::State& state, const LiveRows& live) {
  Profiles profiles = state.kind.grouped ? Profiles(grouped_profiles(state, live))
                                         : Profiles(level_profiles(state, live));
  if (state.info.unprotected()) profiles.set_unprotected();
  return profiles;
}

RowNames live_names(const Index::State& state, const LiveRows& live) {
  IntegerNames numbers;
  TextNames texts;
  bool all_numbers = std::none_of(state.slots.begin(), state.slots.end(), [](const auto& slot) {
    return std::holds_alternative<StringNames>(slot.segment->names);
  });
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    for (std::uint32_t row = 0; row < segment.rows; ++row) {
      if (live.new_row[i][row] == LiveRows::gone) continue;
      std::string name = segment.name(row);
      if (all_numbers) {
        numbers.values.push_back(std::stoll(name));
      } else {
        texts.bytes += name;
        texts.ends.push_back(texts.bytes.size());
      }
    }
  }
  return all_numbers ? RowNames(std::move(numbers)) : RowNames(std::move(texts));
}

}  // namespace

Index Index::compact() const {
  LiveRows live(*state_);
  PublicTable rows{state_->schema, {}, live_names(*state_, live)};
  for (std::uint32_t i = 0; i < state_->schema.public_count(); ++i) {
    rows.columns.push_back(public_column(*state_, live, i));
  }
  return build(std::move(rows), live_profiles(*state_, live), state_->info);
}

Profiles Index::profiles() const { return live_profiles(*state_, LiveRows(*state_)); }

}  // namespace rankveil

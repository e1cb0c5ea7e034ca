// Rows that come and go: appended segments, and rewriting without some rows.
#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <charconv>
#include <limits>

#include "rankveil/base/bits.h"
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
  if (!segment.group_columns) return;
  for (GroupColumns::Group& group : segment.group_columns->groups) {
    if (group.number != GroupColumns::nobody) group.number += first_group;
  }
}

constexpr std::int64_t no_number = -1;

// The largest of the names that are whole numbers, behind which max_rows more fit. Numbers too far
// apart for offsets are kept as texts.
std::int64_t largest_number(const Segment& segment, const StringNames& names) {
  std::int64_t largest = no_number;
  std::uint64_t begin = 0;
  for (std::uint64_t end : names.ends.items().first(segment.rows)) {
    const char* text = names.bytes.items().data() + begin;
    const char* behind = names.bytes.items().data() + end;
    std::int64_t number = no_number;
    auto read = std::from_chars(text, behind, number);
    bool whole = read.ec == std::errc() && read.ptr == behind;
    bool fits = number < std::numeric_limits<std::int64_t>::max() - std::int64_t{max_rows};
    if (whole && fits) largest = std::max(largest, number);
    begin = end;
  }
  return largest;
}

// REQUIRES: a row
std::int64_t largest_number(const Segment& segment) {
  if (const auto* counted = std::get_if<CountedNames>(&segment.names)) {
    return counted->first + segment.rows - 1;
  }
  if (const auto* offsets = std::get_if<OffsetNames>(&segment.names)) {
    auto items = offsets->offsets.items();
    return offsets->base + *std::max_element(items.begin(), items.end());
  }
  return largest_number(segment, std::get<StringNames>(segment.names));
}

// Rows without names of their own are numbered on, behind all numbers in use.
std::int64_t next_name(const Index::State& state) {
  std::int64_t next = state.rows();
  for (const SegmentSlot& slot : state.slots) {
    if (slot.segment->rows > 0) next = std::max(next, largest_number(*slot.segment) + 1);
  }
  return next;
}

}  // namespace

Result<Index> Index::append(PublicTable rows, const Profiles& profiles) const {
  if (auto same = check_schema(state_->schema, rows.schema); !same) return same.error();
  if (auto same = check_kind(state_->kind, profiles); !same) return same.error();
  if (std::uint64_t{this->rows()} + rows.names.size() > max_rows) {
    return bad_input(fmt::format("an index holds at most {} rows", max_rows));
  }
  auto state = std::make_shared<State>(*state_);
  if (profiles.unprotected()) state->info.scheme = unprotected_scheme;
  for (std::uint32_t i = 0; i < rows.schema.size(); ++i) {
    state->schema.attributes[i].domain = rows.schema.attributes[i].domain;
  }
  ProfileKind kind = ProfileKind::of(profiles);
  Segment segment = make_segment(rows.columns, rows.names, profiles, kind, state->memory);
  if (std::holds_alternative<RowNumbers>(rows.names.kinds())) {
    segment.names = CountedNames{next_name(*state_)};
  }
  if (state->kind.grouped) {
    renumber_groups(segment, state->kind.shares.groups());
    state->kind = ProfileKind::with_shares(state->kind.keep, state->kind.levels,
                                           joined(state->kind.shares, kind.shares));
  }
  SegmentSlot slot;
  slot.first_row = this->rows();
  slot.segment = std::make_shared<const Segment>(std::move(segment));
  state->slots.push_back(std::move(slot));
  return Index(std::move(state));
}

// ---- erase: take every segment apart into rows, and build one anew ----

namespace {

// Rows of all segments that stay, in order, numbered anew.
struct KeptRows {
  explicit KeptRows(const Index::State& state, std::span<const RowId> erased = {}) {
    std::vector<bool> stays(state.rows(), true);
    for (RowId row : erased) {
      assert(+row < state.rows() && "a row of this index");
      stays[+row] = false;
    }
    for (const SegmentSlot& slot : state.slots) {
      auto& numbers = new_row.emplace_back(slot.segment->rows, gone);
      for (std::uint32_t row = 0; row < slot.segment->rows; ++row) {
        if (stays[slot.first_row + row]) numbers[row] = count++;
      }
    }
  }
  static constexpr std::uint32_t gone = UINT32_MAX;
  std::vector<std::vector<std::uint32_t>> new_row;  // [segment][row]
  std::uint32_t count = 0;
};

// Calls visit(new row, value, bit) for every set bit of an attribute's planes.
template <typename Visit>
void for_each_bit(const Index::State& state, const KeptRows& kept, std::uint32_t attribute,
                  const Visit& visit) {
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    const AttributePlanes& planes = segment.attributes[attribute];
    auto at = [&](std::uint32_t position, std::size_t plane) {
      std::uint32_t row = segment.groups ? segment.groups->order[position] : position;
      std::uint32_t renumbered = kept.new_row[i][row];
      if (renumbered != KeptRows::gone) {
        visit(renumbered, static_cast<std::uint32_t>(plane / planes.bits),
              static_cast<std::uint32_t>(plane % planes.bits));
      }
    };
    for (std::size_t p = 0; p < planes.planes.size(); ++p) {
      const Plane& plane = planes.planes[p];
      for (std::uint32_t position : plane.rows) at(position, p);
      if (plane.bits == nullptr) continue;
      for_each_set_bit(plane.bits, (std::size_t{segment.rows} + 63) / 64,
                       [&](std::size_t position) { at(static_cast<std::uint32_t>(position), p); });
    }
  }
}

Column public_column(const Index::State& state, const KeptRows& kept, std::uint32_t attribute) {
  std::vector<ValueId> values(kept.count, missing_value);
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    for (std::uint32_t row = 0; row < segment.rows; ++row) {
      std::uint32_t renumbered = kept.new_row[i][row];
      if (renumbered != KeptRows::gone) values[renumbered] = segment.columns[attribute].value(row);
    }
  }
  return Column(state.schema.attributes[attribute].domain.size(), values);
}

LevelProfiles level_profiles(const Index::State& state, const KeptRows& kept) {
  LevelProfiles profiles(kept.count, state.schema.private_domain_sizes(), state.kind.levels);
  std::uint32_t first = state.schema.public_count();
  for (std::uint32_t j = 0; j < state.schema.private_count(); ++j) {
    PrivateId id{j};
    for_each_bit(
        state, kept, first + j, [&](std::uint32_t row, std::uint32_t value, std::uint32_t bit) {
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

// The group of every row that stays.
std::vector<std::uint32_t> kept_groups(const Index::State& state, const KeptRows& kept) {
  std::vector<std::uint32_t> group_of(kept.count);
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    for (std::uint32_t position = 0; position < segment.rows; ++position) {
      std::uint32_t row = kept.new_row[i][segment.groups->order[position]];
      if (row != KeptRows::gone) group_of[row] = segment.group_at(position);
    }
  }
  return group_of;
}

// Groups without rows are dropped: their shares would outlive the people they were counted from.
GroupedProfiles grouped_profiles(const Index::State& state, const KeptRows& kept) {
  GroupedProfiles profiles{
      state.kind.keep, level_profiles(state, kept), kept_groups(state, kept), {}};
  std::vector<std::uint32_t> groups = profiles.group_of;
  std::sort(groups.begin(), groups.end());
  groups.erase(std::unique(groups.begin(), groups.end()), groups.end());
  for (std::uint32_t& group : profiles.group_of) {
    auto place = std::lower_bound(groups.begin(), groups.end(), group);
    group = static_cast<std::uint32_t>(place - groups.begin());
  }
  profiles.shares = thawed(state.kind.shares, groups);
  return profiles;
}

Profiles kept_profiles(const Index::State& state, const KeptRows& kept) {
  Profiles profiles = state.kind.grouped ? Profiles(grouped_profiles(state, kept))
                                         : Profiles(level_profiles(state, kept));
  if (state.info.unprotected()) profiles.set_unprotected();
  return profiles;
}

RowNames kept_names(const Index::State& state, const KeptRows& kept) {
  IntegerNames numbers;
  TextNames texts;
  bool all_numbers = std::none_of(state.slots.begin(), state.slots.end(), [](const auto& slot) {
    return std::holds_alternative<StringNames>(slot.segment->names);
  });
  for (std::size_t i = 0; i < state.slots.size(); ++i) {
    const Segment& segment = *state.slots[i].segment;
    for (std::uint32_t row = 0; row < segment.rows; ++row) {
      if (kept.new_row[i][row] == KeptRows::gone) continue;
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

Index Index::erase(std::span<const RowId> erased) const {
  KeptRows kept(*state_, erased);
  PublicTable rows{state_->schema, {}, kept_names(*state_, kept)};
  for (std::uint32_t i = 0; i < state_->schema.public_count(); ++i) {
    rows.columns.push_back(public_column(*state_, kept, i));
  }
  return build_index(std::move(rows), kept_profiles(*state_, kept), state_->info, state_->memory);
}

Profiles Index::profiles() const { return kept_profiles(*state_, KeptRows(*state_)); }

}  // namespace rankveil

#include "rankveil/ranking/store/segment.h"

#include <algorithm>
#include <cassert>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/ranking/store/moved_planes.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

ValueId CodeColumn::value(std::uint32_t row) const {
  std::uint32_t code =
      std::visit([&](const auto& block) { return std::uint32_t{block[row]}; }, codes);
  return code >= domain_size ? missing_value : ValueId{static_cast<std::uint16_t>(code)};
}

std::size_t CodeColumn::bytes() const {
  return std::visit([](const auto& block) { return block.bytes(); }, codes);
}

CodeColumn code_column(const Column& column) {
  CodeColumn made;
  made.domain_size = column.domain_size();
  if (column.is_narrow()) {
    made.codes = Block<std::uint8_t>(column.narrow());
  } else {
    made.codes = Block<std::uint16_t>(column.wide());
  }
  return made;
}

namespace {

SegmentNames strings(const std::string& bytes, std::vector<std::uint64_t> ends) {
  return StringNames{Block<char>(std::vector<char>(bytes.begin(), bytes.end())),
                     Block<std::uint64_t>(std::move(ends))};
}

SegmentNames texts_of(const std::vector<std::int64_t>& values) {
  std::string bytes;
  std::vector<std::uint64_t> ends;
  for (std::int64_t value : values) {
    bytes += std::to_string(value);
    ends.push_back(bytes.size());
  }
  return strings(bytes, std::move(ends));
}

SegmentNames compact(const std::vector<std::int64_t>& values) {
  if (values.empty()) return CountedNames{};
  auto [low, high] = std::minmax_element(values.begin(), values.end());
  bool counted = true;
  for (std::size_t i = 1; counted && i < values.size(); ++i) {
    counted = values[i - 1] != INT64_MAX && values[i] == values[i - 1] + 1;
  }
  if (counted) return CountedNames{values[0]};
  std::uint64_t spread = static_cast<std::uint64_t>(*high) - static_cast<std::uint64_t>(*low);
  if (spread > 0xFFFFFFFF) return texts_of(values);
  std::vector<std::uint32_t> offsets;
  offsets.reserve(values.size());
  for (std::int64_t value : values) {
    offsets.push_back(static_cast<std::uint32_t>(static_cast<std::uint64_t>(value) -
                                                 static_cast<std::uint64_t>(*low)));
  }
  return OffsetNames{*low, Block<std::uint32_t>(std::move(offsets))};
}

struct NamesOf {
  SegmentNames operator()(const RowNumbers&) const { return CountedNames{}; }
  SegmentNames operator()(const IntegerNames& names) const { return compact(names.values); }
  SegmentNames operator()(const TextNames& names) const { return strings(names.bytes, names.ends); }
};

// Wraps around instead of overflowing: a forged file could ask for it.
std::int64_t moved(std::int64_t from, std::uint32_t by) {
  return static_cast<std::int64_t>(static_cast<std::uint64_t>(from) + by);
}

struct NameText {
  std::uint32_t row;
  std::string operator()(const CountedNames& names) const {
    return std::to_string(moved(names.first, row));
  }
  std::string operator()(const OffsetNames& names) const {
    return std::to_string(moved(names.base, names.offsets[row]));
  }
  std::string operator()(const StringNames& names) const {
    std::uint64_t begin = row == 0 ? 0 : names.ends[row - 1];
    auto bytes = names.bytes.items().subspan(begin, names.ends[row] - begin);
    return {bytes.begin(), bytes.end()};
  }
};

struct NameBytes {
  std::size_t operator()(const CountedNames&) const { return 0; }
  std::size_t operator()(const OffsetNames& names) const { return names.offsets.bytes(); }
  std::size_t operator()(const StringNames& names) const {
    return names.bytes.bytes() + names.ends.bytes();
  }
};

// Planes of a large domain: a list of positions per value.
AttributePlanes listed_planes(const Column& column, const std::vector<std::uint32_t>& position) {
  std::vector<std::vector<StrengthEntry>> lists(column.domain_size());
  column.for_each([&](std::size_t row, std::uint32_t value) {
    auto place = position.empty() ? static_cast<std::uint32_t>(row) : position[row];
    lists[value].push_back({place, 1});
  });
  if (!position.empty()) {
    for (auto& list : lists) {
      std::sort(list.begin(), list.end(),
                [](const auto& left, const auto& right) { return left.row < right.row; });
    }
  }
  return planes_from_lists(lists, static_cast<std::uint32_t>(column.size()), 1);
}

void fill(DensePlanes& planes, std::size_t first, const Column& column,
          const std::vector<std::uint32_t>& position) {
  if (position.empty()) {
    column.for_each([&](std::size_t row, std::uint32_t value) {
      planes.set(first + value, static_cast<std::uint32_t>(row));
    });
  } else {
    column.for_each(
        [&](std::size_t row, std::uint32_t value) { planes.set(first + value, position[row]); });
  }
}

// One plane per value of each column. `position`: where each row stands, empty: at its number.
// `skew`: planes elsewhere that are read together with these.
std::vector<AttributePlanes> column_planes(const std::vector<Column>& columns, std::uint32_t rows,
                                           const std::vector<std::uint32_t>& position,
                                           std::size_t skew) {
  std::size_t dense = 0;
  for (const Column& column : columns) {
    if (column.domain_size() <= dense_domain) dense += column.domain_size();
  }
  auto words = std::make_shared<DensePlanes>(dense, rows, skew);
  std::vector<std::size_t> first(columns.size() + 1, 0);
  for (std::size_t i = 0; i < columns.size(); ++i) {
    bool is_dense = columns[i].domain_size() <= dense_domain;
    first[i + 1] = first[i] + (is_dense ? columns[i].domain_size() : 0);
  }
  std::vector<AttributePlanes> made(columns.size());
  parallel_for(columns.size(), 0, [&](std::size_t i) {
    if (columns[i].domain_size() > dense_domain) {
      made[i] = listed_planes(columns[i], position);
      return;
    }
    fill(*words, first[i], columns[i], position);
    for (std::size_t plane = first[i]; plane < first[i + 1]; ++plane) {
      made[i].planes.push_back({words->plane(plane), {}});
    }
    made[i].owners.push_back(words);
  });
  return made;
}

std::size_t plane_count(const std::vector<AttributePlanes>& attributes) {
  std::size_t count = 0;
  for (const auto& attribute : attributes) count += attribute.planes.size();
  return count;
}

// Rows by group, row order inside.
GroupLayout layout_of(const std::vector<std::uint32_t>& group_of, std::uint32_t groups) {
  std::vector<std::uint32_t> begin(std::size_t{groups} + 1, 0);
  for (std::uint32_t group : group_of) ++begin[group + 1];
  std::partial_sum(begin.begin(), begin.end(), begin.begin());
  std::vector<GroupRun> runs;
  for (std::uint32_t group = 0; group < groups; ++group) {
    if (begin[group] != begin[group + 1]) runs.push_back({group, begin[group]});
  }
  std::vector<std::uint32_t> order(group_of.size());
  for (std::uint32_t row = 0; row < group_of.size(); ++row) order[begin[group_of[row]]++] = row;
  GroupLayout layout;
  layout.order = Block<std::uint32_t>(std::move(order));
  layout.runs = Block<GroupRun>(std::move(runs));
  layout.first_run = first_runs(layout.runs, static_cast<std::uint32_t>(group_of.size()));
  return layout;
}

// Bitmaps without a row are neither kept nor read: equivalent sets of two values, say, never use
// the high bit of their strengths.
void drop_empty_bitmaps(AttributePlanes& planes, std::uint32_t rows) {
  std::size_t words = (std::size_t{rows} + 63) / 64;
  for (Plane& plane : planes.planes) {
    if (plane.bits == nullptr) continue;
    bool empty = std::all_of(plane.bits, plane.bits + words, [](auto word) { return word == 0; });
    if (empty) plane.bits = nullptr;
  }
}

std::vector<AttributePlanes> signal_planes(const LevelProfiles& signals) {
  std::vector<AttributePlanes> all;
  for (std::uint32_t j = 0; j < signals.domain_sizes().size(); ++j) {
    AttributePlanes& planes = all.emplace_back(signals.planes(PrivateId{j}));
    drop_empty_bitmaps(planes, signals.rows());
  }
  return all;
}

void add_profiles(Segment& segment, const std::vector<Column>& columns,
                  const LevelProfiles& profiles) {
  std::vector<AttributePlanes> hidden = signal_planes(profiles);
  segment.attributes = column_planes(columns, segment.rows, {}, plane_count(hidden));
  for (auto& planes : hidden) segment.attributes.push_back(std::move(planes));
}

void add_profiles(Segment& segment, const std::vector<Column>& columns,
                  const GroupedProfiles& profiles) {
  segment.groups = layout_of(profiles.group_of, profiles.shares.groups());
  std::vector<std::uint32_t> position(segment.rows);
  for (std::uint32_t place = 0; place < segment.rows; ++place) {
    position[segment.groups->order[place]] = place;
  }
  segment.attributes = column_planes(columns, segment.rows, position, 0);
  auto hidden = moved_planes(signal_planes(profiles.signals), position, segment.rows,
                             plane_count(segment.attributes));
  for (auto& planes : hidden) segment.attributes.push_back(std::move(planes));
}

}  // namespace

SegmentNames segment_names(const RowNames& names) { return std::visit(NamesOf{}, names.kinds()); }

std::vector<std::uint32_t> first_runs(const Block<GroupRun>& runs, std::uint32_t rows) {
  std::vector<std::uint32_t> first;
  first.reserve(std::size_t{rows} / 64 + 2);
  std::uint32_t run = 0;
  for (std::uint64_t place = 0; place < rows; place += 64) {
    while (run + 1 < runs.size() && runs[run + 1].begin <= place) ++run;
    first.push_back(run);
  }
  first.push_back(runs.size() == 0 ? 0 : static_cast<std::uint32_t>(runs.size() - 1));
  return first;
}

std::string Segment::name(std::uint32_t row) const { return std::visit(NameText{row}, names); }

std::uint32_t Segment::position(std::uint32_t row) const {
  if (!groups) return row;
  auto order = groups->order.items();
  auto runs = groups->runs.items();
  for (std::size_t i = 0; i < runs.size(); ++i) {
    auto begin = order.begin() + runs[i].begin;
    auto end = order.begin() + run_end(i);
    auto found = std::lower_bound(begin, end, row);
    if (found != end && *found == row) return static_cast<std::uint32_t>(found - order.begin());
  }
  assert(false && "every row has a position");
  return 0;
}

std::uint32_t Segment::run_at(std::uint32_t position) const {
  auto runs = groups->runs.items();
  std::size_t run = groups->first_run[position / 64];
  constexpr std::size_t together = 4;
  // Nobody can guess where a position lies in its word, so few runs are compared all at once.
  for (; run + together < runs.size(); run += together) {
    std::size_t before = 0;
    for (std::size_t i = 1; i <= together; ++i) before += runs[run + i].begin <= position ? 1 : 0;
    if (before < together) return static_cast<std::uint32_t>(run + before);
  }
  while (run + 1 < runs.size() && runs[run + 1].begin <= position) ++run;
  return static_cast<std::uint32_t>(run);
}

std::uint32_t Segment::run_end(std::size_t run) const {
  return run + 1 < groups->runs.size() ? groups->runs[run + 1].begin : rows;
}

std::optional<std::uint32_t> Segment::main_run() const {
  constexpr std::uint32_t a_few = 256;
  if (!groups || rows < 2 * a_few) return std::nullopt;
  std::uint32_t run = run_at(rows / 2);
  std::uint32_t size = run_end(run) - groups->runs[run].begin;
  return rows - size <= a_few ? std::optional(run) : std::nullopt;
}

std::size_t Segment::bytes() const {
  std::size_t total = std::visit(NameBytes{}, names);
  total += bytes_of(attributes, rows);
  for (const auto& column : columns) total += column.bytes();
  if (groups) {
    total += groups->order.bytes() + groups->runs.bytes();
    total += groups->first_run.size() * sizeof(std::uint32_t);
  }
  if (sample) total += bytes_of(sample->attributes, sample->rows);
  if (bounds) total += bounds->bytes();
  if (group_columns) total += group_columns->bytes();
  if (reach) total += bytes_of(reach->attributes, reach->places);
  return total;
}

namespace {

// ---- Which other shapes a segment has ----

// Bounds save reading where a query for one value of each attribute reads more than caches keep.
std::optional<StrengthBounds> bounds_of(const Segment& segment, const ProfileKind& kind,
                                        const Memory& memory) {
  std::uint32_t full = kind.full_match();
  bool one_base = !segment.groups || segment.main_run();
  std::size_t planes = 0;  // of such a query
  std::size_t shown = 0;   // bitmaps of public attributes
  for (std::size_t a = 0; a < segment.attributes.size(); ++a) {
    planes += segment.attributes[a].bits;
    if (a < segment.columns.size()) shown += segment.attributes[a].planes.size();
  }
  if (full == 0 || !one_base || !memory.is_far(planes, segment.rows)) return std::nullopt;
  auto hidden = std::span(segment.attributes).subspan(segment.columns.size());
  return StrengthBounds::of(hidden, segment.rows, full, shown);
}

std::optional<GroupReach> reach_of_runs(const Segment& segment) {
  auto runs = static_cast<std::uint32_t>(segment.groups->runs.size());
  if (runs == 0 || segment.rows / GroupReach::min_rows_a_run < runs) return std::nullopt;
  std::vector<std::uint32_t> run_of(segment.rows);
  for (std::uint32_t run = 0; run < runs; ++run) {
    std::fill(run_of.begin() + segment.groups->runs[run].begin,
              run_of.begin() + segment.run_end(run), run);
  }
  return GroupReach::of(segment.attributes, run_of, runs);
}

void add_shapes(Segment& segment, const ProfileKind& kind, const Memory& memory) {
  segment.bounds = bounds_of(segment, kind, memory);
  if (!segment.groups || segment.main_run()) return;
  segment.sample = sample_planes(segment.attributes, segment.rows);
  segment.group_columns = GroupColumns::of(segment, kind);
  segment.reach = reach_of_runs(segment);
}

}  // namespace

Segment make_segment(const std::vector<Column>& columns, const RowNames& names,
                     const Profiles& profiles, const ProfileKind& kind, const Memory& memory) {
  Segment segment;
  segment.rows = names.size();
  assert(profiles.rows() == segment.rows && "profiles for as many rows as there are");
  for (const Column& column : columns) segment.columns.push_back(code_column(column));
  segment.names = segment_names(names);
  std::visit([&](const auto& some) { add_profiles(segment, columns, some); }, profiles.kinds());
  add_shapes(segment, kind, memory);
  return segment;
}

}  // namespace rankveil

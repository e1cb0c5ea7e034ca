// A run of rows that was indexed together: planes, public codes, names and, for shown profiles, the
// order of rows by group. Immutable.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "rankveil/ranking/profiles.h"
#include "rankveil/ranking/store/block.h"
#include "rankveil/ranking/store/far.h"
#include "rankveil/ranking/store/group_columns.h"
#include "rankveil/ranking/store/group_reach.h"
#include "rankveil/ranking/store/planes.h"
#include "rankveil/ranking/store/segment_sample.h"
#include "rankveil/ranking/store/strength_bounds.h"
#include "rankveil/table/column.h"
#include "rankveil/table/row_names.h"

namespace rankveil {

// A public column as dictionary codes; `domain_size` stands for missing.
struct CodeColumn {
  std::uint32_t domain_size = 0;
  std::variant<Block<std::uint8_t>, Block<std::uint16_t>> codes;

  ValueId value(std::uint32_t row) const;
  std::size_t bytes() const;
};

// Names as compactly as they allow.
struct CountedNames {  // first, first + 1, ...
  std::int64_t first = 0;
};
struct OffsetNames {  // base + offsets[row]
  std::int64_t base = 0;
  Block<std::uint32_t> offsets;
};
struct StringNames {  // row r is bytes [ends[r-1], ends[r])
  Block<char> bytes;
  Block<std::uint64_t> ends;
};
using SegmentNames = std::variant<CountedNames, OffsetNames, StringNames>;

// Rows of one group stand together; `begin` is the position of the first.
struct GroupRun {
  std::uint32_t group;
  std::uint32_t begin;
};

// Planes of a grouped segment count positions, not rows: position p is row order[p]. Runs cover
// all positions; inside a run rows ascend.
struct GroupLayout {
  Block<std::uint32_t> order;
  Block<GroupRun> runs;
  // Per 64 positions: the run of the first of them. One more at the end: the last run.
  std::vector<std::uint32_t> first_run;
};

struct ProfileKind;

struct Segment {
  std::uint32_t rows = 0;
  std::vector<AttributePlanes> attributes;  // public first, as in the schema
  std::vector<CodeColumn> columns;          // public
  SegmentNames names;
  std::optional<GroupLayout> groups;
  // The planes once more, in other shapes; each is there where queries gain by it.
  std::optional<SegmentSample> sample;   // where rows stand in several groups
  std::optional<StrengthBounds> bounds;  // of the private attributes
  std::optional<GroupColumns> group_columns;
  std::optional<GroupReach> reach;  // by run

  std::string name(std::uint32_t row) const;
  // Where row `row` stands in the planes. Linear in the number of groups.
  std::uint32_t position(std::uint32_t row) const;
  // REQUIRES: groups
  std::uint32_t run_at(std::uint32_t position) const;
  std::uint32_t run_end(std::size_t run) const;
  // The run of all rows but a few, if there is one; else none.
  std::optional<std::uint32_t> main_run() const;
  std::uint32_t group_at(std::uint32_t position) const {
    return groups->runs[run_at(position)].group;
  }
  std::size_t bytes() const;
};

CodeColumn code_column(const Column& column);
SegmentNames segment_names(const RowNames& names);
std::vector<std::uint32_t> first_runs(const Block<GroupRun>& runs, std::uint32_t rows);

// `columns` are the public ones; `kind` is that of the profiles alone.
Segment make_segment(const std::vector<Column>& columns, const RowNames& names,
                     const Profiles& profiles, const ProfileKind& kind, const Memory& memory);

}  // namespace rankveil

// The part of an index file that is JSON: everything small. For the files of ranking/ only.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

// How a segment's names are stored; the numbers lie in sections of their own.
enum class NameKind { Counted, Offsets, Text };

struct SegmentDescription {
  std::uint32_t rows;
  NameKind names;
  std::int64_t first_name;               // counted names: the first; offsets: the base
  std::vector<std::uint32_t> domains;    // per attribute, as large as when the rows came
  bool reach;                            // whether it has the planes of runs
  std::optional<std::uint32_t> columns;  // groups side by side: the first halved block
  std::optional<std::vector<std::uint32_t>> bounds;  // the steps of extras
};

struct IndexDescription {
  Schema schema;
  IndexInfo info;
  bool grouped;
  std::uint32_t levels;
  Fraction keep;
  std::uint32_t groups;
  std::vector<SegmentDescription> segments;
};

NameKind name_kind(const SegmentNames& names);
// What stands in the description of names: see SegmentDescription; 0 for texts.
std::int64_t first_name(const SegmentNames& names);

IndexDescription describe(const Index::State& state);
Json to_json(const IndexDescription& description);
// Checks every number against what an index can have.
Result<IndexDescription> description_from_json(const Json& json);

}  // namespace rankveil

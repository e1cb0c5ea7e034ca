// Public values whose rows mostly share a private value: a clinic in which all have one diagnosis.
//
// No scheme that serves shares of groups hides that, for it is true of the group. Only leaving the
// public column out, or making it coarser, does.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

struct TellingValue {
  AttributeId seen;  // public
  ValueId seen_value;
  AttributeId told;  // private
  ValueId told_value;
  std::uint64_t rows = 0;  // with the public value
  std::uint64_t have = 0;  // of them, the private one
  double of_table = 0;     // the share of all rows that have it
};

struct TellingAsked {
  std::uint32_t l = 3;
  std::uint32_t min_rows = 21;  // fewer speak for nobody
  std::uint32_t threads = 0;
};

// All whose share exceeds the table's by a gain of more than 1/l, those of the most rows first.
// Cost: a pass over the table for each pair of a public and a private column.
std::vector<TellingValue> telling_values(const Table& table, const TellingAsked& asked = {});

// "of 25 rows with clinic=c7, 25 have diagnosis=flu (1.2% of all do)"; verb: "have".
std::string to_text(const Schema& schema, const TellingValue& told, std::string_view verb);

}  // namespace rankveil

// What a workload can tell apart in the private values.
//
// Values of an attribute that the same queries ask for are one class: no query of the workload
// scores them differently. Values that no query asks for are such a class too. Queries that are
// alike in their private wishes count as one, asked as often as they are together; queries without
// private wishes drop out.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/workload.h"
#include "rankveil/table/schema.h"

namespace rankveil {

struct AttributeView {
  std::int64_t weight = 1;                           // whole; the weights have no common factor
  std::vector<std::uint16_t> class_of;               // per value
  std::vector<std::vector<ValueId>> values;          // per class, ascending; none is empty
  std::vector<std::vector<std::uint32_t>> asked_by;  // per class: queries, ascending
};

struct QueryView {
  std::vector<AttributeView> attributes;  // the private ones
  std::vector<std::uint64_t> counts;      // per query; without a common factor

  std::uint32_t queries() const { return static_cast<std::uint32_t>(counts.size()); }
};

// REQUIRES: check_weights(schema).
QueryView view_queries(const Schema& schema, const Workload& workload);

}  // namespace rankveil

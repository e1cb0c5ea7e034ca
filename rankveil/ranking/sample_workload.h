// A workload for tables that have none: queries of the kind their rows would ask.
#pragma once

#include <cstdint>

#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil {

struct SampleWorkloadOptions {
  std::uint32_t queries = 20;
  std::uint64_t seed = 1;
  std::uint32_t fewest_wishes = 2;  // at least 1; attributes a query names
  std::uint32_t most_wishes = 6;
};

// Each query takes a random row's values in a few random attributes, so frequent values are asked
// for more often; one wish in four also takes a second value. Half of the wishes, rounded up, are
// private where there are that many private attributes. Counts are skewed: most queries 1, few
// many. Same table, same options, same workload. A table without rows gives no queries.
Workload sample_workload(const Table& table, const SampleWorkloadOptions& options = {});

}  // namespace rankveil

// Work on all groups of an audit: groups side by side, and several threads for a large one.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rankveil/audit/known_groups.h"

namespace rankveil::audit {

// Groups that one thread goes through one after the other; a large group is a batch of its own.
// Batches hang on the groups alone, whatever the number of threads.
struct GroupBatch {
  std::uint32_t begin;
  std::uint32_t end;
  std::size_t rows;
};
std::vector<GroupBatch> batches_of(const KnownGroups& groups);

// Calls body(batch, group, threads) once for each group. `finished` is told the share of rows that
// are done, from one thread at a time.
using GroupBody = std::function<void(std::size_t, std::uint32_t, std::uint32_t)>;
void for_each_group(const KnownGroups& groups, const std::vector<GroupBatch>& batches,
                    std::uint32_t threads, const GroupBody& body,
                    const std::function<void(double)>& finished = {});

}  // namespace rankveil::audit

// Work on all groups of an audit: small ones side by side, large ones in turn by all threads.
#pragma once

#include <cstdint>
#include <functional>

#include "rankveil/audit/known_groups.h"

namespace rankveil::audit {

// Calls body(group, threads) once for each group. `finished` is told the share of rows that are
// done, from one thread at a time.
void for_each_group(const KnownGroups& groups, std::uint32_t threads,
                    const std::function<void(std::uint32_t, std::uint32_t)>& body,
                    const std::function<void(double)>& finished = {});

}  // namespace rankveil::audit

// What a defense makes of a row that somebody inserts while it runs.
//
//   auto served = protect(task);
//   IndexTarget target(index, 100, new_rows(task, served->profiles));
//
// Schemes that need nobody else's values (pvsv, esvt) protect the row by itself. pvst and estt
// protect it among rows that share its public values; what they cannot fill there shows nothing.
// swap and cluster show nothing of it yet: it has the shares of the group of rows like it, as in a
// release that goes on (protect/release/release.h). What rows showed before stays.
#pragma once

#include "rankveil/attack/index_target.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {

// `task` and all it refers to must outlive what is returned. Safe to call from several threads.
// REQUIRES: `served` is what the task's scheme made.
// `most_peers`: a row is protected among so many others at most, drawn once and for all. More are
// closer to what the scheme would do, and take longer.
attack::MakeProfile new_rows(const Task& task, const Profiles& served,
                             std::uint32_t most_peers = 0xFFFFFFFF);

// The strengths of one row, written as an index with profiles like `served` takes them.
// REQUIRES: `row` is below row.rows(), and both have the same domains.
Profiles as_served(const Profiles& served, const Profiles& from, RowId row);

}  // namespace rankveil::audit

// Another release of the people of an audited index, in its rows and values: what somebody holds
// who kept last month's file.
//
//   auto other = in_rows_of(truth, *open_index("last-month.rankveil"));
//   other->there[row] ...
//
// People come and go, so two releases are compared on the rows that both have, by name. A row that
// the other lacks shows nothing in it.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

struct OtherRelease {
  Profiles profiles;                // in the rows and values of the table
  std::vector<std::uint8_t> there;  // per row of the table, 1: the other release has it
  std::uint32_t common = 0;         // rows that it has
};

// `truth`: the rows and values of the audited index. REQUIRES: no row of `other` is deleted
// (Index::compact). Refuses one without a row, or with other private attributes.
Result<OtherRelease> in_rows_of(const Table& truth, const Index& other);

}  // namespace rankveil::audit

// Standard input as a file that can be read several times: "-" where a table or a workload is
// named.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/base/result.h"
#include "rankveil/connect/relation/relation.h"

namespace rankveil::connect {

inline constexpr std::string_view standard_input_name = "-";

struct StandardInput {
  std::string path;  // of the copy, in memory alone
  FileKind kind;     // by its first bytes: Parquet, JsonLines, Json, else Csv
};

// Reads it to its end, once a process: later calls give the same. Refuses a second use of it, as
// what another call took it for ("the table", "the workload").
Result<StandardInput> read_standard_input(const std::string& use);

// Messages about the copy name standard input instead.
Error about_standard_input(const StandardInput& input, Error error);

}  // namespace rankveil::connect

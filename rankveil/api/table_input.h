// The table an operation reads: where it is, under which policy, with which changes.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/api/policy_overrides.h"
#include "rankveil/base/progress.h"
#include "rankveil/connect/source.h"

namespace rankveil::api {

struct TableInput {
  connect::Source source;
  std::string policy_path;  // may be empty when `overrides` gives roles
  PolicyOverrides overrides;
  bool accept_draft = false;  // columns whose role is "?" are left out, instead of refused
  std::uint32_t threads = 0;  // 0: all cores
  Progress progress;
};

// The file's policy with the overrides applied. Without a file, an empty policy with them. Refuses
// columns that are undecided ("?") unless the input accepts the draft.
Result<Policy> load_policy(const TableInput& input);

// Refuses an input that says of no column what it may be used for. `command` is what needs it.
Status check_has_policy(const TableInput& input, std::string_view command);

connect::ReadOptions read_options(const TableInput& input);

}  // namespace rankveil::api

// What a policy must say, or may not, before its table is protected.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/schema.h"

namespace rankveil::api {

// Refuses private bins that come from the data, established rows by a private column, and, for
// schemes that promise something about the whole file, private domains that nobody declared.
Status check_policy(const Policy& policy, const Scheme& scheme);

// Per private attribute of the schema, 1: the owner declared its domain (Task::declared).
std::vector<std::uint8_t> declared_domains(const Policy& policy, const Schema& schema);

// Columns whose role is "ignored".
std::vector<std::string> ignored_columns(const Policy& policy);

}  // namespace rankveil::api

// Keys of a policy about the people behind the rows and what becomes of them over time: together,
// apart, ids, ids_tell, person, time, consent, population, batch_after, withdraw_after.
#pragma once

#include <array>
#include <string_view>

#include "rankveil/table/policy/policy.h"
#include "rankveil/table/policy/policy_nodes.h"

namespace rankveil {

inline constexpr std::array<std::string_view, 10> people_keys = {
    "together", "apart",   "ids",        "ids_tell",    "person",
    "time",     "consent", "population", "batch_after", "withdraw_after"};

// REQUIRES: the policy's columns are known.
Status read_people_keys(const PolicyNodes& nodes, const Toml& root, Policy& policy);

}  // namespace rankveil

// From groups of rows to what is published about them.
#pragma once

#include <map>
#include <string>
#include <vector>

#include "rankveil/connect/columns.h"
#include "rankveil/publish/groups.h"
#include "rankveil/publish/release/hierarchy.h"
#include "rankveil/publish/release/publication.h"
#include "rankveil/publish/score.h"

namespace rankveil::publish {

// What is known about rows beside what they are ranked by.
struct Surroundings {
  std::vector<const connect::TextColumn*> quasi = {};
  std::map<std::string, Hierarchy> hierarchies = {};  // by quasi-identifier
  std::vector<const connect::TextColumn*> sensitive = {};
  Diversity diversity = {};
};

// Refuses a hierarchy that lacks a value of its column, or that belongs to no quasi-identifier; a
// column that is both quasi-identifier and sensitive; sensitive columns without a test, and a test
// without them.
Status check_surroundings(const Surroundings& surroundings);

// Sensitive columns are tested one by one, and those that pass once more together: what rows have
// in all of them as one value. When that fails, none of them is shown. REQUIRES: check_surroundings
// took them.
Publication describe(const Formed& formed, const Demand& demand, const Score& score,
                     bool missing_last, const Surroundings& surroundings);

std::string_view ties_name(Ties ties);  // "include", "cut"
std::optional<Ties> ties_from_name(std::string_view name);

}  // namespace rankveil::publish

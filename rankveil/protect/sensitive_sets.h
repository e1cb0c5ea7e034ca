// Values of one private attribute that are as sensitive together as one alone, such as "cancer" and
// "hiv": schemes that cap values cap these together, too.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/protect/demand.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/schema.h"

namespace rankveil {

// What the private columns of a policy declare, in an order that is not the file's: equal
// declarations are equal lists.
std::vector<SensitiveSet> sensitive_sets_of(const Policy& policy);

// Those that the demand's scheme caps: none where it has no caps on sets.
std::vector<SensitiveSet> sets_capped_by(const Demand& demand);

// {"illness": [["cancer", "hiv"]]}, and back; nothing where it is something else.
Json to_json(const std::vector<SensitiveSet>& sets);
std::optional<std::vector<SensitiveSet>> sensitive_sets_from_json(const Json& json);
// "cancer or hiv (illness)"
std::string to_text(const std::vector<SensitiveSet>& sets);

// A set as codes of a schema. A missing value is in none.
struct CodedSet {
  PrivateId attribute;
  std::vector<std::uint8_t> holds;  // per value of the domain

  bool has(std::uint32_t code) const { return code < holds.size() && holds[code] != 0; }
};
// Values and attributes that the schema lacks are left out, and sets of fewer than two values with
// them: a value alone has its own cap.
std::vector<CodedSet> coded_sets(const Schema& schema, const std::vector<SensitiveSet>& sets);

}  // namespace rankveil

// Values that their owner declares not sensitive, such as "no" and "unknown": schemes with caps do
// not cap them, and the promise is about all others.
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
std::vector<NotSensitive> not_sensitive_of(const Policy& policy);

// What the demand's scheme makes of its declarations: none where it protects every value.
std::vector<NotSensitive> spared_by(const Demand& demand);

// {"smokes": ["no", "unknown"]}, and back; nothing where it is something else.
Json to_json(const std::vector<NotSensitive>& declared);
std::optional<std::vector<NotSensitive>> not_sensitive_from_json(const Json& json);
// "no, unknown (smokes)"
std::string to_text(const std::vector<NotSensitive>& declared);

// The same as codes of a schema. Names that the schema lacks stand for nothing, so the values
// that it has are protected. A missing value is never spared.
class SparedValues {
 public:
  SparedValues() = default;
  SparedValues(const Schema& schema, const std::vector<NotSensitive>& declared);

  bool has(PrivateId attribute, std::uint32_t code) const {
    return !spared_.empty() && code < spared_[+attribute].size() && spared_[+attribute][code] != 0;
  }
  bool any() const { return !spared_.empty(); }

 private:
  std::vector<std::vector<std::uint8_t>> spared_;  // [private attribute][value]; empty: none
};

}  // namespace rankveil

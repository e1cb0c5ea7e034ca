// Attributes and values as people write them, and what is said of those that are not there.
#pragma once

#include <optional>
#include <string_view>

#include "rankveil/base/result.h"
#include "rankveil/table/schema.h"

namespace rankveil {

// Refuses a name that no attribute has, naming the nearest one.
Result<AttributeId> named_attribute(const Schema& schema, std::string_view name);

// The value as it stands, in another form of Unicode, or the bin of a number.
std::optional<ValueId> find_value(const Domain& domain, std::string_view text);
// The same, refused where there is none, naming the nearest one.
Result<ValueId> named_value(const Attribute& attribute, std::string_view text);

}  // namespace rankveil

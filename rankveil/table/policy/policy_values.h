// Keys of a column's section that are about its values: not_sensitive, sensitive_sets,
// known_from, renamed.
#pragma once

#include "rankveil/table/policy/policy.h"
#include "rankveil/table/policy/policy_nodes.h"

namespace rankveil {

// REQUIRES: the column's role and domain are known. Refuses them in a column that is not private,
// and what its domain contradicts; where rows make the domain, that is seen when they are read.
// A list of texts that stand for no value; `where` ends the message.
Result<std::vector<std::string>> missing_words(const PolicyNodes& nodes, const Toml& node,
                                               const std::string& where);

Status read_value_keys(const PolicyNodes& nodes, const Toml& section, ColumnPolicy& column);

}  // namespace rankveil

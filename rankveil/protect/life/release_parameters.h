// What must stay as it is for rows to keep what they show: scheme, l, what the scheme reads of the
// demand, and the key (its fingerprint).
#pragma once

#include <optional>

#include "rankveil/base/json.h"
#include "rankveil/base/keys/keyed.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/demand.h"

namespace rankveil {

Json release_parameters(const Demand& demand, const SecretKey& key);
// The demand that they came from. Nothing: they are not of this kind.
std::optional<Demand> demand_from_parameters(const Json& parameters);

// The l of `before`, if `now` is the same but for a larger one, and a second output can be made
// under it (further_output.h).
std::optional<std::uint32_t> smaller_l(const Json& before, const Json& now);

// Refuses what is not as it was, and names it.
Status check_parameters(const Json& before, const Json& now);

}  // namespace rankveil

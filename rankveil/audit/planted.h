// Somebody who registers rows of their own, so that others hide among them, and then takes them
// away.
//
// Schemes that take cover from other rows are as good as these rows are strangers to the adversary.
// A person whose public values nobody shares, joined by forty planted rows, seems to hide among
// forty; whoever planted them knows who is left. The policy's `established` rule is the answer:
// rows that it does not accept hide nobody. This looks whether the rule is kept.
//
// What is done      rows of one and the same rare private vector are planted among the rows that
//                   have the fewest others like them, and everything is protected again. Values of
//                   the planted vector are then struck out of the victims' profiles, and the value
//                   that is spoken for most is bet on.
// How it is judged  as the insider is (trained.h): by a test of all bets on an attribute.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/audit/levels.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

// Protects a table in which only the rows marked 1 are established.
using Rebuild = std::function<Result<Profiles>(const Table& table,
                                               const std::vector<std::uint8_t>& established)>;

// The declared scheme with a key of the audit's own. `mechanism` must outlive it.
Rebuild declared_rebuild(const Mechanism& mechanism, std::uint64_t seed, std::uint32_t threads);

// Whether the policy says who is established, and the scheme takes cover: else nothing is promised
// about planted rows.
bool minds_planted_rows(const Mechanism& mechanism);

// One finding for each private attribute, without promise and verdict. REQUIRES: a mechanism that
// minds planted rows.
Result<std::vector<Finding>> judge_planted(const Table& truth, const Mechanism& mechanism,
                                           const Rebuild& rebuild, std::uint32_t victims = 200);

}  // namespace rankveil::audit

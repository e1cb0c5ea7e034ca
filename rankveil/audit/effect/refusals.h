// Whether a live ranking refuses to be asked for a private attribute: the best answer there is.
#pragma once

#include <vector>

#include "rankveil/attack/targets/live_target.h"
#include "rankveil/audit/effect/effect.h"
#include "rankveil/base/result.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// The private attributes all whose questions are refused: up to 3 values, alone and beside public
// ones. Fails where questions for public values alone are refused as well: such refusals say
// nothing.
Result<std::vector<Effect>> find_refusals(attack::LiveTarget& target, const Table& truth);

// The table without these attributes.
Table without(const Table& table, const std::vector<Effect>& refused);

}  // namespace rankveil::audit

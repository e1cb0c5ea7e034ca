// All values that a protected victim matches, by splitting sets that it matches.
//
// Promises    verdicts are proven, for every Belief. On sets all are decided, for every victim that
//             some query shows, when own rows match their values.
// Falls back  Q&I-Point for what is still open.
// Cost        about 2p log2(d/p) + 2p queries for a profile of p values; a few rows.
#pragma once

#include "rankveil/attack/session.h"

namespace rankveil::attack {

void profile_by_sets(Session& session, PrivateId attribute);

}  // namespace rankveil::attack

// Q&I-IN: queries and inserts, several values allowed: one own row and a bisection.
//
// Promises    verdicts are proven, for every Belief. Unprotected, a victim that some query shows is
//             resolved with one row and ceil(log2 d) tests; one more value counts if rows may have
//             none.
// Falls back  protected: profile_by_sets; where bisection finds nothing new: Q&I-Point.
// Cost        2 + log2 d queries.
#pragma once

#include "rankveil/attack/session.h"

namespace rankveil::attack {

void qi_in(Session& session, PrivateId attribute);

}  // namespace rankveil::attack

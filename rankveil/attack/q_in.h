// Q-IN: queries only, several values per attribute allowed.
//
// Sets on public attributes level the victim with any other row; sets on the private one halve what
// is possible. Once some row is known to share no candidate with the victim, that row tells yes
// from no for every half asked.
//
// Promises    verdicts are proven, for every Belief. Unprotected, a row with another value and a
//             query that shows both suffices.
// Falls back  protected: blocks of values, then single ones; and Q-Point where sets do not help.
// Cost        unprotected 1 + 2 log2 d for each row tried, and log2 d once one is told apart.
#pragma once

#include "rankveil/attack/session.h"

namespace rankveil::attack {

void q_in(Session& session, PrivateId attribute);

// Queries for the public values of the victim or of a row close to it, so that only rows made of
// those values compete; the fewest of them first. Rows with the victim's own values are left out.
std::vector<Query> box_patterns(Session& session, std::size_t most);

}  // namespace rankveil::attack

// Q-Point: queries only, one value per attribute.
//
// Other rows are the yardstick. Asking for fewer of the victim's public values puts more rows level
// with it or just below; one that matches a value passes it if it does not match, and it passes
// those that do not if it does. Patterns that promise most are asked first.
//
// Promises    verdicts are proven, for every Belief.
// Not         that anything is decided: without contrast among rows there is nothing to see, and
//             some victims show in no point query at all.
// Cost        1 + the number of open values, for each pattern tried.
#pragma once

#include "rankveil/attack/session.h"

namespace rankveil::attack {

void q_point(Session& session, PrivateId attribute);

// Queries for some of the victim's public values, those first that promise to decide most of the
// attribute's open values; at most `most`. From public values alone.
std::vector<Query> subset_patterns(Session& session, PrivateId attribute, std::size_t most);
// Queries that put a row close to the victim strictly between its two possible scores, by mixing
// values of both.
std::vector<Query> mixed_patterns(Session& session, PrivateId attribute, std::size_t most);

}  // namespace rankveil::attack

// Q&I-Point: queries and inserts, one value per attribute.
//
// For each value an own row that carries it, just below the victim: asked for that value, the
// victim stays ahead if and only if it matches.
//
// Promises    verdicts are proven, for every Belief. Unprotected and on sets all are decided, for
//             every victim that some query shows, when own rows match their values.
// Falls back  a hidden victim is tested by whether a value brings it into view.
// Cost        2 + d - 1 queries and up to d rows, which serve all attributes.
#pragma once

#include "rankveil/attack/session.h"

namespace rankveil::attack {

void qi_point(Session& session, PrivateId attribute);

}  // namespace rankveil::attack

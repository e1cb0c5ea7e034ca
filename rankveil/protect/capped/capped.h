// Every attribute speaks for itself, as much as caps allow: the best mechanism for one attribute.
//
// For each public group and attribute a linear program finds the signals, each a posterior that
// keeps the caps (caps.h), and how often to send them (capped_program.h). A row draws one for its
// value, once and for all; its profile is what the signal says: M(x) = Pr(x | signal).
//
// Promises    a value is guessed right with at most the probability of its cap: a gain of at most
//             1/l (gamma at its default), about one attribute of one row seen alone, against
//             anybody who knows the scheme and how common each value is in the group (`ignorant`,
//             `mechanism-aware`). No scheme with these caps has a smaller expected squared error of
//             scores.
// Not         with several attributes, against who knows which private vectors occur in the group
//             (`knowledgeable`): of all that a row's signals allow, few do. Not with one attribute,
//             against who sees all rows of a group and knows how many have each value (`joint`):
//             rows draw by themselves, and signals of others can leave one value over. Large groups
//             help against the second. Nor against `informed`. A row that draws anew speaks twice
//             (release.h keeps what it shows).
// Falls back  groups below demand.min_group go up the ladder; rows that are left over, or take no
//             part, have the shares of groups like them (silent_groups.h).
// Missing     is one more value: it is capped, and matches nothing.
// Rounding    strengths are rounded to 1/demand.levels; the report says how far that is off. A
//             served strength may be above its cap by so much: what somebody may believe is below.
// Workload    a value counts once more than it is asked for: all values count, asked ones more.
// Cost        one small linear program for each group and attribute; equal ones are solved once.
// Source      docs/concepts/capped.md.
#pragma once

#include "rankveil/base/result.h"
#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_capped(const Task& task);

}  // namespace rankveil

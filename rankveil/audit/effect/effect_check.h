// Asks a live ranking for values of each private attribute, and looks whether rows that have them
// rise.
//
// How    rounds. A round asks for up to 8 values of the attribute with one and the same rest of the
//        query (nothing else, then public values), each question once. The statistic is the share
//        of the answer, its top counting most, that has the value asked for.
// Test   permutation within rounds: a ranking that does not look at the wish gives its answers in
//        any order, whatever it does otherwise (random order, caches, shards).
// Errs   in at most 0.5% of attributes whose wish does not act it says that it does.
// Asks   16 questions or so an attribute where the wish acts, at most 512.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rankveil/audit/arena.h"
#include "rankveil/audit/effect/effect.h"
#include "rankveil/base/result.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// What the check saw, with some questions that had answers, to be asked again in the end.
struct SeenEffects {
  std::vector<Effect> effects;  // one for each private attribute
  std::vector<Query> answered;
  std::shared_ptr<attack::Target> target;  // that was asked
};

// Rows of `truth` are numbered as in the arena.
Result<SeenEffects> check_effects(const Arena& arena, const Table& truth, std::uint64_t seed);

// Marks all effects as blind where most answers of the whole audit were empty, or where questions
// that had an answer have none any more. To be called when all else was asked.
Status check_still_answered(const Arena& arena, SeenEffects& seen);

}  // namespace rankveil::audit

// What the tests of diversity that a publication passed promise about guesses of a sensitive
// column, and whether each group keeps it.
//
// l-diversity          a group of n rows with l different values leaves at most (n - l + 1) / n for
//                      one of them.
// entropy l-diversity  the largest share that one value can have in n rows of that entropy.
// t-closeness          of categories: no value is more common in a group than in the table by more
//                      than t, since their distance is the total variation. Of numbers the distance
//                      is over ranks; neighbours may trade places at little cost, and the test
//                      bounds no guess.
//
// A group that shows a range tells no shares. It breaks the promise when only one of the table's
// values lies in the range.
#pragma once

#include <string>

#include "rankveil/promise/promise.h"
#include "rankveil/publish/check/column_guess.h"

namespace rankveil::audit {

// The most that the tests allow in any group that shows the column. Kind None: nothing was tested
// that bounds a guess.
Promise diversity_promise(const publish::Publication& publication,
                          const publish::ColumnGuess& guess);

struct DiversityVerdict {
  bool is_kept = true;
  std::string reason = {};  // a clause: the group that is nearest to what it is allowed, or beyond
};
// Group by group. REQUIRES: a promise.
DiversityVerdict judge_diversity(const publish::Publication& publication,
                                 const publish::ColumnGuess& guess);

}  // namespace rankveil::audit

// Answers of ldp counted by what rows really have: whether the likelihood ratio that was promised
// is the one that is kept.
#pragma once

#include <vector>

#include "rankveil/audit/knowledge.h"

namespace rankveil::audit {

// The largest log of a likelihood ratio that frequencies show, with its standard error. Those of
// attributes add up.
struct RatioCount {
  double log_ratio = 0;
  double error = 0;

  void add(const RatioCount& other);
  // Five standard errors less, and no less than 0: above this by chance once in a million.
  double surely() const;
};

// One per private attribute: of all pairs of answer and value, the one whose ratio is surely
// largest. REQUIRES: the scheme is ldp.
std::vector<RatioCount> count_answers(const Knowledge& known);

}  // namespace rankveil::audit

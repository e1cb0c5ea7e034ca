// Answers of ldp counted by what rows really have: whether the likelihood ratio that was promised
// is the one that is kept.
#pragma once

#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/audit/knowledge.h"

namespace rankveil::audit {

// The largest log of a likelihood ratio that frequencies show, with its standard error. Those of
// attributes add up.
struct RatioCount {
  double log_ratio = 0;
  double error = 0;

  void add(const RatioCount& other);
};

// One per private attribute: of all pairs of answer and value, the one whose ratio is surely
// largest. REQUIRES: the scheme is ldp.
std::vector<RatioCount> count_answers(const Knowledge& known);

// Breaks a kept promise when the log of the ratio is surely above `budget`.
void judge_ratio(const RatioCount& count, double budget, Finding& finding);

}  // namespace rankveil::audit

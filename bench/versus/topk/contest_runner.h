// Checks every contestant, then times them in turns.
#pragma once

#include <functional>

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

struct Pace {
  std::uint32_t rounds = 5;
  double cap_seconds = 20;  // per contestant and case; it stops after the query that exceeds it
};

// Somebody who takes part in a case.
struct Entrant {
  Contestant* contestant;
  const Data* data;
  const Task* task;
  bool is_reference = false;  // our unprotected, unweighted query, to compare with
};

struct Measurement {
  std::uint32_t rows = 0;
  std::string case_name;
  std::string contestant;
  std::uint32_t threads = 1;
  bool is_reference = false;
  double median_us = 0;  // per query, in batches too
  double min_us = 0;
  std::size_t timings = 0;
  std::size_t answers_checked = 0;  // compared with the plain oracle, the timed ones among them
  bool compares_rows = true;        // false: scores only
};

struct CaseOutcome {
  std::vector<Measurement> measurements;
  std::vector<std::string> wrong;   // one sentence per contestant whose answer differs
  std::vector<std::string> failed;  // contestants that broke off, and why
};

using Say = std::function<void(const std::string&)>;

// Rounds go through all entrants in turn, so that a busy moment of the machine hits them alike.
CaseOutcome run_case(const std::vector<Entrant>& entrants, const Pace& pace, const Say& say);

}  // namespace rankveil::versus

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

// For contestants without anything better to do than one query after the other.
Status Contestant::run_batch(std::vector<Hits>& answers) {
  for (std::size_t question = 0; question < answers.size(); ++question) {
    if (Status ran = run(question, answers[question]); !ran) return ran;
  }
  return {};
}

}  // namespace rankveil::versus

// The plain answer: score every row attribute by attribute, keep the best k in a heap.
#pragma once

#include "bench/versus/topk/contest.h"

namespace rankveil::versus {

// Scores are exact fractions inside; ties are real ties.
Hits plain_top_k(const Data& data, const Weights& weights, const Question& question,
                 std::uint32_t k);
double plain_score(const Data& data, const Weights& weights, const Question& question,
                   std::uint32_t row);
// Ranks of all rows. Not for Kind::Shown.
std::vector<std::uint32_t> plain_ranks(const Data& data, const Weights& weights,
                                       const Question& question, bool is_ordinal);

// Empty when the answers agree, else one sentence. Without `ties_by_row` the scores must agree, and
// each row must have the score it is said to have.
std::string difference(const Data& data, const Task& task, std::size_t question,
                       const Hits& expected, const Hits& found, bool ties_by_row);

}  // namespace rankveil::versus

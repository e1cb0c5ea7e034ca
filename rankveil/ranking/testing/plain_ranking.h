// Ranking spelled out: one row, one attribute at a time, in exact fractions. Slow and obvious; the
// tests hold every fast path against it.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/index.h"

namespace rankveil::plain {

// A score as an exact fraction; denominators are positive.
struct ExactScore {
  __int128 numerator;
  __int128 denominator;
};

bool is_higher(const ExactScore& left, const ExactScore& right);
double to_double(const ExactScore& score);

// One per row. `profiles` and `rows` as for Index::build.
std::vector<ExactScore> scores(const PublicTable& rows, const Profiles& profiles,
                               const Query& query, const Weights& weights);

// Row numbers, best first, equal scores in row order; at most k. `live[row]` false: left out.
std::vector<std::uint32_t> top_k(const std::vector<ExactScore>& scores,
                                 const std::vector<bool>& live, std::size_t k);

// From 1; 0 for rows that are not live.
std::vector<std::uint32_t> ranks(const std::vector<ExactScore>& scores,
                                 const std::vector<bool>& live, RankKind kind);

}  // namespace rankveil::plain

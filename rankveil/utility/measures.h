// What a served ranking loses against the true one, for one query and one k. Each function takes
// plain lists, so it can be checked by hand; measure.h applies them to indexes.
//
// A top-k list is what the ranking returns: its best k rows, best first, equal scores in row order.
// With k rows or fewer in all, the list is all of them.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/ranking/index.h"

namespace rankveil::utility {

// Where a row stands in both orders, from 1.
struct RankPair {
  std::uint32_t truth;
  std::uint32_t served;
};

// The mean of |min(truth, k + 1) - min(served, k + 1)| / k over the pairs with truth <= k or
// served <= k; other pairs are passed over. From 0 (the same top k) to 1. 0 without such pairs.
// k may exceed the number of rows: the formula does not change.
double aul(std::span<const RankPair> ranks, std::uint32_t k);

// How many of `served` are in `truth`, divided by the length. REQUIRES: lists of equal length,
// without repeats. 1 for empty lists.
double overlap(std::span<const RowId> truth, std::span<const RowId> served);

// Share of the served list whose true score reaches `last`, the true score of the last row of the
// true list. `served_scores`: the true scores of the served list. 1 for an empty list.
double fair(std::span<const std::int64_t> served_scores, std::int64_t last);

// Discounted cumulative gain of the served list, divided by that of the true list: the sum of
// score / log2(place + 1), places from 1, gains linear in the true score. Both lists hold true
// scores. When all rows of the true list score 0 there is nothing to gain or lose: 1.
// REQUIRES: scores >= 0, lists of equal length.
double ndcg(std::span<const std::int64_t> truth_scores,
            std::span<const std::int64_t> served_scores);

// True and served score of a row. Their units may differ.
struct ScorePair {
  std::int64_t truth;
  std::int64_t served;
};

// Kendall's tau-b: (concordant - discordant pairs) / sqrt(pairs not tied in truth x pairs not tied
// in served), from -1 to 1. Equal scores are ties, also where row order decides the place: row
// order says nothing about who is better. Where a side ties all rows tau-b has no value; it is then
// 1 if both sides do (also for fewer than two rows), else 0. O(n log n).
double tau_b(std::vector<ScorePair> scores);

}  // namespace rankveil::utility

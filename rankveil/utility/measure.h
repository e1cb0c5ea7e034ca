// What protection costs: how far the ranking that is served is from the true one.
//
//   Index truth = utility::true_ranking(table);
//   auto cost = utility::measure(truth, served, workload, {.ks = {10, 100}});
//   if (!cost) return cost.error();
//   for (const auto& at : cost->at) show(at.k, at.fair.mean, at.fair.margin);
//
// For a query, s and s' are a row's true and served score, Rank and Rank' its places among all live
// rows, from 1. Rows are paired by name; each index breaks ties by its own row order.
//
//   rank_loss   U_Q: sum over rows of |Rank - Rank'|
//   score_loss  U_Q^S: sum over rows of |s - s'|, in real scores
//   aul         U_aul at k: mean of |min(Rank, k+1) - min(Rank', k+1)| / k over the rows with
//               Rank <= k or Rank' <= k
//   overlap     share of the true top k that is in the served top k
//   fair        share of the served top k whose true score reaches the true k-th score
//   ndcg        DCG of the served top k over that of the true top k; gain = true score
//   tau_b       Kendall's tau-b of true and served scores, over the union of both top-k lists
//
// For aul, rank_loss and score_loss 0 is best; for the others 1 is. `ranks` decides the places of
// rank_loss and aul only: a top-k list is always the k rows that are returned.
//
// k above the number of rows n: lists hold all n rows, so overlap and fair are 1 and their k-th
// score is the last one; aul keeps its k. No rows: nothing is lost (0, or 1). True scores all 0:
// ndcg is 1. Ties in tau_b: measures.h.
//
// Cost    O(n) a query and thread, 24 bytes a row and thread.
// Result  the same for any number of threads. Ranks, lists and comparisons are exact; sums of real
//         numbers are doubles, added in a fixed order.
// Source  Gao and Zhang 2019, equations 23 and 15 (errata applied: "<=", and ranks from 1).
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/workload.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::utility {

struct MeasureOptions {
  std::vector<std::uint32_t> ks = {10, 100};  // each at least 1; any order
  RankKind ranks = RankKind::Ordinal;
  const Weights* weights = nullptr;  // for both, of the truth's schema; null: their own
  std::uint32_t threads = 0;         // 0: all cores; each takes whole queries
  Progress progress = {};
};

// One query at one k.
struct QueryUtilityAt {
  double aul = 0;
  double overlap = 1;
  double fair = 1;
  double ndcg = 1;
  double tau_b = 1;
};

struct QueryUtility {
  std::uint64_t count = 1;  // as the workload has it
  std::uint64_t rank_loss = 0;
  double score_loss = 0;
  std::vector<QueryUtilityAt> at = {};  // one per k
};

// Means over queries, each weighing as its count.
struct UtilityAt {
  std::uint32_t k = 0;
  Estimate aul = {}, overlap = {}, fair = {}, ndcg = {}, tau_b = {};
};

struct Utility {
  RankKind ranks = RankKind::Ordinal;
  std::uint32_t rows = 0;
  std::uint64_t queries = 0;                 // entries of the workload
  std::uint64_t asked = 0;                   // the sum of their counts
  double total_rank_loss = 0;                // U_Q: over all queries, times their counts
  double total_score_loss = 0;               // U_Q^S, likewise
  Estimate rank_loss = {};                   // per query
  Estimate score_loss = {};                  // per query
  std::vector<UtilityAt> at = {};            // one per k, in the order of the options
  std::vector<QueryUtility> per_query = {};  // in the order of the workload
};

// The ranking without protection: an index in memory that gives every private value away.
// REQUIRES: check_weights(table.schema()).
Index true_ranking(const Table& table);

// REQUIRES: a workload of the truth's schema.
// The served index may number attributes, values and rows in its own way; they agree by name. A
// value that it does not know matches none of its rows.
// Refuses: live rows or attributes that differ, weights that differ (unless given), k = 0, a
// workload without queries.
Result<Utility> measure(const Index& truth, const Index& served, const Workload& workload,
                        const MeasureOptions& options = {});

}  // namespace rankveil::utility

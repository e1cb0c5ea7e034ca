#include "rankveil/utility/measure.h"

#include <algorithm>
#include <cmath>
#include <memory>
#include <mutex>

#include "rankveil/base/parallel.h"
#include "rankveil/utility/measures.h"
#include "rankveil/utility/same_queries.h"
#include "rankveil/utility/same_rows.h"

namespace rankveil::utility {

namespace {

// One ranking's answer to the query at hand; memory is used again for the next query.
struct Side {
  std::vector<std::uint32_t> ranks;
  Scores scores;
  std::vector<RowId> top;  // rows of the truth, best first
};

struct Buffers {
  Side truth, served;
  std::vector<RankPair> near_top;
};

// Hands each thread at work a set of buffers of its own, and keeps those that come back.
class BufferPool {
 public:
  std::unique_ptr<Buffers> take() {
    std::lock_guard lock(mutex_);
    if (idle_.empty()) return std::make_unique<Buffers>();
    auto buffers = std::move(idle_.back());
    idle_.pop_back();
    return buffers;
  }
  void give_back(std::unique_ptr<Buffers> buffers) {
    std::lock_guard lock(mutex_);
    idle_.push_back(std::move(buffers));
  }

 private:
  std::mutex mutex_;
  std::vector<std::unique_ptr<Buffers>> idle_;
};

class Measuring {
 public:
  Measuring(const Index& truth, const Index& served, SameRows rows, SameQueries queries,
            const MeasureOptions& options)
      : truth_(truth),
        served_(served),
        rows_(std::move(rows)),
        queries_(std::move(queries)),
        options_(options) {
    for (std::uint32_t k : options.ks) largest_k_ = std::max(largest_k_, k);
    if (options.weights != nullptr) served_weights_ = queries_.to_served(*options.weights);
  }

  std::uint32_t rows() const { return rows_.size(); }

  QueryUtility of(const WorkloadEntry& entry, Buffers& buffers) const {
    ask(entry.query, buffers);
    QueryUtility result{.count = entry.count};
    result.rank_loss = rank_loss(buffers);
    result.score_loss = score_loss(buffers);
    for (std::uint32_t k : options_.ks) result.at.push_back(at(k, buffers));
    return result;
  }

 private:
  void ask(const Query& query, Buffers& buffers) const {
    const Weights* weights = options_.weights != nullptr ? &served_weights_ : nullptr;
    Query translated = queries_.to_served(query);
    ask(truth_, query, options_.weights, buffers.truth);
    ask(served_, translated, weights, buffers.served);
    for (RowId& row : buffers.served.top) row = rows_.truth_of(row);
    find_near_top(buffers);
  }

  void ask(const Index& index, const Query& query, const Weights* weights, Side& side) const {
    index.ranks(query, options_.ranks, side.ranks, weights);
    index.scores(query, side.scores, weights);
    side.top.clear();
    if (largest_k_ == 0) return;
    RankOptions options{.k = largest_k_, .weights = weights};
    for (const Hit& hit : index.rank(query, options).hits) side.top.push_back(hit.row);
  }

  // Only rows near the top count for aul, whatever the k.
  void find_near_top(Buffers& buffers) const {
    buffers.near_top.clear();
    rows_.for_each([&](std::uint32_t truth, std::uint32_t served) {
      RankPair pair{buffers.truth.ranks[truth], buffers.served.ranks[served]};
      if (std::min(pair.truth, pair.served) <= largest_k_) buffers.near_top.push_back(pair);
    });
  }

  std::uint64_t rank_loss(const Buffers& buffers) const {
    std::uint64_t total = 0;
    rows_.for_each([&](std::uint32_t truth, std::uint32_t served) {
      std::uint32_t left = buffers.truth.ranks[truth];
      std::uint32_t right = buffers.served.ranks[served];
      total += left < right ? right - left : left - right;
    });
    return total;
  }

  double score_loss(const Buffers& buffers) const {
    const Scores& truth_scores = buffers.truth.scores;
    const Scores& served_scores = buffers.served.scores;
    double total = 0;
    rows_.for_each([&](std::uint32_t truth, std::uint32_t served) {
      double left = static_cast<double>(truth_scores.values[truth]) * truth_scores.unit;
      double right = static_cast<double>(served_scores.values[served]) * served_scores.unit;
      total += std::abs(left - right);
    });
    return total;
  }

  QueryUtilityAt at(std::uint32_t k, const Buffers& buffers) const {
    auto truth = std::span(buffers.truth.top);
    auto served = std::span(buffers.served.top);
    std::size_t length = std::min<std::size_t>(k, truth.size());
    truth = truth.first(length);
    served = served.first(length);
    auto best_scores = true_scores(truth, buffers);
    auto served_scores = true_scores(served, buffers);
    return {.aul = aul(buffers.near_top, k),
            .overlap = overlap(truth, served),
            .fair = fair(served_scores, length == 0 ? 0 : best_scores.back()),
            .ndcg = ndcg(best_scores, served_scores),
            .tau_b = tau_b(union_scores(truth, served, buffers))};
  }

  static std::vector<std::int64_t> true_scores(std::span<const RowId> rows,
                                               const Buffers& buffers) {
    std::vector<std::int64_t> scores;
    scores.reserve(rows.size());
    for (RowId row : rows) scores.push_back(buffers.truth.scores.values[+row]);
    return scores;
  }

  std::vector<ScorePair> union_scores(std::span<const RowId> truth, std::span<const RowId> served,
                                      const Buffers& buffers) const {
    std::vector<RowId> rows(truth.begin(), truth.end());
    rows.insert(rows.end(), served.begin(), served.end());
    std::sort(rows.begin(), rows.end());
    rows.erase(std::unique(rows.begin(), rows.end()), rows.end());
    std::vector<ScorePair> scores;
    scores.reserve(rows.size());
    for (RowId row : rows) {
      scores.push_back(
          {buffers.truth.scores.values[+row], buffers.served.scores.values[+rows_.served_of(row)]});
    }
    return scores;
  }

  const Index& truth_;
  const Index& served_;
  SameRows rows_;
  SameQueries queries_;
  const MeasureOptions& options_;
  Weights served_weights_;
  std::uint32_t largest_k_ = 0;
};

// Progress is told by one thread at a time.
class ProgressCount {
 public:
  ProgressCount(const Progress& progress, std::size_t whole) : progress_(progress), whole_(whole) {}

  void add_one() {
    if (!progress_) return;
    std::lock_guard lock(mutex_);
    std::size_t step = std::max<std::size_t>(1, whole_ / 200);
    if (++done_ % step != 0) return;
    report(progress_, "measuring", static_cast<double>(done_) / static_cast<double>(whole_));
  }

 private:
  const Progress& progress_;
  std::size_t whole_;
  std::size_t done_ = 0;
  std::mutex mutex_;
};

std::vector<QueryUtility> measure_all(const Measuring& measuring, const Workload& workload,
                                      const MeasureOptions& options) {
  std::vector<QueryUtility> results(workload.entries.size());
  BufferPool pool;
  ProgressCount progress(options.progress, results.size());
  parallel_for(results.size(), options.threads, [&](std::size_t i) {
    auto buffers = pool.take();
    results[i] = measuring.of(workload.entries[i], *buffers);
    pool.give_back(std::move(buffers));
    progress.add_one();
  });
  return results;
}

// Estimates over queries of whatever `pick` takes from one.
class Averaging {
 public:
  explicit Averaging(const std::vector<QueryUtility>& queries) : queries_(queries) {
    for (const QueryUtility& query : queries) counts_.push_back(query.count);
  }

  template <typename Pick>
  Estimate of(const Pick& pick) const {
    std::vector<double> values;
    values.reserve(queries_.size());
    for (const QueryUtility& query : queries_) values.push_back(pick(query));
    return estimate(values, counts_);
  }

  UtilityAt at(std::uint32_t k, std::size_t i) const {
    return {.k = k,
            .aul = of([i](const QueryUtility& query) { return query.at[i].aul; }),
            .overlap = of([i](const QueryUtility& query) { return query.at[i].overlap; }),
            .fair = of([i](const QueryUtility& query) { return query.at[i].fair; }),
            .ndcg = of([i](const QueryUtility& query) { return query.at[i].ndcg; }),
            .tau_b = of([i](const QueryUtility& query) { return query.at[i].tau_b; })};
  }

 private:
  const std::vector<QueryUtility>& queries_;
  std::vector<std::uint64_t> counts_;
};

Utility sum_up(std::vector<QueryUtility> queries, std::uint32_t rows,
               const MeasureOptions& options) {
  Averaging averaging(queries);
  Utility utility{.ranks = options.ranks, .rows = rows, .queries = queries.size()};
  for (const QueryUtility& query : queries) {
    auto count = static_cast<double>(query.count);
    utility.asked += query.count;
    utility.total_rank_loss += count * static_cast<double>(query.rank_loss);
    utility.total_score_loss += count * query.score_loss;
  }
  utility.rank_loss =
      averaging.of([](const QueryUtility& query) { return static_cast<double>(query.rank_loss); });
  utility.score_loss = averaging.of([](const QueryUtility& query) { return query.score_loss; });
  for (std::size_t i = 0; i < options.ks.size(); ++i) {
    utility.at.push_back(averaging.at(options.ks[i], i));
  }
  utility.per_query = std::move(queries);
  return utility;
}

Status check(const Index& truth, const Index& served, const Workload& workload,
             const MeasureOptions& options) {
  if (std::find(options.ks.begin(), options.ks.end(), 0U) != options.ks.end()) {
    return wrong_use("k = 0 asks for no rows; use 1 or more");
  }
  auto is_asked = [](const WorkloadEntry& entry) { return entry.count > 0; };
  if (std::none_of(workload.entries.begin(), workload.entries.end(), is_asked)) {
    return bad_input("the workload has no queries, so there is nothing to measure on");
  }
  if (options.weights == nullptr) return check_same_weights(truth.schema(), served.schema());
  return {};
}

}  // namespace

Index true_ranking(const Table& table) {
  return Index::build(public_part(table), unprotected_profiles(table),
                      {.scheme = unprotected_scheme});
}

Result<Utility> measure(const Index& truth, const Index& served, const Workload& workload,
                        const MeasureOptions& options) {
  auto queries = SameQueries::between(truth.schema(), served.schema());
  if (!queries) return queries.error();
  if (auto checked = check(truth, served, workload, options); !checked) return checked.error();
  auto rows = SameRows::find(truth, served);
  if (!rows) return rows.error();
  Measuring measuring(truth, served, *std::move(rows), *std::move(queries), options);
  return sum_up(measure_all(measuring, workload, options), measuring.rows(), options);
}

}  // namespace rankveil::utility

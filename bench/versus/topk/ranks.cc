#include "bench/versus/topk/ranks.h"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>

#include "bench/versus/topk/machine.h"
#include "bench/versus/topk/oracle.h"
#include "bench/versus/topk/our_index.h"

namespace rankveil::versus {
namespace {

using Clock = std::chrono::steady_clock;
constexpr std::size_t checked_queries = 2;

struct Side {
  const Index* index;
  const Data* data;
};

RankKind kind_of(bool is_ordinal) { return is_ordinal ? RankKind::Ordinal : RankKind::Competition; }
std::string name_of(bool is_ordinal) { return is_ordinal ? "ranks-ordinal" : "ranks-competition"; }

// Empty, or what is wrong.
std::string check(const Side& side, const Question& question, bool is_ordinal) {
  Weights weights = unit_weights(*side.data->table);
  std::vector<std::uint32_t> found =
      side.index->ranks(query_of(question), kind_of(is_ordinal), &weights);
  std::vector<std::uint32_t> expected = plain_ranks(*side.data, weights, question, is_ordinal);
  auto [at, wanted] = std::mismatch(found.begin(), found.end(), expected.begin(), expected.end());
  if (at == found.end() && wanted == expected.end()) return {};
  return fmt::format("rankveil, {}: row {} has rank {} instead of {}", name_of(is_ordinal),
                     at - found.begin(), *at, *wanted);
}

// Microseconds for all queries on both sides; the sum of ranks keeps the work from being dropped.
double time_all(const std::vector<Side>& sides, const std::vector<Query>& queries,
                const Weights& weights, bool is_ordinal, std::uint64_t& sum) {
  std::vector<std::uint32_t> ranks(sides[0].data->table->rows);
  Clock::time_point start = Clock::now();
  for (const Query& query : queries) {
    for (const Side& side : sides) {
      side.index->ranks(query, kind_of(is_ordinal), ranks, &weights);
      sum += ranks.front();
    }
  }
  return std::chrono::duration<double, std::micro>(Clock::now() - start).count();
}

Measurement summary(const Data& data, bool is_ordinal, std::vector<double> timings) {
  std::sort(timings.begin(), timings.end());
  Measurement result;
  result.rows = data.table->rows;
  result.case_name = name_of(is_ordinal);
  result.contestant = "rankveil";
  result.median_us = timings[timings.size() / 2];
  result.min_us = timings.front();
  result.timings = timings.size();
  result.answers_checked = 2 * checked_queries;
  return result;
}

}  // namespace

CaseOutcome run_ranks(const Ours& before, const Data& before_data, const Ours& after,
                      const Data& after_data, std::uint32_t rounds, std::uint64_t seed,
                      const Say& say) {
  std::vector<Side> sides = {{&before.index(), &before_data}, {&after.index(), &after_data}};
  const Table& table = *before_data.table;
  std::vector<Question> questions = make_questions(table, rank_queries, table.attributes(), seed);
  std::vector<Query> queries;
  for (const Question& question : questions) queries.push_back(query_of(question));
  CaseOutcome outcome;
  std::uint64_t sum = 0;
  for (bool is_ordinal : {false, true}) {
    say(name_of(is_ordinal));
    for (std::size_t q = 0; q < checked_queries; ++q) {
      for (const Side& side : sides) {
        std::string wrong = check(side, questions[q], is_ordinal);
        if (!wrong.empty()) outcome.wrong.push_back(wrong);
      }
    }
    std::vector<double> timings;
    for (std::uint32_t round = 0; round < rounds; ++round) {
      timings.push_back(time_all(sides, queries, unit_weights(table), is_ordinal, sum));
    }
    outcome.measurements.push_back(summary(before_data, is_ordinal, std::move(timings)));
  }
  if (sum == 0) outcome.failed.push_back("rankveil: ranks gave no ranks");
  return outcome;
}

}  // namespace rankveil::versus

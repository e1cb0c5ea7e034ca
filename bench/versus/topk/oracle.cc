#include "bench/versus/topk/oracle.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankveil::versus {
namespace {

constexpr std::uint32_t chunk_rows = 1 << 14;
constexpr std::int64_t keep_denominator = 3;  // Kind::Shown: M(x) = 1/3 [x = shown] + 2/3 share

// A row's score as numerator / denominator, in units of unit_of().
struct Scored {
  std::int64_t numerator;
  std::int64_t denominator;
  std::uint32_t row;
};

bool is_better(const Scored& left, const Scored& right) {
  __int128 a = static_cast<__int128>(left.numerator) * right.denominator;
  __int128 b = static_cast<__int128>(right.numerator) * left.denominator;
  return a != b ? a > b : left.row < right.row;
}

// What a full match of a public and of a private attribute counts, times its weight.
struct Steps {
  std::int64_t of_public;
  std::int64_t of_private;
  double unit;
};

Steps steps_of(Kind kind) {
  switch (kind) {
    case Kind::Levels:
      return {2, 1, 0.5};
    case Kind::Shown:
      return {keep_denominator, 1, 1.0 / keep_denominator};
    default:
      return {1, 1, 1};
  }
}

void add_matches(const std::uint8_t* column, std::uint32_t count, int wanted, std::int64_t step,
                 std::int64_t* scores) {
  for (std::uint32_t i = 0; i < count; ++i) scores[i] += column[i] == wanted ? step : 0;
}

// Integer part of the scores of rows [first, first + count).
void add_scores(const Data& data, const Weights& weights, const Question& question,
                std::uint32_t first, std::uint32_t count, std::int64_t* scores) {
  const Table& table = *data.table;
  Steps steps = steps_of(data.kind);
  std::fill_n(scores, count, 0);
  for (std::uint32_t a = 0; a < table.attributes(); ++a) {
    int wanted = question.wanted[a];
    if (wanted == no_wish) continue;
    bool is_private = a >= table.public_count;
    std::int64_t step = weights.units[a] * (is_private ? steps.of_private : steps.of_public);
    add_matches(table.columns[a].data() + first, count, wanted, step, scores);
    if (is_private && !data.second.empty()) {
      add_matches(data.second[a - table.public_count].data() + first, count, wanted, step, scores);
    }
  }
}

// Kind::Shown: what all rows of a group have on top, as numerator over the group's size.
std::vector<std::int64_t> group_bases(const Data& data, const Weights& weights,
                                      const Question& question) {
  std::vector<std::int64_t> bases(data.groups.count, 0);
  for (std::uint32_t j = 0; j < data.groups.value_counts.size(); ++j) {
    std::uint32_t a = data.table->public_count + j;
    if (question.wanted[a] == no_wish) continue;
    auto first = static_cast<std::size_t>(question.wanted[a]) * data.groups.count;
    for (std::uint32_t group = 0; group < data.groups.count; ++group) {
      bases[group] += (keep_denominator - 1) * weights.units[a] *
                      std::int64_t{data.groups.value_counts[j][first + group]};
    }
  }
  return bases;
}

// Turns a row's integer score into the exact fraction.
class Finish {
 public:
  Finish(const Data& data, const Weights& weights, const Question& question)
      : data_(data), unit_(steps_of(data.kind).unit / static_cast<double>(weights.per_one)) {
    if (data.kind == Kind::Shown) bases_ = group_bases(data, weights, question);
  }
  Scored operator()(std::uint32_t row, std::int64_t score) const {
    if (bases_.empty()) return {score, 1, row};
    std::uint32_t group = data_.groups.of_row[row];
    std::int64_t size = data_.groups.sizes[group];
    return {score * size + bases_[group], size, row};
  }
  double value(const Scored& scored) const {
    return static_cast<double>(scored.numerator) / static_cast<double>(scored.denominator) * unit_;
  }

 private:
  const Data& data_;
  double unit_;
  std::vector<std::int64_t> bases_;
};

// Calls visit(row, integer score) for all rows in row order.
template <typename Visit>
void for_each_score(const Data& data, const Weights& weights, const Question& question,
                    Visit visit) {
  std::vector<std::int64_t> scores(chunk_rows);
  for (std::uint32_t first = 0; first < data.table->rows; first += chunk_rows) {
    std::uint32_t count = std::min(chunk_rows, data.table->rows - first);
    add_scores(data, weights, question, first, count, scores.data());
    for (std::uint32_t i = 0; i < count; ++i) visit(first + i, scores[i]);
  }
}

}  // namespace

Hits plain_top_k(const Data& data, const Weights& weights, const Question& question,
                 std::uint32_t k) {
  Finish finish(data, weights, question);
  std::vector<Scored> best;  // a heap whose front is the worst
  for_each_score(data, weights, question, [&](std::uint32_t row, std::int64_t score) {
    Scored scored = finish(row, score);
    if (best.size() == k && !is_better(scored, best.front())) return;
    if (best.size() == k) {
      std::pop_heap(best.begin(), best.end(), is_better);
      best.pop_back();
    }
    best.push_back(scored);
    std::push_heap(best.begin(), best.end(), is_better);
  });
  std::sort(best.begin(), best.end(), is_better);
  Hits hits;
  for (const Scored& scored : best) hits.push_back({scored.row, finish.value(scored)});
  return hits;
}

double plain_score(const Data& data, const Weights& weights, const Question& question,
                   std::uint32_t row) {
  std::int64_t score = 0;
  add_scores(data, weights, question, row, 1, &score);
  Finish finish(data, weights, question);
  return finish.value(finish(row, score));
}

std::vector<std::uint32_t> plain_ranks(const Data& data, const Weights& weights,
                                       const Question& question, bool is_ordinal) {
  std::vector<std::int64_t> scores(data.table->rows);
  for_each_score(data, weights, question,
                 [&](std::uint32_t row, std::int64_t score) { scores[row] = score; });
  std::vector<std::uint32_t> order(scores.size());
  std::iota(order.begin(), order.end(), 0U);
  std::stable_sort(order.begin(), order.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return scores[a] > scores[b]; });
  std::vector<std::uint32_t> ranks(scores.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    bool shares = !is_ordinal && i > 0 && scores[order[i]] == scores[order[i - 1]];
    ranks[order[i]] = shares ? ranks[order[i - 1]] : i + 1;
  }
  return ranks;
}

std::string difference(const Data& data, const Task& task, std::size_t question,
                       const Hits& expected, const Hits& found, bool ties_by_row) {
  if (found.size() != expected.size()) {
    return fmt::format("query {} gave {} rows instead of {}", question, found.size(),
                       expected.size());
  }
  for (std::size_t i = 0; i < found.size(); ++i) {
    double score = ties_by_row
                       ? found[i].score
                       : plain_score(data, task.weights, task.questions[question], found[i].row);
    bool is_same_row = !ties_by_row || found[i].row == expected[i].row;
    bool is_same_score = std::abs(found[i].score - expected[i].score) < 1e-7 &&
                         std::abs(score - expected[i].score) < 1e-7;
    if (is_same_row && is_same_score) continue;
    return fmt::format("query {}, place {}: row {} with score {:.9g} instead of row {} with {:.9g}",
                       question, i + 1, found[i].row, found[i].score, expected[i].row,
                       expected[i].score);
  }
  return {};
}

}  // namespace rankveil::versus

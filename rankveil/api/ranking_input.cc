#include "rankveil/api/ranking_input.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rankveil/connect/relation/telling.h"

namespace rankveil::api {

namespace {

// NaN where a row lacks one of the columns.
std::vector<bool> find_incomplete(const connect::Columns& columns) {
  std::vector<bool> incomplete(columns.rows, false);
  for (const connect::NumberColumn& column : columns.numbers) {
    for (std::uint32_t row = 0; row < columns.rows; ++row) {
      if (std::isnan(column.values[row])) incomplete[row] = true;
    }
  }
  return incomplete;
}

Status refuse_missing(const connect::Columns& columns) {
  for (const connect::NumberColumn& column : columns.numbers) {
    auto at = std::ranges::find_if(column.values, [](double value) { return std::isnan(value); });
    if (at == column.values.end()) continue;
    return bad_input(fmt::format(
        "{} has no value in row {} (missing, or NaN); correct the row, or pass --missing last to "
        "rank such rows last",
        column.name, at - column.values.begin() + 1));
  }
  return {};
}

std::vector<publish::ValueRange> ranges_of(const connect::Columns& columns) {
  std::vector<publish::ValueRange> ranges;
  for (const connect::NumberColumn& column : columns.numbers) {
    publish::ValueRange range{0, 0};
    bool first = true;
    for (double value : column.values) {
      if (std::isnan(value)) continue;
      range = first ? publish::ValueRange{value, value}
                    : publish::ValueRange{std::min(range.low, value), std::max(range.high, value)};
      first = false;
    }
    ranges.push_back(range);
  }
  return ranges;
}

// Rows that lack something come last and lie in no box.
void set_scores(const publish::Score& score, const std::vector<bool>& incomplete,
                publish::Points& points) {
  std::vector<std::span<const double>> columns(points.columns.begin(), points.columns.end());
  points.scores.resize(incomplete.size());
  score.evaluate(columns, points.scores);
  for (std::size_t row = 0; row < incomplete.size(); ++row) {
    if (!incomplete[row]) continue;
    points.scores[row] = publish::no_score;
    for (auto& column : points.columns) column[row] = std::nan("");
  }
}

}  // namespace

Result<publish::Score> score_of(const RankingInput& input) {
  if (input.rank_by.empty() && input.score.empty()) {
    return wrong_use(
        "say what to rank by: --rank-by points,assists for a sum, or --score for an expression");
  }
  if (!input.rank_by.empty() && !input.score.empty()) {
    return wrong_use("--rank-by and --score both say what to rank by; one of them must go");
  }
  return input.score.empty() ? publish::Score::of_list(input.rank_by)
                             : publish::Score::parse(input.score);
}

Result<RankedTable> read_ranked(const RankingInput& input, const publish::Score& score,
                                const std::vector<std::string>& texts) {
  connect::ReadOptions options{.threads = input.threads, .progress = input.progress};
  auto columns = connect::read_columns(input.source, score.columns(), texts, options);
  if (!columns) return columns.error();
  if (auto complete = refuse_missing(*columns); !input.missing_last && !complete) {
    return connect::in_source(input.source, complete.error());
  }
  auto ranges = ranges_of(*columns);
  if (auto checked = score.check(ranges); !checked) return checked.error();
  std::vector<bool> incomplete = find_incomplete(*columns);
  RankedTable table;
  for (connect::NumberColumn& column : columns->numbers) {
    table.points.columns.push_back(std::move(column.values));
  }
  set_scores(score, incomplete, table.points);
  table.texts = std::move(columns->texts);
  table.incomplete = static_cast<std::uint64_t>(std::ranges::count(incomplete, true));
  return table;
}

}  // namespace rankveil::api

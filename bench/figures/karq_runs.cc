#include "bench/figures/karq_runs.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <filesystem>

#include "rankveil/base/random.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/connect/columns.h"
#include "rankveil/publish/made_up.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::figures {

namespace {

using publish::Demand;
using publish::Points;

struct RealTable {
  const char* name;
  std::vector<std::string> columns;
};

const std::vector<RealTable>& real_tables() {
  static const std::vector<RealTable> tables = {
      {"nba_seasons", {"pts", "ast", "trb", "stl", "blk"}},
      {"diamonds", {"carat", "cut_rank", "color_rank", "clarity_rank", "price"}},
      {"kc_house", {"sqft_living", "bedrooms", "bathrooms", "grade", "condition"}},
  };
  return tables;
}

constexpr std::uint32_t sample_rows = 5000;

// Complete rows, every column from 0 to 1.
Points scaled(const connect::Columns& columns) {
  Points points;
  points.columns.resize(columns.numbers.size());
  for (std::uint32_t row = 0; row < columns.rows; ++row) {
    bool complete = std::ranges::none_of(
        columns.numbers, [&](const auto& column) { return std::isnan(column.values[row]); });
    if (!complete) continue;
    for (std::size_t d = 0; d < points.columns.size(); ++d) {
      points.columns[d].push_back(columns.numbers[d].values[row]);
    }
  }
  points.scores.assign(points.columns[0].size(), 0);
  for (auto& column : points.columns) {
    auto [low, high] = std::ranges::minmax(column);
    for (std::size_t row = 0; row < column.size(); ++row) {
      column[row] = high > low ? (column[row] - low) / (high - low) : 0;
      points.scores[row] += column[row];
    }
  }
  return points;
}

Points sample(const Points& all, std::uint64_t seed) {
  Rng rng(seed);
  std::vector<publish::Row> rows(all.rows());
  for (publish::Row row = 0; row < all.rows(); ++row) rows[row] = row;
  auto wanted = std::min<std::size_t>(sample_rows, rows.size());
  Points part;
  part.columns.resize(all.dimensions());
  for (std::size_t i = 0; i < wanted; ++i) {
    std::swap(rows[i], rows[i + rng.below(rows.size() - i)]);
    for (std::size_t d = 0; d < all.dimensions(); ++d) {
      part.columns[d].push_back(all.columns[d][rows[i]]);
    }
    part.scores.push_back(all.scores[rows[i]]);
  }
  return part;
}

KarqMethod method_of(const std::string& name, bool draws = false) {
  KarqMethod method{name, {}, draws};
  method.demand.method = name;
  method.demand.starts = 1;
  method.demand.node_budget = 5'000'000;
  return method;
}

// A run that draws nothing does the same each time; what takes longer is other work.
double fastest_of(int more, const Points& points, const Demand& demand, double seconds) {
  for (int i = 0; i < more; ++i) {
    Stopwatch watch;
    auto formed = form_groups(points, demand);
    seconds = std::min(seconds, watch.seconds());
  }
  return seconds;
}

// One table and k: exact first, as the others are held against it.
void run_table(const Points& points, std::uint32_t k, std::uint32_t seeds, KarqCells& cells) {
  std::uint32_t best = 0;
  for (const KarqMethod& method : karq_methods()) {
    KarqCell& cell = cells[{method.name, k}];
    std::uint32_t runs = method.draws ? seeds : 1;
    cell.by_table.push_back(0);
    for (std::uint32_t seed = 1; seed <= runs; ++seed) {
      Demand demand = method.demand;
      demand.top = demand.k = k;
      demand.ties = publish::Ties::Cut;
      demand.seed = seed;
      Stopwatch watch;
      auto formed = form_groups(points, demand);
      double seconds = watch.seconds();
      if (!method.draws && method.name != "exact") seconds = fastest_of(4, points, demand, seconds);
      cell.times.push_back(seconds);
      if (formed->gave_up) ++cell.gave_up;
      if (method.name == "exact" && !formed->groups.empty()) {
        best = formed->groups[0].true_positives;
      }
      if (!formed->groups.empty()) cell.by_table.back() += 1.0 / runs;
      if (best == 0 || method.name == "perfect-precision") continue;
      ++cell.compared;
      if (!formed->groups.empty()) cell.positives += formed->groups[0].true_positives * 1.0 / best;
    }
  }
}

}  // namespace

std::vector<KarqBed> made_up_beds(std::uint32_t tables) {
  std::vector<KarqBed> beds;
  for (auto spread :
       {publish::Spread::Uniform, publish::Spread::Correlated, publish::Spread::AntiCorrelated}) {
    KarqBed bed{std::string(spread_name(spread)),
                fmt::format("{} tables of 10,000 x 5, seeds 1 to {}", tables, tables),
                {}};
    for (std::uint32_t i = 1; i <= tables; ++i) {
      bed.tables.push_back(publish::make_up({.spread = spread, .seed = i}));
    }
    beds.push_back(std::move(bed));
  }
  return beds;
}

std::vector<KarqBed> real_beds(const std::string& folder, std::uint32_t tables,
                               std::vector<std::string>& notes) {
  std::vector<KarqBed> beds;
  for (const RealTable& table : real_tables()) {
    std::string path = fmt::format("{}/{}/{}.csv.gz", folder, table.name, table.name);
    if (folder.empty() || !std::filesystem::exists(path)) {
      notes.push_back(fmt::format("{} was not found and is left out.", table.name));
      continue;
    }
    auto columns = connect::read_columns({.path = path}, table.columns, {});
    if (!columns) {
      notes.push_back(fmt::format("{} is left out: {}", table.name, columns.error().message));
      continue;
    }
    Points all = scaled(*columns);
    KarqBed bed{table.name,
                fmt::format("{} samples of {} of its {} rows by {}", tables, sample_rows,
                            all.rows(), fmt::join(table.columns, " + ")),
                {}};
    for (std::uint32_t i = 1; i <= tables; ++i) bed.tables.push_back(sample(all, i));
    beds.push_back(std::move(bed));
  }
  return beds;
}

const std::vector<KarqMethod>& karq_methods() {
  static const std::vector<KarqMethod> methods = [] {
    std::vector<KarqMethod> all = {method_of("exact"),
                                   method_of("perfect-recall"),
                                   method_of("mondrian"),
                                   method_of("greedy-deletion"),
                                   method_of("greedy-insertion"),
                                   method_of("grasp", true),
                                   method_of("grasp", true),
                                   method_of("theta", true),
                                   method_of("theta-rapid", true)};
    all[6].name = "grasp, 10 starts";
    all[6].demand.starts = 10;
    return all;
  }();
  return methods;
}

KarqCells run_karq(const KarqBed& bed, std::uint32_t seeds) {
  KarqCells cells;
  for (const Points& points : bed.tables) {
    for (std::uint32_t k : karq_ks) run_table(points, k, seeds, cells);
  }
  for (auto& [key, cell] : cells) {
    for (double share : cell.by_table) {
      cell.success += share / static_cast<double>(bed.tables.size());
    }
    std::ranges::nth_element(cell.times, cell.times.begin() + std::ssize(cell.times) / 2);
    cell.seconds = cell.times[cell.times.size() / 2];
    if (cell.compared > 0) cell.positives /= static_cast<double>(cell.compared);
  }
  return cells;
}

Series karq_series(const KarqCells& cells, const std::string& method,
                   const std::function<double(const KarqCell&)>& value) {
  Series series{method, {}, {}, {}};
  for (std::uint32_t k : karq_ks) {
    const KarqCell& cell = cells.at({method, k});
    if (cell.gave_up > 0) continue;
    series.xs.push_back(k);
    series.ys.push_back(value(cell));
  }
  return series;
}

Series success_series(const KarqCells& cells, const std::string& method, std::size_t tables) {
  Series series = karq_series(cells, method, [](const KarqCell& cell) { return cell.success; });
  for (double share : series.ys) {
    auto n = static_cast<double>(tables);
    auto interval = utility::wilson_95(share * n, n);
    series.lows.push_back(interval.low);
    series.highs.push_back(interval.high);
  }
  return series;
}

}  // namespace rankveil::figures

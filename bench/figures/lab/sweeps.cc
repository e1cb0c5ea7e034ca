#include "bench/figures/lab/sweeps.h"

namespace rankveil::figures {
namespace {

Point usual(const Bed& bed, double x) { return {x, usual_part(bed)}; }

void take(Figure& figure, Chart& chart, const Bed& bed, const std::string& name,
          const std::vector<Expectation>& expected, const Series* series) {
  if (series == nullptr || series->xs.empty()) return;
  for (const Expectation& expectation : expected) {
    add_verdict(figure, expectation.claim, bed.name, expectation.check(*series));
  }
  chart.series.push_back(*series);
  chart.series.back().name = name;
}

void keep(Figure& figure, Chart chart) {
  if (!chart.series.empty()) figure.charts.push_back(std::move(chart));
}

}  // namespace

std::vector<Point> workload_points(const Bed& bed) {
  std::vector<Point> points;
  for (std::uint32_t queries : {1U, 5U, 10U, 20U}) {
    points.push_back(usual(bed, queries));
    points.back().queries = queries;
  }
  return points;
}

std::vector<Point> row_points(const Bed& bed) {
  std::vector<Point> points;
  for (std::uint32_t thirds : {1U, 2U, 3U}) {
    std::uint32_t rows = bed.table.rows() / 3 * thirds;
    points.push_back(usual(bed, rows));
    points.back().part.rows = rows;
  }
  return points;
}

std::vector<Point> public_points(const Bed& bed) {
  std::vector<Point> points;
  for (std::uint32_t publics : bed.public_steps) {
    points.push_back(usual(bed, publics));
    points.back().part.publics = publics;
    points.back().picks = true;
  }
  return points;
}

std::vector<Point> private_points(const Bed& bed) {
  std::vector<Point> points;
  for (std::uint32_t privates : bed.private_steps) {
    points.push_back(usual(bed, privates));
    points.back().part.privates = privates;
    points.back().picks = true;
  }
  return points;
}

std::vector<Point> weight_points(const Bed& bed) {
  std::vector<Point> points;
  for (std::uint32_t weight : {1U, 2U, 3U}) {
    points.push_back(usual(bed, weight));
    points.back().part.public_weight = weight;
  }
  return points;
}

void draw_twins(Lab& lab, Twins& twins, const std::vector<TwinSweep>& sweeps) {
  for (const Bed& bed : lab.beds()) {
    Chart first{bed.name, {}}, second{bed.name, {}};
    for (const TwinSweep& sweep : sweeps) {
      auto all = lab.sweep(bed, {contender(twins.first_scheme), contender(twins.second_scheme)},
                           sweep.points(bed), sweep.k);
      take(twins.first, first, bed, sweep.name, sweep.first, find_series(all, twins.first_scheme));
      take(twins.second, second, bed, sweep.name, sweep.second,
           find_series(all, twins.second_scheme));
    }
    keep(twins.first, std::move(first));
    keep(twins.second, std::move(second));
  }
}

}  // namespace rankveil::figures

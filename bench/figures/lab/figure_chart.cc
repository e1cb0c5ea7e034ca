#include "bench/figures/lab/figure_chart.h"

#include <algorithm>
#include <iterator>
#include <optional>
#include <set>

#include "rankveil/report/axis.h"

namespace rankveil::figures {
namespace {

using reports::Scale;
using reports::Unit;

std::optional<reports::Interval> interval_of(const Series& series, std::size_t i) {
  if (i < series.lows.size() && i < series.highs.size()) {
    return reports::Interval{series.lows[i], series.highs[i]};
  }
  if (i >= series.margins.size() || series.margins[i] <= 0) return std::nullopt;
  return reports::Interval{series.ys[i] - series.margins[i], series.ys[i] + series.margins[i]};
}

double highest(const Figure& figure, bool with_intervals) {
  double most = 0;
  for (const Chart& chart : figure.charts) {
    for (const Series& series : chart.series) {
      for (std::size_t i = 0; i < series.ys.size(); ++i) {
        const auto interval = with_intervals ? interval_of(series, i) : std::nullopt;
        most = std::max(most, interval ? interval->high : series.ys[i]);
      }
    }
  }
  return most;
}

// A round number above all values of the figure. Nearly all measures end at 1.
reports::Axis value_axis(const Figure& figure, const std::string& label) {
  const double most =
      highest(figure, false) <= 1 ? std::min(1.0, highest(figure, true)) : highest(figure, true);
  const reports::Ruler ruler({}, {most});
  return {label, Unit::Number, Scale::Linear, 0, most > 0 ? ruler.ticks().back() : 1};
}

std::set<double> all_xs(const Chart& chart) {
  std::set<double> xs;
  for (const Series& series : chart.series) xs.insert(series.xs.begin(), series.xs.end());
  return xs;
}

reports::LineChart lines(const Figure& figure, const Chart& chart, const std::string& title) {
  const std::set<double> xs = all_xs(chart);
  const Scale scale = figure.look == Look::LogLines ? Scale::Log : Scale::Linear;
  reports::LineChart made{.title = title,
                          .x = {figure.x_label, Unit::Count, scale},
                          .y = value_axis(figure, figure.y_label),
                          .tooltips = false};
  if (!xs.empty()) {
    made.x.low = *xs.begin();
    made.x.high = *xs.rbegin();
  }
  for (const Series& series : chart.series) {
    reports::Line line{series.name, {}};
    for (std::size_t i = 0; i < series.xs.size(); ++i) {
      line.points.push_back({series.xs[i], series.ys[i], interval_of(series, i)});
    }
    made.lines.push_back(std::move(line));
  }
  return made;
}

// A bar at its place among the categories; `place_of` says which a number x is.
reports::BarSeries bars_of(const Series& series, std::size_t categories, auto place_of) {
  reports::BarSeries made{series.name, {}};
  made.bars.resize(categories);
  for (std::size_t i = 0; i < series.xs.size(); ++i) {
    const std::size_t place = place_of(series.xs[i]);
    if (place < categories) made.bars[place] = reports::Bar{series.ys[i], interval_of(series, i)};
  }
  return made;
}

reports::BarChart bars(const Figure& figure, const Chart& chart, const std::string& title) {
  const std::set<double> xs = all_xs(chart);
  reports::BarChart made{.title = title,
                         .category_label = figure.x_label,
                         .value = value_axis(figure, figure.y_label),
                         .direction = reports::BarChart::Direction::Up};
  for (double x : xs) made.categories.push_back(number_text(x));
  auto place_of = [&](double x) {
    return static_cast<std::size_t>(std::distance(xs.begin(), xs.find(x)));
  };
  for (const Series& series : chart.series) {
    made.series.push_back(bars_of(series, xs.size(), place_of));
  }
  return made;
}

// Categories are counted from 1.
reports::BarChart dots(const Figure& figure, const Chart& chart, const std::string& title) {
  reports::BarChart made{.title = title,
                         .category_label = "scheme",
                         .value = value_axis(figure, figure.x_label),
                         .categories = figure.categories,
                         .look = reports::BarChart::Look::Dot,
                         .spread = figure.look == Look::Rates,
                         .tooltips = false};
  auto place_of = [](double x) { return static_cast<std::size_t>(x) - 1; };
  for (const Series& series : chart.series) {
    made.series.push_back(bars_of(series, figure.categories.size(), place_of));
  }
  return made;
}

}  // namespace

reports::Chart to_chart(const Figure& figure, const Chart& chart, const std::string& title) {
  if (figure.has_categories()) return dots(figure, chart, title);
  if (figure.look == Look::Bars) return bars(figure, chart, title);
  return lines(figure, chart, title);
}

}  // namespace rankveil::figures

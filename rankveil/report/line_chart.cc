#include <fmt/format.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <utility>

#include "rankveil/report/drawing.h"
#include "rankveil/report/markup.h"

namespace rankveil::reports {
namespace {

constexpr std::size_t most_marks = 24;     // beyond, a dozen stand for all
constexpr std::size_t most_own_ticks = 9;  // beyond, the axis has round numbers instead

std::vector<double> all_xs(const LineChart& chart) {
  std::vector<double> xs;
  for (const Line& line : chart.lines) {
    for (const LinePoint& point : line.points) xs.push_back(point.x);
  }
  for (const Guide& guide : chart.guides) {
    if (guide.along == Guide::Along::X) xs.push_back(guide.value);
  }
  return xs;
}

std::vector<double> all_ys(const LineChart& chart) {
  std::vector<double> ys;
  for (const Line& line : chart.lines) {
    for (const LinePoint& point : line.points) {
      ys.push_back(point.y);
      if (point.interval) ys.push_back(point.interval->high);
    }
  }
  for (const Guide& guide : chart.guides) {
    if (guide.along == Guide::Along::Y) ys.push_back(guide.value);
  }
  return ys;
}

// One chart of lines on its way to paper.
class LineDrawing {
 public:
  LineDrawing(const LineChart& chart, double width)
      : chart_(chart),
        box_(plot_box(width)),
        x_(chart.x, all_xs(chart)),
        y_(chart.y, all_ys(chart)) {}

  std::string draw() const {
    std::string out = draw_y_axis(y_, box_, chart_.y.label);
    out += draw_x_axis(x_, box_, chart_.x.label, x_ticks());
    out += draw_guides(chart_.guides, x_, y_, box_);
    for (std::size_t i = 0; i < chart_.lines.size(); ++i) out += draw_line(i);
    return out;
  }

 private:
  // Few measured places are told exactly.
  std::vector<double> x_ticks() const {
    std::set<double> xs;
    for (double x : all_xs(chart_)) {
      if (x_.holds(x)) xs.insert(x);
    }
    if (xs.empty() || xs.size() > most_own_ticks) return x_.ticks();
    return {xs.begin(), xs.end()};
  }

  std::vector<LinePoint> shown(const Line& line) const {
    std::vector<LinePoint> points;
    for (const LinePoint& point : line.points) {
      if (x_.holds(point.x) && y_.holds(point.y)) points.push_back(point);
    }
    return points;
  }

  double x_at(double value) const { return box_.x(x_.share(value)); }
  double y_at(double value) const { return box_.y(y_.share(value)); }

  std::string draw_line(std::size_t series) const {
    const Line& line = chart_.lines[series];
    const std::vector<LinePoint> points = shown(line);
    const bool is_dense = points.size() > most_marks;
    const std::size_t stride = is_dense ? (points.size() + 11) / 12 : 1;
    std::string path, whiskers;
    svg::Marks marks(series, line.tone);
    for (std::size_t i = 0; i < points.size(); ++i) {
      path += corner(points[i].x, points[i].y);
      if (!is_dense) whiskers += whisker(points[i]);
      if (i % stride == 0 || i + 1 == points.size()) {
        marks.add(x_at(points[i].x), y_at(points[i].y), told(series, points[i]));
      }
    }
    const std::string style = svg::series_class(series, line.tone);
    return (is_dense ? band(points, style) : "") +
           fmt::format(R"(<polyline class="line {}" points="{}"/>)", style, path) +
           svg::path("whisker " + style, whiskers) + marks.draw();
  }

  std::string corner(double x, double y) const {
    return fmt::format("{},{} ", svg::place(x_at(x)), svg::place(y_at(y)));
  }

  std::string whisker(const LinePoint& point) const {
    if (!point.interval) return "";
    const double low = y_at(point.interval->low), high = y_at(point.interval->high);
    const double middle = y_at(point.y);
    if (low - middle < svg::mark_radius && middle - high < svg::mark_radius) return "";
    return svg::stroke(x_at(point.x), low, x_at(point.x), high);
  }

  std::string told(std::size_t series, const LinePoint& point) const {
    if (!chart_.tooltips) return "";
    return fmt::format("{} at {}: {}", chart_.lines[series].name, x_.tick_text(point.x),
                       svg::value_text(point.y, point.interval, chart_.y.unit));
  }

  // Many whiskers become one area.
  std::string band(const std::vector<LinePoint>& points, const std::string& style) const {
    std::string above, below;
    for (const LinePoint& point : points) {
      if (!point.interval) return "";
      above += corner(point.x, point.interval->high);
      below.insert(0, corner(point.x, point.interval->low));
    }
    return fmt::format(R"(<polygon class="band {}" points="{}{}"/>)", style, above, below);
  }

  const LineChart& chart_;
  svg::Box box_;
  Ruler x_;
  Ruler y_;
};

// An x, and how often the line was there before: it has one row for each time.
using Place = std::pair<double, std::size_t>;

// What lines have at each place; the same places are one row.
std::map<Place, std::vector<std::string>> by_place(const LineChart& chart, const Ruler& ruler) {
  std::map<Place, std::vector<std::string>> rows;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    std::map<double, std::size_t> turns;
    for (const LinePoint& point : chart.lines[i].points) {
      const double x = ruler.holds(point.x) ? point.x : std::numeric_limits<double>::infinity();
      auto& row = rows[{x, turns[x]++}];
      row.resize(chart.lines.size());
      row[i] = svg::value_text(point.y, point.interval, chart.y.unit);
    }
  }
  return rows;
}

std::vector<std::string> names(const LineChart& chart) {
  std::vector<std::string> all;
  for (const Line& line : chart.lines) all.push_back(line.name);
  return all;
}

}  // namespace

std::string draw(const LineChart& chart, const std::string& id, double width) {
  return svg::opening(id, width, plot_height(width), chart.title,
                      description(chart.summary, chart.y.label, chart.x.label, names(chart))) +
         LineDrawing(chart, width).draw() + "</svg>";
}

std::string legend(const LineChart& chart) {
  std::string out;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    out += svg::legend_item(svg::Key::Mark, i, chart.lines[i].tone, {}, chart.lines[i].name);
  }
  return out + guide_legend(chart.guides);
}

// A row for each x, a column for each line and each level guide.
Numbers numbers(const LineChart& chart) {
  Numbers table{{chart.x.label}, {}};
  std::ranges::copy(names(chart), std::back_inserter(table.head));
  const Ruler x(chart.x, all_xs(chart));
  for (auto& [place, values] : by_place(chart, x)) {
    table.rows.push_back({x.holds(place.first) ? x.tick_text(place.first) : "\xE2\x80\x93"});
    std::ranges::copy(values, std::back_inserter(table.rows.back()));
  }
  for (const Guide& guide : chart.guides) {
    if (guide.along == Guide::Along::X) {
      table.rows.push_back(
          {fmt::format("{} ({})", number_text(guide.value, chart.x.unit), guide.name)});
      continue;
    }
    table.head.push_back(guide.name);
    for (auto& row : table.rows) row.push_back(number_text(guide.value, chart.y.unit));
  }
  for (auto& row : table.rows) row.resize(table.head.size());
  return table;
}

}  // namespace rankveil::reports

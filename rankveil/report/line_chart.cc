#include <fmt/format.h>

#include <algorithm>
#include <set>

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
class Drawing {
 public:
  Drawing(const LineChart& chart, double width)
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
    std::string path, rest;
    for (std::size_t i = 0; i < points.size(); ++i) {
      path += fmt::format("{:.1f},{:.1f} ", x_at(points[i].x), y_at(points[i].y));
      if (i % stride == 0 || i + 1 == points.size())
        rest += draw_point(series, points[i], is_dense);
    }
    const std::string style = svg::series_class(series, line.tone);
    return (is_dense ? band(points, style) : "") +
           fmt::format(R"(<polyline class="line {}" points="{}"/>)", style, path) + rest;
  }

  std::string draw_point(std::size_t series, const LinePoint& point, bool is_dense) const {
    const Line& line = chart_.lines[series];
    std::string out;
    if (point.interval && !is_dense) {
      out += svg::line("whisker " + svg::series_class(series, line.tone), x_at(point.x),
                       y_at(point.interval->low), x_at(point.x), y_at(point.interval->high));
    }
    const std::string told = fmt::format("{} at {}: {}", line.name, x_.tick_text(point.x),
                                         svg::value_text(point.y, point.interval, chart_.y.unit));
    return out + svg::mark(series, line.tone, x_at(point.x), y_at(point.y), told);
  }

  // Many whiskers become one area.
  std::string band(const std::vector<LinePoint>& points, const std::string& style) const {
    std::string above, below;
    for (const LinePoint& point : points) {
      if (!point.interval) return "";
      above += fmt::format("{:.1f},{:.1f} ", x_at(point.x), y_at(point.interval->high));
      below.insert(0, fmt::format("{:.1f},{:.1f} ", x_at(point.x), y_at(point.interval->low)));
    }
    return fmt::format(R"(<polygon class="band {}" points="{}{}"/>)", style, above, below);
  }

  const LineChart& chart_;
  svg::Box box_;
  Ruler x_;
  Ruler y_;
};

std::vector<std::string> names(const LineChart& chart) {
  std::vector<std::string> all;
  for (const Line& line : chart.lines) all.push_back(line.name);
  return all;
}

}  // namespace

std::string draw(const LineChart& chart, const std::string& id, double width) {
  return svg::opening(id, width, plot_height(width), chart.title,
                      description(chart.summary, chart.y.label, chart.x.label, names(chart))) +
         Drawing(chart, width).draw() + "</svg>";
}

std::string legend(const LineChart& chart) {
  std::string out;
  for (std::size_t i = 0; i < chart.lines.size(); ++i) {
    out += svg::legend_item(svg::Key::Mark, i, chart.lines[i].tone, {}, chart.lines[i].name);
  }
  return out + guide_legend(chart.guides);
}

Numbers numbers(const LineChart& chart) {
  Numbers table{{"series", chart.x.label, chart.y.label}, {}};
  const Ruler x(chart.x, all_xs(chart));
  for (const Line& line : chart.lines) {
    for (const LinePoint& point : line.points) {
      table.rows.push_back({line.name, x.holds(point.x) ? x.tick_text(point.x) : "\xE2\x80\x93",
                            svg::value_text(point.y, point.interval, chart.y.unit)});
    }
  }
  for (const Guide& guide : chart.guides) {
    const bool upright = guide.along == Guide::Along::X;
    const std::string value = number_text(guide.value, (upright ? chart.x : chart.y).unit);
    table.rows.push_back({guide.name, upright ? value : "", upright ? "" : value});
  }
  return table;
}

}  // namespace rankveil::reports

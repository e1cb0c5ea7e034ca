#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/report/drawing.h"
#include "rankveil/report/markup.h"

namespace rankveil::reports {
namespace {

using svg::Anchor;

void add(std::vector<double>& values, double value, const std::optional<Interval>& interval) {
  values.push_back(value);
  if (interval) {
    values.push_back(interval->low);
    values.push_back(interval->high);
  }
}

std::vector<double> all_xs(const ScatterChart& chart) {
  std::vector<double> xs;
  for (const ScatterPoint& point : chart.points) add(xs, point.x, point.x_interval);
  for (const Guide& guide : chart.guides) {
    if (guide.along == Guide::Along::X) xs.push_back(guide.value);
  }
  return xs;
}

std::vector<double> all_ys(const ScatterChart& chart) {
  std::vector<double> ys;
  for (const ScatterPoint& point : chart.points) add(ys, point.y, point.y_interval);
  for (const Guide& guide : chart.guides) {
    if (guide.along == Guide::Along::Y) ys.push_back(guide.value);
  }
  return ys;
}

double worth(double value, ScatterChart::Better better) {
  return better == ScatterChart::Better::Higher ? value : -value;
}

// Whether a is at least as good in both and better in one.
bool beats(const ScatterChart& chart, const ScatterPoint& a, const ScatterPoint& b) {
  const double x = worth(a.x, chart.x_better) - worth(b.x, chart.x_better);
  const double y = worth(a.y, chart.y_better) - worth(b.y, chart.y_better);
  return x >= 0 && y >= 0 && (x > 0 || y > 0);
}

struct Patch {
  double left, right, top, bottom;

  bool overlaps(const Patch& other) const {
    return left < other.right && other.left < right && top < other.bottom && other.top < bottom;
  }
};

// Finds places for labels around their points, wherever nothing else is; first where a frontier
// does not run. A label without a place is left to the tooltip and the table.
class LabelPlaces {
 public:
  explicit LabelPlaces(const svg::Box& box) : box_(box) {}

  void keep_free(double x, double y) { taken_.push_back({x - 6, x + 6, y - 6, y + 6}); }

  std::string place(double x, double y, const std::string& label, bool strong) {
    const double wide = svg::letter_width * static_cast<double>(character_count(label));
    struct Try {
      Anchor anchor;
      double x, y, left;
    };
    const Try tries[] = {
        {Anchor::Start, x + 6, y + 17, x + 6},      {Anchor::End, x - 6, y - 9, x - 6 - wide},
        {Anchor::Start, x + 11, y + 4, x + 11},     {Anchor::End, x - 11, y + 4, x - 11 - wide},
        {Anchor::Middle, x, y - 12, x - wide / 2},  {Anchor::Middle, x, y + 20, x - wide / 2},
        {Anchor::End, x - 6, y + 17, x - 6 - wide}, {Anchor::Start, x + 6, y - 9, x + 6}};
    for (const Try& spot : tries) {
      const Patch patch{spot.left, spot.left + wide, spot.y - 10, spot.y + 3};
      if (!is_free(patch)) continue;
      taken_.push_back(patch);
      return svg::text(spot.x, spot.y, spot.anchor, label,
                       strong ? "name halo strong" : "name halo");
    }
    return "";
  }

 private:
  bool is_free(const Patch& patch) const {
    const bool inside = patch.left >= box_.left && patch.right <= box_.right + 6 &&
                        patch.top >= box_.top - 12 && patch.bottom <= box_.bottom;
    return inside &&
           std::ranges::none_of(taken_, [&](const Patch& other) { return patch.overlaps(other); });
  }

  svg::Box box_;
  std::vector<Patch> taken_;
};

class ScatterDrawing {
 public:
  ScatterDrawing(const ScatterChart& chart, double width)
      : chart_(chart),
        box_(plot_box(width)),
        x_(chart.x, all_xs(chart)),
        y_(chart.y, all_ys(chart)) {}

  std::string draw() const {
    std::string out = draw_y_axis(y_, box_, chart_.y.label);
    out += draw_x_axis(x_, box_, chart_.x.label, x_.ticks());
    out += draw_guides(chart_.guides, x_, y_, box_);
    if (chart_.frontier) out += draw_frontier();
    for (const ScatterPoint& point : chart_.points) {
      if (is_shown(point)) out += draw_point(point);
    }
    return out + labels();
  }

 private:
  bool is_shown(const ScatterPoint& point) const { return x_.holds(point.x) && y_.holds(point.y); }
  double x_at(double value) const { return box_.x(x_.share(value)); }
  double y_at(double value) const { return box_.y(y_.share(value)); }

  // In steps: between two points of the frontier, only the worse of each coordinate can be had.
  std::string draw_frontier() const {
    std::string path;
    for (std::size_t i : frontier(chart_)) {
      const ScatterPoint& point = chart_.points[i];
      if (!is_shown(point)) continue;
      path += path.empty() ? fmt::format("M{:.1f},{:.1f}", x_at(point.x), y_at(point.y))
                           : step_to(point);
    }
    return path.empty() ? "" : fmt::format(R"(<path class="frontier" d="{}"/>)", path);
  }

  std::string step_to(const ScatterPoint& to) const {
    const bool level_first = chart_.x_better == ScatterChart::Better::Lower;
    const std::string level = "H" + svg::place(x_at(to.x)), upright = "V" + svg::place(y_at(to.y));
    return level_first ? level + upright : upright + level;
  }

  std::string draw_point(const ScatterPoint& point) const {
    const double x = x_at(point.x), y = y_at(point.y);
    std::string whiskers;
    if (point.x_interval) {
      whiskers += svg::stroke(x_at(point.x_interval->low), y, x_at(point.x_interval->high), y);
    }
    if (point.y_interval) {
      whiskers += svg::stroke(x, y_at(point.y_interval->low), x, y_at(point.y_interval->high));
    }
    std::string out =
        svg::path("whisker " + svg::series_class(point.series, Tone::Plain), whiskers);
    if (point.chosen) {
      out += fmt::format(R"(<circle class="ring" cx="{}" cy="{}" r="9"/>)", svg::place(x),
                         svg::place(y));
    }
    svg::Marks mark(point.series, Tone::Plain);
    mark.add(x, y, told(point));
    return out + mark.draw();
  }

  std::string told(const ScatterPoint& point) const {
    return fmt::format("{}: {} {}, {} {}", point.label, chart_.x.label,
                       svg::value_text(point.x, point.x_interval, chart_.x.unit), chart_.y.label,
                       svg::value_text(point.y, point.y_interval, chart_.y.unit));
  }

  // Chosen points first, then those on the frontier: theirs must not be the labels left out.
  std::vector<std::size_t> by_weight() const {
    std::vector<std::size_t> order(chart_.points.size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    const std::vector<std::size_t> front = frontier(chart_);
    auto rank = [&](std::size_t i) {
      if (chart_.points[i].chosen) return 0;
      return std::ranges::find(front, i) != front.end() ? 1 : 2;
    };
    std::ranges::stable_sort(order, {}, rank);
    return order;
  }

  std::string labels() const {
    LabelPlaces places(box_);
    for (const ScatterPoint& point : chart_.points) {
      if (is_shown(point)) places.keep_free(x_at(point.x), y_at(point.y));
    }
    std::string out;
    for (std::size_t i : by_weight()) {
      const ScatterPoint& point = chart_.points[i];
      if (!is_shown(point) || point.label.empty()) continue;
      out += places.place(x_at(point.x), y_at(point.y), shortened(point.label, 24), point.chosen);
    }
    return out;
  }

  const ScatterChart& chart_;
  svg::Box box_;
  Ruler x_;
  Ruler y_;
};

bool any_chosen(const ScatterChart& chart) {
  return std::ranges::any_of(chart.points, &ScatterPoint::chosen);
}

}  // namespace

std::vector<std::size_t> frontier(const ScatterChart& chart) {
  std::vector<std::size_t> front;
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const ScatterPoint& point = chart.points[i];
    if (!std::isfinite(point.x) || !std::isfinite(point.y)) continue;
    const bool beaten = std::ranges::any_of(
        chart.points, [&](const ScatterPoint& other) { return beats(chart, other, point); });
    if (!beaten) front.push_back(i);
  }
  std::ranges::stable_sort(front, {}, [&](std::size_t i) { return chart.points[i].x; });
  return front;
}

std::string draw(const ScatterChart& chart, const std::string& id, double width) {
  return svg::opening(id, width, plot_height(width), chart.title,
                      description(chart.summary, chart.y.label, chart.x.label, chart.series)) +
         ScatterDrawing(chart, width).draw() + "</svg>";
}

std::string legend(const ScatterChart& chart) {
  std::string out;
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    out += svg::legend_item(svg::Key::Mark, i, Tone::Plain, {}, chart.series[i]);
  }
  if (any_chosen(chart)) {
    out += svg::legend_item(svg::Key::Ring, 0, Tone::Plain, {}, chart.chosen_name);
  }
  if (chart.frontier) {
    out += svg::legend_item(svg::Key::Frontier, 0, Tone::Plain, {}, "frontier");
  }
  return out + guide_legend(chart.guides);
}

Numbers numbers(const ScatterChart& chart) {
  Numbers table{{"point", chart.x.label, chart.y.label}, {}};
  if (chart.frontier) table.head.emplace_back("on the frontier");
  const std::vector<std::size_t> front = frontier(chart);
  for (std::size_t i = 0; i < chart.points.size(); ++i) {
    const ScatterPoint& point = chart.points[i];
    std::vector<std::string> row = {
        point.label + (point.chosen ? " (" + chart.chosen_name + ")" : ""),
        svg::value_text(point.x, point.x_interval, chart.x.unit),
        svg::value_text(point.y, point.y_interval, chart.y.unit)};
    if (chart.frontier) row.emplace_back(std::ranges::find(front, i) != front.end() ? "yes" : "no");
    table.rows.push_back(std::move(row));
  }
  return table;
}

}  // namespace rankveil::reports

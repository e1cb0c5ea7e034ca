// Charts as inline SVG: lines, bars and scattered points, with intervals, guides and legends.
//
//   reports::LineChart chart{.title = "Recovered values", .x = {"queries", Unit::Count,
//   Scale::Log},
//                           .y = {"victims", Unit::Share}, .lines = {{"before", points}, ...}};
//   std::string html = reports::chart_html(chart, "recovered");
//
// A chart takes its colours from the style of the page (page.h), follows its light or dark mode,
// needs no script, and tells each number in a tooltip and in a table below. Series differ in shape
// and dash as well as in colour. Numbers that are not finite are left out. All texts may hold
// anything.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <variant>
#include <vector>

namespace rankveil::reports {

enum class Scale { Linear, Log };  // Log: values from 0 down are left out
enum class Unit {
  Number,  // 0.125
  Share,   // 0.125 is shown as 12.5%
  Count,   // 12,500; axes say 12.5k
};

// What a colour says beside telling series apart.
enum class Tone { Plain, Good, Bad, Unsure, Quiet };

struct Axis {
  std::string label;
  Unit unit = Unit::Number;
  Scale scale = Scale::Linear;
  // Ends of the axis; absent: from 0 (or the lowest, by Log) to a round number above the highest.
  std::optional<double> low = {};
  std::optional<double> high = {};
};

struct Interval {
  double low = 0;
  double high = 0;
};

// A line across the whole chart, with its name in the legend.
struct Guide {
  enum class Kind { Baseline, Bound };  // dashed and quiet, or solid and dark
  enum class Along { X, Y };            // stands at a value of x (upright) or of y (level)
  std::string name;
  double value = 0;
  Kind kind = Kind::Bound;
  Along along = Along::Y;
};

struct LinePoint {
  double x = 0;
  double y = 0;
  std::optional<Interval> interval = {};  // of y
};

struct Line {
  std::string name;
  std::vector<LinePoint> points;  // drawn in this order
  Tone tone = Tone::Plain;
};

struct LineChart {
  std::string title;
  std::string summary = {};  // a sentence for those who do not see the chart
  Axis x = {};
  Axis y = {};
  std::vector<Line> lines = {};
  std::vector<Guide> guides = {};
  bool wide = false;     // as broad as the page, where the screen is
  bool tooltips = true;  // without, a page of many charts is half as large; the table stays
};

struct Bar {
  double value = 0;
  std::optional<Interval> interval = {};
};

struct BarSeries {
  std::string name;
  std::vector<std::optional<Bar>> bars;  // one a category
  Tone tone = Tone::Plain;
};

// A mark of its own at each bar: what to hold it against.
struct BarMark {
  std::string name;
  Guide::Kind kind = Guide::Kind::Bound;
  std::vector<std::optional<double>> values = {};  // one a category
};

struct BarChart {
  enum class Direction { Right, Up };  // Right has room for long names and shows each number
  enum class Look { Bar, Dot };
  std::string title;
  std::string summary = {};
  std::string category_label = {};  // what the categories are: "level"
  Axis value = {};
  std::vector<std::string> categories = {};
  std::vector<BarSeries> series = {};
  std::vector<BarMark> marks = {};
  Direction direction = Direction::Right;
  Look look = Look::Bar;
  bool overlaid = false;  // series share one place: at most one has a bar for a category
  bool spread = false;    // Dots: each series at a height of its own, for values that are alike
  bool wide = false;
  bool tooltips = true;  // of dots; see LineChart
};

struct ScatterPoint {
  double x = 0;
  double y = 0;
  std::string label = {};
  std::size_t series = 0;  // into ScatterChart::series
  std::optional<Interval> x_interval = {};
  std::optional<Interval> y_interval = {};
  bool chosen = false;  // with a ring around it, and a bold label
};

struct ScatterChart {
  enum class Better { Lower, Higher };
  std::string title;
  std::string summary = {};
  Axis x = {};
  Axis y = {};
  std::vector<std::string> series = {};
  std::vector<ScatterPoint> points = {};
  std::vector<Guide> guides = {};
  bool frontier = false;  // a line along the points that no other beats in both
  Better x_better = Better::Lower;
  Better y_better = Better::Higher;
  std::string chosen_name = "chosen";  // what the ring means, for the legend
  bool wide = false;
};

using Chart = std::variant<LineChart, BarChart, ScatterChart>;

// Indices of the points that no other point beats or equals in one of x and y and beats in the
// other, by rising x. Of equal points all are on it.
std::vector<std::size_t> frontier(const ScatterChart& chart);

// The chart alone; `id` must be unique on the page and a slug (markup.h).
std::string chart_svg(const Chart& chart, const std::string& id);

// What the shapes and colours of a chart stand for.
std::string legend_html(const Chart& chart);

// A panel: title, legend (unless it stands elsewhere), chart, and the numbers behind it, folded
// away. Takes the style of page.h.
std::string chart_html(const Chart& chart, const std::string& id, bool with_legend = true);

// A number as charts and tables show it: "12.5%", "0.125", "12,500"; a dash when it is not finite.
std::string number_text(double value, Unit unit);

}  // namespace rankveil::reports

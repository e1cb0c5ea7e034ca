#include "rankveil/report/chart.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <regex>

#include "rankveil/report/axis.h"
#include "rankveil/report/svg.h"
#include "rankveil/report/testing/well_formed.h"

namespace rankveil::reports {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;

constexpr double nan = std::numeric_limits<double>::quiet_NaN();
const std::string hostile = "</title><script>alert('x')</script>\"&\x01";

LineChart recovered() {
  return {.title = "Recovered values",
          .x = {"queries", Unit::Count, Scale::Log},
          .y = {"victims", Unit::Share},
          .lines = {{"before", {{1, 0.1, {{0.05, 0.15}}}, {10, 0.5}, {100, 1}}},
                    {"after", {{1, 0.1}, {10, 0.1}, {100, 0.125}}}},
          .guides = {{"promise", 0.333}}};
}

BarChart levels() {
  return {.title = "income",
          .category_label = "level",
          .value = {"right guesses", Unit::Share},
          .categories = {"ignorant", "joint"},
          .series = {{"kept", {Bar{0.25, {{0.2, 0.3}}}, {}}, Tone::Good},
                     {"broken", {{}, Bar{0.75, {{0.7, 0.8}}}}, Tone::Bad}},
          .marks = {{"prior", Guide::Kind::Baseline, {0.2, 0.2}},
                    {"promise", Guide::Kind::Bound, {0.5, 0.5}}},
          .overlaid = true};
}

ScatterChart schemes() {
  return {.title = "Frontier",
          .x = {"gain", Unit::Share},
          .y = {"fair@10", Unit::Share},
          .series = {"ours", "published"},
          .points = {{.x = 0.3, .y = 0.7, .label = "swap", .chosen = true},
                     {.x = 0.3, .y = 0.6, .label = "cluster"},
                     {.x = 0.9, .y = 0.9, .label = "pvst", .series = 1},
                     {.x = 0.95, .y = 0.9, .label = "pvsv", .series = 1},
                     {.x = 0.0, .y = 0.4, .label = "drop", .series = 1}},
          .frontier = true};
}

// Places of all shapes and texts.
std::vector<double> numbers_of(const std::string& svg, const std::string& attribute) {
  std::vector<double> found;
  const std::regex pattern(" " + attribute + "=\"(-?[0-9.]+)\"");
  for (std::sregex_iterator it(svg.begin(), svg.end(), pattern), end; it != end; ++it) {
    found.push_back(std::stod((*it)[1]));
  }
  return found;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(Ruler, HasRoundNumbersAroundAllValues) {
  const Ruler ruler({"", Unit::Number}, {3, 87});
  EXPECT_THAT(ruler.ticks(), ElementsAre(0, 25, 50, 75, 100));
  EXPECT_DOUBLE_EQ(ruler.share(50), 0.5);
}

TEST(Ruler, SharesEndAtAll) {
  const Ruler ruler({"", Unit::Share}, {0.97});
  EXPECT_DOUBLE_EQ(ruler.share(1), 1);
  EXPECT_EQ(ruler.tick_text(ruler.ticks().back()), "100%");
}

TEST(Ruler, GoesBelowZeroWhereValuesDo) {
  const Ruler ruler({"", Unit::Number}, {-0.4, 1});
  EXPECT_LE(ruler.ticks().front(), -0.4);
  EXPECT_LT(ruler.share(-0.4), ruler.share(0));
}

TEST(Ruler, ByLogarithmEqualFactorsAreEqualSteps) {
  const Ruler ruler({"", Unit::Count, Scale::Log}, {1, 100000});
  EXPECT_NEAR(ruler.share(10) - ruler.share(1), ruler.share(100000) - ruler.share(10000), 1e-12);
  EXPECT_EQ(ruler.tick_text(100000), "100k");
  EXPECT_FALSE(ruler.holds(0));
  EXPECT_FALSE(ruler.holds(-1));
}

TEST(Ruler, ManagesWithNothingOneNumberOrNone) {
  for (Scale scale : {Scale::Linear, Scale::Log}) {
    for (const std::vector<double>& values :
         {std::vector<double>{}, std::vector<double>{5}, std::vector<double>{0},
          std::vector<double>{nan, INFINITY}, std::vector<double>{1e-300, 1e300}}) {
      const Ruler ruler({"", Unit::Number, scale}, values);
      EXPECT_LT(ruler.ticks().size(), 50U);
      for (double value : {-1.0, 0.0, 5.0, nan}) {
        EXPECT_GE(ruler.share(value), 0);
        EXPECT_LE(ruler.share(value), 1);
      }
    }
  }
}

TEST(Numbers, AreToldInTheirUnit) {
  EXPECT_EQ(number_text(0.1251, Unit::Share), "12.5%");
  EXPECT_EQ(number_text(12500, Unit::Count), "12,500");
  EXPECT_EQ(number_text(2.5, Unit::Count), "2.5");
  EXPECT_EQ(number_text(0.1251, Unit::Number), "0.125");
  EXPECT_EQ(number_text(nan, Unit::Share), "–");
}

TEST(Charts, AreWellFormed) {
  for (const Chart& chart : {Chart(recovered()), Chart(levels()), Chart(schemes())}) {
    EXPECT_EQ(WellFormed()(chart_html(chart, "c")), "");
  }
}

TEST(Charts, HaveATitleADescriptionAndTooltips) {
  const std::string html = chart_html(recovered(), "c");
  EXPECT_THAT(html, HasSubstr(R"(role="img" aria-labelledby="c-t c-d")"));
  EXPECT_THAT(html, HasSubstr(R"(<title id="c-t">Recovered values</title>)"));
  EXPECT_THAT(html, HasSubstr("victims by queries: before, after."));
  EXPECT_THAT(html, HasSubstr("<title>before at 1: 10.0% (5.0% to 15.0%)</title>"));
}

TEST(Charts, ShowEveryNumberInTheTable) {
  const std::string html = chart_html(levels(), "c");
  EXPECT_THAT(html, HasSubstr("<td>joint</td><td>broken</td><td>75.0% (70.0% to 80.0%)</td>"
                              "<td>20.0%</td><td>50.0%</td>"));
}

TEST(Charts, TablesNameEverySeriesOnce) {
  const std::string lines = chart_html(recovered(), "c");
  EXPECT_THAT(lines, HasSubstr(R"(<th scope="col">queries</th><th scope="col">before</th>)"
                               R"(<th scope="col">after</th><th scope="col">promise</th>)"));
  EXPECT_THAT(lines, HasSubstr("<td>10</td><td>50.0%</td><td>10.0%</td><td>33.3%</td>"));
  BarChart bars = levels();
  bars.overlaid = false;
  EXPECT_THAT(chart_html(bars, "c"),
              HasSubstr("<td>joint</td><td></td><td>75.0% (70.0% to 80.0%)</td>"
                        "<td>20.0%</td><td>50.0%</td>"));
}

TEST(Charts, TablesKeepEveryPointOfALineThatTurnsBack) {
  LineChart chart = recovered();
  chart.lines[0].points = {{1, 0.25}, {10, 0.5}, {1, 0.75}};
  const std::string html = chart_html(chart, "c");
  EXPECT_THAT(html, HasSubstr("<td>1</td><td>25.0%</td><td>10.0%</td>"));
  EXPECT_THAT(html, HasSubstr("<td>1</td><td>75.0%</td><td></td>"));
}

TEST(Charts, GoWithoutTooltipsWhereTheyAreTooMany) {
  LineChart lines = recovered();
  BarChart dots = levels();
  dots.look = BarChart::Look::Dot;
  dots.marks.clear();
  lines.tooltips = dots.tooltips = false;
  for (const Chart& chart : {Chart(lines), Chart(dots)}) {
    const std::string html = chart_html(chart, "c");
    EXPECT_EQ(WellFormed()(html), "");
    EXPECT_EQ(count_of(html, "<title>"), 0U);
    EXPECT_THAT(html, HasSubstr("class=\"mark "));
  }
  EXPECT_THAT(chart_html(lines, "c"), HasSubstr("10.0% (5.0% to 15.0%)"));
}

TEST(Charts, LeaveOutWhiskersThatAMarkCovers) {
  LineChart chart = recovered();
  chart.lines[0].points = {{1, 0.5, {{0.499, 0.501}}}, {10, 0.5, {{0.2, 0.8}}}};
  chart.lines.resize(1);
  const std::string svg = chart_svg(chart, "c");
  const std::size_t at = svg.find("class=\"whisker");
  ASSERT_NE(at, std::string::npos);
  EXPECT_EQ(count_of(svg.substr(at, svg.find("/>", at) - at), "M"), 1U);
}

TEST(Charts, WasteNoBytesOnPlaces) {
  EXPECT_EQ(svg::place(18), "18");
  EXPECT_EQ(svg::place(17.96), "18");
  EXPECT_EQ(svg::place(-0.01), "0");
  EXPECT_EQ(svg::place(170.25), "170.2");
  EXPECT_EQ(svg::stroke(1, 2, 3, 2), "M1,2H3");
  EXPECT_EQ(svg::stroke(1, 2, 1, 3.04), "M1,2V3");
  EXPECT_EQ(svg::stroke(1, 2, 3, 4), "M1,2L3,4");
}

TEST(Charts, TakeHostileTextForText) {
  LineChart lines = recovered();
  BarChart bars = levels();
  ScatterChart points = schemes();
  lines.title = lines.summary = lines.x.label = lines.y.label = hostile;
  lines.lines[0].name = lines.guides[0].name = hostile;
  bars.title = bars.category_label = bars.value.label = hostile;
  bars.categories[0] = bars.series[0].name = bars.marks[0].name = hostile;
  points.title = points.series[0] = points.points[0].label = points.chosen_name = hostile;
  for (const Chart& chart : {Chart(lines), Chart(bars), Chart(points)}) {
    const std::string html = chart_html(chart, "c");
    EXPECT_EQ(WellFormed()(html), "");
    EXPECT_THAT(html, Not(HasSubstr("<script")));
    EXPECT_THAT(html, HasSubstr("&lt;script&gt;"));
  }
}

TEST(Charts, LeaveOutWhatIsNoNumber) {
  LineChart lines = recovered();
  lines.lines[0].points = {{nan, 0.5}, {0, 0.5}, {10, INFINITY}, {10, 0.5}};
  BarChart bars = levels();
  bars.series[0].bars[0]->value = nan;
  ScatterChart points = schemes();
  points.points[0].x = nan;
  for (const Chart& chart : {Chart(lines), Chart(bars), Chart(points)}) {
    const std::string svg = chart_svg(chart, "c");
    EXPECT_THAT(svg, Not(testing::ContainsRegex("=\"[^\"]*(nan|inf)")));
  }
  EXPECT_EQ(count_of(chart_svg(lines, "c"), "<title>before at"), 1U);
}

TEST(Charts, WithoutDataAreEmptyFrames) {
  for (const Chart& chart :
       {Chart(LineChart{}), Chart(BarChart{}), Chart(ScatterChart{.title = "", .frontier = true}),
        Chart(BarChart{.title = "", .direction = BarChart::Direction::Up})}) {
    EXPECT_EQ(WellFormed()(chart_html(chart, "c")), "");
  }
}

TEST(Charts, StayInsideTheirFrame) {
  BarChart upright = levels();
  upright.direction = BarChart::Direction::Up;
  for (const Chart& chart :
       {Chart(recovered()), Chart(levels()), Chart(upright), Chart(schemes())}) {
    const std::string svg = chart_svg(chart, "c");
    std::vector<double> xs = numbers_of(svg, "x");
    const std::regex stroke("[MHL]([0-9.-]+)");
    for (std::sregex_iterator it(svg.begin(), svg.end(), stroke), end; it != end; ++it) {
      xs.push_back(std::stod((*it)[1]));
    }
    EXPECT_GT(xs.size(), 10U);
    for (double x : xs) {
      EXPECT_GE(x, 0);
      EXPECT_LE(x, 360);
    }
  }
}

TEST(Charts, WideOnesAreDrawnForBothScreens) {
  LineChart chart = recovered();
  EXPECT_EQ(count_of(chart_svg(chart, "c"), "<svg"), 1U);
  chart.wide = true;
  const std::string svg = chart_svg(chart, "c");
  EXPECT_THAT(svg, HasSubstr(R"(viewBox="0 0 360)"));
  EXPECT_THAT(svg, HasSubstr(R"(viewBox="0 0 960)"));
  EXPECT_THAT(svg, HasSubstr(R"(id="c-broad-t")"));
}

TEST(LineCharts, PutHigherValuesHigher) {
  const std::string svg = chart_svg(recovered(), "c");
  const std::regex mark(R"(<path d=\"M[0-9.]+,([0-9.]+)a[^"]+\"><title>before)");
  std::vector<double> heights;
  for (std::sregex_iterator it(svg.begin(), svg.end(), mark), end; it != end; ++it) {
    heights.push_back(std::stod((*it)[1]));
  }
  ASSERT_EQ(heights.size(), 3U);
  EXPECT_TRUE(std::ranges::is_sorted(heights, std::ranges::greater()));
}

TEST(LineCharts, ThinOutMarksAndWhiskersOfManyPoints) {
  LineChart chart = recovered();
  chart.lines.resize(1);
  chart.lines[0].points.clear();
  for (int i = 1; i <= 500; ++i) chart.lines[0].points.push_back({double(i), 0.5, {{0.4, 0.6}}});
  const std::string svg = chart_svg(chart, "c");
  EXPECT_LT(count_of(svg, "<title>before at"), 20U);
  EXPECT_EQ(count_of(svg, "class=\"band"), 1U);
  EXPECT_EQ(count_of(svg, "class=\"whisker"), 0U);
}

TEST(BarCharts, AreAsLongAsTheirValues) {
  const std::string svg = chart_svg(levels(), "c");
  const std::vector<double> widths = numbers_of(svg, "width");
  ASSERT_EQ(widths.size(), 2U);
  EXPECT_NEAR(widths[1] / widths[0], 3, 0.02);
}

TEST(BarCharts, MarkBaselineAndBoundOfEachBar) {
  const std::string svg = chart_svg(levels(), "c");
  EXPECT_EQ(count_of(svg, "guide baseline"), 2U);
  EXPECT_EQ(count_of(svg, "guide bound"), 2U);
  EXPECT_THAT(svg, HasSubstr("<title>joint, promise: 50.0%</title>"));
}

TEST(BarCharts, LegendNamesOnlyWhatIsThere) {
  BarChart chart = levels();
  chart.series.push_back({"undecidable", {{}, {}}, Tone::Unsure});
  const std::string html = chart_html(chart, "c");
  EXPECT_THAT(html, HasSubstr("</svg>kept</li>"));
  EXPECT_THAT(html, Not(HasSubstr("</svg>undecidable</li>")));
}

TEST(BarCharts, GroupedSeriesDoNotCoverEachOther) {
  BarChart chart = levels();
  chart.overlaid = false;
  chart.series[1].bars[0] = Bar{0.4};
  chart.direction = BarChart::Direction::Up;
  const std::string svg = chart_svg(chart, "c");
  const std::vector<double> lefts = numbers_of(svg.substr(svg.find("<rect")), "x");
  const std::vector<double> widths = numbers_of(svg, "width");
  ASSERT_EQ(widths.size(), 3U);
  EXPECT_GE(lefts[1], lefts[0] + widths[0]);
}

TEST(BarCharts, SpreadDotsHaveHeightsOfTheirOwn) {
  BarChart chart = levels();
  chart.overlaid = false;
  chart.look = BarChart::Look::Dot;
  chart.series[1].bars[0] = Bar{0.25};
  auto heights = [&] {
    const std::string svg = chart_svg(chart, "c");
    // A circle starts at its middle, a square at a corner.
    const std::regex mark(R"(<path d=\"M[0-9.]+,([0-9.]+)([ah])[^"]+\"><title>ignorant)");
    std::vector<double> found;
    for (std::sregex_iterator it(svg.begin(), svg.end(), mark), end; it != end; ++it) {
      found.push_back(std::stod((*it)[1]) + ((*it)[2] == "h" ? 3.5 : 0));
    }
    return found;
  };
  ASSERT_EQ(heights().size(), 2U);
  EXPECT_EQ(heights()[0], heights()[1]);
  chart.spread = true;
  EXPECT_NE(heights()[0], heights()[1]);
}

TEST(ScatterCharts, FrontierHasThePointsThatNoOtherBeats) {
  EXPECT_THAT(frontier(schemes()), ElementsAre(4, 0, 2));
}

TEST(ScatterCharts, FrontierTradesOneForTheOtherInAllDirections) {
  using Better = ScatterChart::Better;
  ScatterChart chart;
  for (int i = 0; i < 60; ++i) {
    chart.points.push_back({.x = double(i * 37 % 11), .y = double(i * 53 % 13)});
  }
  for (Better x : {Better::Lower, Better::Higher}) {
    for (Better y : {Better::Lower, Better::Higher}) {
      chart.x_better = x;
      chart.y_better = y;
      // From one point of the frontier to the next, one coordinate gets better and one worse.
      const auto front = frontier(chart);
      ASSERT_FALSE(front.empty());
      for (std::size_t i = 1; i < front.size(); ++i) {
        const auto& a = chart.points[front[i - 1]];
        const auto& b = chart.points[front[i]];
        EXPECT_LT(a.x, b.x);
        EXPECT_EQ(a.y < b.y, x != y) << a.y << " " << b.y;
      }
    }
  }
}

TEST(ScatterCharts, RingTheChosenPoint) {
  const std::string html = chart_html(schemes(), "c");
  EXPECT_EQ(count_of(chart_svg(schemes(), "c"), "class=\"ring\""), 1U);
  EXPECT_THAT(html, HasSubstr("<td>swap (chosen)</td>"));
  EXPECT_THAT(html, HasSubstr("class=\"name halo strong\""));
}

TEST(ScatterCharts, LabelsDoNotOverlap) {
  ScatterChart chart;
  for (int i = 0; i < 20; ++i) {
    chart.points.push_back({.x = 0.5, .y = 0.5 + i * 0.001, .label = "a long label"});
  }
  const std::size_t labels = count_of(chart_svg(chart, "c"), "class=\"name halo\"");
  EXPECT_GE(labels, 1U);
  EXPECT_LT(labels, 8U);
}

}  // namespace
}  // namespace rankveil::reports

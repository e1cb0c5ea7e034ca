// sample_pages FOLDER: writes pages for the browser test, and beside each what to expect of it.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <string>
#include <vector>

#include "rankveil/audit/report_html.h"
#include "rankveil/audit/testing/sample_report.h"
#include "rankveil/base/file.h"
#include "rankveil/report/page.h"

namespace rankveil {
namespace {

using namespace reports;

struct Sample {
  std::string name;
  std::string html;
  std::string title;
  int charts = 0;
  std::vector<std::string> texts;
};

const std::string hostile =
    "</title></style></script><script>window.hacked=1</script><img src=x "
    "onerror=\"window.hacked=1\">"
    "<link rel=stylesheet href=http://127.0.0.1:9/x.css>";

ScatterChart frontier_chart() {
  return {.title = "Privacy against utility",
          .x = {"largest gain", Unit::Number, Scale::Linear, 0, 1},
          .y = {"fair@10", Unit::Share, Scale::Linear, 0, 1},
          .series = {"ours", "published", "yardsticks"},
          .points = {{.x = 0.33, .y = 0.71, .label = "swap, l = 3", .chosen = true},
                     {.x = 0.5, .y = 0.78, .label = "swap, l = 2"},
                     {.x = 0.25, .y = 0.66, .label = "swap, l = 4"},
                     {.x = 0.31, .y = 0.6, .label = "cluster, l = 3"},
                     {.x = 1, .y = 0.82, .label = "pvst, l = 3", .series = 1},
                     {.x = 0.99, .y = 0.8, .label = "pvsv, l = 3", .series = 1},
                     {.x = 0.97, .y = 0.85, .label = "esvt, l = 3", .series = 1},
                     {.x = 0.74, .y = 0.76, .label = "estt, l = 3", .series = 1},
                     {.x = 0, .y = 0.41, .label = "drop", .series = 2}},
          .guides = {{"promised for l = 3", 1.0 / 3, Guide::Kind::Bound, Guide::Along::X}},
          .frontier = true,
          .wide = true};
}

LineChart dense_chart() {
  LineChart chart{.title = "Many points with intervals",
                  .x = {"rows", Unit::Count, Scale::Log},
                  .y = {"milliseconds", Unit::Number},
                  .lines = {{"plain", {}}, {"fast", {}}}};
  for (int i = 0; i < 60; ++i) {
    const double x = std::pow(10, 2 + i / 15.0), y = 3 + i * 0.7;
    chart.lines[0].points.push_back({x, y, {{y * 0.9, y * 1.1}}});
    chart.lines[1].points.push_back({x, y / 3, {{y * 0.3, y * 0.36}}});
  }
  return chart;
}

BarChart upright_chart() {
  BarChart chart{.title = "Grouped bars with intervals",
                 .category_label = "k",
                 .value = {"overlap", Unit::Share},
                 .categories = {"10", "50", "100"},
                 .direction = BarChart::Direction::Up};
  for (const char* name : {"pvsv", "pvst", "esvt", "estt", "swap", "cluster"}) {
    const double base = 0.3 + 0.1 * static_cast<double>(chart.series.size());
    BarSeries series{name, {}};
    for (double more : {0.0, 0.04, 0.07}) {
      series.bars.push_back(Bar{base + more, {{base + more - 0.03, base + more + 0.03}}});
    }
    chart.series.push_back(std::move(series));
  }
  return chart;
}

BarChart dot_chart() {
  BarChart chart = upright_chart();
  chart.title = "Dots, and a name that is long";
  chart.categories = {"short", "a name that is much longer than its room", "middling name"};
  chart.direction = BarChart::Direction::Right;
  chart.look = BarChart::Look::Dot;
  chart.series.resize(3);
  return chart;
}

Sample gallery() {
  const Page page{
      .kind = "Gallery",
      .title = "Charts and tables",
      .subtitle = "Everything that pages are made of.",
      .banner = {{Tone::Unsure, "Not decided", "This is what a page says when it does not know."}},
      .figures = {{"71.0%", "of first ten answers stay fair", "Without private values: 41.0%."},
                  {"0.333", "largest gain about one row", "", Tone::Good},
                  {"12,500", "rows"}},
      .sections =
          {{"Frontier", {"What can be had, and what it costs.", Charts{{frontier_chart()}}}},
           {"Other charts", {Charts{{dense_chart(), upright_chart(), dot_chart()}}}},
           {"Text",
            {Bullets{{"One.", "Two."}},
             Code{"rankveil audit people.rankveil --table " + std::string(120, 'x') + ".csv"},
             reports::Table{"A table with much in it",
                            {"name", {"number", true}, "verdict", "a", "b", "c", "d", "e"},
                            {{"first",
                              "1,234",
                              {"kept", Tone::Good},
                              "unbroken",
                              "words",
                              "here",
                              "and",
                              "there"},
                             {"second",
                              "56",
                              {"broken", Tone::Bad},
                              "more",
                              "words",
                              "here",
                              "and",
                              "there"}}}}}},
      .origin = {{"Seed", "1"}, {"Version", "rankveil 0.1.0"}}};
  return {"gallery", to_html(page), page.title, 4, {"71.0%", "12,500", "swap, l = 3", "frontier"}};
}

Sample hostile_page() {
  LineChart chart{
      .title = hostile, .x = {hostile}, .y = {hostile}, .lines = {{hostile, {{1, 1}, {2, 3}}}}};
  Page page{.kind = hostile,
            .title = hostile,
            .banner = {{Tone::Bad, hostile, hostile}},
            .figures = {{hostile, hostile}},
            .sections = {{hostile,
                          {hostile, Code{hostile}, reports::Table{hostile, {hostile}, {{hostile}}},
                           Charts{{std::move(chart)}}, Details{hostile, {hostile}}}}},
            .origin = {{hostile, hostile}}};
  // The labels of its axes are sentences; they may leave the frame, and the page must not grow.
  std::get<LineChart>(std::get<Charts>(page.sections[0].blocks[3].content).charts[0]).x.label = "x";
  std::get<LineChart>(std::get<Charts>(page.sections[0].blocks[3].content).charts[0]).y.label = "y";
  return {"hostile", to_html(page), hostile, 1, {"window.hacked=1"}};
}

Sample audit_page() {
  const audit::AuditReport report = audit::sample_report();
  // Three of each attribute, one for each attack, and the informed adversary's.
  return {"audit",
          to_html(report),
          "Audit of people.rankveil",
          4 * 3 + 2 + 1,
          {"Promise broken", "9f3c2a7be01d4c58", "bayesian-joint", "p-0417", "guessed right",
           "public values alone", "Method and limits", "rankveil 0.1.0"}};
}

Sample kept_page() {
  audit::AuditReport report = audit::sample_report();
  report.subject.scheme = "swap";
  report.findings.clear();
  report.power.clear();
  report.failures.clear();
  report.transcript.reset();
  for (const char* attribute : {"religion", "smokes", "diet", "all"}) {
    audit::add_sample_findings(report, attribute, 0.5, 0.32);
  }
  return {"kept", to_html(report), "Audit of people.rankveil", 4 * 3 + 2 + 1, {"Promise kept"}};
}

Status write(const std::string& folder, const Sample& sample) {
  const Json expected = Json()
                            .set("title", sample.title)
                            .set("charts", sample.charts)
                            .set("texts", json_texts(sample.texts));
  const std::string base = folder + "/" + sample.name;
  if (auto written = write_text(base + ".html", sample.html); !written) return written;
  return write_text(base + ".json", expected.dump());
}

int run(const std::string& folder) {
  std::filesystem::create_directories(folder);
  for (const Sample& sample : {audit_page(), kept_page(), gallery(), hostile_page()}) {
    if (auto written = write(folder, sample); !written) {
      fmt::print(stderr, "{}\n", written.error().message);
      return 1;
    }
  }
  return 0;
}

}  // namespace
}  // namespace rankveil

int main(int count, char** words) {
  if (count == 2) return rankveil::run(words[1]);
  fmt::print(stderr, "usage: sample_pages FOLDER\n");
  return 2;
}

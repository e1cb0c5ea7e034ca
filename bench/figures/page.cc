// One HTML page of plots from the JSON files that the figures' programs write. It needs nothing
// from outside.
#include <fmt/format.h>

#include <cstdio>
#include <string>
#include <vector>

#include "bench/figures/chart_svg.h"
#include "bench/figures/summary.h"
#include "rankveil/base/file.h"

namespace rankveil::figures {
namespace {

constexpr const char* style = R"(
:root { color-scheme: light dark; --ink: #1d2430; --soft: #5a6472; --paper: #fff; --panel: #f6f7f9;
  --rule: #d9dde3; --yes: #0b6e4f; --no: #b3261e; --s1: #1f5fbf; --s2: #c4500c; --s3: #0b7a5e; --s4: #7a3fa8;
  --s5: #a01f5c; --s6: #5c6400; }
@media (prefers-color-scheme: dark) { :root { --ink: #e6e9ee; --soft: #a3adba; --paper: #14181e;
  --panel: #1c222a; --rule: #39424e; --yes: #5fd0a5; --no: #ff8a80; --s1: #7fb0ff; --s2: #ffa45c;
  --s3: #5fd0a5; --s4: #cf9bff; --s5: #ff8fbf; --s6: #d3d86a; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1rem; max-width: 82rem; background: var(--paper); color: var(--ink);
  font: 16px/1.5 system-ui, sans-serif; overflow-wrap: anywhere; }
h1 { font-size: 1.6rem; line-height: 1.2; margin: .5rem 0 1rem; }
h2 { font-size: 1.2rem; line-height: 1.3; margin: 2.5rem 0 .5rem; border-top: 1px solid var(--rule); padding-top: 1rem; }
h3 { font-size: 1rem; margin: 0 0 .25rem; }
p, ul { margin: .4rem 0; max-width: 50rem; }
.soft { color: var(--soft); font-size: .9rem; }
.charts { display: grid; grid-template-columns: repeat(auto-fill, minmax(min(100%, 21rem), 1fr)); gap: 1rem; margin: .8rem 0; }
.chart { background: var(--panel); border-radius: .5rem; padding: .75rem; min-width: 0; }
.legend { display: flex; flex-wrap: wrap; gap: .1rem 1rem; list-style: none; padding: 0; margin: 0 0 .25rem; font-size: .85rem; }
.legend svg { width: .8rem; height: .8rem; margin-right: .35rem; vertical-align: -1px; }
.chart > svg { display: block; width: 100%; height: auto; }
.tick, .label { fill: var(--soft); font-size: 12px; font-family: inherit; }
.label { fill: var(--ink); }
.grid { stroke: var(--rule); stroke-width: 1; }
.axis { stroke: var(--soft); stroke-width: 1; }
.line { fill: none; stroke-width: 2; }
.whisker { stroke-width: 1.5; opacity: .6; }
.s1 { stroke: var(--s1); } .s2 { stroke: var(--s2); } .s3 { stroke: var(--s3); } .s4 { stroke: var(--s4); }
.s5 { stroke: var(--s5); } .s6 { stroke: var(--s6); }
.mark { stroke: none; }
.mark.s1, .bar.s1 { fill: var(--s1); } .mark.s2, .bar.s2 { fill: var(--s2); }
.mark.s3, .bar.s3 { fill: var(--s3); } .mark.s4, .bar.s4 { fill: var(--s4); }
.mark.s5, .bar.s5 { fill: var(--s5); } .mark.s6, .bar.s6 { fill: var(--s6); }
.bar { stroke: none; }
.scroll { overflow-x: auto; margin: .6rem 0; }
table { border-collapse: collapse; font-size: .875rem; overflow-wrap: normal; }
th, td { text-align: left; padding: .3rem .7rem .3rem 0; border-bottom: 1px solid var(--rule); vertical-align: top; }
th { font-weight: 600; }
td.number { font-variant-numeric: tabular-nums; white-space: nowrap; }
.yes { color: var(--yes); font-weight: 600; } .no { color: var(--no); font-weight: 600; }
summary { cursor: pointer; color: var(--soft); font-size: .9rem; padding: .25rem 0; }
@media (max-width: 40rem) {
  .claims thead { position: absolute; clip-path: inset(50%); }
  .claims, .claims tbody, .claims tr, .claims td { display: block; }
  .claims tr { border-bottom: 1px solid var(--rule); padding: .4rem 0; }
  .claims td { border: 0; padding: 0; }
  .overview thead { position: absolute; clip-path: inset(50%); }
  .overview, .overview tbody, .overview tr { display: block; }
  .overview tr { border-bottom: 1px solid var(--rule); padding: .4rem 0; }
  .overview td { display: inline-block; border: 0; padding: 0 .8rem 0 0; }
  .overview td.yes::before, .overview td.no::before, .overview td.number::before {
    content: attr(data-label) ": "; color: var(--soft); font-weight: 400; }
}
)";

// The label is what a narrow screen shows instead of the head of the column.
std::string grid_cell(const std::string& label, const std::string& text) {
  std::string opening = fmt::format(R"(<td data-label="{}")", html_text(label));
  if (text == "yes" || text == "no")
    return fmt::format(R"({} class="{}">{}</td>)", opening, text, text);
  bool is_number = !text.empty() && text[0] >= '0' && text[0] <= '9';
  if (is_number) opening += R"( class="number")";
  if (text.ends_with(" no")) {
    return fmt::format(R"({}>{} <span class="no">no</span></td>)", opening,
                       html_text(text.substr(0, text.size() - 3)));
  }
  return fmt::format("{}>{}</td>", opening, html_text(text));
}

std::string head_row(const std::vector<std::string>& cells) {
  std::string text = "<thead><tr>";
  for (const std::string& cell : cells) text += "<th scope=\"col\">" + html_text(cell) + "</th>";
  return text + "</tr></thead>";
}

std::string grid_html(const Grid& grid) {
  std::string text = fmt::format(
      R"(<p class="soft">{}.</p><div class="scroll" tabindex="0" role="region" aria-label="{}"><table class="overview">)",
      html_text(grid.title), html_text(grid.title));
  text += head_row(grid.head) + "<tbody>";
  for (const auto& row : grid.rows) {
    text += "<tr>";
    for (std::size_t i = 0; i < row.size(); ++i) text += grid_cell(grid.head[i], row[i]);
    text += "</tr>";
  }
  return text + "</tbody></table></div>\n";
}

// The shape beside a name is the one in the chart.
std::string legend_html(const Chart& chart) {
  constexpr const char* shapes[] = {"M1,5a4,4 0 1,0 8,0a4,4 0 1,0 -8,0z",
                                    "M1,1h8v8h-8z",
                                    "M5,0L10,9H0z",
                                    "M5,0L10,5L5,10L0,5z",
                                    "M5,10L10,1H0z",
                                    "M3.5,0h3v3.5h3.5v3h-3.5v3.5h-3v-3.5h-3.5v-3h3.5z"};
  std::string text = R"(<ul class="legend">)";
  for (std::size_t i = 0; i < chart.series.size(); ++i) {
    text += fmt::format(
        R"(<li><svg viewBox="0 0 10 10" aria-hidden="true"><path class="mark s{}" d="{}"/></svg>{}</li>)",
        i % 6 + 1, shapes[i % 6], html_text(chart.series[i].name));
  }
  return text + "</ul>";
}

std::string point_rows(const Figure& figure, const Series& series) {
  std::string text;
  for (std::size_t i = 0; i < series.xs.size(); ++i) {
    auto category = static_cast<std::size_t>(series.xs[i]) - 1;
    std::string x = figure.has_categories() && category < figure.categories.size()
                        ? figure.categories[category]
                        : number_text(series.xs[i]);
    text += fmt::format(R"(<tr><td>{}</td><td>{}</td><td class="number">{}</td></tr>)",
                        html_text(series.name), html_text(x), value_text(series, i));
  }
  return text;
}

std::string numbers_html(const Figure& figure, const Chart& chart) {
  std::string text =
      R"(<details><summary>Numbers</summary><div class="scroll"><table>)" +
      head_row({"series", figure.has_categories() ? "scheme" : figure.x_label, figure.y_label}) +
      "<tbody>";
  for (const Series& series : chart.series) text += point_rows(figure, series);
  return text + "</tbody></table></div></details>";
}

std::string verdicts_html(const Figure& figure) {
  if (figure.verdicts.empty()) return "";
  std::string text =
      R"(<table class="claims">)" + head_row({"claim", "table", "ours", "verdict"}) + "<tbody>";
  for (const Verdict& verdict : figure.verdicts) {
    text += fmt::format(R"(<tr><td>{}</td><td>{}</td><td>{}</td><td class="{}">{}</td></tr>)",
                        html_text(verdict.claim), html_text(verdict.bed), html_text(verdict.value),
                        verdict.holds ? "yes" : "no", verdict_text(verdict.holds));
  }
  return text + "</tbody></table>\n";
}

std::string chart_html(const Figure& figure, std::size_t chart, const std::string& title) {
  return fmt::format("<div class=\"chart\"><h3>{}</h3>{}{}{}</div>\n", html_text(title),
                     legend_html(figure.charts[chart]),
                     chart_svg(figure, figure.charts[chart], value_top(figure),
                               fmt::format("{}-{}", figure.id, chart)),
                     numbers_html(figure, figure.charts[chart]));
}

std::string figure_html(const Figure& figure) {
  std::string text = fmt::format("<section id=\"{}\"><h2>{}</h2>\n", html_text(figure.id),
                                 html_text(figure.title));
  if (!figure.says.empty()) {
    text += fmt::format("<p>{}</p>\n", html_text("The paper: " + figure.says));
  }
  text += R"(<div class="charts">)";
  for (std::size_t i = 0; i < figure.charts.size(); ++i) {
    text += chart_html(figure, i, figure.charts[i].bed);
  }
  text += "</div>\n";
  bool is_long = figure.verdicts.size() > 10;
  std::string verdicts = verdicts_html(figure);
  text += is_long ? "<details><summary>Claims, one by one</summary>" + verdicts + "</details>"
                  : verdicts;
  for (const std::string& note : figure.notes) {
    text += "<p class=\"soft\">" + html_text(note) + "</p>\n";
  }
  return text + "</section>\n";
}

// Figures of categories stand side by side: they differ in the measure only.
std::string categories_html(const std::vector<const Figure*>& figures) {
  if (figures.empty()) return "";
  std::string text = "<section><h2>Measure by measure</h2>\n<div class=\"charts\">";
  for (const Figure* figure : figures) text += chart_html(*figure, 0, figure->x_label);
  return text + "</div></section>\n";
}

std::string figures_html(const std::vector<Report>& reports) {
  std::string text;
  std::vector<const Figure*> categories;
  for (const Report& report : reports) {
    for (const Figure& figure : report.figures) {
      if (figure.look == Look::Dots) {
        categories.push_back(&figure);
      } else {
        text += figure_html(figure);
      }
    }
  }
  return text + categories_html(categories);
}

// What all programs of a run have in common is said once.
std::string setting_html(const std::vector<Report>& reports) {
  std::string text;
  std::vector<std::string> said;
  auto say = [&](const std::string& sentence, const char* tag) {
    for (const std::string& before : said) {
      if (before == sentence) return;
    }
    said.push_back(sentence);
    text += fmt::format("<{}>{}</{}>\n", tag, html_text(sentence), tag);
  };
  for (const Report& report : reports) say(report.setting, "p");
  text += "<ul>\n";
  for (const Report& report : reports) {
    for (const std::string& bed : report.beds) say(bed, "li");
  }
  text += "</ul>\n";
  for (const Report& report : reports) {
    for (const std::string& note : report.notes) say(note, "p");
  }
  return text;
}

std::string page_html(const std::string& title, const std::vector<Report>& reports) {
  Summary summary = summarise(reports);
  std::string text = fmt::format(
      "<!doctype html>\n<html lang=\"en\">\n<head><meta charset=\"utf-8\">"
      "<meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">"
      "<title>{}</title><style>{}</style></head>\n<body><main>\n<h1>{}</h1>\n{}",
      html_text(title), style, html_text(title), setting_html(reports));
  text += fmt::format("<h2>Summary</h2>\n<p>{} of {} claims were reproduced.</p>\n",
                      summary.reproduced, summary.judged);
  for (const Grid& grid : summary.grids) text += grid_html(grid);
  text += figures_html(reports);
  return text + "</main></body>\n</html>\n";
}

Result<Report> read_report(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return json.error();
  return report_from_json(*json);
}

int fail(const std::string& message) {
  fmt::print(stderr, "{}\n", message);
  return 1;
}

int run(const std::vector<std::string>& words) {
  if (words.size() < 3) return fail("usage: figures_page TITLE PAGE.html REPORT.json...");
  std::vector<Report> reports;
  for (std::size_t i = 2; i < words.size(); ++i) {
    auto report = read_report(words[i]);
    if (!report) return fail(fmt::format("{}: {}", words[i], report.error().message));
    reports.push_back(*std::move(report));
  }
  auto written = write_text(words[1], page_html(words[0], reports));
  if (!written) return fail(written.error().message);
  fmt::print("{}", to_markdown(summarise(reports)));
  return 0;
}

}  // namespace
}  // namespace rankveil::figures

int main(int count, char** words) { return rankveil::figures::run({words + 1, words + count}); }

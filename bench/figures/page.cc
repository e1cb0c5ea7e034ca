// One HTML page of plots from the JSON files that the figures' programs write. It needs nothing
// from outside.
#include "rankveil/report/page.h"

#include <fmt/format.h>

#include <algorithm>
#include <cstdio>
#include <set>
#include <string>
#include <vector>

#include "bench/figures/lab/figure_chart.h"
#include "bench/figures/lab/summary.h"
#include "rankveil/base/file.h"

namespace rankveil::figures {
namespace {

using reports::Block;
using reports::Cell;
using reports::Section;
using reports::Tone;

constexpr std::size_t many_claims = 10;  // so many are folded away

Cell grid_cell(const std::string& text) {
  if (text == "yes") return {text, Tone::Good};
  return {text, text == "no" || text.ends_with(" no") ? Tone::Bad : Tone::Plain};
}

reports::Table grid_table(const Grid& grid) {
  reports::Table table{grid.title, {grid.head.begin(), grid.head.end()}, {}};
  for (const auto& row : grid.rows) {
    table.rows.emplace_back();
    for (const std::string& text : row) table.rows.back().push_back(grid_cell(text));
  }
  return table;
}

reports::Table claims_table(const Figure& figure) {
  reports::Table table{
      "What was published, and what we measured", {"claim", "table", "ours", "verdict"}, {}};
  for (const Verdict& verdict : figure.verdicts) {
    table.rows.push_back({verdict.claim,
                          verdict.bed,
                          verdict.value,
                          {verdict_text(verdict.holds), verdict.holds ? Tone::Good : Tone::Bad}});
  }
  return table;
}

void add_claims(std::vector<Block>& blocks, const Figure& figure) {
  if (figure.verdicts.empty()) return;
  if (figure.verdicts.size() > many_claims) {
    blocks.emplace_back(reports::Details{"Claims, one by one", {claims_table(figure)}});
  } else {
    blocks.emplace_back(claims_table(figure));
  }
}

Section figure_section(const Figure& figure) {
  Section section{figure.title, {}, figure.id};
  if (!figure.says.empty()) section.blocks.emplace_back("The paper: " + figure.says);
  reports::Charts charts;
  for (const Chart& chart : figure.charts) {
    charts.charts.push_back(to_chart(figure, chart, chart.bed));
  }
  if (!charts.charts.empty()) section.blocks.emplace_back(std::move(charts));
  add_claims(section.blocks, figure);
  for (const std::string& note : figure.notes) {
    section.blocks.emplace_back(reports::Paragraph{note, true});
  }
  return section;
}

// Figures of categories stand side by side: they differ in the measure only.
Section measures_section(const std::vector<const Figure*>& figures) {
  reports::Charts charts;
  for (const Figure* figure : figures) {
    charts.charts.push_back(to_chart(*figure, figure->charts.at(0), figure->x_label));
  }
  return {"Measure by measure", {std::move(charts)}};
}

void add_figures(reports::Page& page, const std::vector<Report>& reports) {
  std::vector<const Figure*> measures;
  for (const Report& report : reports) {
    for (const Figure& figure : report.figures) {
      if (figure.look == Look::Dots) {
        measures.push_back(&figure);
      } else {
        page.sections.push_back(figure_section(figure));
      }
    }
  }
  if (!measures.empty()) page.sections.push_back(measures_section(measures));
}

// What all programs of a run have in common is said once.
Section setting_section(const std::vector<Report>& reports) {
  Section section{"Setting", {}};
  std::set<std::string> said;
  auto say = [&](const std::string& sentence) {
    if (said.insert(sentence).second) section.blocks.emplace_back(sentence);
  };
  reports::Bullets beds;
  for (const Report& report : reports) {
    say(report.setting);
    for (const std::string& bed : report.beds) {
      if (said.insert(bed).second) beds.items.push_back(bed);
    }
  }
  section.blocks.emplace_back(std::move(beds));
  for (const Report& report : reports) std::ranges::for_each(report.notes, say);
  return section;
}

Section summary_section(const Summary& summary) {
  Section section{
      "Summary",
      {fmt::format("{} of {} claims were reproduced.", summary.reproduced, summary.judged)}};
  for (const Grid& grid : summary.grids) section.blocks.emplace_back(grid_table(grid));
  return section;
}

std::string page_html(const std::string& title, const std::vector<Report>& reports) {
  reports::Page page{.kind = "Reproduction", .title = title};
  page.sections = {summary_section(summarise(reports)), setting_section(reports)};
  add_figures(page, reports);
  return to_html(page);
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

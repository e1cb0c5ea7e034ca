// The HTML page of an evaluation.
#include <fmt/core.h>

#include <algorithm>
#include <functional>
#include <set>

#include "rankveil/api/version.h"
#include "rankveil/base/format.h"
#include "rankveil/graphs/operations/graph_bounds_page.h"
#include "rankveil/graphs/operations/graph_evaluate.h"
#include "rankveil/report/page.h"

namespace rankveil::api {

namespace {

using attack::EvaluationRow;
using attack::LinkageLevel;
using Rows = std::vector<EvaluationRow>;

std::string share_text(double value) { return reports::number_text(value, reports::Unit::Share); }

std::string level_words(LinkageLevel level) {
  switch (level) {
    case LinkageLevel::I:
      return "knows nothing but the release";
    case LinkageLevel::II:
      return "knows friendships among a sample (lambda1) of the users";
    case LinkageLevel::III:
      return "knows all friends of a sample (lambda2) of the users";
    case LinkageLevel::IV:
      return "knows both";
    case LinkageLevel::Self:
      return "knows nothing, but reads the release against itself";
  }
  return "";
}

template <typename Value>
std::vector<Value> distinct(const Rows& rows,
                            const std::function<Value(const EvaluationRow&)>& of) {
  std::vector<Value> values;
  for (const auto& row : rows) {
    if (std::find(values.begin(), values.end(), of(row)) == values.end()) values.push_back(of(row));
  }
  return values;
}

const EvaluationRow& worst(const Rows& rows) {
  return *std::max_element(rows.begin(), rows.end(),
                           [](const auto& a, const auto& b) { return a.fu * a.k < b.fu * b.k; });
}

reports::Banner banner(const Rows& rows) {
  const auto& row = worst(rows);
  double promised = 1.0 / row.k;
  bool held = row.low <= promised;
  if (held) {
    return {reports::Tone::Good,
            "Kept",
            "No attack that was run identifies users more often than one in k.",
            {}};
  }
  return {reports::Tone::Bad, "Broken",
          fmt::format("Hiding among {} people should leave an adversary right {} of the time. With "
                      "{}, {} of users are identified by one who {}.",
                      row.k, share_text(promised), row.technique, share_text(row.fu),
                      level_words(row.level)),
          fmt::format("Level {}, attack {}, 95% interval {} to {}.", attack::name_of(row.level),
                      row.attack, share_text(row.low), share_text(row.high))};
}

// Rows of one chart: those that `keep` keeps, by technique, over `x`.
reports::LineChart lines(const std::string& title, const std::string& x_label, const Rows& rows,
                         const std::function<double(const EvaluationRow&)>& x) {
  reports::LineChart chart{.title = title,
                           .x = {x_label, reports::Unit::Number},
                           .y = {"identified users", reports::Unit::Share}};
  for (const auto& row : rows) {
    std::string name = row.technique + ", " + row.attack;
    auto line = std::find_if(chart.lines.begin(), chart.lines.end(),
                             [&](const auto& known) { return known.name == name; });
    if (line == chart.lines.end()) {
      chart.lines.push_back({name, {}});
      line = chart.lines.end() - 1;
    }
    line->points.push_back({x(row), row.fu, reports::Interval{row.low, row.high}});
  }
  return chart;
}

Rows kept(const Rows& rows, const std::function<bool(const EvaluationRow&)>& keep) {
  Rows some;
  std::copy_if(rows.begin(), rows.end(), std::back_inserter(some), keep);
  return some;
}

// Levels as categories, techniques as series; the first k and the first shares that there are.
reports::BarChart levels_chart(const Rows& rows, const std::string& attack_name) {
  Rows some = kept(
      rows, [&](const auto& row) { return row.attack == attack_name && row.k == rows.front().k; });
  reports::BarChart chart{.title = "By level, " + attack_name,
                          .category_label = "level",
                          .value = {"identified users", reports::Unit::Share}};
  auto levels = distinct<LinkageLevel>(some, [](const auto& row) { return row.level; });
  for (auto level : levels) chart.categories.emplace_back(attack::name_of(level));
  for (const auto& name :
       distinct<std::string>(some, [](const auto& row) { return row.technique; })) {
    reports::BarSeries series{name, {}};
    for (auto level : levels) {
      auto row = std::find_if(some.begin(), some.end(), [&](const auto& one) {
        return one.level == level && one.technique == name;
      });
      series.bars.push_back(row == some.end() ? std::optional<reports::Bar>()
                                              : reports::Bar{row->fu, {{row->low, row->high}}});
    }
    chart.series.push_back(std::move(series));
  }
  chart.marks.push_back({"one in k", reports::Guide::Kind::Bound,
                         std::vector<std::optional<double>>(levels.size(), 1.0 / rows.front().k)});
  return chart;
}

void add_sweeps(const Rows& rows, std::vector<reports::Chart>& charts) {
  using Of = std::function<double(const EvaluationRow&)>;
  const std::array<std::pair<const char*, Of>, 3> sweeps = {
      {{"lambda1", [](const auto& row) { return row.lambda1; }},
       {"lambda2", [](const auto& row) { return row.lambda2; }},
       {"k", [](const auto& row) { return double(row.k); }}}};
  for (auto level : distinct<LinkageLevel>(rows, [](const auto& row) { return row.level; })) {
    Rows of_level = kept(rows, [&](const auto& row) { return row.level == level; });
    for (const auto& swept : sweeps) {
      if (distinct<double>(of_level, swept.second).size() < 2) continue;
      // The others stay at the first value they have.
      Rows some = kept(of_level, [&](const auto& row) {
        return std::all_of(sweeps.begin(), sweeps.end(), [&](const auto& other) {
          return &other == &swept || other.second(row) == other.second(of_level.front());
        });
      });
      charts.emplace_back(
          lines(fmt::format("Level {} over {}", attack::name_of(level), swept.first), swept.first,
                some, swept.second));
    }
  }
}

reports::Table rows_table(const Rows& rows) {
  reports::Table table{"Every point that was run",
                       {"technique",
                        "attack",
                        "level",
                        {"k", true},
                        {"lambda1", true},
                        {"lambda2", true},
                        {"identified", true},
                        {"95% from", true},
                        {"to", true}},
                       {}};
  for (const auto& row : rows) {
    auto lambda = [](bool used, double value) { return used ? fmt::format("{:g}", value) : "-"; };
    table.rows.push_back(
        {row.technique, row.attack, std::string(attack::name_of(row.level)), std::to_string(row.k),
         lambda(uses_lambda1(row.level), row.lambda1), lambda(uses_lambda2(row.level), row.lambda2),
         fmt::format("{:.2f}%", 100 * row.fu), fmt::format("{:.2f}%", 100 * row.low),
         fmt::format("{:.2f}%", 100 * row.high)});
  }
  return table;
}

reports::Table releases_table(const attack::Evaluation& evaluation) {
  reports::Table table{"What was released",
                       {"technique",
                        {"k", true},
                        {"sets", true},
                        {"smallest", true},
                        {"largest", true},
                        {"edges added", true},
                        {"deleted", true},
                        {"seconds", true}},
                       {}};
  for (const auto& release : evaluation.releases) {
    table.rows.push_back({release.technique, std::to_string(release.k), grouped(release.sets),
                          std::to_string(release.smallest_set), std::to_string(release.largest_set),
                          grouped(release.changes.added), grouped(release.changes.deleted),
                          fmt::format("{:.3f}", release.seconds)});
  }
  return table;
}

reports::Bullets levels_list(const Rows& rows) {
  reports::Bullets list;
  for (auto level : distinct<LinkageLevel>(rows, [](const auto& row) { return row.level; })) {
    list.items.push_back(
        fmt::format("Level {}: the adversary {}.", attack::name_of(level), level_words(level)));
  }
  return list;
}

}  // namespace

std::string evaluation_page(const GraphEvaluateResult& result) {
  const Rows& rows = result.evaluation.rows;
  reports::Page page{
      .kind = "Graph evaluation",
      .title = "Who is identified in " + result.name,
      .subtitle = fmt::format("{}, {}, {}", counted(result.nodes, "user"),
                              counted(result.edges, "friendship"), counted(result.draws, "draw"))};
  page.banner = banner(rows);
  std::vector<reports::Chart> charts;
  for (const auto& name : distinct<std::string>(rows, [](const auto& row) { return row.attack; })) {
    charts.emplace_back(levels_chart(rows, name));
  }
  add_sweeps(rows, charts);
  page.sections.push_back({"What adversaries know", {levels_list(rows)}});
  page.sections.push_back({"Identified users", {reports::Charts{charts}}});
  page.sections.push_back(bounds_section(result));
  page.sections.push_back({"Releases", {releases_table(result.evaluation)}});
  page.sections.push_back({"Numbers", {reports::Details{"All points", {rows_table(rows)}}}});
  page.origin = {{"Graph", result.name},
                 {"Seed", std::to_string(result.seed)},
                 {"Time", format_seconds(result.seconds)},
                 {"Rankveil", version().version}};
  return reports::to_html(page);
}

}  // namespace rankveil::api

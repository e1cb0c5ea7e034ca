// The page of a comparison: the choice, the frontier, all numbers, and the rule in words.
#include <fmt/core.h>

#include <algorithm>

#include "rankveil/api/compare.h"
#include "rankveil/api/version.h"
#include "rankveil/base/format.h"
#include "rankveil/report/page.h"

namespace rankveil::api {

namespace {

using reports::Cell;
using reports::Tone;
using reports::Unit;

std::string share(double value) { return reports::number_text(value, Unit::Share); }

// Which series of the chart a scheme belongs to.
enum Series : std::size_t { May, MayNot };

reports::ScatterPoint point_of(const CompareResult& result, std::size_t i, double x) {
  const Compared& one = result.compared[i];
  reports::ScatterPoint point{.x = x, .y = one.utility.fair.mean, .label = one.name()};
  point.series = one.why_not.empty() ? May : MayNot;
  point.chosen = result.chosen == i;
  if (one.utility.fair.margin) {
    double margin = *one.utility.fair.margin;
    point.y_interval =
        reports::Interval{std::max(0.0, point.y - margin), std::min(1.0, point.y + margin)};
  }
  return point;
}

reports::ScatterChart gain_chart(const CompareResult& result) {
  reports::ScatterChart chart{
      .title = "What is learned against what the ranking is worth",
      .summary =
          "Each point is a scheme: further left, the strongest adversary gains less; further "
          "up, answers are better.",
      .x = {"largest gain of any adversary", Unit::Share, reports::Scale::Linear, 0.0, 1.0},
      .y = {fmt::format("fair@{}", result.k), Unit::Share, reports::Scale::Linear, 0.0, 1.0},
      .series = {"keeps its promise and the bound", "does not"}};
  for (std::size_t i = 0; i < result.compared.size(); ++i) {
    if (result.compared[i].left_out.empty()) {
      chart.points.push_back(point_of(result, i, result.compared[i].gain));
    }
  }
  chart.guides.push_back({fmt::format("1/l = {}", share(1.0 / result.l)), 1.0 / result.l,
                          reports::Guide::Kind::Bound, reports::Guide::Along::X});
  chart.frontier = true;
  chart.wide = true;
  return chart;
}

reports::ScatterChart guess_chart(const CompareResult& result) {
  reports::ScatterChart chart{
      .title = "Right guesses of the strongest adversary",
      .summary = "The same schemes by how many values the strongest adversary guesses right.",
      .x = {"right guesses", Unit::Share, reports::Scale::Linear, 0.0, 1.0},
      .y = {fmt::format("fair@{}", result.k), Unit::Share, reports::Scale::Linear, 0.0, 1.0},
      .series = {"keeps its promise and the bound", "does not"}};
  for (std::size_t i = 0; i < result.compared.size(); ++i) {
    const Compared& one = result.compared[i];
    if (!one.left_out.empty()) continue;
    chart.points.push_back(point_of(result, i, one.rate));
    chart.points.back().x_interval = reports::Interval{one.rate_low, one.rate_high};
  }
  chart.frontier = true;
  chart.wide = true;
  return chart;
}

Cell verdict_cell(const CompareResult& result, std::size_t i) {
  const Compared& one = result.compared[i];
  if (result.chosen == i) return {"chosen", Tone::Good};
  if (!one.left_out.empty()) return {"left out", Tone::Quiet};
  if (one.broken_by) return {"broken by " + *one.broken_by, Tone::Bad};
  if (one.undecided_at) return {"undecided", Tone::Unsure};
  if (!one.why_not.empty()) return {short_why_not(result, one), Tone::Bad};
  return {"kept", Tone::Good};
}

std::vector<Cell> table_row(const CompareResult& result, std::size_t i) {
  const Compared& one = result.compared[i];
  if (!one.left_out.empty()) {
    return {one.name(), "–", "–", "–", "–", "–", "–", "–", "–", verdict_cell(result, i)};
  }
  auto number = [](double value) { return fmt::format("{:.3f}", value); };
  return {one.name(),
          number(one.gain) + (one.gain_level.empty() ? "" : " (" + one.gain_level + ")"),
          share(one.rate),
          share(one.prior),
          share(one.certain),
          number(one.utility.fair.mean),
          number(one.utility.overlap.mean),
          number(one.utility.ndcg.mean),
          number(one.utility.aul.mean),
          verdict_cell(result, i)};
}

reports::Table numbers_table(const CompareResult& result) {
  std::string at = fmt::format("@{}", result.k);
  reports::Table table{"Every scheme that was compared",
                       {"scheme",
                        {"largest gain, over what is promised", true},
                        {"right guesses", true},
                        {"public values alone", true},
                        {"certain, with public values", true},
                        {"fair" + at, true},
                        {"overlap" + at, true},
                        {"NDCG" + at, true},
                        {"U_aul" + at, true},
                        "verdict"},
                       {}};
  for (std::size_t i = 0; i < result.compared.size(); ++i) {
    table.rows.push_back(table_row(result, i));
  }
  return table;
}

reports::Section reasons_section(const CompareResult& result) {
  reports::Bullets reasons;
  for (const Compared& one : result.compared) {
    if (!one.why_not.empty()) reasons.items.push_back(one.name() + ": " + one.why_not + ".");
  }
  reports::Section section{"Why not the others", {}};
  if (reasons.items.empty()) {
    section.blocks.emplace_back("Every scheme compared keeps its promise and the bound.");
  } else {
    section.blocks.emplace_back(std::move(reasons));
  }
  return section;
}

reports::Section rule_section(const CompareResult& result) {
  reports::Bullets rule{
      {"It promises something, and at no level that the promise names is it broken or undecided on "
       "this table.",
       fmt::format(
           "No adversary of any level gains more than 1/{} about any value of any row. Gain "
           "is how much of the way to certainty somebody gets: under swap from R, what one would "
           "believe if told that the row moved; else from the shares of the row's group.",
           result.l),
       fmt::format(
           "Of those schemes, the one whose first {} answers are best (fair@{}: how many of "
           "them are as good as the true ones).",
           result.k, result.k)},
      true};
  return {
      "How the choice is made",
      {std::move(rule),
       "Adversaries are given every row's match profile. No attack on answers can learn more, so "
       "these figures are the worst case. What somebody already believes about one person is not "
       "among them; only ldp limits that.",
       "U_aul is best at 0; fair, overlap and NDCG are best at 1. Bars at points are 95% "
       "intervals over queries."}};
}

reports::Banner banner_of(const CompareResult& result) {
  if (!result.chosen) return {Tone::Bad, "No choice", result.reason};
  return {Tone::Good, result.compared[*result.chosen].name(), result.reason};
}

std::vector<reports::KeyFigure> figures_of(const CompareResult& result) {
  if (!result.chosen) return {};
  const Compared& chosen = result.compared[*result.chosen];
  return {{share(chosen.gain), "largest gain over what is promised",
           fmt::format("allowed: {}", share(1.0 / result.l))},
          {share(chosen.rate), "right guesses", "public values alone: " + share(chosen.prior)},
          {share(chosen.certain), "certain values",
           "With those that public values alone make certain: see the scheme drop."},
          {share(chosen.utility.fair.mean), fmt::format("fair@{}", result.k)}};
}

}  // namespace

std::string to_html(const CompareResult& result) {
  reports::Page page;
  page.kind = "Comparison of schemes";
  page.title = result.table;
  page.subtitle =
      fmt::format("{}, {} public and {} private attributes, l = {}, {}",
                  counted(result.rows, "row"), result.public_attributes, result.private_attributes,
                  result.l, fmt::format("{} queries", grouped(result.queries)));
  page.banner = banner_of(result);
  page.figures = figures_of(result);
  page.sections.push_back(
      {"The frontier",
       {reports::Charts{{gain_chart(result), guess_chart(result)}},
        reports::Paragraph{
            "Right guesses count what public values give away, too, and that differs: "
            "swap, cluster and other schemes that hide a row among coarser groups are "
            "judged among those, while a row that is alone with its public values is "
            "known without any ranking. The table has both figures.",
            true}}});
  page.sections.push_back({"All numbers", {numbers_table(result)}});
  page.sections.push_back(reasons_section(result));
  page.sections.push_back(rule_section(result));
  for (const std::string& note : result.notes) {
    page.sections.back().blocks.emplace_back(reports::Paragraph{note, true});
  }
  page.origin = {{"table", result.table},
                 {"queries", result.workload.empty() ? "made up of the table" : result.workload},
                 {"rankveil", version().version}};
  return reports::to_html(page);
}

}  // namespace rankveil::api

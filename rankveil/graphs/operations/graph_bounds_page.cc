#include "rankveil/graphs/operations/graph_bounds_page.h"

#include <fmt/core.h>

#include <algorithm>

namespace rankveil::api {

namespace {

using attack::EvaluationRow;
using attack::PromisedCurve;
using bound::Mode;

const char* curve_name(Mode mode) {
  return mode == Mode::Paper ? "bound as printed" : "sound bound, of a sum";
}

reports::Line bound_line(const PromisedCurve& curve) {
  reports::Line line{curve_name(curve.mode), {}, reports::Tone::Quiet};
  if (curve.mode == Mode::Sound) line.tone = reports::Tone::Unsure;
  for (const auto& point : curve.points) line.points.push_back({point.x, point.rate});
  return line;
}

bool is_on(const EvaluationRow& row, const PromisedCurve& curve) {
  return row.technique == curve.technique && row.k == curve.k && row.level == curve.level &&
         (curve.over_lambda1 || row.lambda1 == curve.lambda1);
}

// Measured rates, one line an attack.
void add_measured(const GraphEvaluateResult& result, const PromisedCurve& curve,
                  reports::LineChart& chart) {
  for (const EvaluationRow& row : result.evaluation.rows) {
    if (!is_on(row, curve)) continue;
    auto line = std::ranges::find(chart.lines, row.attack, &reports::Line::name);
    if (line == chart.lines.end()) line = chart.lines.insert(line, {row.attack, {}});
    line->points.push_back({curve.over_lambda1 ? row.lambda1 : row.lambda2, row.fu,
                            reports::Interval{row.low, row.high}});
  }
}

std::string chart_title(const PromisedCurve& curve) {
  std::string title =
      fmt::format("{}, level {}: theorem {}, k = {}", curve.technique, attack::name_of(curve.level),
                  attack::theorem_of(curve.level), curve.k);
  return curve.level == attack::LinkageLevel::IV
             ? fmt::format("{}, lambda1 = {:g}", title, curve.lambda1)
             : title;
}

// Says it where rates on this plot cross a bound.
std::string crossed_text(const GraphEvaluateResult& result, const PromisedCurve& curve) {
  std::vector<std::string> crossed;
  for (Mode mode : {Mode::Paper, Mode::Sound}) {
    const auto rows = crossings(result, mode);
    if (std::ranges::any_of(
            rows, [&](std::size_t i) { return is_on(result.evaluation.rows[i], curve); })) {
      crossed.emplace_back(curve_name(mode));
    }
  }
  if (crossed.empty()) return "";
  return ". Crossed: " + crossed.front() + (crossed.size() > 1 ? "; " + crossed.back() : "");
}

bool same_plot(const PromisedCurve& left, const PromisedCurve& right) {
  return left.technique == right.technique && left.k == right.k && left.level == right.level;
}

// The curves of one release and level, one after the other, share a plot.
std::vector<reports::Chart> bound_charts(const GraphEvaluateResult& result) {
  std::vector<reports::Chart> charts;
  const auto& curves = result.curves;
  for (std::size_t i = 0; i < curves.size();) {
    reports::LineChart chart{
        .title = chart_title(curves[i]) + crossed_text(result, curves[i]),
        .x = {curves[i].over_lambda1 ? "lambda1" : "lambda2", reports::Unit::Number,
              reports::Scale::Linear, 0, 1},
        .y = {"identified users", reports::Unit::Share, reports::Scale::Linear, 0, 1}};
    add_measured(result, curves[i], chart);
    std::size_t first = i;
    for (; i < curves.size() && same_plot(curves[i], curves[first]); ++i) {
      if (!curves[i].points.empty()) chart.lines.push_back(bound_line(curves[i]));
    }
    charts.emplace_back(std::move(chart));
  }
  return charts;
}

std::string lambda_text(bool used, double value) { return used ? fmt::format("{:g}", value) : "-"; }

std::string percent_text(double share) { return fmt::format("{:.2f}%", 100 * share); }

reports::Cell bound_cell(const std::optional<attack::Promised>& promised, bool crossed) {
  if (!promised) return {"none", reports::Tone::Quiet};
  return {percent_text(promised->rate) + (crossed ? ", crossed" : ""),
          crossed ? reports::Tone::Bad : reports::Tone::Plain};
}

reports::Table held_table(const GraphEvaluateResult& result) {
  reports::Table table{"Measured rates and the bounds of their theorem",
                       {"technique",
                        "attack",
                        "level",
                        {"theorem", true},
                        {"k", true},
                        {"lambda1", true},
                        {"lambda2", true},
                        {"identified", true},
                        {"95% from", true},
                        {"bound as printed", true},
                        {"sound bound, of a sum", true}},
                       {}};
  for (std::size_t i = 0; i < result.held.size(); ++i) {
    const EvaluationRow& row = result.evaluation.rows[i];
    if (attack::theorem_of(row.level) == 0) continue;
    const auto& held = result.held[i];
    table.rows.push_back({row.technique, row.attack, std::string(attack::name_of(row.level)),
                          std::to_string(attack::theorem_of(row.level)), std::to_string(row.k),
                          lambda_text(attack::uses_lambda1(row.level), row.lambda1),
                          lambda_text(attack::uses_lambda2(row.level), row.lambda2),
                          percent_text(row.fu), percent_text(row.low),
                          bound_cell(held.paper, held.crosses_paper),
                          bound_cell(held.sound, held.crosses_sound)});
  }
  return table;
}

std::string verdict(const GraphEvaluateResult& result) {
  auto paper = crossings(result, Mode::Paper).size(), sound = crossings(result, Mode::Sound).size();
  if (paper + sound == 0) return "No measured rate lies above a bound.";
  return fmt::format(
      "With their whole interval, {} of {} measured rates lie above the bound as printed and {} of "
      "{} above the bound of a sum; rates without a bound are not counted.",
      paper, bounded(result, Mode::Paper), sound, bounded(result, Mode::Sound));
}

std::vector<std::string> explanations() {
  std::vector<std::string> all;
  all.emplace_back(
      "Each level has a theorem that is meant to bound it: 2 for level I, 3 for II, 4 for III "
      "and 5 for IV. None speaks of level self.");
  all.emplace_back(
      "A theorem gives epsilon and delta: how well two values of one user's data can be told "
      "apart. Somebody who then looks for a user's list among the m lists of his set is right with "
      "probability (e^epsilon + (m - 1) delta) / (e^epsilon + m - 1) at most. m is the size of the "
      "smallest set.");
  all.emplace_back(
      "Users all of whose friends are known (a share lambda2) count as identified, in the bound as "
      "in the measured rate.");
  all.emplace_back(
      "The bound as printed is what the paper claims of every k-anonymous release. A rate above it "
      "shows that the printed theorem does not hold of this release.");
  all.emplace_back(
      "The sound bound can be proved, but of a sum over all users' friends, and of intervals of "
      "it; levels I and III: if lists were independent, which they are not, since friendship is "
      "mutual. A release shows lists, which is more. A rate above it is no contradiction: it shows "
      "that what protects a sum does not protect lists.");
  all.emplace_back(
      "A bound is crossed when the whole 95% interval lies above it. Where no bound is drawn, none "
      "exists: the users that may be unknown have one friend or none, and nothing is uncertain.");
  return all;
}

}  // namespace

reports::Section bounds_section(const GraphEvaluateResult& result) {
  reports::Section section{"The bound and the attack", {verdict(result)}};
  section.blocks.emplace_back(reports::Bullets{explanations()});
  auto charts = bound_charts(result);
  if (!charts.empty()) section.blocks.emplace_back(reports::Charts{std::move(charts)});
  section.blocks.emplace_back(reports::Details{"Every rate and its bounds", {held_table(result)}});
  return section;
}

}  // namespace rankveil::api

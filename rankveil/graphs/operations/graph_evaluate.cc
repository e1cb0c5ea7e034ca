#include "rankveil/graphs/operations/graph_evaluate.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "rankveil/api/report_outputs.h"
#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/base/text/described.h"
#include "rankveil/graphs/files/edge_list.h"
#include "rankveil/graphs/release/published_sets.h"

namespace rankveil::api {

namespace {

bool crosses(const attack::HeldAgainst& held, bound::Mode mode) {
  return mode == bound::Mode::Paper ? held.crosses_paper : held.crosses_sound;
}

const std::vector<std::string> no_techniques = {};

Status add_published(const GraphEvaluateRequest& request,
                     const std::shared_ptr<const graph::Graph>& graph,
                     const graph::NamedGraph& named, attack::EvaluationPlan& plan) {
  if (request.published.empty()) return {};
  auto text = read_text(request.published);
  if (!text) return text.error();
  auto release = graph::read_published_sets(graph, named.names, *text, named.texts);
  if (!release) {
    return bad_input(fmt::format("{}: {}", request.published, release.error().message));
  }
  plan.ready.push_back({request.published, std::move(*release)});
  return {};
}

Result<attack::EvaluationPlan> plan_of(const GraphEvaluateRequest& request) {
  attack::EvaluationPlan plan{.contestants = {},
                              .ks = request.ks,
                              .levels = {},
                              .lambda1s = request.lambda1s,
                              .lambda2s = request.lambda2s,
                              .points = {},
                              .any_label = request.any_label,
                              .draws = request.draws,
                              .seed = request.seed,
                              .threads = request.threads,
                              .progress = request.progress};
  for (const std::string& name : request.published.empty() ? request.techniques : no_techniques) {
    GraphTechnique technique = request.options;
    technique.name = name;
    auto options = release_options(technique, 2);
    if (!options) return options.error();
    plan.contestants.push_back({name, *options});
  }
  for (const std::string& name : request.levels) {
    auto level = attack::linkage_level_named(name);
    if (!level) return level.error();
    plan.levels.push_back(*level);
  }
  return plan;
}

constexpr std::array modes = {bound::Mode::Paper, bound::Mode::Sound};

Json rate_json(const std::optional<attack::Promised>& promised) {
  return promised ? Json(promised->rate) : Json();
}

Json crossed_modes(const attack::HeldAgainst& held) {
  Json::Array names;
  for (bound::Mode mode : modes) {
    if (crosses(held, mode)) names.emplace_back(bound::mode_name(mode));
  }
  return names;
}

Json to_json(const attack::EvaluationRow& row) {
  return Json()
      .set("technique", row.technique)
      .set("attack", row.attack)
      .set("level", attack::name_of(row.level))
      .set("k", row.k)
      .set("lambda1", attack::uses_lambda1(row.level) ? Json(row.lambda1) : Json())
      .set("lambda2", attack::uses_lambda2(row.level) ? Json(row.lambda2) : Json())
      .set("fu", row.fu)
      .set("low", row.low)
      .set("high", row.high);
}

Json to_json(const attack::EvaluationRow& row, const attack::HeldAgainst& held) {
  return to_json(row)
      .set("bound_paper", rate_json(held.paper))
      .set("bound_sound", rate_json(held.sound))
      .set("crosses", crossed_modes(held));
}

Json crossings_json(const GraphEvaluateResult& result) {
  Json::Array all;
  for (bound::Mode mode : modes) {
    for (std::size_t i : crossings(result, mode)) {
      const auto& row = result.evaluation.rows[i];
      const auto& promised = *bound_of(result.held[i], mode);
      all.push_back(to_json(row)
                        .set("mode", bound::mode_name(mode))
                        .set("theorem", attack::theorem_of(row.level))
                        .set("epsilon", promised.epsilon)
                        .set("delta", promised.delta)
                        .set("bound", promised.rate));
    }
  }
  return all;
}

Json to_json(const attack::PromisedCurve& curve) {
  Json::Array points;
  for (const auto& point : curve.points) {
    points.push_back(
        Json().set(curve.over_lambda1 ? "lambda1" : "lambda2", point.x).set("bound", point.rate));
  }
  return Json()
      .set("technique", curve.technique)
      .set("k", curve.k)
      .set("level", attack::name_of(curve.level))
      .set("theorem", attack::theorem_of(curve.level))
      .set("mode", bound::mode_name(curve.mode))
      .set("points", std::move(points));
}

}  // namespace

Result<GraphEvaluateResult> evaluate_graph(const GraphEvaluateRequest& request) {
  Stopwatch watch;
  auto plan = plan_of(request);
  if (!plan) return plan.error();
  std::vector<std::string> inputs = request.source.files();
  inputs.push_back(request.published);
  if (auto fine = check_report_outputs({request.page}, inputs); !fine) return fine.error();
  if (auto fine = check_may_write(request.page, request.force); !fine) return fine.error();
  auto named = connect::read_graph(request.source, {.threads = 0, .progress = request.progress});
  if (!named) return named.error();
  auto graph = std::make_shared<const graph::Graph>(std::move(named->graph));
  if (auto added = add_published(request, graph, *named, *plan); !added) return added.error();
  auto evaluation = attack::evaluate(graph, *plan);
  if (!evaluation) return evaluation.error();
  const attack::Promises promises(*graph);
  auto held = attack::hold_against(*evaluation, promises);
  auto curves = attack::promised_curves(*evaluation, promises);
  GraphEvaluateResult result{.name = request.source.name(),
                             .nodes = graph->nodes(),
                             .edges = graph->edges(),
                             .draws = request.draws,
                             .seed = request.seed,
                             .evaluation = std::move(*evaluation),
                             .held = std::move(held),
                             .curves = std::move(curves),
                             .warnings = graph::warnings_of(named->report),
                             .seconds = watch.seconds()};
  result.page = write_outputs({{request.page, [&] { return evaluation_page(result); }}});
  return result;
}

const std::optional<attack::Promised>& bound_of(const attack::HeldAgainst& held, bound::Mode mode) {
  return mode == bound::Mode::Paper ? held.paper : held.sound;
}

std::vector<std::size_t> crossings(const GraphEvaluateResult& result, bound::Mode mode) {
  std::vector<std::size_t> rows;
  for (std::size_t i = 0; i < result.held.size(); ++i) {
    if (crosses(result.held[i], mode)) rows.push_back(i);
  }
  return rows;
}

std::uint64_t bounded(const GraphEvaluateResult& result, bound::Mode mode) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      result.held, [&](const auto& held) { return bound_of(held, mode).has_value(); }));
}

Json rows_json(const GraphEvaluateResult& result) {
  Json::Array rows;
  for (std::size_t i = 0; i < result.held.size(); ++i) {
    rows.push_back(to_json(result.evaluation.rows[i], result.held[i]));
  }
  return rows;
}

Json to_json(const GraphEvaluateResult& result) {
  Json::Array curves;
  for (const auto& curve : result.curves) curves.push_back(to_json(curve));
  return Json()
      .set("name", result.name)
      .set("nodes", result.nodes)
      .set("edges", result.edges)
      .set("draws", result.draws)
      .set("seed", result.seed)
      .set("releases", json_of(result.evaluation.releases))
      .set("rows", rows_json(result))
      .set("crossings", crossings_json(result))
      .set("bounds", std::move(curves))
      .set("warnings", json_texts(result.warnings))
      .set("seconds", result.seconds);
}

}  // namespace rankveil::api

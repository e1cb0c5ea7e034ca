#include "rankveil/api/graph_evaluate.h"

#include "rankveil/api/graph_generate.h"
#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/connect/edge_list.h"

namespace rankveil::api {

namespace {

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
  for (const std::string& name : request.techniques) {
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

Json to_json(const attack::EvaluatedRelease& release) {
  return Json()
      .set("technique", release.technique)
      .set("k", release.k)
      .set("sets", release.sets)
      .set("smallest_set", release.smallest_set)
      .set("largest_set", release.largest_set)
      .set("edges_added", release.changes.added)
      .set("edges_deleted", release.changes.deleted)
      .set("notes", json_texts(release.notes))
      .set("seconds", release.seconds)
      .set("attack_seconds", release.attack_seconds);
}

}  // namespace

Result<GraphEvaluateResult> evaluate_graph(const GraphEvaluateRequest& request) {
  Stopwatch watch;
  auto plan = plan_of(request);
  if (!plan) return plan.error();
  if (auto fine = check_may_write(request.page, request.force); !fine) return fine.error();
  auto named = connect::read_graph(request.source, {.threads = 0, .progress = request.progress});
  if (!named) return named.error();
  auto graph = std::make_shared<const graph::Graph>(std::move(named->graph));
  auto evaluation = attack::evaluate(graph, *plan);
  if (!evaluation) return evaluation.error();
  GraphEvaluateResult result{.name = request.source.name(),
                             .nodes = graph->nodes(),
                             .edges = graph->edges(),
                             .draws = request.draws,
                             .seed = request.seed,
                             .evaluation = std::move(*evaluation),
                             .warnings = graph::warnings_of(named->report),
                             .seconds = watch.seconds()};
  if (!request.page.empty()) {
    if (auto done = write_text(request.page, evaluation_page(result)); !done) return done.error();
  }
  return result;
}

Json rows_json(const attack::Evaluation& evaluation) {
  Json::Array rows;
  for (const auto& row : evaluation.rows) rows.push_back(to_json(row));
  return rows;
}

Json to_json(const GraphEvaluateResult& result) {
  Json::Array releases;
  for (const auto& release : result.evaluation.releases) releases.push_back(to_json(release));
  return Json()
      .set("name", result.name)
      .set("nodes", result.nodes)
      .set("edges", result.edges)
      .set("draws", result.draws)
      .set("seed", result.seed)
      .set("releases", std::move(releases))
      .set("rows", rows_json(result.evaluation))
      .set("warnings", json_texts(result.warnings))
      .set("seconds", result.seconds);
}

}  // namespace rankveil::api

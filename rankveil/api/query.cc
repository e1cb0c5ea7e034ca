#include "rankveil/api/query.h"

#include <fmt/core.h>

#include <cstdlib>

#include "rankveil/base/stopwatch.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/connect/source.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/ranking/workload.h"

namespace rankveil::api {

namespace {

Status check(const QueryRequest& request) {
  if (!request.queries.empty() && !(request.wishes.empty() && request.query.empty())) {
    return wrong_use("a file of queries and a query of its own exclude each other");
  }
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  if (request.k == 0U) return wrong_use("k = 0 asks for no rows; use 1 or more");
  return {};
}

Result<Query> single_query(const QueryRequest& request, const Schema& schema) {
  Query query = empty_query(schema);
  if (!request.query.empty()) {
    auto json = parse_json(request.query);
    if (!json) return bad_input("the query is " + json.error().message);
    auto parsed = query_from_json(schema, *json);
    if (!parsed) return parsed;
    query = *parsed;
  }
  for (const std::string& wish : request.wishes) {
    if (auto added = add_wish(schema, wish, query); !added) return added.error();
  }
  return query;
}

Result<Workload> asked_for(const QueryRequest& request, const Schema& schema) {
  if (!request.queries.empty()) return connect::read_workload(request.queries, schema);
  auto query = single_query(request, schema);
  if (!query) return query.error();
  return Workload{{{*query, 1}}};
}

Error unknown_weight(const Schema& schema, const std::string& name) {
  std::vector<std::string> names;
  for (const Attribute& attribute : schema.attributes) names.push_back(attribute.name);
  auto near = closest(name, names);
  return bad_input(fmt::format("there is no attribute \"{}\" to weigh{}", name,
                               near ? "; did you mean " + *near + "?" : ""));
}

Result<Weights> weights_for(const QueryRequest& request, const Schema& schema) {
  std::vector<double> weights;
  for (const Attribute& attribute : schema.attributes) weights.push_back(attribute.weight);
  for (const auto& [name, weight] : request.weights) {
    auto attribute = schema.find(name);
    if (!attribute) return unknown_weight(schema, name);
    weights[+*attribute] = weight;
  }
  return Weights::of(weights);
}

// Fifteen digits: 23 units of 0.1 are 2.3, not 2.3000000000000003.
double real_score(std::int64_t score, double unit) {
  return std::strtod(fmt::format("{:.15g}", static_cast<double>(score) * unit).c_str(), nullptr);
}

Result<RowId> find_row(const Index& index, const std::string& id) {
  if (auto row = index.find_row(id)) return *row;
  return bad_input(fmt::format("the index has no row \"{}\"", id));
}

std::vector<std::optional<std::string>> public_values(const Index& index, RowId row) {
  std::vector<std::optional<std::string>> values;
  const Schema& schema = index.schema();
  for (std::uint32_t i = 0; i < schema.public_count(); ++i) {
    ValueId value = index.public_value(row, AttributeId{i});
    if (value == missing_value) {
      values.emplace_back();
    } else {
      values.emplace_back(schema.attributes[i].domain.text(value));
    }
  }
  return values;
}

// Everything a query run needs once it is checked.
struct Run {
  Index index;
  Weights weights;
  std::optional<RowId> row;
  std::string row_id;
  RankOptions options;
};

double full_score(const Query& query, const Weights& weights) {
  std::int64_t units = 0;
  for (std::size_t i = 0; i < query.wanted.size(); ++i) {
    if (!query.wanted[i].empty()) units += weights.units[i];
  }
  return real_score(units, 1.0 / static_cast<double>(weights.per_one));
}

void add_row(const Run& run, QueryAnswer& answer) {
  if (!run.row) return;
  auto rank = run.index.rank_of(*run.row, answer.query, &run.weights);
  answer.row = QueryRow{.id = run.row_id,
                        .score = real_score(rank.score, rank.unit),
                        .rank = rank.ordinal,
                        .competition_rank = rank.competition};
}

void add_answers(const Run& run, const Workload& workload, QueryResult& result) {
  std::vector<Query> queries;
  for (const WorkloadEntry& entry : workload.entries) queries.push_back(entry.query);
  RankOptions options = run.options;
  options.weights = &run.weights;
  Stopwatch watch;
  auto answers = run.index.rank_all(queries, options);
  result.rank_seconds = watch.seconds();
  for (std::size_t i = 0; i < queries.size(); ++i) {
    QueryAnswer answer{.query = queries[i],
                       .count = workload.entries[i].count,
                       .answer = std::move(answers[i]),
                       .full_score = full_score(queries[i], run.weights),
                       .row = std::nullopt};
    add_row(run, answer);
    result.answers.push_back(std::move(answer));
  }
}

Result<Run> prepare(const QueryRequest& request, const Index& index) {
  auto weights = weights_for(request, index.schema());
  if (!weights) return weights.error();
  Run run{.index = index,
          .weights = *weights,
          .row = std::nullopt,
          .row_id = request.row,
          .options = {.k = request.k.value_or(index.info().default_k), .threads = request.threads}};
  if (request.row.empty()) return run;
  auto row = find_row(index, request.row);
  if (!row) return row.error();
  run.row = *row;
  return run;
}

Json hit_to_json(const Schema& schema, const QueryHit& hit) {
  Json values = Json(Json::Object{});
  for (std::size_t i = 0; i < hit.public_values.size(); ++i) {
    const auto& value = hit.public_values[i];
    values.set(schema.attributes[i].name, value ? Json(*value) : Json());
  }
  return Json()
      .set("rank", hit.rank)
      .set("id", hit.id)
      .set("score", hit.score)
      .set("public", std::move(values));
}

Json row_to_json(const QueryRow& row) {
  return Json()
      .set("id", row.id)
      .set("score", row.score)
      .set("rank", row.rank)
      .set("competition_rank", row.competition_rank);
}

}  // namespace

Result<QueryResult> query(const QueryRequest& request) {
  if (auto checked = check(request); !checked) return checked.error();
  Stopwatch opening;
  auto index = open_index(request.index_path);
  if (!index) return index.error();
  QueryResult result{.index_path = request.index_path,
                     .index = *index,
                     .info = index->info(),
                     .schema = index->schema(),
                     .rows = index->live_rows(),
                     .answers = {},
                     .open_seconds = opening.seconds()};
  auto workload = asked_for(request, result.schema);
  if (!workload) return workload.error();
  auto run = prepare(request, *index);
  if (!run) return run.error();
  result.k = run->options.k;
  add_answers(*run, *workload, result);
  return result;
}

std::vector<QueryHit> hits_of(const QueryResult& result, const QueryAnswer& answer) {
  std::vector<QueryHit> hits;
  hits.reserve(answer.answer.hits.size());
  for (const Hit& hit : answer.answer.hits) {
    hits.push_back({.rank = static_cast<std::uint32_t>(hits.size() + 1),
                    .id = result.index.name(hit.row),
                    .score = real_score(hit.score, answer.answer.unit),
                    .public_values = public_values(result.index, hit.row)});
  }
  return hits;
}

Json to_json(const QueryResult& result, const QueryAnswer& answer) {
  Json::Array hits;
  for (const QueryHit& hit : hits_of(result, answer))
    hits.push_back(hit_to_json(result.schema, hit));
  return Json()
      .set("query", query_to_json(result.schema, answer.query))
      .set("count", answer.count)
      .set("k", result.k)
      .set("full_score", answer.full_score)
      .set("unprotected", result.info.unprotected())
      .set("hits", std::move(hits))
      .set("row", answer.row ? row_to_json(*answer.row) : Json());
}

}  // namespace rankveil::api

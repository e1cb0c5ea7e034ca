#include "rankveil/api/measure.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/api/index_policy.h"
#include "rankveil/api/policy_rules.h"
#include "rankveil/api/protected_rows.h"
#include "rankveil/audit/truth.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/ranking/sample_workload.h"
#include "rankveil/table/arranged.h"
#include "rankveil/table/building/binning.h"

namespace rankveil::api {

namespace {

Status check(const MeasureRequest& request) {
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  if (request.index_path.empty()) {
    return wrong_use("an index to measure is needed, behind the table it was made of");
  }
  if (request.ks.empty()) return wrong_use("no k is given; use one or more, such as 10,100");
  if (std::find(request.ks.begin(), request.ks.end(), 0U) != request.ks.end()) {
    return wrong_use("k = 0 asks for no rows; use 1 or more");
  }
  return {};
}

bool goes_by_the_index(const MeasureRequest& request) {
  return request.input.policy_path.empty() && request.input.overrides.roles.empty();
}

Result<Policy> policy_for(const MeasureRequest& request, const Index& index) {
  if (!goes_by_the_index(request)) return load_policy(request.input);
  Policy policy = policy_of_index(index);
  for (const auto& [name, bins] : request.input.overrides.bins) {
    for (ColumnPolicy& column : policy.columns) {
      if (column.name == name) column.domain.clear();  // the labels of these bins
    }
  }
  if (auto applied = apply(request.input.overrides, policy); !applied) return applied.error();
  return policy;
}

// Where values are labels of bins, the table may have numbers. Nothing: none are.
std::optional<Policy> with_labelled_bins(Policy policy) {
  bool some = false;
  for (ColumnPolicy& column : policy.columns) {
    auto edges = labelled_edges(column.domain);
    if (!edges) continue;
    column.bins = BinEdges{*std::move(edges)};
    column.domain.clear();
    some = true;
  }
  return some ? std::optional(std::move(policy)) : std::nullopt;
}

Result<connect::LoadedTable> read_truth(const MeasureRequest& request, const Policy& policy) {
  auto loaded = connect::read_table(request.input.source, policy, read_options(request.input));
  if (!goes_by_the_index(request)) return loaded;
  if (!loaded && loaded.error().code == ErrorCode::BadInput) {
    auto binned = with_labelled_bins(policy);
    auto again =
        binned ? connect::read_table(request.input.source, *binned, read_options(request.input))
               : Result<connect::LoadedTable>(loaded.error());
    if (again) loaded = std::move(again);
  }
  if (!loaded) {
    bool fits_not = loaded.error().code == ErrorCode::BadInput;
    if (!fits_not) return loaded.error();
    return bad_input(fmt::format(
        "by what the index says of its columns, {}; an index says of bins what their labels say, "
        "and has no values that only rows without a signal have: pass the policy it was made with, "
        "--policy FILE",
        loaded.error().message.substr(0, loaded.error().message.find("; "))));
  }
  loaded->warnings.insert(loaded->warnings.begin(),
                          "no policy was given: columns, roles, weights and domains are those of "
                          "the index, and what it "
                          "leaves out does not count");
  return loaded;
}

Result<MeasuredWorkload> read_test(const std::string& name, const std::string& path,
                                   const Schema& schema, const Policy& policy) {
  auto workload = connect::read_workload(path, schema, ignored_columns(policy));
  if (!workload) return workload.error();
  return MeasuredWorkload{name, path, *std::move(workload), {}};
}

Result<std::vector<MeasuredWorkload>> workloads_for(const MeasureRequest& request,
                                                    const Table& table, const Policy& policy) {
  std::vector<MeasuredWorkload> workloads;
  auto add_file = [&](const std::string& name, const std::string& path) -> Status {
    if (path.empty()) return {};
    auto read = read_test(name, path, table.schema(), policy);
    if (!read && goes_by_the_index(request)) {
      return Error{read.error().code,
                   read.error().message + "; if the index leaves it out, pass --policy FILE"};
    }
    if (!read) return read.error();
    workloads.push_back(*std::move(read));
    return {};
  };
  if (auto added = add_file("tuning", request.tuning_path); !added) return added.error();
  if (auto added = add_file("test", request.workload_path); !added) return added.error();
  if (!request.workload_path.empty()) return workloads;
  for (TestQueries kind : all_test_queries) {
    TestWorkloadOptions options{.queries = request.queries, .seed = request.seed};
    workloads.push_back(
        {std::string(test_queries_name(kind)), "", test_workload(table, kind, options), {}});
  }
  return workloads;
}

// Names of attributes with values that the index does not know. Values are not named: they may be
// private.
std::vector<std::string> with_unknown_values(const Schema& table, const Schema& index) {
  std::vector<std::string> names;
  for (const Attribute& attribute : table.attributes) {
    auto there = index.find(attribute.name);
    if (!there) continue;
    const Domain& known = index[*there].domain;
    const auto& values = attribute.domain.values();
    if (!std::all_of(values.begin(), values.end(),
                     [&](const std::string& value) { return known.find(value).has_value(); })) {
      names.push_back(attribute.name);
    }
  }
  return names;
}

void warn_about_values(const Schema& table, const Schema& index,
                       std::vector<std::string>& warnings) {
  auto names = with_unknown_values(table, index);
  if (names.empty()) return;
  warnings.push_back(fmt::format(
      "the index does not know all values that the table has for {}; a query for them matches no "
      "row of the index. Was it made with another policy?",
      listed(names, 5)));
}

// Both rankings break ties by the order of the index: where rows are equal in truth, neither of two
// orders is the better one. Rows that are not the same are refused later, with their number.
Table in_order_of(const Index& served, const Table& table) {
  if (served.rows() != table.rows()) return table;
  auto rows = audit::rows_by_name(table, served);
  if (!rows) return table;
  std::vector<std::uint32_t> order;
  for (RowId row : *rows) order.push_back(+row);
  return arranged(table, order);
}

Status measure_all(const MeasureRequest& request, const Table& table, const Index& served,
                   MeasureResult& result) {
  Index truth = utility::true_ranking(in_order_of(served, table));
  for (MeasuredWorkload& measured : result.workloads) {
    Progress progress;
    if (request.input.progress) {
      progress = [&](std::string_view, double done) {
        report(request.input.progress, "measuring on " + measured.name, done);
      };
    }
    auto utility = utility::measure(truth, served, measured.workload,
                                    {.ks = request.ks,
                                     .ranks = request.ranks,
                                     .threads = request.input.threads,
                                     .progress = progress});
    if (!utility) return utility.error();
    measured.utility = *std::move(utility);
  }
  return {};
}

Json at_json(const utility::UtilityAt& at) {
  return Json()
      .set("k", at.k)
      .set("aul", to_json(at.aul))
      .set("overlap", to_json(at.overlap))
      .set("fair", to_json(at.fair))
      .set("ndcg", to_json(at.ndcg))
      .set("tau_b", to_json(at.tau_b));
}

Json query_json(const Schema& schema, const MeasuredWorkload& measured, std::size_t i) {
  const utility::QueryUtility& query = measured.utility.per_query[i];
  Json::Array at;
  for (std::size_t j = 0; j < query.at.size(); ++j) {
    const utility::QueryUtilityAt& values = query.at[j];
    at.push_back(Json()
                     .set("k", measured.utility.at[j].k)
                     .set("aul", values.aul)
                     .set("overlap", values.overlap)
                     .set("fair", values.fair)
                     .set("ndcg", values.ndcg)
                     .set("tau_b", values.tau_b));
  }
  return Json()
      .set("query", query_to_json(schema, measured.workload.entries[i].query))
      .set("count", query.count)
      .set("rank_loss", query.rank_loss)
      .set("score_loss", query.score_loss)
      .set("at", std::move(at));
}

Json workload_json(const Schema& schema, const MeasuredWorkload& measured, bool per_query) {
  const utility::Utility& utility = measured.utility;
  Json::Array at;
  for (const utility::UtilityAt& values : utility.at) at.push_back(at_json(values));
  Json json = Json()
                  .set("name", measured.name)
                  .set("path", measured.path.empty() ? Json() : Json(measured.path))
                  .set("queries", utility.queries)
                  .set("asked", utility.asked)
                  .set("total_rank_loss", utility.total_rank_loss)
                  .set("total_score_loss", utility.total_score_loss)
                  .set("rank_loss", to_json(utility.rank_loss))
                  .set("score_loss", to_json(utility.score_loss))
                  .set("at", std::move(at));
  if (!per_query) return json;
  Json::Array queries;
  for (std::size_t i = 0; i < utility.per_query.size(); ++i) {
    queries.push_back(query_json(schema, measured, i));
  }
  return json.set("per_query", std::move(queries));
}

}  // namespace

std::string_view rank_kind_name(RankKind kind) {
  return kind == RankKind::Ordinal ? "ordinal" : "competition";
}

Result<MeasureResult> measure(const MeasureRequest& request) {
  if (auto checked = check(request); !checked) return checked.error();
  Stopwatch reading;
  auto index = open_index(request.index_path);  // before the table: it is quicker to refuse
  if (!index) return index.error();
  auto policy = policy_for(request, *index);
  if (!policy) return policy.error();
  auto loaded = read_truth(request, *policy);
  if (!loaded) return loaded.error();
  auto called = called_as_served(*index, loaded->table, request.key_path);
  if (!called) return called.error();
  const Table& table = *called;
  if (auto working = check_weights(table.schema()); !working) return working.error();
  auto workloads = workloads_for(request, table, *policy);
  if (!workloads) return workloads.error();
  MeasureResult result{.table = request.input.source.name(),
                       .index_path = request.index_path,
                       .info = index->info(),
                       .schema = table.schema(),
                       .rows = table.rows(),
                       .ranks = request.ranks,
                       .workloads = *std::move(workloads),
                       .warnings = std::move(loaded->warnings),
                       .read_seconds = reading.seconds()};
  warn_about_values(table.schema(), index->schema(), result.warnings);
  Stopwatch measuring;
  if (auto done = measure_all(request, table, *index, result); !done) return done.error();
  result.measure_seconds = measuring.seconds();
  return result;
}

Json to_json(const MeasureResult& result, bool per_query) {
  Json::Array workloads;
  for (const MeasuredWorkload& measured : result.workloads) {
    workloads.push_back(workload_json(result.schema, measured, per_query));
  }
  return Json()
      .set("table", result.table)
      .set("index", result.index_path)
      .set("scheme", result.info.scheme.empty() ? Json() : Json(result.info.scheme))
      .set("unprotected", result.info.unprotected())
      .set("l", result.info.l)
      .set("rows", result.rows)
      .set("ranks", rank_kind_name(result.ranks))
      .set("workloads", std::move(workloads))
      .set("warnings", json_texts(result.warnings))
      .set("read_seconds", result.read_seconds)
      .set("measure_seconds", result.measure_seconds);
}

}  // namespace rankveil::api

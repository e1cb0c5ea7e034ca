#include "rankveil/api/query.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/connect/source.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/kernels/kernel.h"
#include "rankveil/ranking/workload.h"

namespace rankveil::api {

namespace {

bool asks_itself(const QueryRequest& request) {
  return !request.where.empty() || !request.wishes.empty() || !request.sort.empty() ||
         !request.order.empty() || !request.query.empty() || !request.request_path.empty() ||
         request.offset.has_value();
}

Status check(const QueryRequest& request) {
  if (!request.queries.empty() && asks_itself(request)) {
    return wrong_use("a file of queries and a query of its own exclude each other");
  }
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  if (request.k == 0U) return wrong_use("k = 0 asks for no rows; use 1 or more");
  return {};
}

Result<Request> request_of_file(const std::string& path) {
  if (path.empty()) return Request{};
  auto text = read_text(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return bad_input(path + " is " + json.error().message);
  auto request = request_from_json(*json);
  if (!request) return bad_input(path + ": " + request.error().message);
  return request;
}

Status add_values_of_json(const std::string& text, Request& asked) {
  if (text.empty()) return {};
  auto json = parse_json(text);
  if (!json) return bad_input("the query is " + json.error().message);
  auto wishes = wishes_from_values(*json);
  if (!wishes) return wishes.error();
  asked.prefer.insert(asked.prefer.end(), wishes->begin(), wishes->end());
  return {};
}

// Each of the texts, read by `parse`, goes to `add`.
template <typename Parse, typename Add>
Status read_each(const std::vector<std::string>& texts, const Parse& parse, const Add& add) {
  for (const std::string& text : texts) {
    auto read = parse(text);
    if (!read) return read.error();
    add(std::move(*read));
  }
  return {};
}

Status add_texts(const QueryRequest& request, Request& asked) {
  auto where = read_each(request.where, parse_condition,
                         [&](Condition read) { asked.where.push_back(std::move(read)); });
  if (!where) return where;
  auto wishes = read_each(request.wishes, parse_wish,
                          [&](WishText read) { asked.prefer.push_back(std::move(read)); });
  if (!wishes) return wishes;
  auto sort = read_each(request.sort, parse_sort, [&](const std::vector<SortText>& read) {
    asked.sort.insert(asked.sort.end(), read.begin(), read.end());
  });
  if (!sort || request.order.empty()) return sort;
  auto order = parse_order(request.order);
  if (!order) return order.error();
  asked.prefer_first = *order;
  return {};
}

// What holds for every request of a run.
void add_common(const QueryRequest& request, Request& asked) {
  if (request.k) asked.k = request.k;
  if (request.offset) asked.offset = *request.offset;
  if (!request.columns.empty()) asked.columns = request.columns;
  if (!request.facets.empty()) asked.facets = request.facets;
  asked.explain = asked.explain || request.explain;
}

Result<Request> single_request(const QueryRequest& request) {
  auto asked = request_of_file(request.request_path);
  if (!asked) return asked;
  if (auto added = add_values_of_json(request.query, *asked); !added) return added.error();
  if (auto added = add_texts(request, *asked); !added) return added.error();
  return asked;
}

// A query of a workload: values to match.
Request request_of(const Schema& schema, const Query& query) {
  Request request;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    if (query.wanted[i].empty()) continue;
    ValuesText values;
    for (ValueId value : query.wanted[i]) {
      values.values.push_back(schema.attributes[i].domain.text(value));
    }
    request.prefer.push_back({schema.attributes[i].name, std::move(values)});
  }
  return request;
}

Result<std::vector<FiledRequest>> requests_of_file(const std::string& path, const Schema& schema) {
  if (path.ends_with(".ndjson") || path.ends_with(".jsonl")) {
    auto text = read_text(path);
    if (!text) return text.error();
    return parse_request_lines(*text, path);
  }
  auto workload = connect::read_workload(path, schema);
  if (!workload) return workload.error();
  std::vector<FiledRequest> requests;
  for (const WorkloadEntry& entry : workload->entries) {
    requests.push_back({request_of(schema, entry.query), entry.count, path});
  }
  return requests;
}

Result<std::vector<FiledRequest>> asked_for(const QueryRequest& request, const Schema& schema) {
  if (!request.queries.empty()) return requests_of_file(request.queries, schema);
  auto single = single_request(request);
  if (!single) return single.error();
  return std::vector<FiledRequest>{{std::move(*single), 1, ""}};
}

Error unknown_weight(const Schema& schema, const std::string& name) {
  std::vector<std::string> names;
  for (const Attribute& attribute : schema.attributes) names.push_back(attribute.name);
  auto near = closest(name, names);
  return bad_input(fmt::format("there is no attribute \"{}\" to weigh{}", name,
                               near ? "; did you mean " + *near + "?" : ""));
}

Result<std::vector<double>> weights_for(const QueryRequest& request, const Schema& schema) {
  std::vector<double> weights = attribute_weights(schema);
  for (const auto& [name, weight] : request.weights) {
    auto attribute = schema.find(name);
    if (!attribute) return unknown_weight(schema, name);
    weights[+*attribute] = weight;
  }
  return weights;
}

// Fifteen digits: 23 units of 0.1 are 2.3, not 2.3000000000000003.
double real_score(std::int64_t score, double unit) {
  return std::strtod(fmt::format("{:.15g}", static_cast<double>(score) * unit).c_str(), nullptr);
}

Result<RowId> find_row(const Index& index, const std::string& id) {
  if (auto row = index.find_row(id)) return *row;
  return bad_input(fmt::format("the index has no row \"{}\"", id));
}

std::vector<std::optional<std::string>> public_values(const QueryResult& result,
                                                      const QueryAnswer& answer, RowId row) {
  std::vector<std::optional<std::string>> values;
  for (AttributeId attribute : answer.columns) {
    ValueId value = result.index.public_value(row, attribute);
    if (value == missing_value) {
      values.emplace_back();
    } else {
      values.emplace_back(result.schema[attribute].domain.text(value));
    }
  }
  return values;
}

double weight_of(const BoundRequest& bound, std::size_t wish) {
  return static_cast<double>(bound.weights.units[wish]) /
         static_cast<double>(bound.weights.per_one);
}

// Of a row whose value has the best grade.
double full_wish(const BoundRequest& bound, std::size_t wish) {
  const Grades& grades = bound.wishes[wish].grades;
  std::uint8_t best = grades.empty() ? 0 : *std::ranges::max_element(grades);
  return real_score(best, weight_of(bound, wish) / full_grade);
}

double full_score(const BoundRequest& bound) {
  double total = 0;
  for (std::size_t i = 0; i < bound.wishes.size(); ++i) total += full_wish(bound, i);
  return real_score(1, total);
}

// `added` by each wish.
std::vector<QueryReason> reasons_of(const QueryResult& result, const QueryAnswer& answer,
                                    const std::vector<double>& added) {
  std::vector<QueryReason> reasons;
  for (std::size_t i = 0; i < added.size(); ++i) {
    const BoundWish& wish = answer.bound.wishes[i];
    bool is_private = result.schema[wish.attribute].is_private();
    if (is_private && !result.explains_private()) continue;
    reasons.push_back(
        {to_text(wish.text), is_private, real_score(1, added[i]), full_wish(answer.bound, i)});
  }
  return reasons;
}

// What each wish added to each row of the page; nothing where it is not asked for.
std::vector<std::vector<double>> added_on(const QueryResult& result, const QueryAnswer& answer) {
  std::vector<RowId> rows;
  for (const Found& found : answer.page.rows) rows.push_back(found.row);
  if (!answer.request.explain) return std::vector<std::vector<double>>(rows.size());
  return explain(result.index, answer.bound, rows);
}

Result<QueryAnswer> answer_to_be(const FiledRequest& filed, const std::vector<double>& weights,
                                 const Schema& schema) {
  auto bound = bind_request(schema, weights, filed.request);
  if (!bound) {
    std::string place = filed.place.empty() ? "" : filed.place + ": ";
    return bad_input(place + bound.error().message);
  }
  QueryAnswer answer;
  answer.request = filed.request;
  answer.bound = std::move(*bound);
  answer.count = filed.count;
  answer.full_score = full_score(answer.bound);
  answer.columns = answer.bound.columns;
  for (std::uint32_t i = 0; answer.bound.columns.empty() && i < schema.public_count(); ++i) {
    answer.columns.push_back(AttributeId{i});
  }
  return answer;
}

Status add_row(const QueryRequest& request, const QueryResult& result, QueryAnswer& answer) {
  if (request.row.empty()) return {};
  auto row = find_row(result.index, request.row);
  if (!row) return row.error();
  auto rank = rank_in(result.index, answer.bound, *row);
  if (!rank) return rank.error();
  if (!*rank) return bad_input(fmt::format("row \"{}\" does not pass the condition", request.row));
  answer.row = QueryRow{.id = request.row,
                        .score = real_score((*rank)->score, (*rank)->unit),
                        .rank = (*rank)->ordinal,
                        .competition_rank = (*rank)->competition};
  return {};
}

Status add_answers(const QueryRequest& request, QueryResult& result) {
  std::vector<BoundRequest> bound;
  for (const QueryAnswer& answer : result.answers) bound.push_back(answer.bound);
  Stopwatch watch;
  std::vector<Result<Page>> pages = ask_all(result.index, bound, request.threads);
  result.rank_seconds = watch.seconds();
  for (std::size_t i = 0; i < pages.size(); ++i) {
    if (!pages[i]) return pages[i].error();
    result.answers[i].page = std::move(*pages[i]);
    if (auto added = add_row(request, result, result.answers[i]); !added) return added;
  }
  return {};
}

// Only finds the row: a mistake in its name is told before anything is ranked.
Status check_row(const QueryRequest& request, const Index& index) {
  if (request.row.empty()) return {};
  auto row = find_row(index, request.row);
  return row ? Status() : row.error();
}

Json reason_to_json(const QueryReason& reason) {
  return Json()
      .set("wish", reason.wish)
      .set("private", reason.is_private)
      .set("added", reason.added)
      .set("of", reason.full);
}

Json hit_to_json(const QueryResult& result, const QueryAnswer& answer, const QueryHit& hit) {
  Json values = Json(Json::Object{});
  for (std::size_t i = 0; i < hit.public_values.size(); ++i) {
    const auto& value = hit.public_values[i];
    values.set(result.schema[answer.columns[i]].name, value ? Json(*value) : Json());
  }
  Json json = Json()
                  .set("rank", hit.rank)
                  .set("id", hit.id)
                  .set("score", hit.score)
                  .set("public", std::move(values));
  if (!answer.request.explain) return json;
  Json::Array reasons;
  for (const QueryReason& reason : hit.reasons) reasons.push_back(reason_to_json(reason));
  return json.set("explained", std::move(reasons));
}

// Values that some row has; null for rows without one.
Json facets_to_json(const QueryResult& result, const QueryAnswer& answer) {
  Json facets = Json(Json::Object{});
  for (std::size_t i = 0; i < answer.bound.facets.size(); ++i) {
    const Attribute& attribute = result.schema[answer.bound.facets[i]];
    const std::vector<std::uint32_t>& counts = answer.page.facets[i];
    Json::Array values;
    for (std::size_t v = 0; v < counts.size(); ++v) {
      if (counts[v] == 0) continue;
      bool is_null = v + 1 == counts.size();
      values.push_back(Json()
                           .set("value", is_null ? Json() : Json(attribute.domain.values()[v]))
                           .set("rows", counts[v]));
    }
    facets.set(attribute.name, std::move(values));
  }
  return facets;
}

Json row_to_json(const QueryRow& row) {
  return Json()
      .set("id", row.id)
      .set("score", row.score)
      .set("rank", row.rank)
      .set("competition_rank", row.competition_rank);
}

}  // namespace

bool QueryResult::explains_private() const {
  const Scheme* scheme = find_scheme(info.scheme);
  return !info.unprotected() && scheme != nullptr && scheme->promise != PromiseKind::None &&
         info.l > 0;
}

Result<QueryResult> query(const QueryRequest& request) {
  if (auto checked = check(request); !checked) return checked.error();
  Stopwatch opening;
  auto index = open_index(request.index_path);
  if (!index) return index.error();
  QueryResult result{.index_path = request.index_path,
                     .index = *index,
                     .info = index->info(),
                     .schema = index->schema(),
                     .rows = index->rows(),
                     .answers = {},
                     .open_seconds = opening.seconds()};
  auto asked = asked_for(request, result.schema);
  if (!asked) return asked.error();
  auto weights = weights_for(request, result.schema);
  if (!weights) return weights.error();
  for (FiledRequest& filed : *asked) {
    add_common(request, filed.request);
    if (!filed.request.k) filed.request.k = result.info.default_k;
    auto answer = answer_to_be(filed, *weights, result.schema);
    if (!answer) return answer.error();
    result.answers.push_back(std::move(*answer));
  }
  if (auto checked = check_row(request, *index); !checked) return checked.error();
  if (auto added = add_answers(request, result); !added) return added.error();
  return result;
}

bool asks_for_private(const QueryResult& result, const QueryAnswer& answer) {
  auto is_private = [&](const auto& each) { return result.schema[each.attribute].is_private(); };
  return std::ranges::any_of(answer.bound.wishes, is_private) ||
         std::ranges::any_of(answer.bound.keys, is_private);
}

std::vector<QueryHit> hits_of(const QueryResult& result, const QueryAnswer& answer) {
  std::vector<std::vector<double>> added = added_on(result, answer);
  std::vector<QueryHit> hits;
  hits.reserve(answer.page.rows.size());
  for (const Found& found : answer.page.rows) {
    auto rank = static_cast<std::uint32_t>(answer.request.offset + hits.size() + 1);
    hits.push_back({.rank = rank,
                    .id = result.index.name(found.row),
                    .score = real_score(found.score, answer.page.unit),
                    .public_values = public_values(result, answer, found.row),
                    .reasons = reasons_of(result, answer, added[hits.size()])});
  }
  return hits;
}

Json to_json(const QueryResult& result, const QueryAnswer& answer) {
  Json::Array hits;
  for (const QueryHit& hit : hits_of(result, answer)) {
    hits.push_back(hit_to_json(result, answer, hit));
  }
  return Json()
      .set("request", to_json(answer.request))
      .set("count", answer.count)
      .set("passing", answer.page.passing)
      .set("full_score", answer.full_score)
      .set("unprotected", result.info.unprotected())
      .set("hits", std::move(hits))
      .set("facets", facets_to_json(result, answer))
      .set("row", answer.row ? row_to_json(*answer.row) : Json());
}

}  // namespace rankveil::api

#include <fmt/core.h>

#include "rankveil/publish/release/publication.h"

namespace rankveil::publish {

namespace {

Json range_json(const Range& range) { return Json(Json::Array{range.low, range.high}); }

Json optional_json(const auto& value) { return value ? Json(*value) : Json(); }

Json quasi_json(const Generalised& one) {
  Json json;
  if (one.range) json.set("range", range_json(*one.range));
  if (one.label) json.set("label", *one.label);
  if (!one.values.empty()) json.set("values", json_texts(one.values));
  return json.set("missing", one.missing);
}

Json sensitive_json(const Disclosure& one) {
  if (!one.is_shown()) return Json().set("withheld", one.withheld);
  Json json = Json().set("withheld", nullptr);
  if (one.range) json.set("range", range_json(*one.range));
  if (!one.values.empty()) {
    Json values = Json(Json::Object{});
    for (const auto& [value, count] : one.values) values.set(value, count);
    json.set("values", std::move(values));
  }
  return json.set("missing", one.missing);
}

Json group_json(const PublishedGroup& group, const std::vector<std::string>& columns) {
  Json ranges = Json(Json::Object{});
  for (std::size_t i = 0; i < columns.size(); ++i) {
    ranges.set(columns[i], range_json(group.ranges[i]));
  }
  Json json = Json().set("ranges", std::move(ranges)).set("score", range_json(group.score));
  if (group.least_score) json.set("score_at_least", *group.least_score);
  json.set("members", group.members)
      .set("true_positives", group.true_positives)
      .set("precision", group.precision);
  Json quasi = Json(Json::Object{});
  for (const Generalised& one : group.quasi) quasi.set(one.column, quasi_json(one));
  Json sensitive = Json(Json::Object{});
  for (const Disclosure& one : group.sensitive) sensitive.set(one.column, sensitive_json(one));
  return json.set("quasi", std::move(quasi)).set("sensitive", std::move(sensitive));
}

// Reads members of objects and remembers the first that is missing or of another kind.
class Fields {
 public:
  explicit Fields(std::string& problem) : problem_(problem) {}

  double number(const Json& json, const std::string& name) {
    const Json* field = json.find(name);
    auto value = field == nullptr ? std::nullopt : field->as_number();
    if (!value) wrong(name, "a number");
    return value.value_or(0);
  }
  std::uint64_t count(const Json& json, const std::string& name) {
    const Json* field = json.find(name);
    const std::int64_t* value = field == nullptr ? nullptr : field->as_integer();
    if (value == nullptr || *value < 0) wrong(name, "a whole number");
    return value == nullptr || *value < 0 ? 0 : static_cast<std::uint64_t>(*value);
  }
  std::uint32_t small_count(const Json& json, const std::string& name) {
    std::uint64_t value = count(json, name);
    if (value > UINT32_MAX) wrong(name, "a smaller number");
    return static_cast<std::uint32_t>(value);
  }
  std::string text(const Json& json, const std::string& name) {
    const Json* field = json.find(name);
    const std::string* value = field == nullptr ? nullptr : field->as_text();
    if (value == nullptr) wrong(name, "a text");
    return value == nullptr ? "" : *value;
  }
  Range range(const Json* field, const std::string& name) {
    const Json::Array* pair = field == nullptr ? nullptr : field->as_array();
    if (pair != nullptr && pair->size() == 2) {
      auto low = (*pair)[0].as_number();
      auto high = (*pair)[1].as_number();
      if (low && high && *low <= *high) return {*low, *high};
    }
    wrong(name, "[low, high]");
    return {};
  }
  template <typename Kind>
  const Kind& list(const Kind* value, const std::string& name, const char* kind) {
    static const Kind empty;
    if (value == nullptr) wrong(name, kind);
    return value == nullptr ? empty : *value;
  }
  const Json::Object& object(const Json& json, const std::string& name) {
    const Json* field = json.find(name);
    return list(field == nullptr ? nullptr : field->as_object(), name, "an object");
  }
  const Json::Array& array(const Json& json, const std::string& name) {
    const Json* field = json.find(name);
    return list(field == nullptr ? nullptr : field->as_array(), name, "a list");
  }
  std::optional<double> number_if_any(const Json& json, const std::string& name) {
    const Json* field = json.find(name);
    if (field == nullptr || field->is_null()) return std::nullopt;
    return number(json, name);
  }

  void wrong(const std::string& name, const char* kind) {
    if (problem_.empty()) problem_ = fmt::format("\"{}\" must be {}", name, kind);
  }

 private:
  std::string& problem_;
};

Generalised quasi_from(const std::string& column, const Json& json, Fields& fields) {
  Generalised one{.column = column};
  if (const Json* range = json.find("range")) one.range = fields.range(range, "range");
  if (json.find("label") != nullptr) one.label = fields.text(json, "label");
  if (json.find("values") != nullptr) {
    for (const Json& value : fields.array(json, "values")) {
      const std::string* text = value.as_text();
      if (text == nullptr) fields.wrong("values", "a list of texts");
      if (text != nullptr) one.values.push_back(*text);
    }
  }
  const Json* missing = json.find("missing");
  one.missing = missing != nullptr && missing->as_bool() != nullptr && *missing->as_bool();
  return one;
}

Disclosure sensitive_from(const std::string& column, const Json& json, Fields& fields) {
  Disclosure one{.column = column};
  const Json* withheld = json.find("withheld");
  if (withheld != nullptr && !withheld->is_null()) {
    one.withheld = fields.text(json, "withheld");
    if (one.withheld.empty()) fields.wrong("withheld", "a reason, or null");
    return one;
  }
  if (const Json* range = json.find("range")) one.range = fields.range(range, "range");
  if (const Json* values = json.find("values")) {
    for (const auto& [value, unused] : fields.object(json, "values")) {
      one.values.emplace_back(value, fields.count(*values, value));
    }
  }
  if (json.find("missing") != nullptr) one.missing = fields.count(json, "missing");
  return one;
}

PublishedGroup group_from(const Json& json, const std::vector<std::string>& columns,
                          Fields& fields) {
  PublishedGroup group;
  const Json* ranges = json.find("ranges");
  fields.object(json, "ranges");
  for (const std::string& column : columns) {
    group.ranges.push_back(
        fields.range(ranges == nullptr ? nullptr : ranges->find(column), column));
  }
  group.score = fields.range(json.find("score"), "score");
  group.least_score = fields.number_if_any(json, "score_at_least");
  group.members = fields.count(json, "members");
  group.true_positives = fields.count(json, "true_positives");
  group.precision = fields.number(json, "precision");
  if (json.find("quasi") != nullptr) {
    for (const auto& [column, one] : fields.object(json, "quasi")) {
      group.quasi.push_back(quasi_from(column, one, fields));
    }
  }
  if (json.find("sensitive") != nullptr) {
    for (const auto& [column, one] : fields.object(json, "sensitive")) {
      group.sensitive.push_back(sensitive_from(column, one, fields));
    }
  }
  return group;
}

void read_demand(const Json& json, Fields& fields, Publication& publication) {
  publication.method = fields.text(json, "method");
  publication.score = fields.text(json, "score");
  publication.top = fields.small_count(json, "top");
  publication.top_rows = fields.count(json, "top_rows");
  publication.ties = fields.text(json, "ties");
  publication.missing = fields.text(json, "missing");
  publication.k = fields.small_count(json, "k");
  publication.least_precision = fields.number(json, "least_precision");
  for (const Json& column : fields.array(json, "columns")) {
    const std::string* name = column.as_text();
    if (name == nullptr) fields.wrong("columns", "a list of texts");
    if (name != nullptr) publication.columns.push_back(*name);
  }
  const Json* diversity = json.find("diversity");
  if (diversity == nullptr) return;
  if (fields.number_if_any(*diversity, "distinct")) {
    publication.diversity.distinct = fields.small_count(*diversity, "distinct");
  }
  publication.diversity.entropy = fields.number_if_any(*diversity, "entropy");
  publication.diversity.closeness = fields.number_if_any(*diversity, "closeness");
}

}  // namespace

Json to_json(const Publication& publication) {
  Json::Array groups;
  for (const PublishedGroup& group : publication.groups) {
    groups.push_back(group_json(group, publication.columns));
  }
  const Diversity& diversity = publication.diversity;
  return Json()
      .set("method", publication.method)
      .set("score", publication.score)
      .set("columns", json_texts(publication.columns))
      .set("top", publication.top)
      .set("top_rows", publication.top_rows)
      .set("ties", publication.ties)
      .set("missing", publication.missing)
      .set("k", publication.k)
      .set("least_precision", publication.least_precision)
      .set("diversity", Json()
                            .set("distinct", optional_json(diversity.distinct))
                            .set("entropy", optional_json(diversity.entropy))
                            .set("closeness", optional_json(diversity.closeness)))
      .set("covered", publication.covered)
      .set("precision", publication.precision)
      .set("members", publication.members)
      .set("true_positives", publication.true_positives)
      .set("groups", std::move(groups));
}

Result<Publication> publication_from_json(const Json& json) {
  std::string problem;
  Fields fields(problem);
  Publication publication;
  read_demand(json, fields, publication);
  publication.covered = fields.number(json, "covered");
  publication.precision = fields.number(json, "precision");
  publication.members = fields.count(json, "members");
  publication.true_positives = fields.count(json, "true_positives");
  for (const Json& group : fields.array(json, "groups")) {
    publication.groups.push_back(group_from(group, publication.columns, fields));
  }
  if (problem.empty()) return publication;
  return bad_input("this is no publication: " + problem);
}

}  // namespace rankveil::publish

#include "rankveil/ranking/query.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/ranking/asking/names.h"

namespace rankveil {

namespace {

Status add_value(const Attribute& attribute, std::string_view text, std::vector<ValueId>& wanted) {
  auto value = named_value(attribute, text);
  if (!value) return value.error();
  auto place = std::lower_bound(wanted.begin(), wanted.end(), *value);
  if (place == wanted.end() || *place != *value) wanted.insert(place, *value);
  return {};
}

// Cuts at every '|' that no backslash protects.
std::vector<std::string> split_values(std::string_view text) {
  std::vector<std::string> values(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      values.back() += text[++i];
    } else if (text[i] == '|') {
      values.emplace_back();
    } else {
      values.back() += text[i];
    }
  }
  return values;
}

// Numbers and booleans may stand in JSON where the table has their text.
std::optional<std::string> scalar_text(const Json& json) {
  if (const auto* text = json.as_text()) return *text;
  if (json.as_bool() != nullptr || json.as_number()) return json.dump(-1);
  return std::nullopt;
}

Status add_json_values(const Attribute& attribute, const Json& json, std::vector<ValueId>& wanted) {
  if (json.is_null()) return {};
  if (const auto* array = json.as_array()) {
    for (const Json& item : *array) {
      if (item.is_null() || item.as_array() != nullptr) {
        return bad_input(fmt::format("{} must be a value or a list of values", attribute.name));
      }
      if (auto added = add_json_values(attribute, item, wanted); !added) return added;
    }
    return {};
  }
  auto text = scalar_text(json);
  if (!text)
    return bad_input(fmt::format("{} must be a value or a list of values", attribute.name));
  return add_value(attribute, *text, wanted);
}

}  // namespace

Query empty_query(const Schema& schema) {
  return {std::vector<std::vector<ValueId>>(schema.size())};
}

Status add_wish(const Schema& schema, std::string_view wish, Query& query) {
  auto equals = wish.find('=');
  if (equals == std::string_view::npos) {
    return bad_input(fmt::format("\"{}\" is no wish; write attribute=value", wish));
  }
  return add_values(schema, wish.substr(0, equals), wish.substr(equals + 1), query);
}

Status add_values(const Schema& schema, std::string_view name, std::string_view values,
                  Query& query) {
  auto attribute = named_attribute(schema, name);
  if (!attribute) return attribute.error();
  std::vector<ValueId> wanted = query.wanted[+*attribute];
  for (const std::string& value : split_values(values)) {
    auto added = add_value(schema[*attribute], value, wanted);
    if (!added) return added;
  }
  query.wanted[+*attribute] = std::move(wanted);
  return {};
}

Result<Query> query_from_json(const Schema& schema, const Json& json) {
  const auto* members = json.as_object();
  if (members == nullptr) {
    return bad_input("a query must be a JSON object such as {\"city\": \"Paris\"}");
  }
  Query query = empty_query(schema);
  for (const auto& [name, wish] : *members) {
    auto attribute = named_attribute(schema, name);
    if (!attribute) return attribute.error();
    auto added = add_json_values(schema[*attribute], wish, query.wanted[+*attribute]);
    if (!added) return added.error();
  }
  return query;
}

Json query_to_json(const Schema& schema, const Query& query) {
  Json json = Json(Json::Object{});
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    const auto& wanted = query.wanted[i];
    if (wanted.empty()) continue;
    const Attribute& attribute = schema.attributes[i];
    if (wanted.size() == 1) {
      json.set(attribute.name, attribute.domain.text(wanted[0]));
      continue;
    }
    Json::Array values;
    for (ValueId value : wanted) values.emplace_back(attribute.domain.text(value));
    json.set(attribute.name, std::move(values));
  }
  return json;
}

}  // namespace rankveil

#include "rankveil/protect/not_sensitive.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/format.h"
#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/scheme.h"

namespace rankveil {

std::vector<NotSensitive> not_sensitive_of(const Policy& policy) {
  std::vector<NotSensitive> declared;
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role != Role::Private || column.not_sensitive.empty()) continue;
    declared.push_back({column.name, column.not_sensitive});
    std::ranges::sort(declared.back().values);
  }
  std::ranges::sort(declared, {}, &NotSensitive::attribute);
  return declared;
}

std::vector<NotSensitive> spared_by(const Demand& demand) {
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme == nullptr || !scheme->has_caps()) return {};
  return demand.not_sensitive;
}

Json to_json(const std::vector<NotSensitive>& declared) {
  Json::Object json;
  for (const NotSensitive& one : declared) json.emplace_back(one.attribute, json_texts(one.values));
  return json;
}

std::optional<std::vector<NotSensitive>> not_sensitive_from_json(const Json& json) {
  std::vector<std::pair<std::string, std::vector<std::string>>> lists;
  if (!read_json(json, lists)) return std::nullopt;
  std::vector<NotSensitive> declared;
  for (auto& [attribute, values] : lists) declared.push_back({attribute, std::move(values)});
  return declared;
}

std::string to_text(const std::vector<NotSensitive>& declared) {
  std::vector<std::string> parts;
  for (const NotSensitive& one : declared) {
    parts.push_back(fmt::format("{} ({})", listed(one.values), one.attribute));
  }
  return listed(parts);
}

SparedValues::SparedValues(const Schema& schema, const std::vector<NotSensitive>& declared) {
  if (declared.empty()) return;
  spared_.resize(schema.private_count());
  for (const NotSensitive& one : declared) {
    auto id = schema.find(one.attribute);
    if (!id || !schema[*id].is_private()) continue;
    const Domain& domain = schema[*id].domain;
    auto& flags = spared_[+*id - schema.public_count()];
    flags.resize(domain.size(), 0);
    for (const std::string& text : one.values) {
      if (auto value = domain.find(text)) flags[+*value] = 1;
    }
  }
}

}  // namespace rankveil

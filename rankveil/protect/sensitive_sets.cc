#include "rankveil/protect/sensitive_sets.h"

#include <fmt/core.h>

#include <algorithm>
#include <tuple>

#include "rankveil/base/format.h"
#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/scheme.h"

namespace rankveil {

std::vector<SensitiveSet> sensitive_sets_of(const Policy& policy) {
  std::vector<SensitiveSet> sets;
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role != Role::Private) continue;
    for (const auto& values : column.sensitive_sets) {
      sets.push_back({column.name, values});
      std::ranges::sort(sets.back().values);
    }
  }
  std::ranges::sort(sets, {},
                    [](const SensitiveSet& set) { return std::tie(set.attribute, set.values); });
  return sets;
}

std::vector<SensitiveSet> sets_capped_by(const Demand& demand) {
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme == nullptr || !scheme->caps_sets) return {};
  return demand.sensitive_sets;
}

Json to_json(const std::vector<SensitiveSet>& sets) {
  Json::Object json;
  for (std::size_t i = 0; i < sets.size();) {
    const std::string& attribute = sets[i].attribute;
    Json::Array lists;
    for (; i < sets.size() && sets[i].attribute == attribute; ++i) {
      lists.push_back(json_texts(sets[i].values));
    }
    json.emplace_back(attribute, std::move(lists));
  }
  return json;
}

std::optional<std::vector<SensitiveSet>> sensitive_sets_from_json(const Json& json) {
  std::vector<std::pair<std::string, std::vector<std::vector<std::string>>>> lists;
  if (!read_json(json, lists)) return std::nullopt;
  std::vector<SensitiveSet> sets;
  for (auto& [attribute, of_attribute] : lists) {
    for (auto& values : of_attribute) sets.push_back({attribute, std::move(values)});
  }
  return sets;
}

std::string to_text(const std::vector<SensitiveSet>& sets) {
  std::vector<std::string> parts;
  for (const SensitiveSet& set : sets) {
    std::string values;
    for (const std::string& value : set.values) values += (values.empty() ? "" : " or ") + value;
    parts.push_back(fmt::format("{} ({})", values, set.attribute));
  }
  return listed(parts);
}

std::vector<CodedSet> coded_sets(const Schema& schema, const std::vector<SensitiveSet>& sets) {
  std::vector<CodedSet> coded;
  for (const SensitiveSet& set : sets) {
    auto id = schema.find(set.attribute);
    if (!id || !schema[*id].is_private()) continue;
    const Domain& domain = schema[*id].domain;
    CodedSet one{PrivateId{+*id - schema.public_count()}, {}};
    one.holds.assign(domain.size(), 0);
    for (const std::string& text : set.values) {
      if (auto value = domain.find(text)) one.holds[+*value] = 1;
    }
    if (std::ranges::count(one.holds, 1) > 1) coded.push_back(std::move(one));
  }
  return coded;
}

}  // namespace rankveil

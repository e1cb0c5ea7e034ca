#include "rankveil/connect/relation/row_order.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/json.h"

namespace rankveil::connect {

namespace {

bool is_among(std::string_view name, std::initializer_list<std::string_view> names) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

// Steps that hand rows on as they come, however many threads work on them.
bool keeps_order(std::string_view step) {
  return step.ends_with("SCAN") || step.starts_with("READ_") ||
         is_among(step, {"PROJECTION", "FILTER", "LIMIT", "STREAMING_LIMIT", "RANGE"});
}

bool sorts(std::string_view step) { return is_among(step, {"ORDER_BY", "TOP_N"}); }

std::string name_of_step(const Json& step) {
  const Json* name = step.find("name");
  const std::string* text = name == nullptr ? nullptr : name->as_text();
  if (text == nullptr) return {};
  return text->substr(0, text->find_last_not_of(' ') + 1);
}

const Json::Array& steps_below(const Json& step) {
  static const Json::Array none;
  const Json* children = step.find("children");
  const Json::Array* list = children == nullptr ? nullptr : children->as_array();
  return list == nullptr ? none : *list;
}

// `sorted`: a step above this one sorts what it makes.
void look_at(const Json& step, bool sorted, RowOrder& order) {
  const std::string name = name_of_step(step);
  sorted = sorted || sorts(name);
  if (!keeps_order(name)) {
    order.one_thread = true;
    order.by_values = order.by_values || !(sorted || name == "UNION");
  }
  for (const Json& below : steps_below(step)) look_at(below, sorted, order);
}

}  // namespace

Result<RowOrder> row_order(Session& session, const std::string& from) {
  auto plan = session.rows(fmt::format("EXPLAIN (FORMAT JSON) SELECT * FROM {}", from));
  if (!plan) return plan.error();
  RowOrder order;
  for (const auto& row : *plan) {
    auto steps = parse_json(row.back());
    // A plan that cannot be read may do anything.
    if (!steps || steps->as_array() == nullptr) return RowOrder{true, true};
    for (const Json& step : *steps->as_array()) look_at(step, false, order);
  }
  return order;
}

}  // namespace rankveil::connect

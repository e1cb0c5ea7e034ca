#include "rankveil/probe/dialect/answer_search.h"

#include <array>
#include <string_view>
#include <vector>

namespace rankveil::probe {
namespace {

constexpr std::array<std::string_view, 10> id_names = {
    "documentId", "objectId", "id", "_id", "Id", "ID", "uuid", "uid", "pk", "key"};
constexpr int deepest_list = 3;  // {"data": {"people": {"edges": [...]}}}

bool is_list_of_objects(const Json& value) {
  const auto* list = value.as_array();
  return list != nullptr && !list->empty() && list->front().as_object() != nullptr;
}

bool is_empty_list(const Json& value) {
  return value.as_array() != nullptr && value.as_array()->empty();
}

// Level by level, so that /data comes before /included/0/tags.
template <typename Fits>
const Json* first_list(const Json& answer, const Fits& fits) {
  std::vector<const Json*> level = {&answer};
  for (int depth = 0; depth <= deepest_list; ++depth) {
    std::vector<const Json*> below;
    for (const Json* value : level) {
      if (fits(*value)) return value;
      if (value->as_object() == nullptr) continue;
      for (const auto& [name, member] : *value->as_object()) below.push_back(&member);
    }
    level = std::move(below);
  }
  return nullptr;
}

const Json* own_id(const Json& row) {
  for (std::string_view name : id_names) {
    const Json* id = row.find(name);
    if (id_text(id)) return id;
  }
  return nullptr;
}

}  // namespace

const Json* search_rows(const Json& answer) {
  const Json* rows = first_list(answer, is_list_of_objects);
  return rows != nullptr ? rows : first_list(answer, is_empty_list);
}

const Json* search_id(const Json& row) {
  if (const Json* id = own_id(row)) return id;
  if (row.as_object() == nullptr) return nullptr;
  for (const auto& [name, member] : *row.as_object()) {
    if (member.as_object() == nullptr) continue;
    if (const Json* id = own_id(member)) return id;
  }
  return nullptr;
}

std::optional<std::string> id_text(const Json* id) {
  if (id == nullptr) return std::nullopt;
  if (id->as_text() != nullptr && !id->as_text()->empty()) return *id->as_text();
  if (id->as_integer() != nullptr) return std::to_string(*id->as_integer());
  return std::nullopt;
}

}  // namespace rankveil::probe

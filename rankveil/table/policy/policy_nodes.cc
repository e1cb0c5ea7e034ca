#include "rankveil/table/policy/policy_nodes.h"

#include <fmt/core.h>

#include <cmath>
#include <unordered_set>

#include "rankveil/table/toml/toml_text.h"

namespace rankveil {
namespace {

std::string real_text(double number) {
  std::string text = fmt::format("{}", number);
  return text.find_first_of(".e") == std::string::npos ? text + ".0" : text;
}

}  // namespace

std::optional<std::string> value_text(const Toml& node) {
  if (const auto* text = node.as_text()) return *text;
  if (const auto* integer = node.as_integer()) return fmt::format("{}", *integer);
  if (const auto* truth = node.as_bool()) return *truth ? "true" : "false";
  auto number = node.as_number();
  if (!number || !std::isfinite(*number)) return std::nullopt;
  return real_text(*number);
}

Result<std::string> PolicyNodes::text(const Toml& node, const std::string& what) const {
  const auto* text = node.as_text();
  if (text == nullptr || text->empty()) {
    return error(node, fmt::format("{} must be a name in quotes", what));
  }
  return *text;
}

Result<bool> PolicyNodes::truth(const Toml& node, const std::string& what) const {
  const auto* truth = node.as_bool();
  if (truth != nullptr) return *truth;
  return error(node, fmt::format("{} must be true or false, without quotes", what));
}

Result<std::uint32_t> PolicyNodes::whole(const Toml& node, const std::string& what,
                                         std::uint32_t least, std::uint32_t most) const {
  const auto* number = node.as_integer();
  if (number == nullptr || *number < least || *number > most) {
    return error(node, fmt::format("{} must be a whole number from {} to {}", what, least, most));
  }
  return static_cast<std::uint32_t>(*number);
}

Result<std::vector<std::string>> PolicyNodes::values(const Toml& node,
                                                     const std::string& list) const {
  std::vector<std::string> values;
  std::unordered_set<std::string> seen;
  for (const Toml& item : *node.as_array()) {
    auto value = value_text(item);
    if (!value) return error(item, fmt::format("{} takes text; put the value in quotes", list));
    if (!seen.insert(*value).second) {
      return error(item, fmt::format("{} stands twice in {}", toml_quoted(*value), list));
    }
    values.push_back(std::move(*value));
  }
  return values;
}

Result<std::vector<std::string>> PolicyNodes::names(const Toml& node,
                                                    const std::string& list) const {
  for (const Toml& item : *node.as_array()) {
    if (auto name = text(item, "a column of " + list); !name) return name.error();
  }
  return values(node, list);
}

}  // namespace rankveil

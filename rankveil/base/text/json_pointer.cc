#include "rankveil/base/text/json_pointer.h"

#include <charconv>

namespace rankveil {

namespace {

const Json* member_or_item(const Json& json, const std::string& step) {
  const auto* list = json.as_array();
  if (list == nullptr) return json.find(step);
  std::size_t number = 0;
  auto [end, problem] = std::from_chars(step.data(), step.data() + step.size(), number);
  bool fits = problem == std::errc() && end == step.data() + step.size() && number < list->size();
  return fits ? &(*list)[number] : nullptr;
}

}  // namespace

std::string unescaped_step(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    bool escape =
        step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += !escape ? step[i] : step[++i] == '0' ? '~' : '/';
  }
  return text;
}

const Json* find_at(const Json& json, std::string_view pointer) {
  const Json* at = &json;
  while (!pointer.empty() && at != nullptr) {
    if (pointer[0] != '/') return nullptr;
    pointer.remove_prefix(1);
    std::string_view step = pointer.substr(0, pointer.find('/'));
    at = member_or_item(*at, unescaped_step(step));
    pointer.remove_prefix(step.size());
  }
  return at;
}

}  // namespace rankveil

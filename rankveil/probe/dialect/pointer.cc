#include "rankveil/probe/dialect/pointer.h"

#include <fmt/core.h>

#include <charconv>

namespace rankveil::probe {
namespace {

std::string without_escapes(std::string_view step) {
  std::string text;
  for (std::size_t i = 0; i < step.size(); ++i) {
    const bool is_escape =
        step[i] == '~' && i + 1 < step.size() && (step[i + 1] == '0' || step[i + 1] == '1');
    text += !is_escape ? step[i] : step[++i] == '0' ? '~' : '/';
  }
  return text;
}

const Json* at_place(const Json::Array& list, const std::string& step) {
  std::size_t number = 0;
  auto [end, problem] = std::from_chars(step.data(), step.data() + step.size(), number);
  const bool fits =
      problem == std::errc() && end == step.data() + step.size() && number < list.size();
  return fits ? &list[number] : nullptr;
}

}  // namespace

Result<Pointer> Pointer::parse(std::string_view text) {
  Pointer pointer;
  pointer.text_ = text;
  if (!text.empty() && text[0] != '/') {
    return bad_input(
        fmt::format("\"{}\" does not point into an answer; write it as /data/rows", text));
  }
  while (!text.empty()) {
    text.remove_prefix(1);
    const std::string_view step = text.substr(0, text.find('/'));
    pointer.steps_.push_back(without_escapes(step));
    text.remove_prefix(step.size());
  }
  return pointer;
}

const Json* Pointer::find(const Json& answer) const {
  const Json* at = &answer;
  for (const std::string& step : steps_) {
    const auto* list = at->as_array();
    at = list != nullptr ? at_place(*list, step) : at->find(step);
    if (at == nullptr) return nullptr;
  }
  return at;
}

}  // namespace rankveil::probe

#include "rankveil/attack/targets/answer.h"

#include <fmt/core.h>

#include <charconv>

#include "rankveil/base/text/json_pointer.h"

namespace rankveil::attack {
namespace {

const Json* item_at(const Json::Array& list, const std::string& step) {
  std::size_t number = 0;
  auto [end, problem] = std::from_chars(step.data(), step.data() + step.size(), number);
  bool fits = problem == std::errc() && end == step.data() + step.size() && number < list.size();
  return fits ? &list[number] : nullptr;
}

}  // namespace

std::string excerpt(std::string_view answer) {
  constexpr std::size_t most = 200;
  std::string line;
  for (char c : answer.substr(0, most)) line += static_cast<unsigned char>(c) < ' ' ? ' ' : c;
  // Not in the middle of a character.
  while (answer.size() > most && !line.empty() && (line.back() & 0x80) != 0) line.pop_back();
  return answer.size() > most ? line + "..." : line;
}

Result<IdPointer> IdPointer::parse(std::string_view text) {
  IdPointer pointer;
  pointer.text_ = text;
  if (!text.empty() && text[0] != '/') {
    return bad_input(
        fmt::format("\"{}\" does not point into an answer; write it as /hits/*/id", text));
  }
  while (!text.empty()) {
    text.remove_prefix(1);
    std::string_view step = text.substr(0, text.find('/'));
    pointer.steps_.push_back(step == "*" ? "*" : unescaped_step(step));
    text.remove_prefix(step.size());
  }
  return pointer;
}

Status IdPointer::take(const Json& id, std::vector<std::string>& ids) const {
  if (const auto* text = id.as_text()) {
    ids.push_back(*text);
  } else if (const auto* number = id.as_integer()) {
    ids.push_back(std::to_string(*number));
  } else {
    return bad_input(fmt::format("the answer should have an id at \"{}\", but has {}", text_,
                                 excerpt(id.dump(-1))));
  }
  return {};
}

Status IdPointer::collect(const Json& at, std::size_t step, std::vector<std::string>& ids) const {
  const auto* list = at.as_array();
  if (step == steps_.size()) {
    if (list == nullptr) return take(at, ids);
    for (const Json& item : *list) {
      if (auto taken = take(item, ids); !taken) return taken;
    }
    return {};
  }
  if (list != nullptr && steps_[step] == "*") {
    for (const Json& item : *list) {
      if (auto taken = collect(item, step + 1, ids); !taken) return taken;
    }
    return {};
  }
  const Json* next = list != nullptr ? item_at(*list, steps_[step]) : at.find(steps_[step]);
  if (next != nullptr) return collect(*next, step + 1, ids);
  return bad_input(
      fmt::format("the answer has nothing at \"{}\": {}", text_, excerpt(at.dump(-1))));
}

Result<std::vector<std::string>> IdPointer::ids_in(const Json& answer) const {
  std::vector<std::string> ids;
  if (auto taken = collect(answer, 0, ids); !taken) return taken.error();
  return ids;
}

Result<std::vector<std::string>> IdPointer::read(std::string_view answer) const {
  auto json = parse_json(answer);
  if (json) return ids_in(*json);
  return bad_input(fmt::format("the answer is {}: {}", json.error().message, excerpt(answer)));
}

}  // namespace rankveil::attack

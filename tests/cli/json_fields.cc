// json_fields: reads JSON (or one JSON value a line) from stdin and prints the path of every
// field, once, in order of appearance: "attributes[].name". Fails on anything that is not JSON.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "rankveil/base/json.h"

namespace {

using rankveil::Json;

void collect(const Json& json, const std::string& path, std::vector<std::string>& paths) {
  if (const auto* array = json.as_array()) {
    for (const Json& item : *array) collect(item, path + "[]", paths);
  } else if (const auto* object = json.as_object()) {
    const std::string prefix = path.empty() ? "" : path + ".";
    for (const auto& [name, value] : *object) collect(value, prefix + name, paths);
    return;
  }
  if (std::find(paths.begin(), paths.end(), path) == paths.end()) paths.push_back(path);
}

bool collect_text(const std::string& text, std::vector<std::string>& paths) {
  auto json = rankveil::parse_json(text);
  if (json) collect(*json, "", paths);
  return json.has_value();
}

bool collect_lines(const std::string& text, std::vector<std::string>& paths) {
  std::size_t at = 0;
  while (at < text.size()) {
    auto end = std::min(text.find('\n', at), text.size());
    if (!collect_text(text.substr(at, end - at), paths)) return false;
    at = end + 1;
  }
  return !text.empty();
}

}  // namespace

int main() {
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  std::vector<std::string> paths;
  if (!collect_text(text, paths) && !collect_lines(text, paths)) {
    fmt::print(stderr, "this is not JSON\n");
    return 1;
  }
  for (const std::string& path : paths) fmt::print("{}\n", path);
}

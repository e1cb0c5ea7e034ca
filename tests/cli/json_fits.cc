// json_fits SCHEMA: reads JSON (or one JSON value a line) from stdin and prints where it does not
// fit the schema. Knows the keywords that rankveil schema writes for outputs, and no others.
#include <fmt/core.h>

#include <algorithm>
#include <iostream>
#include <iterator>
#include <string>
#include <vector>

#include "rankveil/base/file.h"
#include "rankveil/base/json.h"

namespace {

using rankveil::Json;

bool is_of_type(const Json& json, const std::string& type) {
  if (type == "null") return json.is_null();
  if (type == "boolean") return json.as_bool() != nullptr;
  if (type == "integer") return json.as_integer() != nullptr;
  if (type == "number") return json.as_number().has_value();
  if (type == "string") return json.as_text() != nullptr;
  if (type == "array") return json.as_array() != nullptr;
  return type == "object" && json.as_object() != nullptr;
}

bool has_type(const Json& json, const Json& types) {
  if (const std::string* one = types.as_text()) return is_of_type(json, *one);
  return std::ranges::any_of(*types.as_array(),
                             [&](const Json& type) { return is_of_type(json, *type.as_text()); });
}

class Check {
 public:
  void value(const Json& json, const Json& schema, const std::string& path) {
    if (const Json* types = schema.find("type"); types != nullptr && !has_type(json, *types)) {
      problem(path, "is of another type than " + types->dump(-1));
    }
    if (json.as_object() != nullptr) members(json, schema, path);
    const Json* items = schema.find("items");
    if (json.as_array() == nullptr || items == nullptr) return;
    for (const Json& item : *json.as_array()) value(item, *items, path + "[]");
  }
  bool fits() const { return problems_.empty(); }
  void print() const {
    for (const std::string& line : problems_) fmt::print("{}\n", line);
  }

 private:
  void members(const Json& json, const Json& schema, const std::string& path) {
    const Json* properties = schema.find("properties");
    const Json* others = schema.find("additionalProperties");
    for (const auto& [name, member] : *json.as_object()) {
      std::string below = path.empty() ? name : path + "." + name;
      const Json* known = properties == nullptr ? nullptr : properties->find(name);
      if (known != nullptr) {
        value(member, *known, below);
      } else if (others != nullptr && others->as_bool() != nullptr) {
        problem(below, "is not in the schema");
      } else if (others != nullptr) {
        value(member, *others, below);
      }
    }
    const Json* required = schema.find("required");
    if (required == nullptr) return;
    for (const Json& name : *required->as_array()) {
      if (json.find(*name.as_text()) == nullptr) problem(path, "lacks " + *name.as_text());
    }
  }
  void problem(const std::string& path, const std::string& text) {
    std::string line = (path.empty() ? "the whole" : path) + " " + text;
    if (std::ranges::find(problems_, line) == problems_.end()) problems_.push_back(line);
  }
  std::vector<std::string> problems_;
};

bool check_lines(const std::string& text, const Json& schema, Check& check) {
  for (std::size_t at = 0; at < text.size();) {
    auto end = std::min(text.find('\n', at), text.size());
    auto json = rankveil::parse_json(text.substr(at, end - at));
    if (!json) return false;
    check.value(*json, schema, "");
    at = end + 1;
  }
  return !text.empty();
}

}  // namespace

int main(int argc, char** argv) {
  auto file = rankveil::read_text(argc == 2 ? argv[1] : "");
  auto schema = rankveil::parse_json(file ? *file : "");
  std::string text(std::istreambuf_iterator<char>(std::cin), {});
  Check check;
  if (auto json = rankveil::parse_json(text); json && schema) {
    check.value(*json, *schema, "");
  } else if (!schema || !check_lines(text, *schema, check)) {
    fmt::print(stderr, "this is not JSON, or the schema is none\n");
    return 1;
  }
  check.print();
  return check.fits() ? 0 : 1;
}

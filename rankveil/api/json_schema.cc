#include "rankveil/api/json_schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>

#include "rankveil/api/json_page.h"
#include "rankveil/api/json_schema_texts.h"
#include "rankveil/api/version.h"
#include "rankveil/base/text/closest.h"

namespace rankveil::api {

namespace {

const std::vector<ShapedOutput>& outputs() {
  static const std::vector<ShapedOutput> all = [] {
    auto read = read_json_page(json_page_text());
    assert(read && "docs/reference/json.md has a type for every field");
    return read ? std::move(*read) : std::vector<ShapedOutput>{};
  }();
  return all;
}

std::string_view schema_type(std::string_view type) {
  if (type == "text") return "string";
  if (type == "whole") return "integer";
  if (type == "bool") return "boolean";
  if (type == "list") return "array";
  return type;
}

// A shape by its name and, behind a blank, its path.
Shape shape_called(std::string_view as) {
  std::string_view name = as.substr(0, as.find(' '));
  auto output = std::ranges::find(outputs(), name, &ShapedOutput::name);
  assert(output != outputs().end() && "docs/reference/json.md names an output that it has");
  Shape whole = output->shape;
  return name.size() == as.size() ? whole : whole.at(as.substr(name.size() + 1));
}

Json schema_of_shape(const Shape& shape);

void add_types(const Shape& shape, Json& schema) {
  std::vector<std::string> types = shape.types;
  if (types.empty() && !shape.items.empty()) types = {"list"};
  if (types.empty() && !(shape.members.empty() && shape.named.empty())) types = {"object"};
  if (types.empty() || types.front() == "any") return;
  Json::Array names;
  for (const std::string& type : types) names.emplace_back(schema_type(type));
  schema.set("type", names.size() == 1 ? names.front() : Json(std::move(names)));
}

void add_members(const Shape& shape, Json& schema) {
  if (!shape.members.empty()) {
    Json properties = Json::Object{};
    Json::Array required;
    for (const auto& [name, member] : shape.members) {
      properties.set(name, schema_of_shape(member));
      if (!member.optional) required.emplace_back(name);
    }
    schema.set("properties", std::move(properties));
    if (!required.empty()) schema.set("required", std::move(required));
    schema.set("additionalProperties", false);
  }
  if (!shape.named.empty()) {
    schema.set("additionalProperties", schema_of_shape(shape.named.front()));
  }
  if (!shape.items.empty()) schema.set("items", schema_of_shape(shape.items.front()));
}

Json schema_of_shape(const Shape& shape) {
  if (!shape.as.empty()) return schema_of_shape(shape_called(shape.as));
  Json schema = Json::Object{};
  add_types(shape, schema);
  add_members(shape, schema);
  return schema;
}

Json with_head(std::string_view name, std::string_view title, const Json& schema) {
  Json whole;
  whole.set("$schema", "https://json-schema.org/draft/2020-12/schema")
      .set("$id", fmt::format("urn:rankveil:{}:schema:{}", version().version, name))
      .set("title", title);
  for (const auto& [key, value] : *schema.as_object()) whole.set(key, value);
  return whole;
}

// A file that commands read, and its schema.
struct SchemaFile {
  std::string_view name;
  std::string_view about;
  std::string_view (*text)();
};

constexpr SchemaFile schema_files[] = {
    {"policy", "a policy file, its TOML read as JSON", policy_schema_text},
    {"target", "a target file, its TOML read as JSON", target_schema_text},
};

}  // namespace

std::vector<SchemaName> schema_names() {
  std::vector<SchemaName> names;
  for (const SchemaFile& file : schema_files) {
    names.push_back({std::string(file.name), std::string(file.about)});
  }
  for (const ShapedOutput& output : outputs()) names.push_back({output.name, output.heading});
  return names;
}

Result<Json> schema_of(std::string_view name) {
  for (const SchemaFile& file : schema_files) {
    if (file.name != name) continue;
    auto schema = parse_json(file.text());
    if (!schema) return schema.error();
    return with_head(name, file.about, *schema);
  }
  for (const ShapedOutput& output : outputs()) {
    if (output.name == name) {
      return with_head(name, output.heading, schema_of_shape(output.shape));
    }
  }
  std::vector<std::string> names;
  for (const SchemaName& known : schema_names()) names.push_back(known.name);
  auto near = closest(std::string(name), names);
  return wrong_use(
      fmt::format("there is no schema \"{}\"; {}", name,
                  near ? "did you mean " + *near + "?" : "rankveil schema lists them"));
}

}  // namespace rankveil::api

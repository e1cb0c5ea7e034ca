// The tables of docs/reference/json.md: what fields an output has, and of which types.
//
//   | `warnings`, `warnings[]` | list, text | what to know about it |
//   | `row`, `row.score`       | object or null, number? | with --row |
//
// A section "## rankveil inspect, a table" is the shape "inspect-table".
#pragma once

#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::api {

// A value in an output, and what is in it.
struct Shape {
  std::vector<std::string> types = {};  // "text", "whole", ..., "any"; none: as members say
  bool optional = false;                // it may be absent
  std::vector<std::pair<std::string, Shape>> members = {};
  std::vector<Shape> named = {};  // at most one: of every member, whatever its name
  std::vector<Shape> items = {};  // at most one: of every item
  std::string as = {};            // "audit findings[]": that shape stands here

  // The shape at "findings[].promise", made where there is none yet.
  Shape& at(std::string_view path);
};

struct ShapedOutput {
  std::string name;     // "inspect-table"
  std::string heading;  // "rankveil inspect, a table"
  Shape shape;
};

// Refuses a row without types, with an unknown type, or with another number of types than fields.
Result<std::vector<ShapedOutput>> read_json_page(std::string_view page);

}  // namespace rankveil::api

// What a service would answer to introspection(), out of a schema as people write it, for tests:
//
//   introspected("type Query { people(limit: Int): [Person!]! } type Person { id: ID! }")
//
// Knows type, input, enum and scalar; no comments, directives or default values.
#pragma once

#include <cctype>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"

namespace rankveil::probe {

class SdlReader {
 public:
  explicit SdlReader(std::string_view text) : text_(text) { next(); }

  Json read() {
    for (const char* name : {"String", "Int", "Float", "Boolean", "ID"}) add_scalar(name);
    while (!token_.empty()) definition();
    Json schema;
    schema.set("queryType", Json().set("name", "Query"));
    schema.set("mutationType", has_mutations_ ? Json().set("name", "Mutation") : Json(nullptr));
    // Kinds are known when all is read.
    for (Json::Member& type : types_) schema_types_.push_back(std::move(type.second));
    schema.set("types", std::move(schema_types_));
    return Json().set("data", Json().set("__schema", std::move(schema)));
  }

 private:
  void next() {
    const auto is_gap = [&](char c) {
      return c == ',' || std::isspace(static_cast<unsigned char>(c)) != 0;
    };
    while (at_ < text_.size() && is_gap(text_[at_])) ++at_;
    const std::size_t start = at_;
    const auto is_letter = [&] {
      return at_ < text_.size() &&
             (std::isalnum(static_cast<unsigned char>(text_[at_])) != 0 || text_[at_] == '_');
    };
    while (is_letter()) ++at_;
    if (at_ == start && at_ < text_.size()) ++at_;
    token_ = text_.substr(start, at_ - start);
  }
  std::string take() {
    std::string token(token_);
    next();
    return token;
  }
  bool skip(std::string_view token) {
    if (token_ != token) return false;
    next();
    return true;
  }

  void add_scalar(const std::string& name) {
    types_.emplace_back(name, Json().set("kind", "SCALAR").set("name", name));
  }

  Json reference() {
    Json inner;
    if (skip("[")) {
      inner.set("kind", "LIST").set("name", nullptr).set("ofType", reference());
      skip("]");
    } else {
      inner.set("kind", "OBJECT").set("name", take()).set("ofType", nullptr);
    }
    if (!skip("!")) return inner;
    return Json().set("kind", "NON_NULL").set("name", nullptr).set("ofType", std::move(inner));
  }

  Json member() {
    Json made;
    made.set("name", take());
    Json::Array arguments;
    if (skip("(")) {
      while (!skip(")")) arguments.push_back(member());
    }
    skip(":");
    made.set("type", reference());
    made.set("defaultValue", nullptr);
    made.set("args", std::move(arguments));
    return made;
  }

  void definition() {
    const std::string what = take();
    const std::string name = take();
    if (what == "scalar") return add_scalar(name);
    has_mutations_ |= name == "Mutation";
    Json type;
    type.set("name", name);
    skip("{");
    Json::Array members;
    while (!skip("}")) {
      members.push_back(what == "enum" ? Json().set("name", take()) : member());
    }
    type.set("kind", what == "enum" ? "ENUM" : what == "input" ? "INPUT_OBJECT" : "OBJECT");
    type.set(what == "enum"    ? "enumValues"
             : what == "input" ? "inputFields"
                               : "fields",
             std::move(members));
    types_.emplace_back(name, std::move(type));
  }

  std::string_view text_;
  std::size_t at_ = 0;
  std::string_view token_;
  bool has_mutations_ = false;
  std::vector<Json::Member> types_;
  Json::Array schema_types_;
};

inline Json introspected(std::string_view sdl) { return SdlReader(sdl).read(); }

}  // namespace rankveil::probe

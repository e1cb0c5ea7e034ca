// One description of a result: from it come its JSON, what reads that JSON back, and its rows of
// docs/reference/json.md, so that none of them can know a field that another does not.
//
//   template <typename Field>
//   void describe(Field& field, Shape& shape) {  // beside the struct, in its namespace
//     field("nodes", shape.nodes, "of the graph");
//     field("share", shape.share(), "of all");   // computed: written and shown, never read
//   }
//   Json json = json_of(shape);
//   Result<Shape> again = from_json<Shape>(json, "the report");
//   std::string rows = page_rows<Shape>();  // | `nodes` | whole | of the graph |
//
// A value is a bool, a whole number, a double, a text, something described, an optional of one of
// these (null where there is none) or a vector of them. What is described has a default.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/base/text/json_values.h"

namespace rankveil {

namespace described {

template <typename T>
concept Struct = json_kinds::Described<T>;
template <typename T>
concept Optional = json_kinds::optional<T>;
template <typename T>
concept List = json_kinds::list<T>;

// As json.md calls it.
template <typename T>
std::string type_name() {
  if constexpr (Optional<T>) return type_name<typename T::value_type>() + " or null";
  if constexpr (Struct<T>) return "object";
  if constexpr (List<T>) return "list";
  if constexpr (std::same_as<T, bool>) return "bool";
  if constexpr (std::integral<T>) return "whole";
  if constexpr (std::floating_point<T>) return "number";
  return "text";
}

}  // namespace described

template <typename T>
Result<T> from_json(const Json& json, const std::string& what);

template <typename T>
std::string page_rows();

// ---- How ----

namespace described {

class Reader {
 public:
  Reader(const Json& json, std::string what) : json_(json), what_(std::move(what)) {}

  template <typename T>
  void operator()(const char* name, T& value, const char*) {
    const Json* found = json_.find(name);
    const std::string place = what_ + ", \"" + name + "\"";
    if (found == nullptr) return fail(place + " is missing");
    read(*found, place, value);
  }
  template <typename T>
  void operator()(const char*, const T&, const char*) {}

  const std::optional<Error>& problem() const { return problem_; }

 private:
  void fail(const std::string& sentence) {
    if (!problem_) problem_ = bad_input(sentence);
  }

  template <typename T>
  void read(const Json& json, const std::string& place, T& value) {
    bool fits = false;
    if constexpr (Optional<T>) {
      if (json.is_null()) return value.reset();
      return read(json, place, value.emplace());
    } else if constexpr (Struct<T>) {
      Reader inner(json, place);
      describe(inner, value);
      if (inner.problem_) fail(inner.problem_->message);
      fits = true;
    } else if constexpr (List<T>) {
      fits = json.as_array() != nullptr;
      value.clear();
      for (std::size_t i = 0; fits && i < json.as_array()->size(); ++i) {
        read((*json.as_array())[i], place + ", number " + std::to_string(i + 1),
             value.emplace_back());
      }
    } else if constexpr (std::same_as<T, bool>) {
      fits = json.as_bool() != nullptr;
      if (fits) value = *json.as_bool();
    } else if constexpr (std::integral<T>) {
      fits = json.as_integer() != nullptr && std::in_range<T>(*json.as_integer());
      if (fits) value = static_cast<T>(*json.as_integer());
    } else if constexpr (std::floating_point<T>) {
      fits = json.as_number().has_value();
      if (fits) value = *json.as_number();
    } else {
      fits = json.as_text() != nullptr;
      if (fits) value = *json.as_text();
    }
    if (!fits) fail(place + " is no " + type_name<T>());
  }

  const Json& json_;
  std::string what_;
  std::optional<Error> problem_;
};

struct PageWriter {
  template <typename T>
  void operator()(const char* name, const T&, const char* meaning) {
    field<T>(prefix + name, meaning);
  }

  template <typename T>
  void field(const std::string& path, const std::string& meaning) {
    if constexpr (Struct<T>) {
      members<T>(path + ".");
    } else if constexpr (Optional<T>) {
      row(path, type_name<T>(), meaning);
      if constexpr (Struct<typename T::value_type>) members<typename T::value_type>(path + ".");
    } else if constexpr (List<T>) {
      using Item = typename T::value_type;
      const bool has_members = Struct<Item>;
      row(has_members ? path : path + "`, `" + path + "[]",
          has_members ? "list" : "list, " + type_name<Item>(), meaning);
      if constexpr (Struct<Item>) members<Item>(path + "[].");
    } else {
      row(path, type_name<T>(), meaning);
    }
  }
  template <typename T>
  void members(const std::string& before) {
    PageWriter inner{before, {}};
    T value{};
    describe(inner, value);
    text += inner.text;
  }
  void row(const std::string& path, const std::string& type, const std::string& meaning) {
    text += "| `" + path + "` | " + type + " | " + meaning + " |\n";
  }

  std::string prefix = {};
  std::string text = {};
};

}  // namespace described

template <typename T>
Result<T> from_json(const Json& json, const std::string& what) {
  if (json.as_object() == nullptr) return bad_input(what + " is no object");
  T value{};
  described::Reader reader(json, what);
  describe(reader, value);
  if (reader.problem()) return *reader.problem();
  return value;
}

template <typename T>
std::string page_rows() {
  described::PageWriter page;
  page.members<T>("");
  return page.text;
}

}  // namespace rankveil

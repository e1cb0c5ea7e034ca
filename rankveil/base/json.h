// JSON values: a small tree, a parser and a printer. Objects keep the order of their members.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil {

class Json {
 public:
  using Array = std::vector<Json>;
  using Member = std::pair<std::string, Json>;
  using Object = std::vector<Member>;

  Json() = default;
  Json(std::nullptr_t) {}                                                  // NOLINT: implicit
  Json(bool value) : value_(value) {}                                      // NOLINT: implicit
  Json(int value) : value_(std::int64_t{value}) {}                         // NOLINT: implicit
  Json(unsigned value) : value_(std::int64_t{value}) {}                    // NOLINT: implicit
  Json(std::int64_t value) : value_(value) {}                              // NOLINT: implicit
  Json(std::uint64_t value) : value_(static_cast<std::int64_t>(value)) {}  // NOLINT: implicit
  Json(double value) : value_(value) {}                                    // NOLINT: implicit
  Json(const char* value) : value_(std::string(value)) {}                  // NOLINT: implicit
  Json(std::string_view value) : value_(std::string(value)) {}             // NOLINT: implicit
  Json(std::string value) : value_(std::move(value)) {}                    // NOLINT: implicit
  Json(Array value) : value_(std::move(value)) {}                          // NOLINT: implicit
  Json(Object value) : value_(std::move(value)) {}                         // NOLINT: implicit

  bool is_null() const { return std::holds_alternative<std::monostate>(value_); }

  // Null when the value is of another kind. `as_number` takes integers too.
  const bool* as_bool() const { return std::get_if<bool>(&value_); }
  const std::int64_t* as_integer() const { return std::get_if<std::int64_t>(&value_); }
  const std::string* as_text() const { return std::get_if<std::string>(&value_); }
  const Array* as_array() const { return std::get_if<Array>(&value_); }
  const Object* as_object() const { return std::get_if<Object>(&value_); }
  std::optional<double> as_number() const;

  // The member called `name`, or null when this is no object or has none.
  const Json* find(std::string_view name) const;
  // Its text; empty when there is none.
  std::string text_at(std::string_view name) const;

  // Appends a member (this becomes an object when it was null).
  Json& set(std::string name, Json value);

  // `indent` < 0 prints everything on one line.
  std::string dump(int indent = 2) const;

 private:
  friend struct JsonAccess;
  std::variant<std::monostate, bool, std::int64_t, double, std::string, Array, Object> value_;
};

Json json_texts(const std::vector<std::string>& items);  // an array of them

// Refuses what is not JSON, naming the place; nesting deeper than 64 is refused too.
Result<Json> parse_json(std::string_view text);

}  // namespace rankveil

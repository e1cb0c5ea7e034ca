// Plain values as JSON and back: numbers, texts, lists, optional values (null), lists of (name,
// value) as objects, lists of pairs of numbers as one flat list, and structs that list their fields
//
//   struct Rung {
//     std::vector<std::string> columns;
//     std::uint64_t rows = 0;
//     static void fields(auto& self, auto visit) {       // {"columns": ["city"], "rows": 3}
//       visit("columns", self.columns);
//       visit("rows", self.rows);
//     }
//   };
//
// or, by a function `items` whose visit takes values without names, become a list: ["city", 3].
// Results say in words what their fields mean, too: described.h.
#pragma once

#include <concepts>
#include <optional>
#include <string>
#include <string_view>
#include <type_traits>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"

namespace rankveil {

namespace json_kinds {
struct AnyField {
  template <typename T>
  void operator()(const char*, const T&, const char*) {}
};
template <typename T>
concept Described = requires(AnyField& field, T& value) {
  describe(field, value);
};
struct DescribedWriter;

template <typename T>
inline constexpr bool optional = false;
template <typename T>
inline constexpr bool optional<std::optional<T>> = true;
template <typename T>
inline constexpr bool list = false;
template <typename T>
inline constexpr bool list<std::vector<T>> = true;
template <typename T>
inline constexpr bool members = false;
template <typename T>
inline constexpr bool members<std::vector<std::pair<std::string, T>>> = true;
template <typename T>
inline constexpr bool pairs = false;
template <std::integral A, std::integral B>
inline constexpr bool pairs<std::vector<std::pair<A, B>>> = true;
template <typename T>
concept HasItems = requires(T& value) {
  T::items(value, [](auto&) {});
};
}  // namespace json_kinds

template <typename T>
Json json_of(const T& value);

struct json_kinds::DescribedWriter {
  template <typename T>
  void operator()(const char* name, const T& value, const char*) {
    json.set(name, json_of(value));
  }
  Json json = Json::Object{};
};

template <typename T>
Json json_of(const T& value) {
  if constexpr (std::is_same_v<T, bool> || std::floating_point<T> || std::is_same_v<T, Json> ||
                std::is_constructible_v<std::string, T>) {
    return Json(value);
  } else if constexpr (std::integral<T>) {
    return Json(static_cast<std::int64_t>(value));
  } else if constexpr (json_kinds::optional<T>) {
    return value ? json_of(*value) : Json();
  } else if constexpr (json_kinds::members<T>) {
    Json::Object made;
    for (const auto& [name, item] : value) made.emplace_back(name, json_of(item));
    return made;
  } else if constexpr (json_kinds::pairs<T>) {
    Json::Array made;
    for (const auto& [first, second] : value)
      made.insert(made.end(), {json_of(first), json_of(second)});
    return made;
  } else if constexpr (json_kinds::list<T>) {
    Json::Array made;
    for (const auto& item : value) made.push_back(json_of(item));
    return made;
  } else if constexpr (json_kinds::HasItems<T>) {
    Json::Array made;
    T::items(value, [&](const auto& item) { made.push_back(json_of(item)); });
    return made;
  } else if constexpr (json_kinds::Described<T>) {
    json_kinds::DescribedWriter writer;
    describe(writer, const_cast<T&>(value));  // a description reads what it is shown
    return std::move(writer.json);
  } else {
    Json made(Json::Object{});
    T::fields(value, [&](std::string_view name, const auto& field) {
      made.set(std::string(name), json_of(field));
    });
    return made;
  }
}

template <typename T>
bool read_json(const Json& json, T& value);

namespace json_kinds {

template <typename T>
bool copy(const T* found, T& value) {
  if (found != nullptr) value = *found;
  return found != nullptr;
}

template <std::integral T>
bool read_integer(const Json& json, T& value) {
  const auto* number = json.as_integer();
  if (number == nullptr || !std::in_range<T>(*number)) return false;
  value = static_cast<T>(*number);
  return true;
}

template <typename A, typename B>
bool read_pairs(const Json::Array& flat, std::vector<std::pair<A, B>>& pairs) {
  if (flat.size() % 2 != 0) return false;
  for (std::size_t i = 0; i < flat.size(); i += 2) {
    auto& [first, second] = pairs.emplace_back();
    if (!read_integer(flat[i], first) || !read_integer(flat[i + 1], second)) return false;
  }
  return true;
}

template <typename T>
bool read_list(const Json::Array& array, std::vector<T>& list) {
  for (const Json& item : array) {
    if (!read_json(item, list.emplace_back())) return false;
  }
  return true;
}

}  // namespace json_kinds

// False: it is not what json_of would write; `value` is then partly filled. Members that `value`
// lacks are passed over. REQUIRES: lists are empty.
template <typename T>
bool read_json(const Json& json, T& value) {
  if constexpr (std::is_same_v<T, Json>) {
    return json_kinds::copy(&json, value);
  } else if constexpr (std::is_same_v<T, bool>) {
    return json_kinds::copy(json.as_bool(), value);
  } else if constexpr (std::is_same_v<T, std::string>) {
    return json_kinds::copy(json.as_text(), value);
  } else if constexpr (std::integral<T>) {
    return json_kinds::read_integer(json, value);
  } else if constexpr (std::floating_point<T>) {
    auto number = json.as_number();
    return json_kinds::copy(number ? &*number : nullptr, value);
  } else if constexpr (json_kinds::optional<T>) {
    return json.is_null() || read_json(json, value.emplace());
  } else if constexpr (json_kinds::members<T>) {
    if (json.as_object() == nullptr) return false;
    for (const auto& [name, item] : *json.as_object()) {
      if (!read_json(item,
                     value.emplace_back(name, typename T::value_type::second_type()).second)) {
        return false;
      }
    }
    return true;
  } else if constexpr (json_kinds::pairs<T>) {
    return json.as_array() != nullptr && json_kinds::read_pairs(*json.as_array(), value);
  } else if constexpr (json_kinds::list<T>) {
    return json.as_array() != nullptr && json_kinds::read_list(*json.as_array(), value);
  } else if constexpr (json_kinds::HasItems<T>) {
    const Json::Array* array = json.as_array();
    std::size_t next = 0;
    bool sound = array != nullptr;
    T::items(value, [&](auto& item) {
      sound = sound && next < array->size() && read_json((*array)[next++], item);
    });
    return sound && next == array->size();
  } else {
    bool sound = true;
    T::fields(value, [&](std::string_view name, auto& field) {
      const Json* found = json.find(name);
      sound = sound && found != nullptr && read_json(*found, field);
    });
    return sound;
  }
}

}  // namespace rankveil

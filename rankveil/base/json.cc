#include "rankveil/base/json.h"

#include <fmt/core.h>

#include <nlohmann/json.hpp>

namespace rankveil {

using Tree = nlohmann::ordered_json;

namespace {
constexpr int deepest_nesting = 64;
}  // namespace

struct JsonAccess {
  static Json from(const Tree& tree) {
    switch (tree.type()) {
      case Tree::value_t::boolean:
        return Json(tree.get<bool>());
      case Tree::value_t::number_integer:
        return Json(tree.get<std::int64_t>());
      case Tree::value_t::number_unsigned:
        if (tree.get<std::uint64_t>() > static_cast<std::uint64_t>(INT64_MAX)) {
          return Json(tree.get<double>());
        }
        return Json(tree.get<std::int64_t>());
      case Tree::value_t::number_float:
        return Json(tree.get<double>());
      case Tree::value_t::string:
        return Json(tree.get_ref<const std::string&>());
      case Tree::value_t::array:
        return from_array(tree);
      case Tree::value_t::object:
        return from_object(tree);
      default:
        return {};
    }
  }

  static Tree to(const Json& json) {
    return std::visit([](const auto& value) { return tree_of(value); }, json.value_);
  }

 private:
  static Json from_array(const Tree& tree) {
    Json::Array array;
    array.reserve(tree.size());
    for (const auto& item : tree) array.push_back(from(item));
    return Json(std::move(array));
  }
  static Json from_object(const Tree& tree) {
    Json::Object object;
    object.reserve(tree.size());
    for (const auto& [name, value] : tree.items()) object.emplace_back(name, from(value));
    return Json(std::move(object));
  }

  static Tree tree_of(std::monostate) { return nullptr; }
  template <typename Scalar>
  static Tree tree_of(const Scalar& value) {
    return value;
  }
  static Tree tree_of(const Json::Array& array) {
    Tree tree = Tree::array();
    for (const auto& item : array) tree.push_back(to(item));
    return tree;
  }
  static Tree tree_of(const Json::Object& object) {
    Tree tree = Tree::object();
    for (const auto& [name, value] : object) tree[name] = to(value);
    return tree;
  }
};

std::optional<double> Json::as_number() const {
  if (const auto* integer = std::get_if<std::int64_t>(&value_)) {
    return static_cast<double>(*integer);
  }
  if (const auto* real = std::get_if<double>(&value_)) return *real;
  return std::nullopt;
}

const Json* Json::find(std::string_view name) const {
  const auto* object = as_object();
  if (object == nullptr) return nullptr;
  for (const auto& member : *object) {
    if (member.first == name) return &member.second;
  }
  return nullptr;
}

std::string Json::text_at(std::string_view name) const {
  const Json* member = find(name);
  return member == nullptr || member->as_text() == nullptr ? std::string() : *member->as_text();
}

Json& Json::set(std::string name, Json value) {
  if (is_null()) value_ = Object{};
  auto* object = std::get_if<Object>(&value_);
  assert(object != nullptr && "only an object has members");
  object->emplace_back(std::move(name), std::move(value));
  return *this;
}

std::string Json::dump(int indent) const {
  return JsonAccess::to(*this).dump(indent, ' ', false, Tree::error_handler_t::replace);
}

Json json_texts(const std::vector<std::string>& items) {
  return Json::Array(items.begin(), items.end());
}

Result<Json> parse_json(std::string_view text) {
  bool too_deep = false;
  auto watch_depth = [&](int depth, Tree::parse_event_t, Tree&) {
    too_deep = too_deep || depth > deepest_nesting;
    return !too_deep;
  };
  try {
    Tree tree = Tree::parse(text, watch_depth);
    if (too_deep) {
      return bad_input(fmt::format("JSON nested deeper than {} levels", deepest_nesting));
    }
    return JsonAccess::from(tree);
  } catch (const Tree::parse_error& error) {
    return bad_input(fmt::format("not valid JSON at byte {}", error.byte));
  } catch (const Tree::out_of_range&) {
    return bad_input("JSON with a number too large for a double");
  }
}

}  // namespace rankveil

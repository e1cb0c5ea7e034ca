#include "rankveil/probe/graphql/schema.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <initializer_list>

namespace rankveil::probe {
namespace {

// What the language takes for a name. A service that says otherwise is not taken at its word.
bool is_name(std::string_view text) {
  const auto fits = [](char c) { return c == '_' || std::isalnum(static_cast<unsigned char>(c)); };
  return !text.empty() && std::isdigit(static_cast<unsigned char>(text.front())) == 0 &&
         std::ranges::all_of(text, fits);
}

GraphqlRef ref_of(const Json* told) {
  GraphqlRef ref;
  if (told == nullptr) return ref;
  const std::string kind = told->text_at("kind");
  if (kind == "NON_NULL" || kind == "LIST") {
    const GraphqlRef inside = ref_of(told->find("ofType"));
    ref = inside;
    ref.is_needed = kind == "NON_NULL";
    ref.is_list = kind == "LIST" || inside.is_list;
    ref.text = kind == "LIST" ? "[" + inside.text + "]" : inside.text + "!";
    return ref;
  }
  ref.name = told->text_at("name");
  if (!is_name(ref.name)) ref.name.clear();
  ref.text = ref.name;
  return ref;
}

template <typename Read>
void each_in(const Json& told, std::string_view name, const Read& read) {
  const Json* list = told.find(name);
  if (list == nullptr || list->as_array() == nullptr) return;
  for (const Json& item : *list->as_array()) {
    if (is_name(item.text_at("name"))) read(item);
  }
}

std::vector<GraphqlArgument> arguments_of(const Json& told, std::string_view name) {
  std::vector<GraphqlArgument> arguments;
  each_in(told, name, [&](const Json& item) {
    const Json* given = item.find("defaultValue");
    arguments.push_back({.name = item.text_at("name"),
                         .type = ref_of(item.find("type")),
                         .has_default = given != nullptr && !given->is_null()});
  });
  return arguments;
}

GraphqlType graphql_type_of(const Json& told) {
  GraphqlType type{.name = told.text_at("name"), .kind = told.text_at("kind")};
  each_in(told, "fields", [&](const Json& item) {
    type.members.push_back({.name = item.text_at("name"),
                            .type = ref_of(item.find("type")),
                            .arguments = arguments_of(item, "args")});
  });
  type.inputs = arguments_of(told, "inputFields");
  each_in(told, "enumValues",
          [&](const Json& item) { type.values.push_back(item.text_at("name")); });
  return type;
}

bool contains_any(const std::string& text, std::initializer_list<std::string_view> parts) {
  return std::ranges::any_of(
      parts, [&](std::string_view part) { return text.find(part) != std::string::npos; });
}

// Of scalars, by their names: GraphQL has five, and services add theirs.
FieldType type_called(const std::string& name) {
  std::string low = name;
  std::ranges::transform(low, low.begin(), [](unsigned char c) { return std::tolower(c); });
  if (low == "boolean" || low == "bool") return FieldType::Flag;
  if (contains_any(low, {"date", "time"})) return FieldType::Date;
  const bool is_number = low == "int" || contains_any(low, {"float", "bigint", "numeric", "decimal",
                                                            "double", "long", "short", "number"});
  return is_number ? FieldType::Number : FieldType::Text;
}

std::string first_error(const Json& answer) {
  const Json* errors = answer.find("errors");
  const bool has_any =
      errors != nullptr && errors->as_array() != nullptr && !errors->as_array()->empty();
  return has_any ? errors->as_array()->front().text_at("message") : "";
}

}  // namespace

const GraphqlArgument* argument_called(const std::vector<GraphqlArgument>& arguments,
                                       std::string_view name) {
  const auto found = std::ranges::find(arguments, name, &GraphqlArgument::name);
  return found == arguments.end() ? nullptr : &*found;
}

const char* GraphqlSchema::introspection() {
  return R"({ __schema { queryType { name } mutationType { name } types { kind name
  fields(includeDeprecated: true) { name args { name defaultValue type { ...ref } } type { ...ref } }
  inputFields { name defaultValue type { ...ref } }
  enumValues(includeDeprecated: true) { name } } } }
fragment ref on __Type { kind name ofType { kind name ofType { kind name ofType { kind name
  ofType { kind name ofType { kind name } } } } } })";
}

Result<GraphqlSchema> GraphqlSchema::parse(const Json& answer) {
  const Json* data = answer.find("data");
  const Json* told = data == nullptr ? nullptr : data->find("__schema");
  if (told == nullptr || told->find("types") == nullptr) {
    const std::string why = first_error(answer);
    return bad_input(why.empty() ? "the service does not say what it consists of"
                                 : fmt::format("the service refuses introspection: {}", why));
  }
  GraphqlSchema schema;
  const auto name_at = [&](const char* which) {
    const Json* type = told->find(which);
    return type == nullptr ? std::string() : type->text_at("name");
  };
  schema.queries_ = name_at("queryType");
  schema.mutations_ = name_at("mutationType");
  each_in(*told, "types", [&](const Json& item) {
    GraphqlType type = graphql_type_of(item);
    schema.types_.emplace(type.name, type);
  });
  if (schema.queries() == nullptr) return bad_input("the schema of the service has no queries");
  return schema;
}

const GraphqlType* GraphqlSchema::find(std::string_view name) const {
  const auto found = types_.find(name);
  return found == types_.end() ? nullptr : &found->second;
}

bool GraphqlSchema::is_plain(const GraphqlRef& type) const {
  const GraphqlType* inside = find(type.name);
  return inside != nullptr && !type.is_list && (inside->kind == "SCALAR" || inside->is_enum());
}

Field GraphqlSchema::field_of(const GraphqlMember& member) const {
  Field field{.name = member.name, .type = type_called(member.type.name)};
  const GraphqlType* type = find(member.type.name);
  if (type != nullptr && type->is_enum()) {
    field.type = FieldType::Text;
    field.choices = type->values;
    field.is_word = true;
  }
  return field;
}

std::vector<const GraphqlMember*> GraphqlSchema::plain_members(const GraphqlType& type) const {
  std::vector<const GraphqlMember*> plain;
  for (const GraphqlMember& member : type.members) {
    const bool needs_argument = std::ranges::any_of(member.arguments, [](const auto& argument) {
      return argument.type.is_needed && !argument.has_default;
    });
    if (!needs_argument && is_plain(member.type) && !member.name.starts_with("__")) {
      plain.push_back(&member);
    }
  }
  return plain;
}

}  // namespace rankveil::probe

#include "rankveil/probe/discover/schema_files.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <set>

#include "rankveil/base/file.h"

namespace rankveil::probe {
namespace {

bool is_word(char c) { return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_'; }

std::string lower(std::string_view text) {
  std::string result;
  for (char c : text) {
    if (c != '-' && c != '_') {
      result += static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
    }
  }
  return result;
}

// "people" and "Person" are not found alike; "posts" and "Post" are.
bool are_alike(std::string_view left, std::string_view right) {
  const std::string a = lower(left);
  const std::string b = lower(right);
  return a == b || a == b + "s" || b == a + "s" || a == b + "es" || b == a + "es";
}

// ---- Payload ----

// Reads the members of an interface: name?: type;
class TypeReader {
 public:
  explicit TypeReader(std::string_view text) : text_(text) {}

  // What stands between the braces behind `head`; empty: it is not there.
  std::string_view block(std::string_view head) const {
    std::size_t at = text_.find(head);
    if (at == std::string_view::npos) return {};
    at = text_.find('{', at);
    return at == std::string_view::npos ? std::string_view() : inside(text_, at);
  }

  static void members(std::string_view block, const std::string& prefix, FoundFields& fields,
                      int depth = 1) {
    while (true) {
      skip_blanks(block);
      if (block.empty()) return;
      const std::string name = take_name(block);
      const std::size_t colon = block.find(':');
      if (name.empty() || colon == std::string_view::npos) return;
      block.remove_prefix(colon + 1);
      const std::string_view type = take_type(block);
      const std::size_t brace = type.find('{');
      const bool is_list = type.find("[]") != std::string_view::npos;
      if (brace == std::string_view::npos) {
        if (!is_list) add_field(fields, field_of_type(prefix + name, type));
      } else if (!is_list && depth < 2) {
        members(inside(type, brace), prefix + name + ".", fields, depth + 1);
      }
    }
  }

 private:
  static std::string_view inside(std::string_view text, std::size_t open) {
    int depth = 0;
    for (std::size_t i = open; i < text.size(); ++i) {
      if (text[i] == '{') ++depth;
      if (text[i] == '}' && --depth == 0) return text.substr(open + 1, i - open - 1);
    }
    return {};
  }

  static void skip_blanks(std::string_view& text) {
    while (!text.empty()) {
      if (std::isspace(static_cast<unsigned char>(text.front())) != 0 || text.front() == ';') {
        text.remove_prefix(1);
      } else if (text.starts_with("/*")) {
        const std::size_t end = text.find("*/");
        text.remove_prefix(end == std::string_view::npos ? text.size() : end + 2);
      } else if (text.starts_with("//")) {
        text.remove_prefix(std::min(text.find('\n'), text.size()));
      } else {
        return;
      }
    }
  }

  static std::string take_name(std::string_view& text) {
    const char quote = text.front();
    const bool is_quoted = quote == '\'' || quote == '"';
    if (is_quoted) text.remove_prefix(1);
    std::size_t size = 0;
    while (size < text.size() && (is_quoted ? text[size] != quote : is_word(text[size]))) ++size;
    std::string name(text.substr(0, size));
    text.remove_prefix(std::min(size + (is_quoted ? 1 : 0), text.size()));
    return name;
  }

  static std::string_view take_type(std::string_view& text) {
    int depth = 0;
    std::size_t size = 0;
    while (size < text.size() && (depth > 0 || text[size] != ';')) {
      if (text[size] == '{' || text[size] == '(') ++depth;
      if (text[size] == '}' || text[size] == ')') --depth;
      ++size;
    }
    const std::string_view type = text.substr(0, size);
    text.remove_prefix(size);
    return type;
  }

  static Field field_of_type(std::string name, std::string_view type) {
    Field field{.name = std::move(name)};
    if (type.find("number") != std::string_view::npos) field.type = FieldType::Number;
    if (type.find("boolean") != std::string_view::npos) field.type = FieldType::Flag;
    for (std::size_t at = type.find('\''); at != std::string_view::npos;) {
      const std::size_t end = type.find('\'', at + 1);
      if (end == std::string_view::npos) break;
      field.choices.emplace_back(type.substr(at + 1, end - at - 1));
      at = type.find('\'', end + 1);
    }
    return field;
  }

  std::string_view text_;
};

// The interface of a collection: what `collections: { people: Person; }` names.
std::string interface_of(const TypeReader& reader, std::string_view collection) {
  std::string_view block = reader.block("collections: {");
  while (!block.empty()) {
    const std::size_t end = std::min(block.find(';'), block.size());
    std::string_view line = block.substr(0, end);
    block.remove_prefix(std::min(end + 1, block.size()));
    const std::size_t colon = line.find(':');
    if (colon == std::string_view::npos) continue;
    std::string name;
    for (char c : line.substr(0, colon)) {
      if (is_word(c) || c == '-') name += c;
    }
    std::string type;
    for (char c : line.substr(colon + 1)) {
      if (is_word(c)) type += c;
    }
    if (name == collection) return type;
  }
  return {};
}

// ---- Strapi ----

std::vector<std::string> texts_in(const Json* list) {
  std::vector<std::string> texts;
  if (list == nullptr || list->as_array() == nullptr) return texts;
  for (const Json& item : *list->as_array()) {
    if (item.as_text() != nullptr) texts.push_back(*item.as_text());
  }
  return texts;
}

FieldType strapi_type(const std::string& type) {
  if (type == "integer" || type == "biginteger" || type == "float" || type == "decimal") {
    return FieldType::Number;
  }
  if (type == "boolean") return FieldType::Flag;
  return type == "date" || type == "datetime" ? FieldType::Date : FieldType::Text;
}

bool is_strapi_value(const std::string& type) {
  return type != "relation" && type != "media" && type != "component" && type != "dynamiczone" &&
         type != "json" && type != "blocks" && type != "password" && !type.empty();
}

// ---- OpenAPI ----

class OpenApi {
 public:
  explicit OpenApi(const Json& document) : document_(document) {}

  void read_path(std::string_view path) {
    const Json* paths = document_.find("paths");
    if (paths == nullptr || paths->as_object() == nullptr) return;
    for (const auto& [name, operations] : *paths->as_object()) {
      if (!path.ends_with(trimmed(name)) || trimmed(name).size() < 2) continue;
      if (operations.as_object() == nullptr) continue;
      for (const auto& [method, operation] : *operations.as_object()) look(operation, 0);
    }
  }

  void read_schemas(std::string_view collection) {
    const Json* components = document_.find("components");
    const Json* schemas =
        components != nullptr ? components->find("schemas") : document_.find("definitions");
    if (schemas == nullptr || schemas->as_object() == nullptr) return;
    for (const auto& [name, schema] : *schemas->as_object()) {
      if (are_alike(name, collection)) read_schema(schema, "", 0);
    }
  }

  FoundFields fields = {};

 private:
  static std::string_view trimmed(std::string_view path) {
    while (path.ends_with('/')) path.remove_suffix(1);
    return path;
  }

  // Schemas of bodies, wherever they stand in an operation.
  void look(const Json& part, int depth) {
    if (depth > 8) return;
    if (const auto* list = part.as_array()) {
      for (const Json& item : *list) look(item, depth + 1);
    }
    if (part.as_object() == nullptr) return;
    for (const auto& [name, member] : *part.as_object()) {
      if (name == "schema") {
        read_schema(member, "", 0);
      } else if (name != "parameters") {
        look(member, depth + 1);
      }
    }
  }

  const Json& resolved(const Json& schema) const {
    const std::string reference = schema.text_at("$ref");
    if (!reference.starts_with("#/")) return schema;
    const Json* at = &document_;
    for (std::size_t start = 2; at != nullptr && start <= reference.size();) {
      const std::size_t end = std::min(reference.find('/', start), reference.size());
      at = at->find(std::string_view(reference).substr(start, end - start));
      start = end + 1;
    }
    return at == nullptr ? schema : *at;
  }

  void read_schema(const Json& told, const std::string& prefix, int depth) {
    if (depth > 6) return;
    const Json& schema = resolved(told);
    for (const char* combination : {"allOf", "oneOf", "anyOf"}) {
      const Json* parts = schema.find(combination);
      if (parts == nullptr || parts->as_array() == nullptr) continue;
      for (const Json& part : *parts->as_array()) read_schema(part, prefix, depth + 1);
    }
    if (const Json* items = schema.find("items")) return read_schema(*items, prefix, depth + 1);
    const Json* properties = schema.find("properties");
    if (properties == nullptr || properties->as_object() == nullptr) return;
    for (const auto& [name, property] : *properties->as_object()) {
      read_property(name, resolved(property), prefix, depth);
    }
  }

  void read_property(const std::string& name, const Json& property, const std::string& prefix,
                     int depth) {
    const std::string type = property.text_at("type");
    const bool is_page = prefix.empty() && (type == "array" || property.find("items") != nullptr);
    if (is_page) {
      // {"results": [...]} around the rows themselves.
      if (depth < 2) read_schema(property, prefix, depth + 1);
    } else if (property.find("properties") != nullptr) {
      if (depth < 3) read_schema(property, prefix + name + ".", depth + 2);
    } else {
      add_field(fields, {.name = prefix + name,
                         .type = type_of(type, property.text_at("format")),
                         .choices = texts_in(property.find("enum"))});
    }
  }

  static FieldType type_of(const std::string& type, const std::string& format) {
    if (type == "integer" || type == "number") return FieldType::Number;
    if (type == "boolean") return FieldType::Flag;
    return format == "date" || format == "date-time" ? FieldType::Date : FieldType::Text;
  }

  const Json& document_;
};

}  // namespace

Result<FoundFields> fields_in_payload_types(std::string_view text, std::string_view collection) {
  const TypeReader reader(text);
  const std::string type = interface_of(reader, collection);
  if (type.empty()) {
    return bad_input(
        fmt::format("the types name no collection \"{}\"; say --collection as payload.config does",
                    collection));
  }
  FoundFields fields;
  TypeReader::members(reader.block("interface " + type + " {"), "", fields);
  if (!fields.empty()) return fields;
  return bad_input(fmt::format("the types have no interface {} with members", type));
}

Result<FoundFields> fields_in_strapi_schema(const Json& schema) {
  const Json* attributes = schema.find("attributes");
  if (attributes == nullptr || attributes->as_object() == nullptr) {
    return bad_input("the schema has no attributes");
  }
  FoundFields fields;
  for (const auto& [name, attribute] : *attributes->as_object()) {
    const std::string type = attribute.text_at("type");
    if (!is_strapi_value(type)) continue;
    add_field(
        fields,
        {.name = name, .type = strapi_type(type), .choices = texts_in(attribute.find("enum"))});
  }
  return fields;
}

Result<FoundFields> fields_in_openapi(const Json& document, std::string_view path,
                                      std::string_view collection) {
  OpenApi reader(document);
  reader.read_path(path);
  reader.read_schemas(collection);
  if (!reader.fields.empty()) return std::move(reader.fields);
  return bad_input(fmt::format(
      "the OpenAPI document describes neither the path {} nor a schema called like \"{}\"", path,
      collection));
}

Result<FoundFields> fields_in_file(const std::string& file, std::string_view path,
                                   std::string_view collection) {
  auto text = read_text(file);
  if (!text) return text.error();
  const auto in_file = [&](Result<FoundFields> fields) -> Result<FoundFields> {
    if (fields) return fields;
    return bad_input(fmt::format("{}: {}", file, fields.error().message));
  };
  if (file.ends_with(".ts")) return in_file(fields_in_payload_types(*text, collection));
  auto json = parse_json(*text);
  if (!json) {
    return bad_input(fmt::format("{} is neither Payload's types (.ts) nor JSON: {}", file,
                                 json.error().message));
  }
  if (json->find("openapi") != nullptr || json->find("swagger") != nullptr) {
    return in_file(fields_in_openapi(*json, path, collection));
  }
  if (json->find("attributes") != nullptr) return in_file(fields_in_strapi_schema(*json));
  return bad_input(fmt::format(
      "{} is no schema that is known here: Payload's types (.ts), a schema.json of Strapi, OpenAPI "
      "as JSON; name fields by hand, --field",
      file));
}

}  // namespace rankveil::probe

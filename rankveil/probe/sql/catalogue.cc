#include "rankveil/probe/sql/catalogue.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/json.h"

namespace rankveil::probe {
namespace {

// Nobody's tables.
constexpr std::string_view own_schemas =
    "n.nspname NOT LIKE 'pg\\_%' AND n.nspname <> 'information_schema'";

Result<std::vector<std::string>> texts(connect::Database& database, std::string sql,
                                       std::vector<connect::SqlValue> values = {}) {
  auto reply = database.run({std::move(sql), std::move(values)});
  if (!reply) return reply.trouble().error;
  return *reply;
}

Result<std::vector<Json>> objects(connect::Database& database, std::string sql,
                                  std::vector<connect::SqlValue> values = {}) {
  auto lines = texts(database, std::move(sql), std::move(values));
  if (!lines) return lines.error();
  std::vector<Json> found;
  for (const std::string& line : *lines) {
    auto json = parse_json(line);
    if (!json) return json.error();
    found.push_back(std::move(*json));
  }
  return found;
}

bool flag_at(const Json& json, std::string_view name) {
  const Json* member = json.find(name);
  return member != nullptr && member->as_bool() != nullptr && *member->as_bool();
}

std::vector<std::string> texts_at(const Json& json, std::string_view name) {
  std::vector<std::string> found;
  const Json* member = json.find(name);
  if (member == nullptr || member->as_array() == nullptr) return found;
  for (const Json& item : *member->as_array()) {
    if (item.as_text() != nullptr) found.push_back(*item.as_text());
  }
  return found;
}

FieldType type_of(const std::string& category) {
  if (category == "N") return FieldType::Number;
  if (category == "D") return FieldType::Date;
  return category == "B" ? FieldType::Flag : FieldType::Text;
}

// The first and the last there are, in order.
std::vector<std::string> uuids() {
  constexpr std::uint64_t count = 30, last = 0xffffffffffff;
  std::vector<std::string> made;
  for (std::uint64_t i = 0; i < count; ++i) {
    made.push_back(fmt::format("00000000-0000-4000-8000-{:012x}", i));
  }
  for (std::uint64_t i = count; i > 0; --i) {
    made.push_back(fmt::format("ffffffff-ffff-4fff-bfff-{:012x}", last + 1 - i));
  }
  return made;
}

// Least and greatest of the types that take less than we write.
Field with_limits(Field field, const std::string& type) {
  if (type == "uuid") field.choices = uuids();
  field.only_choices = !field.choices.empty();
  if (type == "smallint") {
    field.least = "-32767";
    field.most = "32767";
  }
  return field;
}

Result<std::string> qualified(connect::Database& database, const std::string& table) {
  auto name = texts(database,
                    "SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c "
                    "JOIN pg_namespace n ON n.oid = c.relnamespace "
                    "WHERE c.oid = to_regclass($1)",
                    {table});
  if (!name) return name.error();
  if (name->empty()) {
    return bad_input(fmt::format(
        "there is no table \"{}\" here; name it as SQL does, with its schema: app.people", table));
  }
  return name->front();
}

Result<std::vector<SqlColumn>> read_columns(connect::Database& database, const std::string& table) {
  auto found = objects(
      database,
      "SELECT json_build_object('name', a.attname, 'type', format_type(a.atttypid, a.atttypmod), "
      "'category', t.typcategory, "
      "'labels', (SELECT json_agg(e.enumlabel ORDER BY e.enumsortorder) FROM pg_enum e "
      "WHERE e.enumtypid = t.oid), "
      "'readable', has_column_privilege(a.attrelid, a.attnum, 'SELECT'), "
      "'needed', a.attnotnull AND NOT a.atthasdef AND a.attidentity = '')::text "
      "FROM pg_attribute a JOIN pg_type t ON t.oid = a.atttypid "
      "WHERE a.attrelid = to_regclass($1) AND a.attnum > 0 AND NOT a.attisdropped "
      "ORDER BY a.attnum",
      {table});
  if (!found) return found.error();
  std::vector<SqlColumn> columns;
  for (const Json& json : *found) {
    const std::string type = json.text_at("type");
    Field field{json.text_at("name"), type_of(json.text_at("category")), texts_at(json, "labels")};
    columns.push_back({with_limits(std::move(field), type), type, flag_at(json, "readable"),
                       flag_at(json, "needed")});
  }
  return columns;
}

Result<std::string> primary_key(connect::Database& database, const std::string& table) {
  auto names = texts(database,
                     "SELECT a.attname FROM pg_index i "
                     "JOIN pg_attribute a ON a.attrelid = i.indrelid AND a.attnum = ANY(i.indkey) "
                     "WHERE i.indrelid = to_regclass($1) AND i.indisprimary",
                     {table});
  if (!names) return names.error();
  if (names->size() == 1) return names->front();
  return wrong_use(fmt::format(
      "{} has no primary key of one column; say which column tells its rows apart", table));
}

Result<std::vector<SqlView>> read_views(connect::Database& database, const std::string& key) {
  auto found = objects(
      database,
      fmt::format(
          "SELECT json_build_object('name', format('%I.%I', n.nspname, c.relname), 'columns', "
          "json_agg(a.attname ORDER BY a.attnum))::text FROM pg_class c "
          "JOIN pg_namespace n ON n.oid = c.relnamespace "
          "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 AND NOT a.attisdropped "
          "WHERE c.relkind IN ('v', 'm') AND {} AND has_schema_privilege(n.oid, 'USAGE') "
          "AND has_table_privilege(c.oid, 'SELECT') GROUP BY n.nspname, c.relname "
          "HAVING bool_or(a.attname = $1) ORDER BY 1",
          own_schemas),
      {key});
  if (!found) return found.error();
  std::vector<SqlView> views;
  for (const Json& json : *found)
    views.push_back({json.text_at("name"), texts_at(json, "columns")});
  return views;
}

Result<std::vector<SqlFunction>> read_functions(connect::Database& database) {
  auto found = objects(
      database,
      fmt::format(
          "SELECT json_build_object('name', format('%I.%I', n.nspname, p.proname), 'arguments', "
          "(SELECT json_agg(coalesce(p.proargnames[i], '') ORDER BY i) "
          "FROM generate_series(1, p.pronargs) i))::text FROM pg_proc p "
          "JOIN pg_namespace n ON n.oid = p.pronamespace "
          "WHERE p.proretset AND p.prokind = 'f' AND {} "
          "AND has_schema_privilege(n.oid, 'USAGE') AND has_function_privilege(p.oid, 'EXECUTE') "
          "ORDER BY p.oid",
          own_schemas));
  if (!found) return found.error();
  std::vector<SqlFunction> functions;
  for (const Json& json : *found) {
    functions.push_back({json.text_at("name"), texts_at(json, "arguments")});
  }
  return functions;
}

}  // namespace

std::vector<Field> SqlCatalogue::hidden() const {
  std::vector<Field> fields;
  for (const SqlColumn& column : columns) {
    if (!column.readable) fields.push_back(column.field);
  }
  return fields;
}

std::optional<Field> SqlCatalogue::control() const {
  const auto found = std::ranges::find_if(columns, [this](const SqlColumn& column) {
    return column.readable && column.field.name != key && column.field.choices.empty() &&
           column.field.type == FieldType::Text;
  });
  if (found == columns.end()) return std::nullopt;
  return found->field;
}

Result<SqlCatalogue> read_catalogue(connect::Database& as_role, const std::string& table,
                                    const std::string& key) {
  SqlCatalogue catalogue;
  auto name = qualified(as_role, table);
  if (!name) return name.error();
  catalogue.table = *name;
  auto found_key = key.empty() ? primary_key(as_role, *name) : Result<std::string>(key);
  if (!found_key) return found_key.error();
  catalogue.key = *found_key;
  auto columns = read_columns(as_role, *name);
  if (!columns) return columns.error();
  catalogue.columns = std::move(*columns);
  auto views = read_views(as_role, catalogue.key);
  if (!views) return views.error();
  catalogue.views = std::move(*views);
  auto functions = read_functions(as_role);
  if (!functions) return functions.error();
  catalogue.functions = std::move(*functions);
  return catalogue;
}

Result<std::vector<std::string>> tables_with_hidden_columns(connect::Database& as_role) {
  return texts(
      as_role,
      fmt::format("SELECT format('%I.%I', n.nspname, c.relname) FROM pg_class c "
                  "JOIN pg_namespace n ON n.oid = c.relnamespace "
                  "JOIN pg_attribute a ON a.attrelid = c.oid AND a.attnum > 0 "
                  "AND NOT a.attisdropped "
                  "WHERE c.relkind IN ('r', 'p') AND {} GROUP BY n.nspname, c.relname "
                  "HAVING bool_or(NOT has_column_privilege(c.oid, a.attnum, 'SELECT')) ORDER BY 1",
                  own_schemas));
}

}  // namespace rankveil::probe

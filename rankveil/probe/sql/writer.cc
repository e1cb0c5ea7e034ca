#include "rankveil/probe/sql/writer.h"

#include <fmt/core.h>

#include <algorithm>
#include <utility>

#include "rankveil/base/json.h"
#include "rankveil/connect/sql.h"

namespace rankveil::probe {
namespace {

using connect::quoted_name;
using connect::Reply;

// For columns that no row is without.
std::string something(const Field& field) {
  if (!field.choices.empty()) return field.choices.front();
  switch (field.type) {
    case FieldType::Number:
      return "0";
    case FieldType::Date:
      return "2000-01-01";
    case FieldType::Flag:
      return "false";
    case FieldType::Text:
      return "";
  }
  return "";
}

std::string last_public_text(const SqlCatalogue& catalogue) {
  std::string last;
  for (const SqlColumn& column : catalogue.columns) {
    const bool fits = column.readable && column.field.type == FieldType::Text &&
                      column.field.choices.empty() && column.field.name != catalogue.key;
    if (fits) last = column.field.name;
  }
  return last;
}

Error no_such_row(const SqlCatalogue& catalogue, const std::string& row) {
  return bad_input(fmt::format("{} has no row whose {} is {}; name one that is there",
                               catalogue.table, catalogue.key, row));
}

std::optional<Value> value_in(const std::string& json_text) {
  auto json = parse_json(json_text);
  if (!json || json->is_null()) return std::nullopt;
  if (json->as_text() != nullptr) return Value{*json->as_text()};
  return Value{json->dump(-1), false};
}

}  // namespace

SqlWriter::SqlWriter(connect::Database& database, const SqlCatalogue& catalogue,
                     std::string mark_column)
    : database_(database),
      catalogue_(catalogue),
      mark_column_(mark_column.empty() ? last_public_text(catalogue) : std::move(mark_column)) {}

connect::Statement SqlWriter::insertion(const std::string& mark) const {
  std::string names = quoted_name(mark_column_);
  std::string places = "$1";
  std::vector<connect::SqlValue> values = {mark};
  for (const SqlColumn& column : catalogue_.columns) {
    if (!column.needed || column.field.name == mark_column_) continue;
    values.emplace_back(something(column.field));
    names += ", " + quoted_name(column.field.name);
    places += fmt::format(", ${}", values.size());
  }
  return {fmt::format("INSERT INTO {} ({}) VALUES ({}) RETURNING {}::text", catalogue_.table, names,
                      places, quoted_name(catalogue_.key)),
          std::move(values)};
}

Reply<std::string> SqlWriter::create(const std::string& mark) {
  auto reply = database_.run(insertion(mark));
  if (!reply) return reply.trouble();
  if (reply->empty()) return bad_input("the row that was inserted has no key");
  return reply->front();
}

Reply<std::vector<std::string>> SqlWriter::find(const std::string& mark) {
  return database_.run(
      {fmt::format("SELECT {}::text FROM {} WHERE {} = $1", quoted_name(catalogue_.key),
                   catalogue_.table, quoted_name(mark_column_)),
       {mark}});
}

Reply<connect::Done> SqlWriter::remove(const std::string& row) {
  auto reply =
      database_.run({fmt::format("DELETE FROM {0} WHERE {1}::text = $1 RETURNING {1}::text",
                                 catalogue_.table, quoted_name(catalogue_.key)),
                     {row}});
  if (!reply) return reply.trouble();
  return connect::Done{};  // it may be gone already
}

std::string SqlWriter::type_of(const std::string& column) const {
  const auto known = std::ranges::find_if(
      catalogue_.columns, [&](const SqlColumn& one) { return one.field.name == column; });
  return known == catalogue_.columns.end() ? "text" : known->type;
}

Reply<connect::Done> SqlWriter::write(const std::string& row, const Field& field,
                                      const std::optional<Value>& value) {
  connect::SqlValue given = std::monostate{};
  if (value) given = value->text;
  auto reply = database_.run(
      {fmt::format("UPDATE {} SET {} = CAST($2 AS {}) WHERE {}::text = $1 RETURNING $1",
                   catalogue_.table, quoted_name(field.name), type_of(field.name),
                   quoted_name(catalogue_.key)),
       {row, given}});
  if (!reply) return reply.trouble();
  if (reply->empty()) return no_such_row(catalogue_, row);
  return connect::Done{};
}

Reply<HeldMark> SqlWriter::read_held(const std::string& row, const std::string& column) {
  auto reply = database_.run(
      {fmt::format("SELECT coalesce(to_json({})::text, 'null') FROM {} "
                   "WHERE {}::text = $1",
                   quoted_name(column), catalogue_.table, quoted_name(catalogue_.key)),
       {row}});
  if (!reply) return reply.trouble();
  if (reply->empty()) return HeldMark{.is_gone = true};
  return HeldMark{.value = value_in(reply->front())};
}

Reply<std::optional<Value>> SqlWriter::read(const std::string& row, const Field& field) {
  auto held = read_held(row, field.name);
  if (!held) return held.trouble();
  if (held->is_gone) return no_such_row(catalogue_, row);
  return std::move(held->value);
}

Reply<HeldMark> SqlWriter::read_mark(const std::string& row) {
  return read_held(row, mark_column_);
}

}  // namespace rankveil::probe

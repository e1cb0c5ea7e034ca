#include "rankveil/probe/sql/asker.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <utility>

#include "rankveil/base/json.h"
#include "rankveil/connect/sql.h"

namespace rankveil::probe {
namespace {

using connect::quoted_name;

// What a name of an argument says of what it takes. The first that the name contains counts.
constexpr std::array<std::pair<std::string_view, std::string_view>, 20> argument_words = {{
    {"order", "{name}"},     {"sort", "{name}"},   {"field", "{name}"}, {"column", "{name}"},
    {"attribute", "{name}"}, {"key", "{name}"},    {"dir", "{way}"},    {"desc", "{is_down}"},
    {"min", "{low}"},        {"low", "{low}"},     {"from", "{low}"},   {"above", "{low}"},
    {"max", "{high}"},       {"high", "{high}"},   {"to", "{high}"},    {"below", "{high}"},
    {"limit", "{limit}"},    {"count", "{limit}"}, {"size", "{limit}"}, {"offset", "{offset}"},
}};

std::string_view place_of_argument(const std::string& name) {
  for (const auto& [word, place] : argument_words) {
    if (name.find(word) != std::string::npos) return place;
  }
  return name == "by" ? std::string_view("{name}") : std::string_view("{value}");
}

std::string replaced(std::string text, std::string_view place, const std::string& by) {
  for (std::size_t at = text.find(place); at != std::string::npos;
       at = text.find(place, at + by.size())) {
    text.replace(at, place.size(), by);
  }
  return text;
}

// One parameter for a value, however often its place is there.
void fill(connect::Statement& statement, std::string_view place, const std::string& value) {
  if (statement.sql.find(place) == std::string::npos) return;
  statement.values.emplace_back(value);
  statement.sql = replaced(statement.sql, place, fmt::format("${}", statement.values.size()));
}

std::string key_text(const Json& id) {
  return id.as_text() != nullptr ? *id.as_text() : id.dump(-1);
}

// A row as JSON: an object with the key in it, or the id itself.
void read_row(Answer& answer, const Json& row, const std::string& key,
              const std::vector<std::string>& own) {
  const Json* id = row.as_object() == nullptr ? &row : row.find(key);
  if (id == nullptr) return;
  answer.rows.push_back(key_text(*id));
  if (row.as_object() == nullptr) return;
  if (std::ranges::find(own, answer.rows.back()) == own.end()) return;
  for (const auto& [name, value] : *row.as_object()) {
    answer.parts.push_back({name, value.dump(-1), answer.rows.back()});
  }
}

Answer in_trouble(Answer answer, const connect::Trouble& trouble) {
  const bool is_no_refusal = trouble.passes || trouble.is_misfit;
  answer.outcome = is_no_refusal ? Outcome::Failed : Outcome::Refused;
  answer.reason = trouble.error.message;
  return answer;
}

}  // namespace

Result<SqlAsker> SqlAsker::make(connect::Database& database, const SqlCatalogue& catalogue,
                                const SqlAskerOptions& options) {
  auto read_only = database.run({"SET default_transaction_read_only = on"});
  if (!read_only) return read_only.trouble().error;
  return SqlAsker(database, catalogue, options);
}

SqlAsker::SqlAsker(connect::Database& database, const SqlCatalogue& catalogue,
                   const SqlAskerOptions& options)
    : database_(database), catalogue_(catalogue), options_(options) {
  add_table();
  for (const SqlView& view : catalogue_.views) add_view(view);
  for (const SqlFunction& function : catalogue_.functions) add_function(function);
}

void SqlAsker::add(std::string name, Kind kind, std::string rows) {
  templates_[name] = fmt::format("SELECT to_json(r)::text FROM ({}) r", rows);
  ways_.push_back({std::move(name), kind, "postgresql"});
}

// Among equals, an own row comes first: it is the newest.
std::string SqlAsker::newest_first() const {
  return fmt::format("{} DESC LIMIT {}", quoted_name(catalogue_.key), options_.page);
}

// The role may have the right after all; a refusal here is what grants are for.
void SqlAsker::add_table() {
  std::string shown = quoted_name(catalogue_.key);
  for (const SqlColumn& column : catalogue_.columns) {
    if (column.readable && column.field.name != catalogue_.key) {
      shown += ", " + quoted_name(column.field.name);
    }
  }
  const std::string rows = fmt::format("SELECT {} FROM {}", shown, catalogue_.table);
  const std::string newest = newest_first();
  add("table order by", Kind::Sort, rows + " ORDER BY {field} {direction}, " + newest);
  add("table =", Kind::Filter, rows + " WHERE {field} = {value} ORDER BY " + newest);
  add("table >", Kind::Filter, rows + " WHERE {field} > {low} ORDER BY " + newest);
  add("table column", Kind::Column,
      fmt::format("SELECT {}, {{field}} FROM {} ORDER BY {}", quoted_name(catalogue_.key),
                  catalogue_.table, newest));
}

// A view has its owner's rights: in its own order, and in that of each of its columns.
void SqlAsker::add_view(const SqlView& view) {
  const std::string newest = newest_first();
  const std::string rows = "SELECT * FROM " + view.name;
  add(view.name, Kind::Sort, fmt::format("{} LIMIT {}", rows, options_.page));
  add(view.name + " order by", Kind::Sort, rows + " ORDER BY {field} {direction}, " + newest);
  add(view.name + " =", Kind::Filter, rows + " WHERE {field} = {value} ORDER BY " + newest);
  std::uint32_t count = 0;
  for (const std::string& column : view.columns) {
    const bool of_table = std::ranges::any_of(
        catalogue_.columns, [&](const SqlColumn& known) { return known.field.name == column; });
    if (of_table || ++count > options_.most_columns) continue;
    add(fmt::format("{} order by {}", view.name, column), Kind::Sort,
        fmt::format("{} ORDER BY {} {{direction}}, {}", rows, quoted_name(column), newest));
  }
}

// What a function takes is guessed by the names of its arguments.
void SqlAsker::add_function(const SqlFunction& function) {
  std::string places;
  std::string names;
  bool has_name = false;
  bool has_value = false;
  for (const std::string& argument : function.arguments) {
    const std::string_view place = place_of_argument(argument);
    places += (places.empty() ? "" : ", ") + std::string(place);
    names += (names.empty() ? "" : ", ") + argument;
    has_name = has_name || place == "{name}";
    has_value = has_value || place == "{value}" || place == "{low}" || place == "{high}";
  }
  const Kind kind = !has_value ? Kind::Sort : (has_name ? Kind::Filter : Kind::Search);
  add(fmt::format("{}({})", function.name, names), kind,
      fmt::format("SELECT f.* FROM {}({}) f LIMIT {}", function.name, places, options_.page));
}

connect::Statement SqlAsker::statement(const Question& question) const {
  const bool is_down = question.direction == Direction::Descending;
  connect::Statement filled{templates_.at(question.way)};
  filled.sql = replaced(filled.sql, "{field}", quoted_name(question.field));
  filled.sql = replaced(filled.sql, "{direction}", is_down ? "DESC" : "ASC");
  filled.sql = replaced(filled.sql, "{is_down}", is_down ? "true" : "false");
  filled.sql = replaced(filled.sql, "{limit}", std::to_string(options_.page));
  filled.sql = replaced(filled.sql, "{offset}", "0");
  fill(filled, "{name}", question.field);
  fill(filled, "{way}", is_down ? "desc" : "asc");
  fill(filled, "{value}", question.value.text);
  fill(filled, "{low}", question.low.text);
  fill(filled, "{high}", question.high.text);
  return filled;
}

Answer SqlAsker::ask(const Question& question) {
  const connect::Statement asked = statement(question);
  Answer answer;
  answer.request = asked.sql;
  auto reply = database_.run(asked);
  if (!reply) return in_trouble(std::move(answer), reply.trouble());
  for (const std::string& text : *reply) {
    auto row = parse_json(text);
    if (row) read_row(answer, *row, catalogue_.key, question.own);
  }
  return answer;
}

}  // namespace rankveil::probe

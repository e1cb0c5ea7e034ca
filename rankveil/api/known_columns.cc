#include "rankveil/api/known_columns.h"

#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/format.h"
#include "rankveil/connect/columns.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil::api {

namespace {

constexpr std::size_t max_told = 6;
constexpr std::uint32_t largest_asked_l = 10;  // a smaller gain than a tenth tells little

std::string told_text(const Schema& schema, const std::vector<TellingColumns>& told,
                      std::uint32_t l) {
  std::string text;
  for (std::size_t i = 0; i < std::min(max_told, told.size()); ++i) {
    text += (i == 0 ? "" : "; ") + to_text(schema, told[i], l);
  }
  if (told.size() > max_told) text += fmt::format("; and {} more", told.size() - max_told);
  return text;
}

// The strongest of each private column first, then the others.
std::vector<TellingColumns> strongest_first(const std::vector<TellingColumns>& told) {
  std::vector<TellingColumns> strongest, others;
  for (const TellingColumns& one : told) {
    bool known = std::ranges::find(strongest, one.told, &TellingColumns::told) != strongest.end();
    (known ? others : strongest).push_back(one);
  }
  strongest.insert(strongest.end(), others.begin(), others.end());
  return strongest;
}

// "known_from = ["q0026"] under [column.orientation]", as many as are needed. The policy has that
// table already, and TOML takes a key on its own line only.
std::string lines_to_write(const Table& table, const TellingColumnsAsked& asked,
                           const std::vector<TellingColumns>& told) {
  const Schema& schema = table.schema();
  auto known = columns_to_know(table, asked, told);
  std::string lines;
  for (std::uint32_t j = 0; j < known.size(); ++j) {
    AttributeId attribute{schema.public_count() + j};
    if (std::ranges::find(told, attribute, &TellingColumns::told) == told.end()) continue;
    std::string names;
    for (AttributeId column : known[j]) {
      names += (names.empty() ? "" : ", ") + toml_quoted(schema[column].name);
    }
    lines += fmt::format("{}known_from = [{}] under [column.{}]", lines.empty() ? "" : ", ", names,
                         toml_key(schema[attribute].name));
  }
  return lines;
}

std::vector<KnownColumn> known_columns(const Table& table, const TellingColumnsAsked& asked) {
  const Schema& schema = table.schema();
  std::vector<KnownColumn> known;
  for (const TellingColumns& one : told_by_known(table, asked)) {
    // Cells of several columns may hold too few rows to tell what the commonest value does.
    KnownColumn column{schema[one.told].name, {}, std::max(one.right, one.without), one.without};
    for (AttributeId seen : one.seen) column.from.push_back(schema[seen].name);
    known.push_back(std::move(column));
  }
  return known;
}

}  // namespace

std::string to_text(const KnownColumn& column) {
  return fmt::format(
      "{}: {:.1f}% is known from {} before any ranking ({:.1f}% without {}); the promise is about "
      "the rest",
      column.attribute, 100 * column.known, listed(column.from), 100 * column.without,
      column.from.size() == 1 ? "it" : "them");
}

Json known_columns_json(const std::vector<KnownColumn>& columns) {
  Json::Array list;
  for (const KnownColumn& column : columns) {
    list.push_back(Json()
                       .set("attribute", column.attribute)
                       .set("from", json_texts(column.from))
                       .set("known", column.known)
                       .set("without", column.without));
  }
  return list;
}

std::vector<std::uint8_t> rows_that_speak(const Table& table, const connect::RowPeople& people) {
  if (people.consent.empty() && people.place_of.empty()) return {};
  std::vector<std::uint8_t> rows(table.rows(), 1);
  for (std::uint32_t row = 0; row < rows.size(); ++row) {
    bool open = !people.consent.empty() &&
                people.consent[row] == static_cast<std::uint8_t>(connect::Consent::Open);
    bool later = !people.place_of.empty() && people.place_of[row] > 0;
    if (open || later) rows[row] = 0;
  }
  return rows;
}

TellingColumnsAsked telling_asked(const Policy& policy, const Table& table,
                                  const connect::RowPeople& people, std::uint32_t threads) {
  const Schema& schema = table.schema();
  TellingColumnsAsked asked{.l = std::min(policy.l, largest_asked_l),
                            .some_rows = rows_that_speak(table, people),
                            .threads = threads};
  for (const Attribute& attribute : schema.attributes) {
    if (!attribute.is_private()) continue;
    std::vector<AttributeId>& known = asked.known.emplace_back();
    const ColumnPolicy* column = policy.find(attribute.name);
    if (column == nullptr) continue;
    for (const std::string& name : column->known_from) {
      auto found = schema.find(name);
      if (found && !schema[*found].is_private()) known.push_back(*found);
    }
  }
  return asked;
}

namespace {

std::string persons_text(const Policy& policy, const Table& table, std::uint32_t threads) {
  std::string text;
  for (const std::string& sentence : person_warnings(policy, table, threads)) {
    text += "; " + sentence.substr(0, sentence.size() - 1);
  }
  return text;
}

}  // namespace

Result<std::vector<KnownColumn>> check_public_columns(const Policy& policy, const Table& table,
                                                      const connect::RowPeople& people,
                                                      std::uint32_t threads) {
  TellingColumnsAsked asked = telling_asked(policy, table, people, threads);
  auto told = strongest_first(telling_columns(table, asked));
  if (told.empty()) return known_columns(table, asked);
  return bad_input(fmt::format(
      "public columns tell private ones before any ranking: {}; leave them out, make them "
      "coarser "
      "or private, or accept that so much is known, and have the promise about the rest, by {}{}",
      told_text(table.schema(), told, asked.l), lines_to_write(table, asked, told),
      persons_text(policy, table, threads)));
}

std::vector<std::string> telling_columns_hints(const Policy& policy, const Table& table,
                                               const connect::RowPeople& people,
                                               std::uint32_t threads) {
  TellingColumnsAsked asked = telling_asked(policy, table, people, threads);
  std::vector<std::string> hints;
  for (const KnownColumn& known : known_columns(table, asked)) hints.push_back(to_text(known));
  auto told = strongest_first(telling_columns(table, asked));
  if (told.empty()) return hints;
  hints.push_back(fmt::format(
      "Public columns tell private ones before any ranking: {}. protect refuses that: leave them "
      "out, make them coarser or private, or accept it by {}.",
      told_text(table.schema(), told, asked.l), lines_to_write(table, asked, told)));
  return hints;
}

std::vector<std::string> person_warnings(const Policy& policy, const Table& table,
                                         std::uint32_t threads) {
  std::vector<std::string> warnings;
  if (!policy.person.empty()) return warnings;
  for (const PersonColumn& found : columns_like_persons(
           table, {.l = std::min(policy.l, largest_asked_l), .threads = threads})) {
    warnings.push_back(fmt::format(
        "{}: if its rows are one person's, write person = {} into the policy, or anyone who adds "
        "them up reads off what each of them hides.",
        to_text(table.schema(), found), toml_quoted(table.schema()[found.column].name)));
  }
  return warnings;
}

std::vector<std::string> unread_person_warnings(const connect::Source& source, const Policy& policy,
                                                std::uint32_t threads) {
  if (!policy.person.empty()) return {};
  auto repeating = connect::columns_that_repeat(source, {.threads = threads, .progress = {}});
  if (!repeating) return {};
  Policy seen{.l = policy.l, .missing = policy.missing};
  for (const std::string& name : *repeating) {
    const ColumnPolicy* column = policy.find(name);
    bool unread = column == nullptr || column->role == Role::Ignored;
    if (unread) seen.columns.push_back({.name = name, .role = Role::Public});
  }
  if (seen.columns.empty()) return {};
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role != Role::Private) continue;
    seen.columns.push_back(column);
    seen.columns.back().known_from.clear();
  }
  auto loaded = connect::read_table(source, seen, {.threads = threads, .progress = {}});
  if (!loaded) return {};
  return person_warnings(seen, loaded->table, threads);
}

}  // namespace rankveil::api

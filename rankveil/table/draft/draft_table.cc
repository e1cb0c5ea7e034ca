#include "rankveil/table/draft/draft_table.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "rankveil/base/text/unicode.h"
#include "rankveil/table/building/binning.h"
#include "rankveil/table/draft/dependence.h"
#include "rankveil/table/draft/draft_bins.h"
#include "rankveil/table/draft/judge_column.h"
#include "rankveil/table/draft/name_meaning.h"
#include "rankveil/table/draft/value_judgement.h"
#include "rankveil/table/number_text.h"

namespace rankveil::draft {

namespace {

constexpr std::size_t max_compared = 1000;  // values of a column that is held against another
constexpr std::uint64_t fewest_persons = 50;

// A column as the sampled rows have it once it is binned.
struct Coded {
  std::vector<std::uint16_t> codes;
  std::size_t values = 0;
  bool can_be_compared() const { return values >= 2 && values <= max_compared; }
};

Coded coded(const ColumnFacts& facts, const Binning& bins) {
  const auto* edges = std::get_if<BinEdges>(&bins);
  if (edges == nullptr)
    return {facts.codes, facts.is_exact ? facts.values.size() : max_compared + 1};
  std::vector<std::uint16_t> bin(facts.values.size(), ColumnFacts::no_code);
  for (std::size_t i = 0; i < facts.values.size(); ++i) {
    auto number = number_from_text(facts.values[i]);
    if (number) bin[i] = static_cast<std::uint16_t>(bin_of(edges->edges, *number));
  }
  Coded result{facts.codes, edges->edges.size() + 1};
  for (std::uint16_t& code : result.codes) {
    if (code != ColumnFacts::no_code) code = bin[code];
  }
  return result;
}

// The digits at the end of a text, as a number: 17 of "INV-0017".
std::optional<double> number_at_end(std::string_view text) {
  constexpr std::size_t max_digits = 15;
  auto before = text.find_last_not_of("0123456789");
  auto digits = text.substr(before == std::string_view::npos ? 0 : before + 1);
  if (digits.empty() || digits.size() > max_digits) return std::nullopt;
  return number_from_text(digits);
}

// Whether its values are numbers that somebody counted, with a few letters: "S2021-100017". What is
// different in each row otherwise may be anything of a person, and answers show what names a row.
bool counts_up(const ColumnFacts& column) {
  constexpr double max_gaps = 20;
  double least = 0, most = 0;
  bool first = true;
  for (const std::string& value : column.values) {
    auto number = number_at_end(value);
    if (!number || value.find(' ') != std::string::npos) return false;
    least = first ? *number : std::min(least, *number);
    most = first ? *number : std::max(most, *number);
    first = false;
  }
  return !first && most - least <= max_gaps * static_cast<double>(column.rows);
}

class Drafter {
 public:
  Drafter(const std::vector<ColumnFacts>& columns, std::optional<std::size_t> id)
      : columns_(columns), id_(id) {}

  TableDraft draft();

 private:
  void judge_each();
  void set_apart_repeated_names();
  void find_persons();
  std::vector<std::size_t> rows_of_persons() const;
  Coded coded_by_person(std::size_t i, const Binning& bins,
                        const std::vector<std::size_t>& rows) const;
  void withdraw_what_tells();
  void withdraw(std::size_t i, const std::string& why);
  void propose_missing();
  ColumnSight sight(std::size_t i) const;

  const std::vector<ColumnFacts>& columns_;
  std::optional<std::size_t> id_;
  std::vector<JudgedColumn> judged_;
  TableDraft made_;
};

void Drafter::judge_each() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (i == id_) {
      std::string comment =
          fmt::format("different in all {} rows; names the rows in answers", columns_[i].rows);
      if (names_persons(columns_[i].name))
        comment += ", and tells who they are to all who know these numbers";
      judged_.push_back({{.name = columns_[i].name, .role = Role::Id}, std::move(comment)});
    } else {
      judged_.push_back(judge_column(columns_[i]));
    }
  }
}

void Drafter::withdraw(std::size_t i, const std::string& why) {
  std::string& comment = judged_[i].comment;
  comment = comment.substr(0, comment.rfind("; ")) + "; undecided: " + why;
  judged_[i].column.role = Role::Undecided;
}

// City beside city: which of them people mean is not for us to say.
void Drafter::set_apart_repeated_names() {
  std::map<std::string, std::size_t> first;
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    auto [place, is_new] = first.emplace(likened(columns_[i].name), i);
    if (is_new) continue;
    std::string why = fmt::format("another column is called {}", columns_[place->second].name);
    if (judged_[i].column.role == Role::Public) withdraw(i, why);
  }
}

bool are_numbered(const ColumnFacts& facts) {
  return std::ranges::all_of(facts.values, [](const std::string& value) {
    return value.find_first_of("0123456789") != std::string::npos;
  });
}

// A number that repeats from row to row, as that of a patient over visits.
void Drafter::find_persons() {
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const ColumnFacts& facts = columns_[i];
    bool repeats = facts.present == facts.rows && facts.distinct >= fewest_persons &&
                   10 * facts.distinct < 9 * facts.present && facts.present < 100 * facts.distinct;
    if (i == id_ || !repeats || judged_[i].is_sensitive) continue;
    std::string each = fmt::format("{:.1f} rows each", static_cast<double>(facts.present) /
                                                           static_cast<double>(facts.distinct));
    if (names_persons(facts.name) || (is_called_person(facts.name) && are_numbered(facts))) {
      judged_[i].column.role = Role::Ignored;
      judged_[i].column.bins = {};
      judged_[i].comment =
          fmt::format("{} values, {}; ignored: it says whose row it is", facts.distinct, each);
      if (made_.policy.person.empty()) made_.policy.person = facts.name;
    } else if (sounds_like_id(facts.name) && judged_[i].column.role != Role::Private &&
               !has_harmless_name(facts.name)) {
      withdraw(
          i, fmt::format("its values repeat as the number of a person or a thing does, {}", each));
    }
  }
}

// The first row of each person, of the sampled rows: the others say of a person what these do, and
// whatever stays the same in them would seem to tell it. Empty: no column is known to name persons.
std::vector<std::size_t> Drafter::rows_of_persons() const {
  std::vector<std::size_t> rows;
  auto person = std::ranges::find(columns_, made_.policy.person, &ColumnFacts::name);
  if (made_.policy.person.empty() || person == columns_.end() || !person->is_exact) return rows;
  std::vector<bool> seen(person->values.size(), false);
  for (std::size_t row = 0; row < person->codes.size(); ++row) {
    std::uint16_t code = person->codes[row];
    if (code == ColumnFacts::no_code || seen[code]) continue;
    seen[code] = true;
    rows.push_back(row);
  }
  return rows;
}

Coded Drafter::coded_by_person(std::size_t i, const Binning& bins,
                               const std::vector<std::size_t>& rows) const {
  Coded made = coded(columns_[i], bins);
  if (rows.empty()) return made;
  for (std::size_t at = 0; at < rows.size(); ++at) made.codes[at] = made.codes[rows[at]];
  made.codes.resize(rows.size());
  return made;
}

void Drafter::withdraw_what_tells() {
  const auto rows = rows_of_persons();
  std::vector<std::optional<Coded>> hidden(columns_.size());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (!judged_[i].is_sensitive) continue;
    Coded one = coded_by_person(i, drafted_bins(columns_[i]), rows);
    if (one.can_be_compared()) hidden[i] = std::move(one);
  }
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    if (judged_[i].column.role != Role::Public) continue;
    Coded seen = coded_by_person(i, judged_[i].column.bins, rows);
    if (!seen.can_be_compared()) continue;
    for (std::size_t j = 0; j < columns_.size(); ++j) {
      if (!hidden[j]) continue;
      Telling told = telling(seen.codes, seen.values, hidden[j]->codes, hidden[j]->values);
      if (!told.gives_away()) continue;
      withdraw(i, fmt::format("it tells {:.0f}% of {}, {:.0f}% without it", 100 * told.right,
                              columns_[j].name, 100 * told.without));
      break;
    }
  }
}

// A word that means "no value" in one column may be a value of another: that one says so.
void Drafter::propose_missing() {
  std::vector<std::string>& words = made_.policy.missing;
  for (const ColumnFacts& facts : columns_) {
    for (const std::string& word : facts.missing) {
      if (std::find(words.begin(), words.end(), word) == words.end()) words.push_back(word);
    }
  }
  std::sort(words.begin(), words.end());
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    const auto& values = columns_[i].values;
    bool is_value = std::any_of(words.begin(), words.end(), [&](const std::string& word) {
      return std::find(values.begin(), values.end(), word) != values.end();
    });
    if (is_value) judged_[i].column.missing = columns_[i].missing;
  }
}

ColumnSight Drafter::sight(std::size_t i) const {
  constexpr std::size_t max_shown = 3;
  const ColumnFacts& facts = columns_[i];
  ColumnSight seen{.name = facts.name,
                   .role = judged_[i].column.role,
                   .values = facts.distinct,
                   .is_exact = facts.is_exact,
                   .missing = facts.rows - facts.present};
  auto order = facts.by_frequency();
  for (std::size_t at = 0; at < std::min(max_shown, order.size()); ++at) {
    seen.frequent.emplace_back(facts.values[order[at]], facts.counts[order[at]]);
  }
  return seen;
}

TableDraft Drafter::draft() {
  judge_each();
  find_persons();
  set_apart_repeated_names();
  withdraw_what_tells();
  propose_missing();
  for (std::size_t i = 0; i < columns_.size(); ++i) {
    made_.sights.push_back(sight(i));
    made_.comments.push_back(std::move(judged_[i].comment));
    made_.policy.columns.push_back(std::move(judged_[i].column));
  }
  made_.rows = columns_.empty() ? 0 : columns_.front().rows;
  return std::move(made_);
}

}  // namespace

TableDraft draft_table(const std::vector<ColumnFacts>& columns, std::optional<std::size_t> id) {
  return Drafter(columns, id).draft();
}

int id_likeness(const ColumnFacts& column, bool is_first) {
  bool may_be_unique = column.rows > 1 && column.present == column.rows &&
                       (!column.is_exact || column.distinct == column.rows);
  if (!may_be_unique || identifying_meaning(column.name) || identifying_values(column)) return 0;
  if (sounds_like_id(column.name)) return column.name.size() <= 3 ? 3 : 2;
  if (sensitive_meaning(column.name) || has_harmless_name(column.name)) return 0;
  if (is_first && says_nothing(column.name)) return 2;
  return !column.is_numeric && counts_up(column) ? 1 : 0;
}

}  // namespace rankveil::draft

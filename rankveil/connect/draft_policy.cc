#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <optional>

#include "rankveil/connect/relation.h"
#include "rankveil/connect/source.h"
#include "rankveil/connect/telling.h"
#include "rankveil/table/binning.h"
#include "rankveil/table/dictionary.h"
#include "rankveil/table/number_text.h"
#include "rankveil/table/row_names_builder.h"

namespace rankveil::connect {

namespace {

constexpr std::uint64_t most_plain_numbers = 20;  // more different numbers than this are binned
constexpr std::uint32_t bins = 8;
constexpr std::size_t largest_sample = 100'000;  // numbers that bins are cut by
constexpr std::uint64_t most_words = 1000;       // more different texts than this are ignored
constexpr std::uint64_t rows_to_judge = 100;     // fewer rows say nothing about uniqueness
constexpr std::uint64_t most_identifying = 100;  // a "name" with fewer values names no person

// What one column holds.
struct Facts {
  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t present = 0;
  std::uint64_t distinct = 0;
  bool is_exact = false;             // false: there are more than 65,535
  bool is_numeric = false;           // every value is a finite number
  std::vector<double> numbers = {};  // the first of them, enough to cut bins by

  bool nearly_unique() const { return present > rows_to_judge && 2 * distinct > present; }
};

// Names, word by word: "bodyType" and "BODY_TYPE" are "body", "type".

std::vector<std::string> words_of(std::string_view name) {
  std::vector<std::string> words;
  bool in_word = false, was_lower = false;
  for (char c : name) {
    auto byte = static_cast<unsigned char>(c);
    bool is_letter = std::isalnum(byte) != 0 || byte >= 0x80;
    bool starts = is_letter && (!in_word || (was_lower && std::isupper(byte) != 0));
    if (starts) words.emplace_back();
    if (is_letter) words.back() += static_cast<char>(std::tolower(byte));
    in_word = is_letter;
    was_lower = std::islower(byte) != 0 || std::isdigit(byte) != 0;
  }
  return words;
}

bool is_one_of(std::string_view word, std::initializer_list<std::string_view> list) {
  return std::find(list.begin(), list.end(), word) != list.end();
}

// Whether it names what people would rather not have told.
bool sounds_sensitive(std::string_view name) {
  constexpr std::string_view stems[] = {
      "income",      "salar",   "wage",   "earning", "wealth",    "debt",    "credit",  "loan",
      "capital",     "religio", "faith",  "belief",  "ethnic",    "eth",     "race",    "racial",
      "orientation", "sexual",  "health", "disease", "illness",   "diagnos", "medic",   "disab",
      "difficult",   "pregnan", "hiv",    "blood",   "therap",    "mental",  "depress", "asthma",
      "diabet",      "cancer",  "stroke", "heart",   "kidney",    "smok",    "drink",   "alcohol",
      "drug",        "diet",    "kids",   "child",   "offspring", "marital", "divorc",  "politic",
      "vote",        "union",   "body",   "weight",  "bmi",       "crim",    "convict", "arrest",
      "citizen",     "immigra", "genetic"};
  auto words = words_of(name);
  for (std::size_t i = 0; i < words.size(); ++i) {
    for (std::string_view stem : stems) {
      if (words[i].substr(0, stem.size()) == stem) return true;
    }
    if (words[i] == "gender" && i + 1 < words.size() && words[i + 1] == "identity") {
      return true;
    }
  }
  return false;
}

bool names_a_person(std::string_view name) {
  for (const std::string& word : words_of(name)) {
    if (is_one_of(word, {"name", "firstname", "lastname", "surname", "username", "nickname",
                         "email", "mail", "phone", "telephone", "mobile", "address", "street",
                         "ssn", "passport", "iban", "ip"})) {
      return true;
    }
  }
  return false;
}

bool sounds_like_id(std::string_view name) {
  auto words = words_of(name);
  return !words.empty() &&
         is_one_of(words.back(), {"id", "ids", "uuid", "guid", "key", "userid", "personid", "pid",
                                  "uid", "nr", "no", "number", "index", "rowid"});
}

// Measuring.

std::string select_texts(const Relation& relation, const std::vector<std::size_t>& columns) {
  std::string texts;
  for (std::size_t i : columns) texts += (texts.empty() ? "" : ", ") + relation.columns[i].text;
  return fmt::format("SELECT {} FROM {}", texts, relation.from);
}

// Learns a column as it streams by. Different values are remembered up to the most a domain can
// have; beyond that it matters only that they are more.
class Study {
 public:
  explicit Study(std::string name) { facts_.name = std::move(name); }

  void add(std::span<const PackedText> texts, Presence present) {
    facts_.rows += texts.size();
    for (std::size_t i = 0; i < texts.size(); ++i) {
      if (!present[i] || texts[i].size() == 0) continue;
      ++facts_.present;
      if (is_numeric_ && facts_.numbers.size() < largest_sample) sample(texts[i].view());
      if (values_.find(texts[i]) == Dictionary::none) meet(texts[i]);
    }
  }

  Facts finish() const {
    Facts facts = facts_;
    facts.distinct = values_.size();
    facts.is_exact = values_.size() <= largest_domain;
    facts.is_numeric = is_numeric_ && facts.present > 0;
    return facts;
  }

 private:
  void sample(std::string_view text) {
    if (auto number = number_from_text(text); number && std::isfinite(*number)) {
      facts_.numbers.push_back(*number);
    }
  }

  void meet(const PackedText& text) {
    is_numeric_ = is_numeric_ && number_from_text(text.view()).has_value();
    if (values_.size() <= largest_domain) values_.add(text);
  }

  Facts facts_;
  Dictionary values_;
  bool is_numeric_ = true;
};

Result<std::vector<Facts>> measure(Session& session, const Relation& relation,
                                   const std::function<void(double)>& progress) {
  std::vector<std::size_t> columns;
  std::vector<Study> studies;
  for (const RelationColumn& column : relation.columns) {
    columns.push_back(columns.size());
    studies.emplace_back(column.name);
  }
  auto streamed = session.stream(
      select_texts(relation, columns),
      [&](const Chunk& chunk) {
        for (std::size_t i : columns) studies[i].add(chunk.texts(i), chunk.present(i));
        return Status();
      },
      progress);
  if (!streamed) return streamed.error();
  std::vector<Facts> facts;
  facts.reserve(studies.size());
  for (const Study& study : studies) facts.push_back(study.finish());
  return facts;
}

// The id.

// 0: surely no id. Otherwise, the more the better.
int id_likeness(const Facts& column) {
  bool may_be_unique = column.rows > 1 && column.present == column.rows &&
                       (!column.is_exact || column.distinct == column.rows);
  if (!may_be_unique || names_a_person(column.name)) return 0;
  auto words = words_of(column.name);
  if (words.size() == 1 && words[0] == "id") return 3;
  if (sounds_like_id(column.name)) return 2;
  return !column.is_numeric && !sounds_sensitive(column.name) ? 1 : 0;
}

// Reads a column of many values again, as ids. An error of the reading itself was met before.
bool is_unique(Session& session, const Relation& relation, std::size_t column) {
  RowNamesBuilder ids(relation.columns[column].name);
  auto streamed = session.stream(select_texts(relation, {column}), [&](const Chunk& chunk) {
    return ids.add(chunk.texts(0), chunk.present(0));
  });
  return streamed.ok() && std::move(ids).finish().has_value();
}

// Candidates are checked one at a time, so that one set of ids at most is in memory.
std::optional<std::size_t> find_id(Session& session, const Relation& relation,
                                   const std::vector<Facts>& facts) {
  for (int likeness = 3; likeness > 0; --likeness) {
    for (std::size_t i = 0; i < facts.size(); ++i) {
      if (id_likeness(facts[i]) != likeness) continue;
      if (facts[i].is_exact || is_unique(session, relation, i)) return i;
    }
  }
  return std::nullopt;
}

// Guessing.

struct Guess {
  ColumnPolicy column;
  std::string comment;
};

Guess ignored(const Facts& facts, std::string why) {
  return {{.name = facts.name, .role = Role::Ignored}, std::move(why)};
}

std::string count_of(const Facts& facts) {
  return facts.is_exact ? fmt::format("{} values", facts.distinct) : "more than 65,535 values";
}

std::string missing_of(const Facts& facts) {
  std::uint64_t missing = facts.rows - facts.present;
  return missing == 0 ? "" : fmt::format(", {} rows without", missing);
}

// Bins of a private column must not move with the rows, so their edges are written down: rounded,
// since an edge is somebody's number. Those of public columns, too: their owner may think again.
Binning fixed_bins(std::vector<double> numbers) {
  std::sort(numbers.begin(), numbers.end());
  std::vector<double> edges = quantile_edges(numbers, bins);
  if (edges.empty()) return Quantiles{bins};
  edges = coarse_edges(edges, numbers.front(), numbers.back(), usual_range(numbers));
  return edges.empty() ? Binning(Quantiles{bins}) : Binning(BinEdges{std::move(edges)});
}

Guess guess_attribute(const Facts& facts) {
  bool binned = facts.is_numeric && facts.distinct > most_plain_numbers;
  Guess guess{{.name = facts.name}, count_of(facts) + missing_of(facts)};
  if (binned) {
    guess.column.bins = fixed_bins(facts.numbers);
    guess.comment += fmt::format(", cut into {} bins of about as many rows each", bins);
  }
  if (sounds_sensitive(facts.name)) {
    guess.column.role = Role::Private;
    guess.comment += "; private: the name sounds sensitive";
  } else {
    guess.column.role = Role::Public;
    guess.comment += "; public: the name does not sound sensitive, but you know better";
  }
  return guess;
}

Guess guess_column(const Facts& facts, bool is_id) {
  if (is_id) {
    return {{.name = facts.name, .role = Role::Id},
            fmt::format("different in all {} rows; names the rows in answers", facts.rows)};
  }
  if (facts.present == 0) return ignored(facts, "no values; ignored: nothing to rank by");
  if (facts.distinct == 1) return ignored(facts, "1 value; ignored: it ranks nobody");
  std::string count = count_of(facts);
  if (names_a_person(facts.name) && facts.distinct > most_identifying) {
    return ignored(facts, count + "; ignored: the name sounds as if it tells who somebody is");
  }
  if (sounds_like_id(facts.name) && facts.nearly_unique()) {
    return ignored(facts, count + "; ignored: it looks like another id");
  }
  if (facts.is_numeric && facts.distinct > most_plain_numbers) return guess_attribute(facts);
  if (facts.nearly_unique()) {
    return ignored(facts, count + "; ignored: nearly every row has its own");
  }
  if (facts.distinct > most_words) {
    return ignored(facts, count + "; ignored: too many to ask for");
  }
  return guess_attribute(facts);
}

PolicyDraft draft(const std::vector<Facts>& facts, std::optional<std::size_t> id) {
  PolicyDraft result;
  for (std::size_t i = 0; i < facts.size(); ++i) {
    Guess guess = guess_column(facts[i], id == i);
    result.policy.columns.push_back(std::move(guess.column));
    result.comments.push_back(std::move(guess.comment));
  }
  return result;
}

Result<PolicyDraft> draft_once(const Source& source, const ReadOptions& options) {
  auto session = Session::open(options.threads);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return in_source(source, relation.error());
  Teller tell(options.progress, "looking at " + source.name());
  auto facts = measure(*session, *relation, [&](double done) { tell(done); });
  if (!facts) return in_source(source, facts.error());
  if (facts->empty() || facts->front().rows == 0) return in_source(source, no_rows());
  auto id = find_id(*session, *relation, *facts);
  tell.finish();
  return draft(*facts, id);
}

}  // namespace

Result<PolicyDraft> draft_policy(const Source& source, const ReadOptions& options) {
  return read_surely(source, [&](const Source& from) { return draft_once(from, options); });
}

}  // namespace rankveil::connect

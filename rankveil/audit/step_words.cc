#include "rankveil/audit/step_words.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <string>

#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

using Answer = std::vector<std::uint32_t>;

std::optional<std::size_t> place_in(const Answer& answer, std::uint32_t row) {
  auto found = std::find(answer.begin(), answer.end(), row);
  if (found == answer.end()) return std::nullopt;
  return static_cast<std::size_t>(found - answer.begin());
}

// Whether a row ranks before the victim; nothing: neither was returned. Rows that an answer leaves
// out rank below those that it has.
std::optional<bool> is_before(const Answer& answer, std::uint32_t row, std::uint32_t victim) {
  auto of_row = place_in(answer, row);
  auto of_victim = place_in(answer, victim);
  if (!of_row && !of_victim) return std::nullopt;
  if (!of_row || !of_victim) return of_row.has_value();
  return *of_row < *of_victim;
}

class Words {
 public:
  Words(const attack::Knowledge& knowledge, const RowNames& names, std::uint32_t victim,
        std::span<const RecordedStep> steps)
      : knowledge_(knowledge),
        schema_(knowledge.schema),
        names_(names),
        victim_(victim),
        steps_(steps) {}

  Step step(std::size_t at) const {
    const RecordedStep& recorded = steps_[at];
    Step step{.is_insert = recorded.is_insert};
    if (recorded.is_insert) {
      step.row = row_of(recorded.values);
      step.why = "a row of one's own, to compare with";
      return step;
    }
    step.query = query_to_json(schema_, recorded.query);
    for (std::uint32_t row : recorded.answer) step.answer.push_back(name(row));
    step.why = why(at);
    return step;
  }

 private:
  std::string name(std::uint32_t row) const {
    if (row < names_.size()) return names_.text(RowId{row});
    return fmt::format("+{}", row - names_.size() + 1);
  }

  std::vector<std::optional<std::string>> row_of(const std::vector<ValueId>& values) const {
    std::vector<std::optional<std::string>> row;
    for (std::uint32_t i = 0; i < values.size(); ++i) {
      row.emplace_back();
      if (values[i] != missing_value) row.back() = schema_.attributes[i].domain.text(values[i]);
    }
    return row;
  }

  std::string place(const Answer& answer) const {
    auto at = place_in(answer, victim_);
    return at ? fmt::format("is number {}", *at + 1) : "is not among the answers";
  }

  // How many rows there are when a step is done.
  std::uint32_t rows_at(std::size_t at) const {
    auto inserts = std::count_if(steps_.begin(), steps_.begin() + static_cast<std::ptrdiff_t>(at),
                                 [](const RecordedStep& step) { return step.is_insert; });
    return static_cast<std::uint32_t>(names_.size() + static_cast<std::size_t>(inserts));
  }

  std::string why(std::size_t at) const {
    const Query& query = steps_[at].query;
    for (std::uint32_t i = schema_.public_count(); i < schema_.size(); ++i) {
      if (query.wanted[i].empty()) continue;
      Query without = query;
      without.wanted[i].clear();
      for (std::size_t base = 0; base < steps_.size(); ++base) {
        if (steps_[base].is_insert || steps_[base].query != without) continue;
        return fmt::format("with {} asked for as well, {}", wanted(query, i),
                           compared(base, at, i));
      }
    }
    return fmt::format("to compare with: {} {}", name(victim_), place(steps_[at].answer));
  }

  std::string wanted(const Query& query, std::uint32_t attribute) const {
    std::string values;
    for (ValueId value : query.wanted[attribute]) {
      values += (values.empty() ? "" : "|") + schema_.attributes[attribute].domain.text(value);
    }
    return fmt::format("{} = {}", schema_.attributes[attribute].name, values);
  }

  // Who changed places with the victim.
  struct Moves {
    std::uint64_t passed = 0;     // rows that it left behind
    std::uint64_t passed_by = 0;  // rows that left it behind
  };
  Moves moves(std::size_t base, std::size_t at) const {
    const Answer& before = steps_[base].answer;
    const Answer& after = steps_[at].answer;
    std::set<std::uint32_t> rows(before.begin(), before.end());
    rows.insert(after.begin(), after.end());
    rows.erase(victim_);
    Moves moves;
    for (std::uint32_t row : rows) {
      if (row >= std::min(rows_at(base), rows_at(at))) continue;  // it was not there both times
      auto then = is_before(before, row, victim_);
      auto now = is_before(after, row, victim_);
      if (!then || !now) continue;
      moves.passed += *then && !*now ? 1 : 0;
      moves.passed_by += !*then && *now ? 1 : 0;
    }
    return moves;
  }

  std::string compared(std::size_t base, std::size_t at, std::uint32_t attribute) const {
    const Answer& answer = steps_[at].answer;
    bool one = steps_[at].query.wanted[attribute].size() == 1;
    const char* values = one ? "this value" : "one of these values";
    auto [passed, passed_by] = moves(base, at);
    std::string victim = name(victim_);
    if (passed > 0) {
      return fmt::format("{} passes {} and {}: it matches {}", victim, counted(passed, "row"),
                         place(answer), values);
    }
    if (passed_by > 0) {
      bool graded = knowledge_.belief.kind == attack::ProfileKind::Graded;
      return fmt::format("{} {} {}, which {}: {}", counted(passed_by, "row"),
                         passed_by == 1 ? "passes" : "pass", victim, place(answer),
                         graded ? fmt::format("it matches {} less", values)
                                : fmt::format("it does not match {}", one ? values
                                                                          : "any of these "
                                                                            "values"));
    }
    if (auto own = own_row_behind(at, attribute)) {
      return fmt::format(
          "{} stays before {}, which has {} and is as good otherwise: it matches, too", victim,
          name(*own), values);
    }
    return fmt::format("nobody passes {}, which {}", victim, place(answer));
  }

  // A row of one's own that matches what is asked for, is the victim's equal in public values asked
  // for, and yet is behind it.
  std::optional<std::uint32_t> own_row_behind(std::size_t at, std::uint32_t attribute) const {
    const attack::Belief& belief = knowledge_.belief;
    bool own_match = belief.kind == attack::ProfileKind::OneValue || belief.own_rows_match;
    const Query& query = steps_[at].query;
    for (std::uint32_t i = schema_.public_count(); i < schema_.size(); ++i) {
      if (i != attribute && !query.wanted[i].empty()) return std::nullopt;
    }
    std::uint32_t row = static_cast<std::uint32_t>(names_.size());
    for (std::size_t i = 0; own_match && i < at; ++i) {
      if (!steps_[i].is_insert) continue;
      const std::vector<ValueId>& values = steps_[i].values;
      bool matches = is_wanted(query, attribute, values[attribute]);
      bool behind = is_before(steps_[at].answer, row, victim_) == false;
      if (matches && behind && public_score(query, values) == public_score(query)) return row;
      ++row;
    }
    return std::nullopt;
  }

  static bool is_wanted(const Query& query, std::uint32_t attribute, ValueId value) {
    const auto& wanted = query.wanted[attribute];
    return std::find(wanted.begin(), wanted.end(), value) != wanted.end();
  }

  std::int64_t public_score(const Query& query, std::span<const ValueId> values) const {
    std::int64_t score = 0;
    for (std::uint32_t i = 0; i < schema_.public_count(); ++i) {
      if (is_wanted(query, i, values[i])) score += knowledge_.weights.units[i];
    }
    return score;
  }
  // The victim's.
  std::int64_t public_score(const Query& query) const {
    std::vector<ValueId> values;
    for (const Column& column : knowledge_.public_columns) {
      values.push_back(column.value(RowId{victim_}));
    }
    return public_score(query, values);
  }

  const attack::Knowledge& knowledge_;
  const Schema& schema_;
  const RowNames& names_;
  std::uint32_t victim_;
  std::span<const RecordedStep> steps_;
};

}  // namespace

Step step_in_words(const attack::Knowledge& knowledge, const RowNames& names, std::uint32_t victim,
                   std::span<const RecordedStep> steps, std::size_t at) {
  return Words(knowledge, names, victim, steps).step(at);
}

}  // namespace rankveil::audit

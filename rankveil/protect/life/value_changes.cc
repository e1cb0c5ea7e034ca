#include "rankveil/protect/life/value_changes.h"

#include <fmt/core.h>

#include <algorithm>
#include <map>
#include <optional>

#include "rankveil/promise/hypergeometric.h"

namespace rankveil {

namespace {

constexpr double rare_by_chance = 1e-6;

// The value with which somebody was released, and the present one.
struct TwoValues {
  std::uint16_t before;
  std::uint16_t now;
};

// Visits both values of a column, for every row of everybody who shows something and is there.
template <typename Visit>
void for_each_value(const Task& task, const Persons& persons, const Ledger& ledger,
                    const PersonClasses& classes, std::uint32_t column, Visit visit) {
  const Column& values = task.private_column(PrivateId{column});
  for (std::uint32_t p = 0; p < persons.count(); ++p) {
    const LedgerEntry* before = classes.before[p];
    if (before == nullptr || !shows(before->status)) continue;
    std::size_t first = before->at + ledger.public_columns.size() + column;
    std::uint32_t rows = std::min(before->rows, persons.row_count(p));
    for (std::uint32_t i = 0; i < rows; ++i) {
      std::uint16_t code = classes.released_values[first + i * ledger.columns.size()];
      visit(p, TwoValues{code, code_of(values.value(persons.row(p, i)))});
    }
  }
}

std::vector<bool> codes_in_use(const Column& column) {
  std::vector<bool> there(column.domain_size(), false);
  column.for_each([&](std::size_t, std::uint32_t value) { there[value] = true; });
  return there;
}

struct Holders {
  std::uint64_t rows = 0;
  std::optional<std::uint16_t> now;  // what they all hold
  bool apart = false;                // they hold different things
};

// A value that is gone, in whose place another stands; by its code.
std::optional<std::pair<std::uint16_t, std::uint16_t>> replaced_value(
    const std::vector<bool>& there, const std::map<std::uint16_t, Holders>& holders) {
  for (const auto& [code, own] : holders) {
    bool replaced = own.rows >= 2 && !own.apart && code != Ledger::no_code && !there[code];
    if (replaced) return std::pair(code, *own.now);
  }
  return std::nullopt;
}

std::string value_text(const Attribute& attribute, std::uint16_t code) {
  return code == Ledger::no_code ? "no value" : attribute.domain.text(ValueId{code});
}

Error replaced(const Attribute& attribute, std::uint16_t before, std::uint16_t now) {
  return wrong_use(fmt::format(
      "{0} has no {1} any more, and all that had it now have {2}; they would be withdrawn and "
      "stand "
      "out. If {1} is called {2} now, say so in the policy, [column.{0}.renamed] \"{1}\" = "
      "\"{2}\"; "
      "if two values became one, keep them apart; or let rows keep what they show, with "
      "--withdraw-after never",
      attribute.name, value_text(attribute, before), value_text(attribute, now)));
}

// ---- Who is withdrawn ----

// How many people have each value, and how many of those that leave.
struct ValueCount {
  std::uint64_t all = 0;
  std::uint64_t leaving = 0;
};
using ValueCounts = std::map<std::uint16_t, ValueCount>;

// Everybody counts once with a value.
class PeopleCounter {
 public:
  explicit PeopleCounter(const std::vector<std::uint8_t>& leaves) : leaves_(leaves) {}

  void add(std::uint32_t person, std::uint16_t code) {
    if (person != last_) seen_.clear();
    last_ = person;
    if (std::ranges::find(seen_, code) != seen_.end()) return;
    seen_.push_back(code);
    ++counts_[code].all;
    counts_[code].leaving += leaves_[person];
  }
  const ValueCounts& counts() const { return counts_; }

 private:
  const std::vector<std::uint8_t>& leaves_;
  ValueCounts counts_;
  std::vector<std::uint16_t> seen_;
  std::uint32_t last_ = UINT32_MAX;
};

bool concentrates(const ValueCounts& counts, std::uint64_t people, std::uint64_t leaving,
                  std::uint64_t tests) {
  return std::ranges::any_of(counts, [&](const auto& value) {
    double chance = hypergeometric_tail(people, value.second.all, leaving, value.second.leaving);
    return chance * static_cast<double>(tests) < rare_by_chance;
  });
}

std::uint64_t count_shown(const PersonClasses& classes) {
  return static_cast<std::uint64_t>(std::ranges::count_if(
      classes.before, [](const auto* entry) { return entry != nullptr && shows(entry->status); }));
}

}  // namespace

Status check_vanished_values(const Task& task, const Persons& persons, const Ledger& ledger,
                             const PersonClasses& classes) {
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    std::vector<Holders> by_code(ledger.columns[j].values.size() + 1);  // the last: no value
    for_each_value(task, persons, ledger, classes, j, [&](std::uint32_t, TwoValues values) {
      Holders& own = by_code[std::min<std::size_t>(values.before, by_code.size() - 1)];
      own.apart = own.apart || (own.now && *own.now != values.now);
      own.now = values.now;
      ++own.rows;
    });
    std::map<std::uint16_t, Holders> holders;
    for (std::size_t code = 0; code + 1 < by_code.size(); ++code) {
      if (by_code[code].rows > 0) holders[static_cast<std::uint16_t>(code)] = by_code[code];
    }
    auto found = replaced_value(codes_in_use(task.private_column(PrivateId{j})), holders);
    if (found) return replaced(task.attribute(PrivateId{j}), found->first, found->second);
  }
  return {};
}

Status check_scattered(const Task& task, const Persons& persons, const Ledger& ledger,
                       const PersonClasses& classes, const std::vector<std::uint32_t>& leaving) {
  if (leaving.empty()) return {};
  std::vector<std::uint8_t> leaves(persons.count(), 0);
  for (std::uint32_t person : leaving) leaves[person] = 1;
  std::uint64_t people = count_shown(classes), tests = 0;
  for (const LedgerColumn& column : ledger.columns) tests += 2 * column.values.size();
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    PeopleCounter before(leaves), now(leaves);
    for_each_value(task, persons, ledger, classes, j, [&](std::uint32_t p, TwoValues values) {
      before.add(p, values.before);
      now.add(p, values.now);
    });
    bool alike = concentrates(before.counts(), people, leaving.size(), tests) ||
                 concentrates(now.counts(), people, leaving.size(), tests);
    if (!alike) continue;
    return wrong_use(fmt::format(
        "those whose private values changed are too much alike in {0}: that they are withdrawn "
        "would tell it. If values are only called otherwise, say so in the policy "
        "([column.{0}.renamed]); or let rows keep what they show, with --withdraw-after never",
        task.attribute(PrivateId{j}).name));
  }
  return {};
}

}  // namespace rankveil

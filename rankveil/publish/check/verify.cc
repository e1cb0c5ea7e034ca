#include "rankveil/publish/check/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <numeric>
#include <set>

namespace rankveil::publish {

namespace {

constexpr double precision_slack = 1e-9;

// Text as a number, by the C library: the writer of publications has a parser of its own.
std::optional<double> as_number(const std::string& text) {
  char* end = nullptr;
  double value = std::strtod(text.c_str(), &end);
  while (*end == ' ') ++end;
  if (text.empty() || *end != '\0' || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool all_numbers(const connect::TextColumn& column) {
  return !column.values.empty() && std::ranges::all_of(column.values, [](const std::string& value) {
    return as_number(value).has_value();
  });
}

class Verifier {
 public:
  Verifier(const Publication& publication, const Truth& truth)
      : published_(publication), truth_(truth), taken_(truth.scores.size(), false) {}

  Verification run() {
    mark_top();
    for (std::size_t i = 0; i < published_.groups.size(); ++i) {
      group_ = i;
      check_group(published_.groups[i]);
    }
    check_totals();
    check_tested();
    return std::move(result_);
  }

 private:
  // A test that no column underwent is not passed.
  void check_tested() {
    const auto& groups = published_.groups;
    if (!published_.diversity.is_asked() || groups.empty()) return;
    if (std::ranges::any_of(groups, [](const auto& group) { return !group.sensitive.empty(); })) {
      return;
    }
    problem(
        "no column was tested for diversity: none is known to be sensitive; of a .csv or .parquet, "
        "name them with --sensitive");
  }

  void problem(const std::string& sentence) { result_.problems.push_back(sentence); }
  void group_problem(const std::string& sentence) {
    problem(fmt::format("group {}: {}", group_ + 1, sentence));
  }
  void note_once(const std::string& sentence) {
    auto& notes = result_.notes;
    if (std::ranges::find(notes, sentence) == notes.end()) notes.push_back(sentence);
  }

  // Sorts all rows; equal scores by row number.
  void mark_top() {
    std::vector<std::uint32_t> rows(truth_.scores.size());
    std::iota(rows.begin(), rows.end(), 0U);
    std::sort(rows.begin(), rows.end(), [&](std::uint32_t a, std::uint32_t b) {
      if (truth_.scores[a] != truth_.scores[b]) return truth_.scores[a] > truth_.scores[b];
      return a < b;
    });
    result_.in_top.assign(rows.size(), 0);
    if (published_.top == 0 || published_.top > rows.size()) {
      problem(fmt::format("a top of {} rows cannot be had of {}", published_.top, rows.size()));
      return;
    }
    std::size_t length = published_.top;
    double last = truth_.scores[rows[length - 1]];
    while (published_.ties != "cut" && length < rows.size() &&
           truth_.scores[rows[length]] == last) {
      ++length;
    }
    for (std::size_t i = 0; i < length; ++i) result_.in_top[rows[i]] = 1;
    result_.top_rows = length;
  }

  bool is_inside(const PublishedGroup& group, std::uint32_t row) const {
    for (std::size_t d = 0; d < group.ranges.size(); ++d) {
      double value = truth_.ranking[d][row];
      if (std::isnan(value) || value < group.ranges[d].low || value > group.ranges[d].high) {
        return false;
      }
    }
    return !group.least_score || truth_.scores[row] >= *group.least_score;
  }

  Recounted recount(const PublishedGroup& group) {
    Recounted found;
    for (std::uint32_t row = 0; row < taken_.size(); ++row) {
      if (taken_[row] || !is_inside(group, row)) continue;
      taken_[row] = true;
      found.rows.push_back(row);
      ++found.members;
      if (result_.in_top[row] != 0) ++found.true_positives;
    }
    return found;
  }

  void check_group(const PublishedGroup& group) {
    Recounted found = recount(group);
    bool stated = group.members > 0;
    if (stated && found.members != group.members) {
      group_problem(
          fmt::format("{} members are stated, and the table has {}", group.members, found.members));
    }
    if (stated && found.true_positives != group.true_positives) {
      group_problem(fmt::format("{} true positives are stated, and the table has {}",
                                group.true_positives, found.true_positives));
    }
    if (stated && std::abs(found.precision() - group.precision) > 1e-6) {
      group_problem(fmt::format("a precision of {:.6f} is stated, and it is {:.6f}",
                                group.precision, found.precision()));
    }
    if (found.members < published_.k) {
      group_problem(fmt::format("it has {} members, fewer than {}", found.members, published_.k));
    }
    if (found.precision() + precision_slack < published_.least_precision) {
      group_problem(fmt::format("its precision is {:.4f}, below {}", found.precision(),
                                published_.least_precision));
    }
    check_score(group, found);
    for (const Generalised& one : group.quasi) check_quasi(one, found);
    for (const Disclosure& one : group.sensitive) check_sensitive(one, found);
    check_together(group, found);
    result_.groups.push_back(std::move(found));
  }

  void check_score(const PublishedGroup& group, const Recounted& found) {
    for (std::uint32_t row : found.rows) {
      double score = truth_.scores[row];
      double tolerance = 1e-9 * std::max(1.0, std::abs(score));
      if (score >= group.score.low - tolerance && score <= group.score.high + tolerance) continue;
      group_problem(
          "its range of scores is narrower than the scores of its members, which tells "
          "some of them apart");
      return;
    }
  }

  const connect::TextColumn* column(const std::string& name) {
    for (const connect::TextColumn& one : truth_.texts) {
      if (one.name == name) return &one;
    }
    note_once(fmt::format("{} was not checked: the table was read without it", name));
    return nullptr;
  }

  bool fits(const Generalised& one, const std::string& value) {
    if (one.range) {
      auto number = as_number(value);
      return number && *number >= one.range->low && *number <= one.range->high;
    }
    if (!one.label) return std::ranges::find(one.values, value) != one.values.end();
    auto hierarchy = truth_.hierarchies.find(one.column);
    if (hierarchy != truth_.hierarchies.end()) return hierarchy->second.is_below(value, *one.label);
    note_once(fmt::format("{} was not checked: pass its hierarchy", one.column));
    return true;
  }

  void check_quasi(const Generalised& one, const Recounted& found) {
    const connect::TextColumn* values = column(one.column);
    if (values == nullptr) return;
    for (std::uint32_t row : found.rows) {
      std::uint32_t code = values->codes[row];
      bool missing = code == connect::TextColumn::missing;
      if (missing ? one.missing : fits(one, values->values[code])) continue;
      group_problem(fmt::format("a member has another {} than is published", one.column));
      return;
    }
  }

  // Values of the members, or of all rows; an empty text stands for missing.
  static std::map<std::string, std::uint64_t> tally(const connect::TextColumn& values,
                                                    const std::vector<std::uint32_t>& rows) {
    std::map<std::string, std::uint64_t> counts;
    for (std::uint32_t row : rows) {
      std::uint32_t code = values.codes[row];
      ++counts[code == connect::TextColumn::missing ? "" : values.values[code]];
    }
    return counts;
  }

  void check_sensitive(const Disclosure& one, const Recounted& found) {
    const connect::TextColumn* values = column(one.column);
    if (values == nullptr || !one.is_shown()) return;
    auto counts = tally(*values, found.rows);
    check_shown(one, counts);
    check_diverse(one.column, *values, counts, found.rows.size());
  }

  void check_shown(const Disclosure& one, std::map<std::string, std::uint64_t> counts) {
    std::uint64_t missing = counts.contains("") ? counts[""] : 0;
    counts.erase("");
    if (missing != one.missing) {
      group_problem(fmt::format("{} is missing for {} members, not for {}", one.column, missing,
                                one.missing));
    }
    if (one.range) {
      for (const auto& [value, count] : counts) {
        auto number = as_number(value);
        if (number && *number >= one.range->low && *number <= one.range->high) continue;
        group_problem(fmt::format("a member has a {} outside of the range", one.column));
        return;
      }
    } else if (counts !=
               std::map<std::string, std::uint64_t>(one.values.begin(), one.values.end())) {
      group_problem(fmt::format("the values of {} are others than published", one.column));
    }
  }

  void check_diverse(const std::string& name, const connect::TextColumn& values,
                     const std::map<std::string, std::uint64_t>& counts, std::size_t members) {
    const Diversity& demand = published_.diversity;
    if (demand.distinct && counts.size() < *demand.distinct) {
      group_problem(fmt::format("{} is shown with {} different values, fewer than {}", name,
                                counts.size(), *demand.distinct));
    }
    double entropy = 0;
    for (const auto& [value, count] : counts) {
      double share = static_cast<double>(count) / static_cast<double>(members);
      entropy -= share * std::log(share);
    }
    if (demand.entropy && std::exp(entropy) < *demand.entropy - 1e-6) {
      group_problem(fmt::format("{} is shown with the entropy of {:.3f} values, fewer than {}",
                                name, std::exp(entropy), *demand.entropy));
    }
    if (!demand.closeness) return;
    double distance = earth_mover(values, counts, members);
    if (distance > *demand.closeness + 1e-6) {
      group_problem(fmt::format("{} is shown {:.4f} away from the table, more than {}", name,
                                distance, *demand.closeness));
    }
  }

  // What a row has in all columns; a missing value is one of its own.
  static std::vector<std::uint32_t> combination(
      const std::vector<const connect::TextColumn*>& columns, std::uint32_t row) {
    std::vector<std::uint32_t> codes;
    codes.reserve(columns.size());
    for (const connect::TextColumn* one : columns) codes.push_back(one->codes[row]);
    return codes;
  }

  // Columns that are shown side by side must pass as one column, too. Different values and entropy
  // only grow when columns are put together, and each column was tested; the distance grows.
  void check_together(const PublishedGroup& group, const Recounted& found) {
    std::vector<const connect::TextColumn*> shown;
    for (const Disclosure& one : group.sensitive) {
      const connect::TextColumn* values = one.is_shown() ? column(one.column) : nullptr;
      if (values != nullptr) shown.push_back(values);
    }
    if (!published_.diversity.closeness || shown.size() < 2) return;
    std::map<std::vector<std::uint32_t>, double> differences;
    for (std::uint32_t row = 0; row < taken_.size(); ++row) {
      differences[combination(shown, row)] -= 1.0 / static_cast<double>(taken_.size());
    }
    for (std::uint32_t row : found.rows) {
      differences[combination(shown, row)] += 1.0 / static_cast<double>(found.rows.size());
    }
    double distance = 0;
    for (const auto& [codes, difference] : differences) distance += std::abs(difference) / 2;
    if (distance <= *published_.diversity.closeness + 1e-6) return;
    group_problem(
        fmt::format("its sensitive columns are shown together {:.4f} away from the table, more "
                    "than {}",
                    distance, *published_.diversity.closeness));
  }

  double earth_mover(const connect::TextColumn& values,
                     const std::map<std::string, std::uint64_t>& counts, std::size_t members) {
    std::vector<std::uint32_t> all(values.codes.size());
    std::iota(all.begin(), all.end(), 0U);
    std::vector<std::pair<std::string, double>> differences;
    for (const auto& [value, count] : tally(values, all)) {
      auto here = counts.find(value);
      double share = here == counts.end()
                         ? 0
                         : static_cast<double>(here->second) / static_cast<double>(members);
      differences.emplace_back(
          value, share - static_cast<double>(count) / static_cast<double>(all.size()));
    }
    double sum = 0;
    if (!all_numbers(values)) {
      for (const auto& [value, difference] : differences) sum += std::abs(difference) / 2;
      return sum;
    }
    // Missing comes behind all numbers.
    std::ranges::stable_sort(differences, {}, [](const auto& one) {
      return as_number(one.first).value_or(std::numeric_limits<double>::infinity());
    });
    double carried = 0;
    for (std::size_t i = 0; i + 1 < differences.size(); ++i) {
      carried += differences[i].second;
      sum += std::abs(carried);
    }
    return differences.size() < 2 ? 0 : sum / static_cast<double>(differences.size() - 1);
  }

  void check_totals() {
    std::uint64_t members = 0;
    for (const Recounted& group : result_.groups) {
      result_.covered += group.true_positives;
      members += group.members;
    }
    if (members > 0) {
      result_.precision = static_cast<double>(result_.covered) / static_cast<double>(members);
    }
    if (published_.groups.empty()) problem("there is no group");
    if (published_.top_rows == 0) return;  // a sheet states no totals
    if (published_.top_rows != result_.top_rows) {
      problem(fmt::format("a top of {} rows is stated, and it has {}", published_.top_rows,
                          result_.top_rows));
    }
    double covered = result_.top_rows == 0 ? 0
                                           : static_cast<double>(result_.covered) /
                                                 static_cast<double>(result_.top_rows);
    if (std::abs(covered - published_.covered) > 1e-6) {
      problem(fmt::format("{:.4f} of the top is said to be covered, and {:.4f} is",
                          published_.covered, covered));
    }
    if (std::abs(result_.precision - published_.precision) > 1e-6) {
      problem(fmt::format("a precision of {:.4f} is stated for all groups, and it is {:.4f}",
                          published_.precision, result_.precision));
    }
  }

  const Publication& published_;
  const Truth& truth_;
  std::vector<bool> taken_;
  std::size_t group_ = 0;
  Verification result_;
};

}  // namespace

Verification verify(const Publication& publication, const Truth& truth) {
  return Verifier(publication, truth).run();
}

}  // namespace rankveil::publish

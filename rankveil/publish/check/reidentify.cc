#include "rankveil/publish/check/reidentify.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "rankveil/table/number_text.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::publish {

namespace {

using RowNumber = std::uint32_t;

const connect::TextColumn* find_text(const Truth& truth, const std::string& name) {
  for (const connect::TextColumn& column : truth.texts) {
    if (column.name == name) return &column;
  }
  return nullptr;
}

bool fits_quasi(const Generalised& one, const Truth& truth, RowNumber row) {
  const connect::TextColumn* column = find_text(truth, one.column);
  if (column == nullptr) return true;
  std::uint32_t code = column->codes[row];
  if (code == connect::TextColumn::missing) return one.missing;
  const std::string& value = column->values[code];
  if (one.range) {
    auto number = number_from_text(value);
    return number && *number >= one.range->low && *number <= one.range->high;
  }
  if (!one.label) return std::ranges::find(one.values, value) != one.values.end();
  auto tree = truth.hierarchies.find(one.column);
  return tree == truth.hierarchies.end() || tree->second.is_below(value, *one.label);
}

bool fits_quasi(const PublishedGroup& group, const Truth& truth, RowNumber row) {
  return std::ranges::all_of(group.quasi,
                             [&](const Generalised& one) { return fits_quasi(one, truth, row); });
}

// What an adversary knows about a row, so that rows he cannot tell apart are equal.
using Known = std::vector<double>;

Known known_quasi(const Publication& publication, const Truth& truth, RowNumber row) {
  Known known;
  for (const Generalised& one : publication.groups.front().quasi) {
    const connect::TextColumn* column = find_text(truth, one.column);
    if (column != nullptr) known.push_back(column->codes[row]);
  }
  return known;
}

Known known_scores(const Truth& truth, RowNumber row) {
  Known known;
  for (const auto& column : truth.ranking) known.push_back(column[row]);
  return known;
}

class Study {
 public:
  Study(const Publication& publication, const Truth& truth, const Verification& found)
      : published_(publication), truth_(truth), found_(found), group_of_(truth.scores.size(), -1) {
    for (std::size_t g = 0; g < found.groups.size(); ++g) {
      for (RowNumber row : found.groups[g].rows) group_of_[row] = static_cast<int>(g);
    }
  }

  Reidentification by_quasi(bool knows_membership) {
    index([&](RowNumber row) { return known_quasi(published_, truth_, row); });
    return go_over(knows_membership ? "membership" : "quasi", [&](RowNumber row) {
      auto fits = std::ranges::count_if(published_.groups, [&](const PublishedGroup& group) {
        return fits_quasi(group, truth_, row);
      });
      return fits == 1 && (knows_membership || all_together(row));
    });
  }

  // Ranges tell whoever has the values: the first group that holds them is the victim's.
  Reidentification by_scores() {
    index([&](RowNumber row) { return known_scores(truth_, row); });
    return go_over("scores", [&](RowNumber row) { return all_together(row); });
  }

 private:
  template <typename KnownOf>
  void index(const KnownOf& known_of) {
    alike_.clear();
    classes_.assign(truth_.scores.size(), 0);
    std::map<Known, std::size_t> numbers;
    for (RowNumber row = 0; row < truth_.scores.size(); ++row) {
      Known known = known_of(row);
      for (double& number : known) {
        if (std::isnan(number)) number = -1e308;  // NaN has no place in an order
      }
      auto [at, fresh] = numbers.try_emplace(std::move(known), alike_.size());
      if (fresh) alike_.emplace_back();
      alike_[at->second].push_back(row);
      classes_[row] = at->second;
    }
  }

  // Whether all rows that look like this one are in its group.
  bool all_together(RowNumber row) const {
    return std::ranges::all_of(alike_[classes_[row]],
                               [&](RowNumber other) { return group_of_[other] == group_of_[row]; });
  }

  bool is_alone(RowNumber row) const {
    return std::ranges::count_if(alike_[classes_[row]], [&](RowNumber other) {
             return group_of_[other] == group_of_[row];
           }) == 1;
  }

  // Of the commonest value a group shows; nothing: it is withheld, or a range of several numbers.
  static double commonest(const Disclosure& one) {
    if (one.range) return one.range->low == one.range->high && one.missing == 0 ? 1 : 0;
    std::uint64_t all = one.missing;
    std::uint64_t most = one.missing;
    for (const auto& [value, count] : one.values) {
      all += count;
      most = std::max(most, count);
    }
    return all == 0 ? 0 : static_cast<double>(most) / static_cast<double>(all);
  }

  template <typename IsPlaced>
  Reidentification go_over(const char* adversary, const IsPlaced& is_placed) {
    Reidentification result{.adversary = adversary};
    std::vector<Placement> victims;
    for (RowNumber row = 0; row < group_of_.size(); ++row) {
      if (group_of_[row] < 0 || found_.in_top[row] == 0) continue;
      ++result.victims;
      Placement& victim = victims.emplace_back(Placement{row});
      if (!is_placed(row)) continue;
      victim.group = static_cast<std::size_t>(group_of_[row]);
      add_placed(row, result);
    }
    for (const Disclosure& one : published_.groups.front().sensitive) {
      const connect::TextColumn* column = find_text(truth_, one.column);
      if (column == nullptr) continue;
      result.columns.push_back(guess_column(*column, published_.groups, victims));
    }
    if (result.placed > 0) result.company /= static_cast<double>(result.placed);
    auto interval =
        utility::wilson_95(static_cast<double>(result.placed), static_cast<double>(result.victims));
    result.low = interval.low;
    result.high = interval.high;
    return result;
  }

  void add_placed(RowNumber row, Reidentification& result) const {
    auto group = static_cast<std::size_t>(group_of_[row]);
    ++result.placed;
    if (is_alone(row)) ++result.unique;
    result.company += static_cast<double>(found_.groups[group].members);
    for (const Disclosure& one : published_.groups[group].sensitive) {
      ++result.tested;
      if (!one.is_shown()) continue;
      double share = commonest(one);
      result.largest = std::max(result.largest, share);
      if (share == 1) ++result.learned;
    }
  }

  const Publication& published_;
  const Truth& truth_;
  const Verification& found_;
  std::vector<int> group_of_;  // -1: not published
  std::vector<std::vector<RowNumber>> alike_;
  std::vector<std::size_t> classes_;
};

}  // namespace

std::vector<Reidentification> reidentify(const Publication& publication, const Truth& truth,
                                         const Verification& verification) {
  std::vector<Reidentification> results;
  if (publication.groups.empty()) return results;
  Study study(publication, truth, verification);
  if (!publication.groups.front().quasi.empty()) {
    results.push_back(study.by_quasi(false));
    results.push_back(study.by_quasi(true));
  }
  results.push_back(study.by_scores());
  return results;
}

Json to_json(const Reidentification& result) {
  return Json()
      .set("adversary", result.adversary)
      .set("victims", result.victims)
      .set("placed", result.placed)
      .set("low", result.low)
      .set("high", result.high)
      .set("unique", result.unique)
      .set("company", result.company)
      .set("tested", result.tested)
      .set("learned", result.learned)
      .set("largest", result.largest);
}

}  // namespace rankveil::publish

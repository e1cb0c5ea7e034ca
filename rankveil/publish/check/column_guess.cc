#include "rankveil/publish/check/column_guess.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "rankveil/publish/release/diversity.h"
#include "rankveil/table/number_text.h"

namespace rankveil::publish {

namespace {

// One value only is left; below that, rounding.
constexpr double sure = 1 - 1e-12;

// A share for each value of the column, that of missing ones last.
using Belief = std::vector<double>;

void scale_to_one(Belief& belief) {
  double sum = 0;
  for (double share : belief) sum += share;
  for (double& share : belief) share = sum > 0 ? share / sum : 0;
}

const Disclosure* shown(const PublishedGroup& group, const std::string& column) {
  for (const Disclosure& one : group.sensitive) {
    if (one.column == column && one.is_shown()) return &one;
  }
  return nullptr;
}

class Guesser {
 public:
  Guesser(const connect::TextColumn& column, std::span<const PublishedGroup> groups)
      : column_(column), groups_(groups) {
    before_.resize(column.values.size() + 1);
    for (std::uint32_t code : column.codes) before_[place(code)] += 1;
    scale_to_one(before_);
  }

  ColumnGuess guess(std::span<const Placement> victims) {
    ColumnGuess result{.column = column_.name, .victims = victims.size()};
    result.is_number = !numbers_of(column_).empty();
    result.commonest = *std::ranges::max_element(before_);
    for (const Placement& victim : victims) {
      std::size_t truth = place(column_.codes[victim.row]);
      const Belief& after = belief_of(victim, result);
      result.right += chance_of_right(after, truth);
      result.right_before += chance_of_right(before_, truth);
      result.candidates += candidates(after);
      if (&after == &before_) continue;
      if (*std::ranges::max_element(after) >= sure) ++result.certain;
    }
    if (!victims.empty()) result.candidates /= static_cast<double>(victims.size());
    return result;
  }

 private:
  std::size_t place(std::uint32_t code) const {
    return code == connect::TextColumn::missing ? column_.values.size() : code;
  }

  const Belief& belief_of(const Placement& victim, ColumnGuess& result) {
    if (!victim.group) return before_;
    const PublishedGroup& group = groups_[*victim.group];
    const Disclosure* one = shown(group, column_.name);
    if (one == nullptr) return before_;
    auto [at, fresh] = beliefs_.try_emplace(*victim.group);
    if (!fresh) return at->second;
    at->second = one->range ? by_range(*one, group) : by_counts(*one);
    add_group(*victim.group, at->second, result);
    return at->second;
  }

  void add_group(std::size_t group, const Belief& after, ColumnGuess& result) const {
    GroupGuess told{.group = group, .largest = *std::ranges::max_element(after)};
    for (std::size_t i = 0; i < after.size(); ++i) {
      told.rise = std::max(told.rise, after[i] - before_[i]);
    }
    result.is_shown = true;
    result.largest = std::max(result.largest, told.largest);
    result.gain = std::max(result.gain, largest_gain(after));
    result.groups.push_back(told);
  }

  Belief by_counts(const Disclosure& one) const {
    Belief belief(before_.size());
    for (const auto& [value, count] : one.values) {
      auto at = std::ranges::find(column_.values, value);
      if (at == column_.values.end()) continue;  // the recount says so
      belief[static_cast<std::size_t>(at - column_.values.begin())] = static_cast<double>(count);
    }
    belief.back() = static_cast<double>(one.missing);
    scale_to_one(belief);
    return belief;
  }

  Belief by_range(const Disclosure& one, const PublishedGroup& group) const {
    Belief belief(before_.size());
    for (std::size_t i = 0; i < column_.values.size(); ++i) {
      auto number = number_from_text(column_.values[i]);
      bool inside = number && *number >= one.range->low && *number <= one.range->high;
      if (inside) belief[i] = before_[i];
    }
    scale_to_one(belief);
    auto members = static_cast<double>(std::max<std::uint64_t>(group.members, 1));
    double missing = std::min(1.0, static_cast<double>(one.missing) / members);
    for (double& share : belief) share *= 1 - missing;
    belief.back() = missing;
    return belief;
  }

  static double chance_of_right(const Belief& belief, std::size_t truth) {
    double most = *std::ranges::max_element(belief);
    auto best = std::ranges::count_if(belief, [&](double share) { return share >= most - 1e-12; });
    return belief[truth] >= most - 1e-12 ? 1.0 / static_cast<double>(best) : 0;
  }

  double largest_gain(const Belief& after) const {
    double largest = 0;
    for (std::size_t i = 0; i < after.size(); ++i) {
      if (before_[i] < 1) largest = std::max(largest, (after[i] - before_[i]) / (1 - before_[i]));
    }
    return largest;
  }

  static double candidates(const Belief& belief) {
    double entropy = 0;
    for (double share : belief) {
      if (share > 0) entropy -= share * std::log(share);
    }
    return std::exp(entropy);
  }

  const connect::TextColumn& column_;
  std::span<const PublishedGroup> groups_;
  Belief before_;
  std::map<std::size_t, Belief> beliefs_;  // by group
};

}  // namespace

ColumnGuess guess_column(const connect::TextColumn& column, std::span<const PublishedGroup> groups,
                         std::span<const Placement> victims) {
  return Guesser(column, groups).guess(victims);
}

}  // namespace rankveil::publish

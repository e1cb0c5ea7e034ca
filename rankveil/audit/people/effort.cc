#include "rankveil/audit/people/effort.h"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <vector>

#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

// From all to the least.
constexpr std::array efforts = {
    Effort{},
    Effort{.sets = 10},
    Effort{.sets = 5},
    Effort{.sets = 3},
    Effort{.shown = 40'000, .sets = 3},
    Effort{.shown = 40'000, .sets = 2},
    Effort{.learnt = 10'000, .shown = 40'000, .sets = 2},
    Effort{.learnt = 10'000, .shown = 20'000, .sets = 2},
    Effort{.learnt = 5'000, .shown = 20'000, .sets = 1},
    Effort{.learnt = 5'000, .shown = 10'000, .sets = 1},
    Effort{.learnt = 5'000, .shown = 10'000, .sets = 1, .lump = 40},
    Effort{.learnt = 5'000, .shown = 5'000, .sets = 1, .lump = 160},
};

constexpr double seconds_an_addition = 2e-8;  // all passes of a fit

class ModelCosts {
 public:
  explicit ModelCosts(const Table& table)
      : rows_(table.rows()),
        columns_(table.schema().size()),
        publics_(table.schema().public_count()) {
    for (std::uint32_t i = publics_; i < columns_; ++i) {
      const Column& column = table.column(AttributeId{i});
      auto& counts = counts_.emplace_back(column.domain_size(), 0);
      column.for_each([&](std::size_t, std::uint32_t value) { ++counts[value]; });
    }
  }

  double seconds(const Effort& effort) const {
    double sum = 0;
    for (const auto& counts : counts_) sum += additions(counts, effort);
    return sum * seconds_an_addition;
  }

 private:
  // Values that enough of so many rows have; the others are one class.
  double classes(const std::vector<std::uint64_t>& counts, double people, double lump) const {
    double share = people / std::max<double>(rows_, 1);
    auto common = std::ranges::count_if(
        counts, [&](std::uint64_t count) { return static_cast<double>(count) * share >= lump; });
    return static_cast<double>(common) + 1;
  }

  // Of one private column: people and what moved rows show by all other columns, shares and the
  // insider by public ones, acquaintances of two kinds by all others and what they know.
  double additions(const std::vector<std::uint64_t>& counts, const Effort& effort) const {
    auto fit = [&](double most, double columns) {
      double people = std::min<double>(most, rows_);
      return people * columns * classes(counts, people, effort.lump);
    };
    double sets = std::min<double>(effort.sets, static_cast<double>(counts_.size()));
    return 2 * fit(effort.learnt, columns_) + fit(effort.shown, columns_) +
           2 * fit(effort.learnt, publics_) + fit(effort.shown, publics_) +
           4 * sets * fit(effort.learnt / 2.0, columns_ + 2);
  }

  double rows_, columns_;
  std::uint32_t publics_;
  std::vector<std::vector<std::uint64_t>> counts_;  // [private column][value]
};

}  // namespace

std::string Effort::text() const {
  Effort all;
  std::vector<std::string> cuts;
  if (learnt < all.learnt || shown < all.shown) {
    cuts.push_back(
        fmt::format("learn from {} rows, and those of what is shown from {} (usually {} "
                    "and {})",
                    grouped(learnt), grouped(shown), grouped(all.learnt), grouped(all.shown)));
  }
  if (sets < all.sets) {
    cuts.push_back(fmt::format("are asked for {} of each kind, not {}",
                               counted(sets, "acquaintance"), all.sets));
  }
  if (lump > all.lump) {
    cuts.push_back(fmt::format("take values of fewer than {} people for one", lump));
  }
  return fmt::format(
      "Models of people {}, because private columns have so many values that the audit would not "
      "end in time.",
      listed(cuts));
}

Effort effort_for(const Table& table, double seconds) {
  ModelCosts costs(table);
  for (Effort effort : efforts) {
    effort.seconds = costs.seconds(effort);
    if (effort.seconds <= seconds) return effort;
  }
  Effort least = efforts.back();
  least.seconds = costs.seconds(least);
  return least;
}

}  // namespace rankveil::audit

#include "rankveil/protect/estt/small_sets.h"

#include <array>
#include <bit>
#include <limits>

#include "rankveil/protect/estt/equivalent_sets.h"

namespace rankveil {

namespace {

// Best pairs of every even subset of the rows, smaller ones first.
class SubsetTable {
 public:
  explicit SubsetTable(const CodeRows& rows) : cost_(std::size_t{1} << rows.size(), 0) {
    partner_.resize(cost_.size(), 0);
    std::array<std::uint32_t, std::size_t{max_small_rows} * max_small_rows> same;
    for (std::uint32_t i = 0; i < rows.size(); ++i) {
      for (std::uint32_t j = 0; j < i; ++j) same[j * max_small_rows + i] = rows.same(i, j);
    }
    for (std::uint32_t subset = 3; subset < cost_.size(); ++subset) {
      if (std::popcount(subset) % 2 == 0) solve(subset, same);
    }
  }

  std::uint32_t cost(std::uint32_t subset) const { return cost_[subset]; }

  void list_pairs(std::uint32_t subset, std::vector<std::uint32_t>& pairs) const {
    while (subset != 0) {
      auto first = static_cast<std::uint32_t>(std::countr_zero(subset));
      std::uint32_t partner = partner_[subset];
      pairs.push_back(first);
      pairs.push_back(partner);
      subset &= ~(1U << first | 1U << partner);
    }
  }

 private:
  template <typename Same>
  void solve(std::uint32_t subset, const Same& same) {
    auto first = static_cast<std::uint32_t>(std::countr_zero(subset));
    std::uint32_t others = subset & (subset - 1);
    cost_[subset] = std::numeric_limits<std::uint32_t>::max();
    for (std::uint32_t left = others; left != 0; left &= left - 1) {
      auto partner = static_cast<std::uint32_t>(std::countr_zero(left));
      std::uint32_t cost =
          same[first * max_small_rows + partner] + cost_[others & ~(1U << partner)];
      if (cost >= cost_[subset]) continue;
      cost_[subset] = cost;
      partner_[subset] = static_cast<std::uint8_t>(partner);
    }
  }

  std::vector<std::uint32_t> cost_;
  std::vector<std::uint8_t> partner_;  // of the subset's first row
};

std::vector<std::uint32_t> cheapest_with_three(const CodeRows& rows, const SubsetTable& table) {
  std::uint32_t all = (1U << rows.size()) - 1;
  std::array<std::uint32_t, 3> best{};
  auto least = std::numeric_limits<std::uint64_t>::max();
  for (std::uint32_t a = 0; a < rows.size(); ++a) {
    for (std::uint32_t b = a + 1; b < rows.size(); ++b) {
      for (std::uint32_t c = b + 1; c < rows.size(); ++c) {
        std::array<std::uint32_t, 3> three{a, b, c};
        std::uint64_t cost = table.cost(all & ~(1U << a | 1U << b | 1U << c));
        if (cost >= least) continue;
        cost += set_cost(rows, three, 2);
        if (cost >= least) continue;
        least = cost;
        best = three;
      }
    }
  }
  std::vector<std::uint32_t> pairs;
  table.list_pairs(all & ~(1U << best[0] | 1U << best[1] | 1U << best[2]), pairs);
  pairs.insert(pairs.end(), best.begin(), best.end());
  return pairs;
}

}  // namespace

std::vector<std::uint32_t> cheapest_small_pairs(const CodeRows& rows) {
  SubsetTable table(rows);
  if (rows.size() % 2 != 0) return cheapest_with_three(rows, table);
  std::vector<std::uint32_t> pairs;
  table.list_pairs((1U << rows.size()) - 1, pairs);
  return pairs;
}

}  // namespace rankveil

#include "rankveil/audit/feature_trie.h"

#include <algorithm>
#include <numeric>
#include <utility>

namespace rankveil::audit {

namespace {

// Sorts by the columns in their order: the last column first, each by counting.
std::vector<std::uint32_t> sorted_vectors(std::span<const LawColumn> columns,
                                          const std::vector<std::uint32_t>& order,
                                          std::uint32_t vectors) {
  std::vector<std::uint32_t> sorted(vectors), next(vectors);
  std::iota(sorted.begin(), sorted.end(), 0);
  for (auto column = order.rbegin(); column != order.rend(); ++column) {
    const auto& feature_of = columns[*column].feature_of;
    std::vector<std::uint32_t> begin(columns[*column].mass.size() + 1, 0);
    for (std::uint32_t v : sorted) ++begin[feature_of[v] + 1];
    for (std::size_t f = 1; f < begin.size(); ++f) begin[f] += begin[f - 1];
    for (std::uint32_t v : sorted) next[begin[feature_of[v]]++] = v;
    std::swap(sorted, next);
  }
  return sorted;
}

}  // namespace

FeatureTrie::FeatureTrie(std::span<const LawColumn> columns, std::vector<std::uint32_t> order,
                         std::uint32_t vectors)
    : order_(std::move(order)), levels_(order_.size()), leaf_of_(vectors, 0) {
  std::vector<std::uint32_t> sorted = sorted_vectors(columns, order_, vectors);
  for (std::size_t i = 0; i < sorted.size(); ++i) {
    std::uint32_t first_new = 0;  // the first level in which this vector differs from the last
    while (i > 0 && first_new < depth()) {
      const auto& feature_of = columns[order_[first_new]].feature_of;
      if (feature_of[sorted[i]] != feature_of[sorted[i - 1]]) break;
      ++first_new;
    }
    for (std::uint32_t level = first_new; level < depth(); ++level) {
      Level& here = levels_[level];
      here.feature.push_back(columns[order_[level]].feature_of[sorted[i]]);
      if (level + 1 < depth()) {
        here.children.push_back(static_cast<std::uint32_t>(levels_[level + 1].feature.size()));
      }
    }
    if (i == 0 || first_new < depth()) example_.push_back(sorted[i]);
    leaf_of_[sorted[i]] = leaves() - 1;
  }
  for (std::uint32_t level = 0; level + 1 < depth(); ++level) {
    levels_[level].children.push_back(
        static_cast<std::uint32_t>(levels_[level + 1].feature.size()));
  }
}

}  // namespace rankveil::audit

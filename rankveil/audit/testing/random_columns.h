// Small groups for tests: a prior, and columns that weigh its vectors at random.
#pragma once

#include <vector>

#include "rankveil/audit/vector_weights.h"
#include "rankveil/base/random.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::audit::testing_support {

struct RandomColumns {
  Prior prior;
  std::vector<LawColumn> columns;  // release by release

  // `zeros`: how many of 10 weights are 0.
  RandomColumns(Rng& rng, std::uint32_t width, std::uint32_t rows, std::uint32_t releases,
                std::uint32_t zeros) {
    fill_prior(rng, width, rows);
    for (std::uint32_t r = 0; r < releases; ++r) {
      for (std::uint32_t j = 0; j < width; ++j) columns.push_back(column(rng, j, rows, zeros));
    }
  }

 private:
  void fill_prior(Rng& rng, std::uint32_t width, std::uint32_t rows) {
    std::vector<std::uint32_t> domains;
    for (std::uint32_t j = 0; j < width; ++j) {
      domains.push_back(static_cast<std::uint32_t>(1 + rng.below(4)));
    }
    std::vector<std::vector<int>> values(rows);
    for (auto& row : values) {
      for (std::uint32_t domain : domains) row.push_back(static_cast<int>(rng.below(domain)));
    }
    std::vector<RowId> all;
    for (std::uint32_t row = 0; row < rows; ++row) all.push_back(RowId{row});
    prior = prior_of(rankveil::testing_support::coded_table(values, 0, domains), all);
  }

  LawColumn column(Rng& rng, std::uint32_t j, std::uint32_t rows, std::uint32_t zeros) const {
    LawColumn made;
    made.attribute = j;
    auto kinds = static_cast<std::uint32_t>(1 + rng.below(4));
    for (std::uint32_t kind = 0; kind < kinds; ++kind) made.kinds.push_back(kind);
    for (std::uint32_t row = 0; row < rows; ++row) {
      made.kind_of.push_back(static_cast<std::uint32_t>(rng.below(kinds)));
    }
    auto weigh = [&](std::uint32_t, std::uint32_t, std::uint32_t) {
      return rng.below(10) < zeros ? 0.0 : 0.1 + 0.01 * static_cast<double>(rng.below(90));
    };
    // Vectors with the same value may still differ to the law.
    fill_weights(
        prior, [](std::uint32_t vector) { return vector % 2; }, weigh, made);
    return made;
  }
};

inline std::vector<std::uint32_t> all_of(std::uint32_t rows) {
  std::vector<std::uint32_t> list;
  for (std::uint32_t row = 0; row < rows; ++row) list.push_back(row);
  return list;
}

// Count x likelihood, straight from the definition.
inline double plain_weight(const RandomColumns& group, const ClassList& classes, std::uint32_t one,
                           std::uint32_t vector) {
  double weight = group.prior.counts[vector];
  for (std::uint32_t c = 0; c < group.columns.size(); ++c) {
    const LawColumn& column = group.columns[c];
    weight *= column.weights[classes.kind(one, c)][column.feature_of[vector]];
  }
  return weight;
}

}  // namespace rankveil::audit::testing_support

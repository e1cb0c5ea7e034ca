#include "rankveil/protect/chance/rr_mean.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/chance/rr.h"
#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing_support::coded_table;
using testing_support::own_value;
using testing_support::OwnTask;
using testing_support::profile_of;
using testing_support::random_set_task;
using testing_support::set_of;
using testing_support::SetTask;

bool alike_in_public(const Task& task, std::uint32_t a, std::uint32_t b) {
  for (std::uint32_t i = 0; i < task.table.schema().public_count(); ++i) {
    AttributeId attribute{i};
    if (task.table.value(RowId{a}, attribute) != task.table.value(RowId{b}, attribute)) {
      return false;
    }
  }
  return true;
}

// The rows that take part and have the same public values; of what such groups leave over, all.
std::vector<std::uint32_t> plain_group(const Task& task, std::uint32_t row) {
  auto alike = [&](std::uint32_t of) {
    std::vector<std::uint32_t> rows;
    for (std::uint32_t other = 0; other < task.table.rows(); ++other) {
      bool counts = task.takes_part(RowId{other}) && alike_in_public(task, of, other);
      if (counts) rows.push_back(other);
    }
    return rows;
  };
  auto own = alike(row);
  if (own.size() >= task.demand.min_group) return own;
  std::vector<std::uint32_t> left;
  for (std::uint32_t other = 0; other < task.table.rows(); ++other) {
    bool counts = task.takes_part(RowId{other}) && alike(other).size() < task.demand.min_group;
    if (counts) left.push_back(other);
  }
  return left.size() >= task.demand.min_group ? left : std::vector<std::uint32_t>{};
}

// Bayes: share times the probability of saying `said`, over all values and none (-1).
std::vector<double> plain_posterior(const Task& task, const std::vector<std::uint32_t>& rows,
                                    std::uint32_t j, int said) {
  int domain = static_cast<int>(task.private_domain_sizes()[j]);
  double keep = 1.0 / task.demand.l;
  std::vector<double> weights;
  double all = 0;
  for (int value = -1; value < domain; ++value) {
    double count = 0;
    for (std::uint32_t row : rows) count += own_value(task, row, j) == value ? 1 : 0;
    weights.push_back(count * (value == said ? keep : (1 - keep) / domain));
    all += weights.back();
  }
  weights.erase(weights.begin());
  for (double& weight : weights) weight /= all;
  return weights;
}

TEST(RrMean, IsThePosteriorOfWhatRrSays) {
  for (std::uint64_t seed = 0; seed < some_of(600U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SetTask own = random_set_task(rng);
    own.demand.levels = seed % 3 == 0 ? 16 : 255;
    Task task = own.task();
    auto said = protect_rr(task);
    auto made = protect_rr_mean(task);
    ASSERT_TRUE(made);
    double largest = 0;
    std::uint64_t without = 0;
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      auto group = plain_group(task, row);
      bool has_signal = task.takes_part(RowId{row}) && !group.empty();
      without += has_signal ? 0 : 1;
      for (std::uint32_t j = 0; has_signal && j < task.private_count(); ++j) {
        std::uint32_t domain = task.private_domain_sizes()[j];
        auto set = set_of(said->profiles, row, j, domain);
        auto expected =
            plain_posterior(task, group, j, set.empty() ? -1 : static_cast<int>(*set.begin()));
        auto strengths = profile_of(made->profiles, RowId{row}, PrivateId{j}, domain);
        for (std::uint32_t v = 0; v < domain; ++v) {
          ASSERT_NEAR(strengths[v], expected[v], 0.5 / own.demand.levels + 1e-9);
          largest = std::max(largest, std::abs(strengths[v] - expected[v]));
        }
      }
    }
    EXPECT_NEAR(made->report.largest_rounding, largest, 1e-9);
    EXPECT_EQ(made->report.rows_without_signal, without);
  }
}

// Three rows say a or b, or nothing; l = 2 and d = 2: truth counts 2, anything else 1.
TEST(RrMean, WorksAsTheFormulaOfItsHeader) {
  OwnTask own{coded_table({{0}, {0}, {1}}, 0, {2})};
  own.demand.l = 2;
  own.demand.min_group = 3;
  own.demand.levels = 20;
  auto said = protect_rr(own.task());
  auto made = protect_rr_mean(own.task());
  for (std::uint32_t row = 0; row < 3; ++row) {
    auto set = set_of(said->profiles, row, 0, 2);
    auto strengths = profile_of(made->profiles, RowId{row}, PrivateId{0}, 2);
    if (set.empty()) {
      EXPECT_THAT(strengths, ElementsAre(13. / 20, 7. / 20));
    } else if (set.contains(0)) {
      EXPECT_THAT(strengths, ElementsAre(16. / 20, 4. / 20));
    } else {
      EXPECT_THAT(strengths, ElementsAre(10. / 20, 10. / 20));
    }
  }
}

}  // namespace
}  // namespace rankveil

#include "rankveil/protect/chance/rr.h"

#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::own_value;
using testing_support::OwnTask;
using testing_support::random_set_task;
using testing_support::same_profiles;
using testing_support::set_of;
using testing_support::SetTask;

TEST(Rr, MatchesOneValueOrNoneAndCountsWhatIsNotTrue) {
  for (std::uint64_t seed = 0; seed < some_of(500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    SetTask own = random_set_task(rng);
    Task task = own.task();
    auto made = protect_rr(task);
    ASSERT_TRUE(made);
    std::uint64_t untrue = 0, rows = 0;
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      if (!task.takes_part(RowId{row})) continue;
      std::uint64_t before = untrue;
      for (std::uint32_t j = 0; j < task.private_count(); ++j) {
        auto set = set_of(made->profiles, row, j, task.private_domain_sizes()[j]);
        ASSERT_LE(set.size(), 1U);
        int shown = set.empty() ? -1 : static_cast<int>(*set.begin());
        untrue += shown != own_value(task, row, j) ? 1 : 0;
      }
      rows += untrue > before ? 1 : 0;
    }
    EXPECT_EQ(made->report.obfuscated_values, untrue);
    EXPECT_EQ(made->report.rows_with_obfuscation, rows);
  }
}

// What a row with value `own` (-1: none) of four says, over many keys; [4] is no value.
std::vector<double> said_over_keys(int own, std::uint32_t l, std::uint64_t keys) {
  std::vector<double> said(5, 0);
  for (std::uint64_t seed = 0; seed < keys; ++seed) {
    OwnTask task{coded_table({{own}}, 0, {4})};
    task.demand.l = l;
    task.key = SecretKey::from_seed(seed);
    auto made = protect_rr(task.task());
    auto set = set_of(made->profiles, 0, 0, 4);
    ++said[set.empty() ? 4 : *set.begin()];
  }
  return said;
}

TEST(Rr, TellsTheTruthOnceInLAndAnythingElseAlike) {
  for (std::uint32_t l : {2U, 3U, 5U}) {
    for (int own : {0, 2, -1}) {
      constexpr std::uint64_t keys = 3000;
      auto said = said_over_keys(own, l, keys);
      double chi_square = 0;
      for (std::size_t i = 0; i < said.size(); ++i) {
        bool is_truth = static_cast<int>(i) == (own < 0 ? 4 : own);
        double expected = keys * (is_truth ? 1.0 / l : (1.0 - 1.0 / l) / 4);
        chi_square += (said[i] - expected) * (said[i] - expected) / expected;
      }
      // Four degrees of freedom: beyond 27 less than once in 50,000.
      EXPECT_LT(chi_square, 27) << "l " << l << " own " << own;
    }
  }
}

TEST(Rr, SaysTheSameWhateverElseIsInTheTable) {
  OwnTask small{coded_table({{2, 1}, {3, -1}, {5, 5}}, 0, {9, 9})};
  OwnTask large{coded_table({{2, 1}, {3, -1}, {5, 5}, {-1, 5}, {8, 8}}, 0, {9, 9})};
  Rng rng(1);
  large.workload = testing_support::random_workload(rng, large.table.schema(), 5);
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    small.key = large.key = SecretKey::from_seed(seed);
    auto before = protect_rr(small.task());
    auto after = protect_rr(large.task());
    EXPECT_TRUE(same_profiles(before->profiles, after->profiles, small.task()));
  }
}

}  // namespace
}  // namespace rankveil

#include "rankveil/protect/sets/drop.h"

#include <gtest/gtest.h>

#include "rankveil/protect/testing/set_tasks.h"

namespace rankveil {
namespace {

TEST(Drop, TakesEveryPrivateValueOutOfTheScore) {
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    Rng rng(seed);
    auto own = testing_support::random_set_task(rng);
    Task task = own.task();
    auto made = protect_drop(task);
    ASSERT_TRUE(made);
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      for (std::uint32_t j = 0; j < task.private_count(); ++j) {
        std::uint32_t domain = task.private_domain_sizes()[j];
        EXPECT_EQ(testing_support::profile_of(made->profiles, RowId{row}, PrivateId{j}, domain),
                  std::vector<double>(domain, 0));
      }
    }
    EXPECT_EQ(made->report.rows_without_signal, task.table.rows());
  }
}

}  // namespace
}  // namespace rankveil

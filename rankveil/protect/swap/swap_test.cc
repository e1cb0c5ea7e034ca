#include "rankveil/protect/swap/swap.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "rankveil/protect/swap/fitted/fitted_swap.h"
#include "rankveil/protect/testing/leaning_rows.h"
#include "rankveil/protect/testing/plain_groups.h"

namespace rankveil {
namespace {

using fitted::FittedSwap;
using testing_support::index_bytes;
using testing_support::leaning_rows;
using testing_support::OwnTask;
using testing_support::private_vector;

TEST(Swap, FewerThanAHundredRowsShowNothing) {
  OwnTask own = leaning_rows(99, 6);
  auto made = protect_swap(own.task());
  ASSERT_TRUE(made);
  EXPECT_EQ(made->report.rows_without_signal, 99U);
  EXPECT_TRUE(made->scheme_state.is_null());
  for (std::uint32_t v = 0; v < 4; ++v) {
    EXPECT_EQ(made->profiles.match(RowId{3}, PrivateId{0}, ValueId{static_cast<std::uint16_t>(v)}),
              0);
  }
}

TEST(Swap, RowsThatTakeNoPartCountNowhere) {
  OwnTask own = leaning_rows(500, 7);
  Task task = own.task();
  task.taking_part.assign(500, 1);
  for (std::uint32_t row = 400; row < 500; ++row) task.taking_part[row] = 0;
  auto before = protect_swap(task);
  std::vector<testing_support::PlainVector> vectors;
  for (std::uint32_t row = 0; row < 500; ++row) {
    vectors.push_back(row < 400 ? private_vector(own.table, row)
                                : testing_support::PlainVector{3, 2, -1});
  }
  OwnTask other{testing_support::with_private_values(own.table, vectors)};
  Task changed = other.task();
  changed.taking_part = task.taking_part;
  EXPECT_EQ(index_bytes(own.table, before->profiles, "swap"),
            index_bytes(other.table, protect_swap(changed)->profiles, "swap"));
}

// Those who come later look like the others, join their groups, and move nobody.
TEST(Swap, LaterBatchesLeaveTheOthersAlone) {
  OwnTask own = leaning_rows(3000, 11);
  Task first = own.task();
  first.taking_part.assign(3000, 0);
  std::fill_n(first.taking_part.begin(), 2500, 1);
  FittedSwap before(first);
  before.run();
  auto made = protect_swap(first);
  ASSERT_TRUE(made);
  ShownEarlier shown;
  shown.rows = first.taking_part;
  for (std::uint32_t j = 0; j < 3; ++j) {
    shown.values.emplace_back(first.private_domain_sizes()[j], before.shown()[j]);
  }
  Task later = own.task();
  later.taking_part.assign(3000, 0);
  std::fill_n(later.taking_part.begin() + 2500, 500, 1);
  later.shown = &shown;
  later.scheme_state = &made->scheme_state;
  FittedSwap swap(later);
  swap.run();
  for (std::uint32_t j = 0; j < 3; ++j) {
    for (std::uint32_t row = 0; row < 2500; ++row) {
      EXPECT_EQ(swap.shown()[j][row], before.shown()[j][row]);
    }
  }
  auto next = protect_swap(later);
  ASSERT_TRUE(next);
  EXPECT_EQ(next->report.rows_without_signal, 2500U);
  EXPECT_EQ(next->scheme_state.find("groups")->dump(), made->scheme_state.find("groups")->dump());
}

}  // namespace
}  // namespace rankveil

#include "rankveil/audit/known_groups.h"

#include <gtest/gtest.h>

#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::audit {
namespace {

using rankveil::testing_support::coded_table;
using rankveil::testing_support::OwnTask;

TEST(ReleasedGroups, AreOfTheFirstRungThatMakesTheirRowsAlike) {
  OwnTask own{coded_table({{0, 0, 0}, {0, 0, 1}, {1, 0, 0}, {1, 1, 1}, {0, 1, 0}, {2, 1, 1}}, 2,
                          {3, 2, 2})};
  Task task = own.task();
  task.ladder = {{AttributeId{0}}};
  ReleasedGroups released{.group_of = {7, 7, 3, 3, 9, 9}};
  KnownGroups groups = released_groups(task, released);
  auto rung = [&](std::size_t row) { return groups.groups[groups.group_of[row]].rung; };
  EXPECT_EQ(groups.groups.size(), 3U);
  EXPECT_EQ(rung(0), 0U);  // alike in both columns
  EXPECT_EQ(rung(2), 1U);  // in the first
  EXPECT_EQ(rung(4), 2U);  // in none
}

// What public values tell of rows without a signal must not look like a leak.
TEST(ReleasedGroups, LeaveRowsWithoutASignalAmongThoseTheyAreLike) {
  OwnTask own{coded_table({{0, 0}, {0, 1}, {0, 0}, {1, 1}, {1, 0}, {1, 1}}, 1, {2, 2})};
  own.demand.min_group = 2;
  ReleasedGroups released{.group_of = {4, ReleasedGroups::nobody, 4, 5, ReleasedGroups::nobody, 5}};
  KnownGroups groups = released_groups(own.task(), released);
  EXPECT_TRUE(groups.groups[groups.group_of[1]].silent);
  EXPECT_TRUE(groups.groups[groups.group_of[4]].silent);
  EXPECT_NE(groups.group_of[1], groups.group_of[4]);
  EXPECT_EQ(groups.group_of[0], groups.group_of[2]);
}

}  // namespace
}  // namespace rankveil::audit

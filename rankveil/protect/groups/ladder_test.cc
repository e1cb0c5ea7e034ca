#include "rankveil/protect/groups/ladder.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing_support::coded_table;
using testing_support::OwnTask;

// Columns: city, age, secret.
OwnTask small_task() {
  return {coded_table({{0, 0, 0}, {0, 0, 1}, {0, 1, 0}, {0, 1, 2}, {1, 0, 1}, {1, 1, 1}}, 2,
                      {2, 2, 3})};
}

TEST(Climb, PutsRowsOnTheFinestRungWithEnoughLikeThem) {
  OwnTask own = small_task();
  own.demand.min_group = 2;
  Task task = own.task();
  task.ladder = {{AttributeId{0}}};
  Climb made = climb(task);
  ASSERT_EQ(made.groups.size(), 3U);
  EXPECT_THAT(made.groups[0], ElementsAre(RowId{0}, RowId{1}));
  EXPECT_THAT(made.groups[1], ElementsAre(RowId{2}, RowId{3}));
  EXPECT_THAT(made.groups[2], ElementsAre(RowId{4}, RowId{5}));
  EXPECT_THAT(made.rung_of, ElementsAre(0, 0, 1));
  auto reports = describe(task, made);
  ASSERT_EQ(reports.size(), 3U);
  EXPECT_EQ(reports[0].rows, 4U);
  EXPECT_THAT(reports[1].columns, ElementsAre("a0"));
  EXPECT_EQ(reports[1].rows, 2U);
  EXPECT_EQ(reports[2].rows, 0U);
}

TEST(Climb, LeavesOutRowsThatTakeNoPartAndLeftoversThatAreTooFew) {
  OwnTask own = small_task();
  own.demand.min_group = 2;
  Task task = own.task();
  task.taking_part = {1, 1, 1, 0, 0, 0};
  Climb made = climb(task);
  ASSERT_EQ(made.groups.size(), 1U);
  EXPECT_THAT(made.group_of, ElementsAre(0, 0, Climb::no_group, Climb::no_group, Climb::no_group,
                                         Climb::no_group));
}

TEST(NearestGroups, CountsOnlyRowsThatTakePart) {
  OwnTask own = small_task();
  own.demand.min_group = 2;
  Task task = own.task();
  task.taking_part = {1, 1, 1, 1, 1, 0};
  NearestGroups made = nearest_groups(task, {RowId{1}, RowId{5}});
  ASSERT_EQ(made.count(), 2U);
  EXPECT_EQ(made.group_of[1], 0U);
  EXPECT_EQ(made.group_of[5], 1U);
  EXPECT_EQ(made.shares.size(0), 2U);
  EXPECT_EQ(made.shares.size(1), 5U);
  EXPECT_EQ(made.shares.count(1, PrivateId{0}, ValueId{1}), 2U);
  EXPECT_TRUE(made.shares.in_full(1));
}

TEST(UniqueRows, AreThoseNobodySharesAllPublicValuesWith) {
  EXPECT_EQ(unique_rows(small_task().table), 2U);
  std::vector<bool> all(small_task().table.rows(), true);
  EXPECT_EQ(unique_rows(small_task().table, all), 2U);
  all.assign(all.size(), false);
  EXPECT_EQ(unique_rows(small_task().table, all), 0U);
}

}  // namespace
}  // namespace rankveil

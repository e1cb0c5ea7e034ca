#include "rankveil/protect/groups/profile_maker.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing::ElementsAre;
using testing_support::coded_table;
using testing_support::OwnTask;
using testing_support::profile_of;

OwnTask task_of_four() {
  OwnTask own{coded_table({{0, 0, 0}, {0, 0, 1}, {0, 1, 1}, {1, 1, 1}}, 1, {2, 2, 2})};
  own.demand.min_group = 2;
  return own;
}

TEST(ProfileMaker, NeedsNoGroupsWhenEveryRowHasSignals) {
  OwnTask own = task_of_four();
  Profiles made = ProfileMaker(own.task(), 1).finish();
  EXPECT_TRUE(std::holds_alternative<LevelProfiles>(made.kinds()));
}

TEST(ProfileMaker, GivesSharesToOneAttributeAndSignalsToAnother) {
  OwnTask own = task_of_four();
  Task task = own.task();
  ProfileMaker maker(task, 1);
  maker.signals().set(RowId{1}, PrivateId{0}, ValueId{1});
  maker.use_shares(RowId{1}, PrivateId{1});
  Profiles made = std::move(maker).finish();
  EXPECT_THAT(profile_of(made, RowId{1}, PrivateId{0}, 2), ElementsAre(0, 1));
  EXPECT_THAT(profile_of(made, RowId{1}, PrivateId{1}, 2), ElementsAre(1.0 / 3, 2.0 / 3));
  EXPECT_THAT(profile_of(made, RowId{0}, PrivateId{1}, 2), ElementsAre(0, 0));
}

TEST(ProfileMaker, GivesSharesToRowsThatTakeNoPart) {
  OwnTask own = task_of_four();
  Task task = own.task();
  task.taking_part = {1, 1, 1, 0};
  Profiles made = ProfileMaker(task, 1).finish();
  EXPECT_THAT(profile_of(made, RowId{3}, PrivateId{1}, 2), ElementsAre(1.0 / 3, 2.0 / 3));
}

}  // namespace
}  // namespace rankveil

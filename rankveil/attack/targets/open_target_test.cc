#include "rankveil/attack/targets/open_target.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/attack/testing/campaign.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::attack {
namespace {

using testing::HasSubstr;
using testing_support::Campaign;

std::string index_file(const Campaign& campaign) {
  std::string path = testing_support::own_path("people.rvi");
  EXPECT_TRUE(write_index(campaign.index(), path));
  return path;
}

TargetConfig index_config(const std::string& path) {
  return {.source = "t.toml", .kind = IndexConfig{path}};
}

TEST(OpenTarget, AnIndexFileGivesWhatTheIndexGives) {
  Campaign campaign;
  auto target = open_target(
      index_config(index_file(campaign)), campaign.table.schema(), campaign.table.names(),
      {.k = campaign.k, .make_profile = unprotected_row(campaign.table.schema())});
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign, **target);
}

TEST(OpenTarget, AttacksOnTheAwkwardTableProveSomething) {
  std::size_t resolved = 0;
  std::uint64_t inserts = 0;
  for (const Report& report : expected_reports(Campaign{})) {
    inserts += report.inserts;
    for (const Finding& finding : report.findings) resolved += finding.outcome == Outcome::Resolved;
  }
  EXPECT_GT(resolved, 6U);
  EXPECT_GT(inserts, 2U);
}

TEST(OpenTarget, WithoutProfilesAnIndexTakesNoRows) {
  Campaign campaign;
  auto target = open_target(index_config(index_file(campaign)), campaign.table.schema(),
                            campaign.table.names(), {.k = 5});
  ASSERT_TRUE(target);
  EXPECT_FALSE((*target)->takes_inserts());
  EXPECT_FALSE((*target)->insert(std::vector<ValueId>(5)));
}

TEST(OpenTarget, RefusesAnIndexOfAnotherTable) {
  Campaign campaign;
  Schema other = campaign.table.schema();
  other.attributes[0].name = "town";
  auto target = open_target(index_config(index_file(campaign)), other, campaign.table.names(), {});
  ASSERT_FALSE(target);
  EXPECT_THAT(target.error().message, HasSubstr("other attributes"));
}

}  // namespace
}  // namespace rankveil::attack

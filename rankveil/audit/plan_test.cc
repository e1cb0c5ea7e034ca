#include "rankveil/audit/plan.h"

#include <gtest/gtest.h>

#include "rankveil/audit/testing/small_ranking.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;

TEST(Plan, OfASmallTableTakesAllVictimsAndTriesNothing) {
  SmallRanking ranking = protected_by("pvst", 2, 300, 5);
  AuditTask task{.truth = ranking.table, .arena = ranking.arena};
  auto plan = plan_attacks(task, {});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->victims, 300U);
  EXPECT_FALSE(plan->query_budget);
  EXPECT_EQ(plan->seconds, 0);
}

// Hours from far away, so that it is tried; and less than the least that a try can take.
TEST(Plan, CutsVictimsAndQueriesWhereThereIsNoTime) {
  SmallRanking ranking = protected_by("pvst", 2, 3000, 5);
  AuditTask task{.truth = ranking.table, .arena = ranking.arena};
  auto plan = plan_attacks(task, {.victims = 1000, .seconds = 1e-6});
  ASSERT_TRUE(plan);
  EXPECT_EQ(plan->victims, 20U) << "the fewest there are";
}

TEST(Plan, TakesLongerFromFarForMoreRowsValuesAndColumns) {
  Schema schema = small_table(10, 1).schema();
  double base = rough_seconds(schema, 1000, 1000, 4);
  EXPECT_GT(rough_seconds(schema, 1'000'000, 1000, 4), 10 * base);
  schema.attributes.push_back(attribute("code", Visibility::Private, 717));
  EXPECT_GT(rough_seconds(schema, 1000, 1000, 4), 10 * base);
  Schema wide;
  for (int i = 0; i < 60; ++i) {
    wide.attributes.push_back(attribute("q" + std::to_string(i), Visibility::Public, 2));
  }
  wide.attributes.push_back(attribute("faith", Visibility::Private, 5));
  EXPECT_GT(rough_seconds(wide, 1000, 1000, 4), base);
}

}  // namespace
}  // namespace rankveil::audit

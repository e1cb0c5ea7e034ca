#include "rankveil/protect/chance/ldp_budgets.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>
#include <limits>

namespace rankveil {
namespace {

using testing::HasSubstr;

Schema with_private(std::size_t attributes) {
  Schema schema;
  schema.attributes.push_back({.name = "city", .domain = {}});
  for (std::size_t j = 0; j < attributes; ++j) {
    schema.attributes.push_back(
        {.name = "p" + std::to_string(j), .visibility = Visibility::Private, .domain = {}});
  }
  return schema;
}

TEST(LdpBudgets, AreByDefaultBelowTheLargestTotal) {
  Demand demand;
  EXPECT_NEAR(LdpBudgets(with_private(2), demand).of(PrivateId{1}), std::log(3.0), 1e-12);
  EXPECT_NEAR(LdpBudgets(with_private(20), demand).total(), 8, 1e-12);
  for (std::size_t attributes = 1; attributes < 60; ++attributes) {
    EXPECT_TRUE(check_ldp(with_private(attributes), demand));
  }
}

TEST(LdpBudgets, AreThoseOfTheirAttributes) {
  Demand demand{.budgets = {{"p0", 0.25}, {"p2", 6}, {"left out", 5}}};
  LdpBudgets budgets(with_private(4), demand);
  EXPECT_EQ(budgets.of(PrivateId{0}), 0.25);
  EXPECT_NEAR(budgets.of(PrivateId{1}), (8 - 6.25) / 2, 1e-12);  // what is left
  EXPECT_EQ(budgets.of(PrivateId{2}), 6);
  EXPECT_NEAR(budgets.of(PrivateId{3}), (8 - 6.25) / 2, 1e-12);
  EXPECT_NEAR(budgets.total(), 8, 1e-12);
  EXPECT_EQ(budgets.to_text(), "0.25 (p0), 6 (p2), 0.875 for each of 2 others");
  EXPECT_EQ(budgets.by_name(with_private(4))[2], (AttributeBudget{"p2", 6}));
  demand.epsilon = 0.5;
  EXPECT_EQ(LdpBudgets(with_private(4), demand).to_text(),
            "0.25 (p0), 6 (p2), 0.5 for each of 2 others");
  EXPECT_EQ(LdpBudgets(with_private(2), demand).to_text(), "0.25 (p0), 0.5 for each of 1 other");
  EXPECT_EQ(LdpBudgets(with_private(1), demand).to_text(), "0.25 (p0)");
}

TEST(LdpBudgets, AreRefusedWhereTheyPromiseNothing) {
  Demand demand{.epsilon = 3};
  EXPECT_TRUE(check_ldp(with_private(2), demand));
  Status refused = check_ldp(with_private(3), demand);
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::WrongUse);
  EXPECT_THAT(refused.error().message, HasSubstr("are 9 in total"));
  EXPECT_THAT(refused.error().message, HasSubstr("3 for each of 3 attributes"));
  EXPECT_THAT(refused.error().message, HasSubstr("works is 2.6666"));
  demand.any_epsilon = true;
  EXPECT_TRUE(check_ldp(with_private(3), demand));
  demand.epsilon = -1;
  EXPECT_FALSE(check_ldp(with_private(3), demand));
  for (double epsilon : {100.5, std::numeric_limits<double>::infinity()}) {
    demand.epsilon = epsilon;
    EXPECT_THAT(check_ldp(with_private(3), demand).error().message, HasSubstr("at most 100"));
  }
  demand.epsilon = std::nan("");
  EXPECT_FALSE(check_ldp(with_private(3), demand));
}

TEST(LdpBudgets, OfSingleAttributesAreRefusedToo) {
  Demand demand{.budgets = {{"p0", 7}, {"p1", 2}}};
  Status refused = check_ldp(with_private(2), demand);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("7 (p0), 2 (p1) are 9 in total"));
  EXPECT_THAT(refused.error().message, HasSubstr("lower the epsilon of some columns"));
  EXPECT_TRUE(check_ldp(with_private(1), demand));  // p1 is left out
  demand.budgets = {{"p0", 7}};
  demand.epsilon = 2;
  refused = check_ldp(with_private(3), demand);
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("works is 0.5"));
  demand.budgets = {{"p0", -1}};
  EXPECT_FALSE(check_ldp(with_private(3), demand));
}

TEST(LdpBudgets, ComeBackFromJson) {
  std::vector<AttributeBudget> budgets = {{"diet", 0.1}, {"smokes", std::log(3.0)}};
  EXPECT_EQ(budgets_from_json(to_json(budgets)), budgets);
  EXPECT_EQ(budgets_from_json(Json("diet")), std::nullopt);
  EXPECT_EQ(budgets_from_json(Json().set("diet", "much")), std::nullopt);
}

TEST(LdpBudgets, AreThosePrivateColumnsOfAPolicyHave) {
  Policy policy;
  policy.columns = {{.name = "smokes", .role = Role::Private, .epsilon = 0.5},
                    {.name = "diet", .role = Role::Private, .epsilon = 2},
                    {.name = "city", .role = Role::Public},
                    {.name = "sign", .role = Role::Private}};
  std::vector<AttributeBudget> expected = {{"diet", 2}, {"smokes", 0.5}};
  EXPECT_EQ(budgets_of(policy), expected);
  EXPECT_EQ(budgets_used({.scheme = "ldp", .budgets = expected}), expected);
  EXPECT_TRUE(budgets_used({.scheme = "swap", .budgets = expected}).empty());
}

}  // namespace
}  // namespace rankveil

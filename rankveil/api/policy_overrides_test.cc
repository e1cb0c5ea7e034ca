#include "rankveil/api/policy_overrides.h"

#include <gtest/gtest.h>

namespace rankveil::api {
namespace {

Policy base_policy() {
  Policy policy;
  policy.columns = {{.name = "id", .role = Role::Id},
                    {.name = "city", .role = Role::Public},
                    {.name = "religion", .role = Role::Private, .domain = {"none", "some"}}};
  return policy;
}

std::string why(const Status& status) { return status ? "" : status.error().message; }

TEST(PolicyOverrides, ChangeWhatTheFileSays) {
  PolicyOverrides overrides;
  ASSERT_TRUE(add_role(overrides, "city=private"));
  ASSERT_TRUE(add_weight(overrides, "city=2.5"));
  ASSERT_TRUE(add_domain(overrides, "city=Paris|a\\|b|x=y"));
  ASSERT_TRUE(add_bins(overrides, "religion=edges:-1,18,25.5"));
  overrides.l = 4;
  Policy policy = base_policy();
  ASSERT_TRUE(apply(overrides, policy));
  EXPECT_EQ(policy.find("city")->role, Role::Private);
  EXPECT_EQ(policy.find("city")->weight, 2.5);
  EXPECT_EQ(policy.find("city")->domain, (std::vector<std::string>{"Paris", "a|b", "x=y"}));
  EXPECT_EQ(std::get<BinEdges>(policy.find("religion")->bins).edges,
            (std::vector<double>{-1, 18, 25.5}));
  EXPECT_TRUE(policy.find("religion")->domain.empty());
  EXPECT_EQ(policy.l, 4U);
}

TEST(PolicyOverrides, ARoleAddsAColumnAndOtherFlagsDoNot) {
  PolicyOverrides overrides;
  ASSERT_TRUE(add_role(overrides, "age=public"));
  ASSERT_TRUE(add_bins(overrides, "age=quantiles:4"));
  Policy policy = base_policy();
  ASSERT_TRUE(apply(overrides, policy));
  EXPECT_EQ(std::get<Quantiles>(policy.find("age")->bins).bins, 4U);

  PolicyOverrides misspelt;
  ASSERT_TRUE(add_weight(misspelt, "ctiy=2"));
  EXPECT_EQ(why(apply(misspelt, policy)), "the policy has no column \"ctiy\"; did you mean city?");
}

TEST(PolicyOverrides, AColumnThatIsNoLongerPrivateDeclaresNothing) {
  Policy policy;
  policy.columns = {{.name = "smokes", .role = Role::Private, .not_sensitive = {"no"}},
                    {.name = "drinks", .role = Role::Private, .not_sensitive = {"no"}}};
  PolicyOverrides overrides;
  ASSERT_TRUE(add_role(overrides, "smokes=public"));
  ASSERT_TRUE(apply(overrides, policy));
  EXPECT_TRUE(policy.find("smokes")->not_sensitive.empty());
  EXPECT_EQ(policy.find("drinks")->not_sensitive.size(), 1U);
}

TEST(PolicyOverrides, GivePrivateColumnsABudget) {
  Policy policy;
  policy.columns = {{.name = "smokes", .role = Role::Private, .epsilon = 2},
                    {.name = "city", .role = Role::Public}};
  PolicyOverrides overrides;
  ASSERT_TRUE(add_epsilon(overrides, "smokes=0.5"));
  EXPECT_FALSE(overrides.empty());
  ASSERT_TRUE(apply(overrides, policy));
  EXPECT_EQ(policy.find("smokes")->epsilon, 0.5);
  for (const char* wrong :
       {"smokes", "smokes=", "smokes=0", "smokes=-1", "smokes=nan", "smokes=inf"}) {
    EXPECT_FALSE(add_epsilon(overrides, wrong)) << wrong;
  }
  PolicyOverrides of_public;
  ASSERT_TRUE(add_epsilon(of_public, "city=1"));
  EXPECT_EQ(why(apply(of_public, policy)),
            "city is public, and only private columns have an epsilon; leave it out, or add --role "
            "city=private");
  PolicyOverrides no_longer;
  ASSERT_TRUE(add_role(no_longer, "smokes=public"));
  ASSERT_TRUE(apply(no_longer, policy));
  EXPECT_EQ(policy.find("smokes")->epsilon, std::nullopt);
}

TEST(PolicyOverrides, RefuseASecondId) {
  PolicyOverrides overrides;
  ASSERT_TRUE(add_role(overrides, "city=id"));
  Policy policy = base_policy();
  EXPECT_EQ(why(apply(overrides, policy)), "id and city are both the id; add --role id=ignored");
}

TEST(PolicyOverrides, RefuseWhatTheyCannotRead) {
  PolicyOverrides overrides;
  for (const char* text : {"city", "=2", "city="})
    EXPECT_FALSE(add_weight(overrides, text)) << text;
  for (const char* text : {"city=0", "city=-1", "city=nan", "city=inf", "city=2x", "city=1e7"}) {
    EXPECT_FALSE(add_weight(overrides, text)) << text;
  }
  EXPECT_FALSE(add_role(overrides, "city=secret"));
  for (const char* text : {"age=edges:5,5", "age=edges:", "age=edges:a", "age=width:1",
                           "age=width:2.5", "age=deciles:10", "age=4"}) {
    EXPECT_FALSE(add_bins(overrides, text)) << text;
  }
  EXPECT_TRUE(overrides.empty());
}

}  // namespace
}  // namespace rankveil::api

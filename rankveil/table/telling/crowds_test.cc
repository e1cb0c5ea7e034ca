#include "rankveil/table/telling/crowds.h"

#include <fmt/core.h>
#include <gtest/gtest.h>

#include "rankveil/table/building/table_builder.h"
#include "rankveil/table/row_groups.h"

namespace rankveil {
namespace {

// City of 5, age of 60 numbers, shoe of 300: all three make crowds of one.
struct CrowdExample {
  Policy policy;
  Table table;
};

CrowdExample crowd_example(const Policy& policy, std::uint32_t rows = 6000) {
  std::vector<std::string> names = {"city", "age", "shoe", "faith"};
  auto builder = TableBuilder::create(policy, names);
  EXPECT_TRUE(builder) << builder.error().message;
  for (std::size_t input = 0; input < builder->inputs().size(); ++input) {
    std::vector<std::string> texts;
    for (std::uint32_t row = 0; row < rows; ++row) {
      std::uint32_t drawn = (row * 2654435761U) >> 8;
      const std::string& name = builder->inputs()[input].name;
      texts.push_back(name == "city"   ? fmt::format("c{}", drawn % 5)
                      : name == "age"  ? fmt::format("{}", 18 + drawn / 5 % 60)
                      : name == "shoe" ? fmt::format("s{}", drawn / 300 % 300)
                                       : fmt::format("f{}", drawn / 90000 % 3));
    }
    std::vector<PackedText> packed(texts.begin(), texts.end());
    EXPECT_TRUE(builder->add(input, packed, Presence()));
  }
  auto built = std::move(*builder).finish();
  EXPECT_TRUE(built) << built.error().message;
  return {policy, std::move(built->table)};
}

Policy three_public() {
  Policy policy;
  for (const char* name : {"city", "age", "shoe"}) {
    policy.columns.push_back({.name = name, .role = Role::Public});
  }
  policy.columns.push_back({.name = "faith", .role = Role::Private});
  return policy;
}

double covered(const Table& table, std::uint32_t crowd) {
  auto attributes = public_attributes(table.schema());
  auto groups = group_rows(table, attributes);
  double rows = 0;
  for (std::uint32_t size : groups.sizes) rows += size >= crowd ? size : 0;
  return rows / table.rows();
}

TEST(Crowds, AreThereUnderThePolicyThatIsProposed) {
  CrowdExample made = crowd_example(three_public());
  EXPECT_LT(covered(made.table, 50), 0.05);
  auto proposed = propose_crowds(made.table, made.policy, {.share = 0.95, .crowd = 50});
  ASSERT_FALSE(proposed.steps.empty());
  Policy policy = with_crowds(made.policy, proposed);
  CrowdExample again = crowd_example(policy);
  EXPECT_GE(covered(again.table, 50), 0.95);
  EXPECT_NEAR(covered(again.table, 50), proposed.steps.back().covered, 1e-9);
}

TEST(Crowds, KeepColumnsThatSplitLittleAndCoarsenNumbers) {
  CrowdExample made = crowd_example(three_public());
  auto proposed = propose_crowds(made.table, made.policy, {.share = 0.95, .crowd = 50});
  Policy policy = with_crowds(made.policy, proposed);
  EXPECT_EQ(policy.find("city")->role, Role::Public);
  EXPECT_EQ(policy.find("age")->role, Role::Public);
  EXPECT_TRUE(std::holds_alternative<BinEdges>(policy.find("age")->bins));
  EXPECT_EQ(policy.find("shoe")->role, Role::Ignored);
}

TEST(Crowds, CostMoreStepByStep) {
  CrowdExample made = crowd_example(three_public());
  auto proposed = propose_crowds(made.table, made.policy, {.share = 0.95, .crowd = 50});
  double kept = 0;
  for (const CrowdStep& step : proposed.steps) {
    EXPECT_GE(step.covered, 0.95);
    EXPECT_GT(step.kept, kept);
    kept = step.kept;
  }
  ASSERT_FALSE(proposed.beyond.empty());
  EXPECT_LT(proposed.beyond.back().covered, 0.95);
  EXPECT_NEAR(proposed.covered_by_all, covered(made.table, 50), 1e-9);
}

TEST(Crowds, ShowAllWhereAllHaveOne) {
  Policy policy = three_public();
  policy.columns[1].role = policy.columns[2].role = Role::Ignored;
  CrowdExample made = crowd_example(policy);
  auto proposed = propose_crowds(made.table, made.policy, {});
  ASSERT_EQ(proposed.steps.size(), 1u);
  EXPECT_EQ(proposed.steps[0].kept, 1);
  EXPECT_EQ(with_crowds(policy, proposed), policy);
}

}  // namespace
}  // namespace rankveil

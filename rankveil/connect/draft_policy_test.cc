#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>
#include <fstream>

#include "rankveil/connect/source.h"

namespace rankveil::connect {
namespace {

using testing::HasSubstr;

class DraftPolicy : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    path_ =
        (std::filesystem::path(testing::TempDir()) / fmt::format("{}.csv", test->name())).string();
  }
  void TearDown() override { std::filesystem::remove(path_); }

  // One row per number from 0 to rows - 1, made by `row`.
  template <typename Row>
  PolicyDraft draft(const std::string& header, int rows, Row row) {
    {
      std::ofstream file(path_, std::ios::binary);
      file << header << "\n";
      for (int i = 0; i < rows; ++i) file << row(i) << "\n";
    }
    auto made = draft_policy({path_, "", ""});
    EXPECT_TRUE(made) << made.error().message;
    return made ? *made : PolicyDraft{};
  }

  std::string path_;
};

TEST_F(DraftPolicy, GuessesRolesAndBinsAndSaysWhy) {
  auto made = draft("user_id,email,city,religion,income,age,planet,note,empty", 1000, [](int i) {
    return fmt::format("{},m{}@x.org,c{},r{},{},{},earth,text {},", i, i, i % 12, i % 5,
                       i * 37 % 991, 18 + i % 60, i);
  });
  const auto& columns = made.policy.columns;
  ASSERT_EQ(columns.size(), 9u);
  ASSERT_EQ(made.comments.size(), 9u);
  EXPECT_EQ(columns[0].role, Role::Id);
  EXPECT_THAT(made.comments[0], HasSubstr("different in all 1000 rows"));
  EXPECT_EQ(columns[1].role, Role::Ignored);
  EXPECT_EQ(columns[2].role, Role::Public);
  EXPECT_THAT(made.comments[2], HasSubstr("12 values"));
  EXPECT_EQ(columns[3].role, Role::Private);
  EXPECT_THAT(made.comments[3], HasSubstr("private: its name is about religion"));
  EXPECT_EQ(columns[4].role, Role::Private);
  // Bins of a private column must not move with its rows.
  ASSERT_TRUE(std::holds_alternative<BinEdges>(columns[4].bins));
  EXPECT_EQ(std::get<BinEdges>(columns[4].bins).edges.size(), 7u);
  EXPECT_THAT(made.comments[4], HasSubstr("991 values, cut into 8 bins"));
  EXPECT_EQ(columns[5].role, Role::Public);
  EXPECT_TRUE(std::holds_alternative<BinEdges>(columns[5].bins));
  EXPECT_EQ(columns[6].role, Role::Ignored);
  EXPECT_THAT(made.comments[6], HasSubstr("1 value"));
  EXPECT_EQ(columns[7].role, Role::Ignored);
  EXPECT_EQ(columns[8].role, Role::Ignored);
  EXPECT_THAT(made.comments[8], HasSubstr("no values"));
}

TEST_F(DraftPolicy, MakesAPolicyThatItsTableFits) {
  auto made = draft("id,city,religion,income", 500, [](int i) {
    return fmt::format("{},c{},b{},{}", i, i % 9, i % 2, 50 + i % 50);
  });
  EXPECT_EQ(made.policy.l, 3u);  // swap, which is drafted, takes any number of values
  auto loaded = read_table({path_, "", ""}, made.policy);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->table.schema().id_name, "id");
  EXPECT_EQ(loaded->table.schema().private_count(), 2u);
  EXPECT_TRUE(loaded->warnings.empty());
}

TEST_F(DraftPolicy, PrefersAColumnCalledLikeAnIdAndTakesOnlyOne) {
  auto made = draft("token,account_id,id,gender", 300, [](int i) {
    return fmt::format("t{},{},{},{}", i, 1000 + i, 5000 - i, i % 3);
  });
  EXPECT_EQ(made.policy.columns[0].role, Role::Ignored);
  EXPECT_EQ(made.policy.columns[1].role, Role::Ignored);
  EXPECT_EQ(made.policy.columns[2].role, Role::Id);
}

TEST_F(DraftPolicy, FindsAnIdByItsValuesOnlyWhenTheyAreAllDifferent) {
  auto unique = draft("ticket,x", 3000, [](int i) { return fmt::format("h{},{}", i, i % 3); });
  EXPECT_EQ(unique.policy.columns[0].role, Role::Id);
  auto repeated = draft("ticket,x", 3000,
                        [](int i) { return fmt::format("h{},{}", i == 2999 ? 0 : i, i % 3); });
  EXPECT_EQ(repeated.policy.columns[0].role, Role::Ignored);
}

TEST_F(DraftPolicy, TakesAFirstColumnWithoutANameForTheId) {
  auto made =
      draft(",city,age", 300, [](int i) { return fmt::format("{},c{},{}", i, i % 7, 20 + i % 9); });
  ASSERT_EQ(made.policy.columns.size(), 3u);
  EXPECT_EQ(made.policy.columns[0].name, "column1");
  EXPECT_EQ(made.policy.columns[0].role, Role::Id);
}

TEST_F(DraftPolicy, ReadsWordsForNothingAsNothingAndAlikeValuesAsOne) {
  auto made = draft("id,city,age,religion", 400, [](int i) {
    return fmt::format("{},{},{},{}", i,
                       i % 9 == 0   ? "paris"
                       : i % 2 == 0 ? "Paris"
                                    : "Rome",
                       i % 10 == 0 ? "?" : std::to_string(18 + i % 50),
                       i % 3 == 0   ? "N/A"
                       : i % 3 == 1 ? "none"
                                    : "jewish");
  });
  EXPECT_EQ(made.policy.missing, (std::vector<std::string>{"?", "N/A"}));
  auto loaded = read_table({path_, "", ""}, made.policy);
  ASSERT_TRUE(loaded) << loaded.error().message;
  const Schema& schema = loaded->table.schema();
  EXPECT_EQ(schema[*schema.find("city")].domain.values(),
            (std::vector<std::string>{"Paris", "Rome"}));
  EXPECT_EQ(schema[*schema.find("religion")].domain.values(),
            (std::vector<std::string>{"jewish", "none"}));
}

TEST_F(DraftPolicy, RefusesAFileThatIsNotThere) {
  auto made = draft_policy({"/nowhere/p.csv", "", ""});
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::Io);
}

}  // namespace
}  // namespace rankveil::connect

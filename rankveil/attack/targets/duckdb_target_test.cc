#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/attack/targets/open_target.h"
#include "rankveil/attack/testing/campaign.h"
#include "rankveil/attack/testing/sql_tables.h"

namespace rankveil::attack {
namespace {

using testing::HasSubstr;
using testing_support::Campaign;

class DuckdbTarget : public testing::Test {
 protected:
  // A file with the campaign's people, as somebody else's application would have it.
  void SetUp() override {
    path_ = testing_support::own_path("people.duckdb");
    auto database = connect::open_duckdb(
        {.setup = {"ATTACH '" + path_ + "' AS f",
                   "CREATE TABLE f.people" + std::string(testing_support::people_columns)}});
    ASSERT_TRUE(database) << database.trouble().error.message;
    testing_support::fill_people(**database, "f.people", campaign_.table);
  }

  void TearDown() override { std::filesystem::remove(path_); }

  TargetConfig config(std::string_view query = testing_support::ranking_sql,
                      std::string_view insert = testing_support::insert_sql) const {
    TargetConfig config;
    config.source = "t.toml";
    config.kind =
        DuckdbConfig{.path = path_, .query = std::string(query), .insert = std::string(insert)};
    config.new_ids.first = 1000;
    config.manners.retries = 0;
    return config;
  }

  Result<std::unique_ptr<LiveTarget>> open(const TargetConfig& config) const {
    return open_target(config, campaign_.table.schema(), campaign_.table.names(),
                       {.k = campaign_.k});
  }

  std::string count_people() const {
    auto database = connect::open_duckdb({.path = path_});
    return (*database)->run({"SELECT count(*) FROM people"})->front();
  }

  Campaign campaign_;
  std::string path_;
};

TEST_F(DuckdbTarget, GivesWhatAnIndexGivesAndLeavesNoRowBehind) {
  auto target = open(config());
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_TRUE((*target)->takes_sets());
  expect_same_findings(campaign_, **target);
  target->reset();
  EXPECT_EQ(count_people(), "60");
}

TEST_F(DuckdbTarget, WithoutAnInsertTheFileStaysReadOnly) {
  auto target = open(config(testing_support::ranking_sql, ""));
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_FALSE((*target)->takes_inserts());
  EXPECT_EQ(count_people(), "60") << "somebody else may read it at the same time";
}

TEST_F(DuckdbTarget, OneValueAtATimeTakesNoSets) {
  std::string query(testing_support::ranking_sql);
  query.replace(query.find("ANY(${all:city})"), 16, "${one:city}");
  auto target = open(config(query));
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_FALSE((*target)->takes_sets());
  Campaign points = campaign_;
  points.methods = {"q-point", "qi-point"};
  expect_same_findings(points, **target);
  auto refused = run("q-in", {.knowledge = campaign_.knowledge(), .target = **target});
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("use q-point"));
}

TEST_F(DuckdbTarget, TheWholeQueryAsJsonDoesToo) {
  std::string query =
      "SELECT p.id FROM people p, (SELECT CAST(${query} AS JSON) AS q) ORDER BY "
      "2 * coalesce(list_contains(CAST(q->'city' AS TEXT[]), city), false)::INT"
      "+ coalesce(list_contains(CAST(q->'age' AS INT[]), age), false)::INT"
      "+ coalesce(list_contains(CAST(q->'job title' AS TEXT[]), \"job title\"), false)::INT"
      "+ coalesce(list_contains(CAST(q->'religion' AS TEXT[]), religion), false)::INT"
      "+ 2 * coalesce(list_contains(CAST(q->'income' AS TEXT[]), income), false)::INT DESC, id "
      "LIMIT ${k}";
  auto target = open(config(query));
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target);
}

TEST_F(DuckdbTarget, AServersOwnIdsAreTakenFromReturning) {
  std::string insert(testing_support::insert_sql);
  insert.replace(insert.find("CAST(${id} AS BIGINT)"), 21,
                 "(SELECT greatest(max(id), 4999) + 1 FROM people)");
  auto target = open(config(testing_support::ranking_sql, insert + " RETURNING id"));
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target);
  auto silent = open(config(testing_support::ranking_sql, insert));
  auto row = (*silent)->insert(std::vector<ValueId>(5, ValueId{0}));
  ASSERT_FALSE(row);
  EXPECT_THAT(row.error().message, HasSubstr("RETURNING id"));
}

TEST_F(DuckdbTarget, AnErrorNamesTheQueryAndWhatTheDatabaseSays) {
  std::string query(testing_support::ranking_sql);
  query.replace(query.find("people"), 6, "nobody");
  auto target = open(config(query));
  ASSERT_TRUE(target) << target.error().message;
  Query wish = empty_query(campaign_.table.schema());
  wish.wanted[1] = {ValueId{1}};
  auto rows = (*target)->query(wish);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("{\"age\":\"30\"}"));
  EXPECT_THAT(rows.error().message, HasSubstr("nobody"));
}

TEST_F(DuckdbTarget, ASlowStatementIsStopped) {
  TargetConfig slow = config(
      "SELECT count(*) FROM range(1000000000) a, range(1000000) b WHERE "
      "a.range * b.range % 7 = 3 AND ${query} <> '' LIMIT ${k}",
      "");
  slow.timeout = 0.05;
  slow.manners.retries = 1;
  slow.manners.backoff = 0;
  auto target = open(slow);
  ASSERT_TRUE(target) << target.error().message;
  auto rows = (*target)->query(empty_query(campaign_.table.schema()));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("asked 2 times"));
  EXPECT_THAT(rows.error().message, HasSubstr("no answer within 0.05 s"));
}

TEST_F(DuckdbTarget, TablesMayBeMadeInMemory) {
  TargetConfig in_memory = config();
  auto& duckdb = std::get<DuckdbConfig>(in_memory.kind);
  duckdb.setup = {"ATTACH '" + path_ + "' AS f (READ_ONLY)",
                  "CREATE TABLE people AS FROM f.people"};
  duckdb.path.clear();
  auto target = open(in_memory);
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target);
}

}  // namespace
}  // namespace rankveil::attack

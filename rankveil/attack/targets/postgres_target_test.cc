// Against a PostgreSQL server of our own, in a temporary folder and reached by a socket only.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/attack/targets/open_target.h"
#include "rankveil/attack/testing/campaign.h"
#include "rankveil/attack/testing/postgres_server.h"
#include "rankveil/attack/testing/sql_tables.h"

namespace rankveil::attack {
namespace {

using testing::HasSubstr;
using testing_support::Campaign;
using testing_support::PostgresServer;

class PostgresTarget : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto programs = testing_support::server_programs();
    if (programs) server_ = new PostgresServer(*programs);
  }
  static void TearDownTestSuite() {
    delete server_;
    server_ = nullptr;
  }

  void SetUp() override {
    if (server_ == nullptr) GTEST_SKIP() << "PostgreSQL is not installed; install postgresql";
    ASSERT_TRUE(server_->is_running());
    auto owner = connect::open_postgres(server_->connection(), {});
    ASSERT_TRUE(owner) << owner.trouble().error.message;
    owner_ = std::move(*owner);
    command("DROP TABLE IF EXISTS people");
    command("CREATE TABLE people" + std::string(testing_support::people_columns));
    testing_support::fill_people(*owner_, "people", campaign_.table);
  }

  std::string command(const std::string& sql) {
    auto done = owner_->run({sql});
    EXPECT_TRUE(done) << done.trouble().error.message;
    return done && !done->empty() ? done->front() : "";
  }

  TargetConfig config(std::string_view query = testing_support::ranking_sql,
                      std::string_view insert = testing_support::insert_sql) const {
    TargetConfig config;
    config.source = "t.toml";
    config.kind = PostgresConfig{.connection = server_->connection() + " application_name=audit",
                                 .query = std::string(query),
                                 .insert = std::string(insert)};
    config.new_ids.first = 1000;
    config.manners.backoff = 0;
    return config;
  }

  Result<std::unique_ptr<LiveTarget>> open(const TargetConfig& config) const {
    return open_target(config, campaign_.table.schema(), campaign_.table.names(),
                       {.k = campaign_.k});
  }

  static PostgresServer* server_;
  std::unique_ptr<connect::Database> owner_;
  Campaign campaign_;
};

PostgresServer* PostgresTarget::server_ = nullptr;

TEST_F(PostgresTarget, GivesWhatAnIndexGivesAndNobodyElseSeesItsRows) {
  auto target = open(config());
  ASSERT_TRUE(target) << target.error().message;
  expect_same_findings(campaign_, **target,
                       [&] { EXPECT_EQ(command("SELECT count(*) FROM people"), "60"); });
}

// Ids come from a sequence, which no rollback turns back: rows that are inserted again after the
// connection was lost have other ids than before.
TEST_F(PostgresTarget, LostConnectionsAndNewIdsChangeNothing) {
  command("DROP SEQUENCE IF EXISTS ids");
  command("CREATE SEQUENCE ids START 5000");
  std::string insert(testing_support::insert_sql);
  insert.replace(insert.find("CAST(${id} AS BIGINT)"), 21, "nextval('ids')");
  auto target = open(config(testing_support::ranking_sql, insert + " RETURNING id"));
  ASSERT_TRUE(target) << target.error().message;
  int calls = 0;
  int killed = 0;
  expect_same_findings(campaign_, **target, [&] {
    if (++calls % 4 != 0) return;
    killed += command(
                  "SELECT count(pg_terminate_backend(pid)) FROM pg_stat_activity WHERE "
                  "application_name = 'audit'") == "1";
  });
  EXPECT_GT(killed, 5);
  EXPECT_EQ(command("SELECT count(*) FROM people"), "60");
}

// The first two answers take five seconds.
TEST_F(PostgresTarget, SlowAnswersAreAskedForAgain) {
  command("DROP SEQUENCE IF EXISTS turns");
  command("CREATE SEQUENCE turns");
  std::string query(testing_support::ranking_sql);
  query.insert(query.find(" ORDER"),
               " WHERE (SELECT CASE WHEN nextval('turns') <= 2 THEN length(pg_sleep(5)::text) "
               "ELSE 0 END) = 0");
  TargetConfig slow = config(query);
  slow.timeout = 0.1;
  slow.manners.retries = 1;
  Query wish = empty_query(campaign_.table.schema());
  auto impatient = open(slow);
  ASSERT_TRUE(impatient) << impatient.error().message;
  auto rows = (*impatient)->query(wish);
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("asked 2 times"));
  EXPECT_THAT(rows.error().message, HasSubstr("no answer within 0.1 s"));
  command("ALTER SEQUENCE turns RESTART");
  slow.manners.retries = 2;
  slow.timeout = 0.5;
  auto patient = open(slow);
  rows = (*patient)->query(wish);
  ASSERT_TRUE(rows) << rows.error().message;
  EXPECT_EQ(rows->size(), campaign_.k);
}

TEST_F(PostgresTarget, AnErrorThatWillNotPassIsToldAtOnce) {
  std::string query(testing_support::ranking_sql);
  query.replace(query.find("people"), 6, "nobody");
  auto target = open(config(query));
  ASSERT_TRUE(target) << target.error().message;
  auto rows = (*target)->query(empty_query(campaign_.table.schema()));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("the query {}: relation \"nobody\" does not exist"));
  EXPECT_TRUE((*target)->restart()) << "the next victim starts anew";
}

TEST_F(PostgresTarget, WithoutAnInsertTheTransactionIsReadOnly) {
  auto target =
      open(config("WITH gone AS (DELETE FROM people RETURNING id) SELECT id FROM gone "
                  "WHERE ${query} <> '' LIMIT ${k}",
                  ""));
  ASSERT_TRUE(target) << target.error().message;
  EXPECT_FALSE((*target)->takes_inserts());
  auto rows = (*target)->query(empty_query(campaign_.table.schema()));
  ASSERT_FALSE(rows);
  EXPECT_THAT(rows.error().message, HasSubstr("read-only transaction"));
}

TEST_F(PostgresTarget, AnInsertThatCommitsIsFoundOut) {
  std::string commit = "COMMIT";
  for (const Attribute& attribute : campaign_.table.schema().attributes) {
    commit += "$[ ${one:" + attribute.name + "}$]";
  }
  auto target = open(config(testing_support::ranking_sql, commit));
  ASSERT_TRUE(target) << target.error().message;
  auto row = (*target)->insert(std::vector<ValueId>(5, missing_value));
  ASSERT_FALSE(row);
  EXPECT_THAT(row.error().message, HasSubstr("ended the transaction"));
}

TEST(PostgresPlace, OtherMachinesAreRefusedUnlessAllowed) {
  for (std::string where : {"host=db.example", "hostaddr=10.1.2.3", "postgresql://db.example/x",
                            "host=localhost,db.example", "service=far"}) {
    auto opened = connect::open_postgres(where, {});
    ASSERT_FALSE(opened) << where;
    EXPECT_THAT(opened.trouble().error.message, HasSubstr("machine")) << where;
    EXPECT_EQ(opened.trouble().error.code, ErrorCode::WrongUse);
  }
  auto nowhere = connect::open_postgres("host=/nowhere", {});
  ASSERT_FALSE(nowhere);
  EXPECT_TRUE(nowhere.trouble().passes);
  EXPECT_FALSE(connect::open_postgres("no such thing", {}));
}

}  // namespace
}  // namespace rankveil::attack

// A role that may not read a column, in a PostgreSQL server of our own: what views and functions
// give away of it, and what grants keep.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/attack/testing/postgres_server.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/probe/probe.h"
#include "rankveil/probe/sql/service.h"

namespace rankveil::probe {
namespace {

using attack::testing_support::PostgresServer;
using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::UnorderedElementsAre;

constexpr const char* schema[] = {
    "CREATE TABLE people (id serial PRIMARY KEY, name text NOT NULL, city text, "
    "income integer NOT NULL, note text)",
    "INSERT INTO people (name, city, income, note) SELECT 'n' || (i * 7919 % 1000), 'Lima', "
    "20000 + i * 104729 % 90000, 'note ' || i FROM generate_series(1, 2000) i",
    "CREATE ROLE app LOGIN",
    "GRANT SELECT (id, name, city) ON people TO app",
};

class SqlProbe : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    auto programs = attack::testing_support::server_programs();
    if (programs) server_ = new PostgresServer(*programs);
  }
  static void TearDownTestSuite() { delete std::exchange(server_, nullptr); }

  void SetUp() override {
    if (server_ == nullptr) GTEST_SKIP() << "PostgreSQL is not installed; install postgresql";
    ASSERT_TRUE(server_->is_running());
    owner_ = open(server_->connection());
    command("DROP SCHEMA public CASCADE");
    command("CREATE SCHEMA public");
    command("DROP ROLE IF EXISTS app");
    command("GRANT USAGE ON SCHEMA public TO public");
    for (const char* sql : schema) command(sql);
    app_ = open(server_->connection() + " user=app");
  }

  static std::unique_ptr<connect::Database> open(const std::string& connection) {
    auto database = connect::open_postgres(connection, {});
    EXPECT_TRUE(database) << database.trouble().error.message;
    return database ? std::move(*database) : nullptr;
  }

  std::string command(const std::string& sql) {
    auto done = owner_->run({sql});
    EXPECT_TRUE(done) << sql << ": " << done.trouble().error.message;
    return done && !done->empty() ? done->front() : "";
  }

  void make_function(const std::string& signature, const std::string& body) {
    command("CREATE FUNCTION " + signature +
            " RETURNS TABLE (id int, name text) LANGUAGE plpgsql SECURITY DEFINER AS $f$ BEGIN " +
            body + " END $f$");
  }

  ProbeReport probed() {
    auto catalogue = read_catalogue(*app_, "people");
    EXPECT_TRUE(catalogue) << catalogue.error().message;
    auto asker = SqlAsker::make(*app_, *catalogue, {});
    EXPECT_TRUE(asker) << asker.error().message;
    SqlWriter writer(*owner_, *catalogue);
    TemporaryFolder folder("rankveil-probe");
    auto journal = Journal::create(folder.path("journal"), "postgresql");
    ProbeOptions options;
    options.fields = catalogue->hidden();
    options.control = catalogue->control();
    options.budget = 5000;
    options.seed = 0x123456789abcdefU;
    options.patience = 1;
    auto report = probe(*asker, writer, *journal, options, real_clock());
    EXPECT_TRUE(report) << report.error().message;
    EXPECT_EQ(command("SELECT count(*)::text FROM people"), "2000");
    return report ? *report : ProbeReport{};
  }

  static std::vector<std::string> found(const ProbeReport& report, Verdict verdict) {
    std::vector<std::string> names;
    for (const Finding& finding : report.findings) {
      if (finding.verdict == verdict) names.push_back(finding.field + ": " + finding.way.name);
    }
    return names;
  }
  static std::string told(const ProbeReport& report) {
    std::string text = fmt::format("{} requests\n", report.requests);
    for (const Finding& finding : report.findings) {
      text += fmt::format("{} {}: {}: {}\n", finding.field, finding.way.name,
                          to_text(finding.verdict), finding.reason);
    }
    return text;
  }

  static PostgresServer* server_;
  std::unique_ptr<connect::Database> owner_;
  std::unique_ptr<connect::Database> app_;
};

PostgresServer* SqlProbe::server_ = nullptr;

TEST_F(SqlProbe, HiddenIsWhatTheRoleMayNotRead) {
  auto catalogue = read_catalogue(*app_, "people");
  ASSERT_TRUE(catalogue) << catalogue.error().message;
  EXPECT_EQ(catalogue->table, "public.people");
  EXPECT_EQ(catalogue->key, "id");
  std::vector<std::string> names;
  for (const Field& field : catalogue->hidden()) names.push_back(field.name);
  EXPECT_THAT(names, ElementsAre("income", "note"));
  EXPECT_EQ(catalogue->hidden()[0].type, FieldType::Number);
  EXPECT_EQ(catalogue->control()->name, "name");
  EXPECT_THAT(*tables_with_hidden_columns(*app_), ElementsAre("public.people"));
  auto none = read_catalogue(*app_, "persons");
  ASSERT_FALSE(none);
  EXPECT_THAT(none.error().message, HasSubstr("there is no table \"persons\""));
}

TEST_F(SqlProbe, GrantsAloneKeepIt) {
  const auto report = probed();
  EXPECT_THAT(found(report, Verdict::Refused), Contains("income: table order by"));
  EXPECT_THAT(found(report, Verdict::Refused), Contains("income: table >"));
  EXPECT_THAT(found(report, Verdict::Leak), IsEmpty()) << told(report);
  EXPECT_THAT(found(report, Verdict::Blind), IsEmpty()) << told(report);
}

// A text where there is a uuid is an error whoever asks, and no refusal.
TEST_F(SqlProbe, AValueOfAnotherTypeIsNoRefusal) {
  command("ALTER TABLE people ADD badge uuid, ADD level smallint, ADD address inet");
  command("CREATE TYPE faith AS ENUM ('none', 'zen')");
  command("ALTER TABLE people ADD faith faith");
  make_function("with_badge(badge uuid)",
                "RETURN QUERY SELECT p.id, p.name FROM people p WHERE p.badge = $1 LIMIT 10;");
  make_function("at_address(address inet)",
                "RETURN QUERY SELECT p.id, p.name FROM people p WHERE p.address = $1 LIMIT 10;");
  const auto report = probed();
  EXPECT_THAT(found(report, Verdict::Leak), Contains("badge: public.with_badge(badge)"))
      << told(report);
  for (const char* field : {"badge", "level", "faith"}) {
    EXPECT_THAT(found(report, Verdict::Refused), Contains(std::string(field) + ": table >"))
        << told(report);
  }
  EXPECT_THAT(found(report, Verdict::Refused), Not(Contains("address: public.at_address(address)")))
      << told(report);
  EXPECT_THAT(found(report, Verdict::Blind), Contains("address: public.at_address(address)"))
      << told(report);
  EXPECT_THAT(found(report, Verdict::Refused), Not(Contains("note: public.with_badge(badge)")))
      << told(report);
}

TEST_F(SqlProbe, AViewInItsOrderLeaks) {
  command("CREATE VIEW by_income AS SELECT id, name FROM people ORDER BY income DESC");
  command("CREATE VIEW by_name AS SELECT id, name FROM people ORDER BY name DESC, id");
  command("GRANT SELECT ON by_income, by_name TO app");
  const auto report = probed();
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income: public.by_income"))
      << told(report);
  EXPECT_THAT(found(report, Verdict::Blind), IsEmpty()) << told(report);
}

TEST_F(SqlProbe, AColumnThatIsMadeOfItLeaks) {
  command("CREATE VIEW tiers AS SELECT id, name, income > 50000 AS rich FROM people");
  command("GRANT SELECT ON tiers TO app");
  const auto report = probed();
  EXPECT_THAT(found(report, Verdict::Leak), Contains("income: public.tiers order by rich"))
      << told(report);
}

TEST_F(SqlProbe, AFunctionThatSortsByAnyNameLeaks) {
  make_function("people_by(field text, direction text)",
                "RETURN QUERY EXECUTE format('SELECT p.id, p.name FROM people p ORDER BY %I %s, "
                "id', field, direction);");
  make_function("people_by_public(field text)",
                "IF field NOT IN ('name', 'city') THEN RAISE 'no such field'; END IF; RETURN "
                "QUERY EXECUTE format('SELECT p.id, p.name FROM people p ORDER BY %I DESC', "
                "field);");
  const auto report = probed();
  EXPECT_THAT(found(report, Verdict::Leak),
              UnorderedElementsAre("income: public.people_by(field, direction)",
                                   "note: public.people_by(field, direction)"))
      << told(report);
  EXPECT_THAT(found(report, Verdict::Refused), Contains("income: public.people_by_public(field)"))
      << told(report);
  fmt::print("{} requests\n", report.requests);
}

TEST_F(SqlProbe, ASearchThatLooksIntoItLeaks) {
  make_function("search(q text)",
                "RETURN QUERY SELECT p.id, p.name FROM people p WHERE p.name || ' ' || "
                "coalesce(p.note, '') LIKE '%' || q || '%' ORDER BY p.id;");
  const auto report = probed();
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("note: public.search(q)")) << told(report);
}

TEST_F(SqlProbe, AViewThatShowsItSaysSo) {
  command("CREATE VIEW open AS SELECT id, name, income FROM people ORDER BY id DESC");
  command("GRANT SELECT ON open TO app");
  const auto report = probed();
  EXPECT_THAT(found(report, Verdict::Shown), Contains("income: public.open")) << told(report);
}

TEST_F(SqlProbe, OpensByAddressesAloneAndFindsTheTable) {
  command("CREATE VIEW by_income AS SELECT id, name FROM people ORDER BY income DESC");
  command("GRANT SELECT ON by_income TO app");
  const std::string owner = server_->connection();
  auto service = SqlService::open({.role = owner + " user=app", .owner = owner});
  ASSERT_TRUE(service) << service.error().message;
  EXPECT_EQ(service->catalogue().table, "public.people");
  ASSERT_NE(service->writer(), nullptr);
  EXPECT_TRUE(service->writer()->makes_rows());
  for (const char* secret : {" password=hunter2", " sslpassword=hunter2"}) {
    auto refused = SqlService::open({.role = owner + secret});
    ASSERT_FALSE(refused) << secret;
    EXPECT_THAT(refused.error().message, HasSubstr("PGPASSWORD"));
    EXPECT_THAT(refused.error().message, Not(HasSubstr("hunter2")));
  }
}

TEST_F(SqlProbe, AQuestionCannotWrite) {
  make_function("forget(q text)",
                "DELETE FROM people; RETURN QUERY SELECT p.id, p.name FROM people p;");
  const auto report = probed();  // which counts the rows
  EXPECT_THAT(found(report, Verdict::Leak), IsEmpty()) << told(report);
}

}  // namespace
}  // namespace rankveil::probe

// `rankveil audit` as a user runs it, against rankings that the test starts: SQL templates on
// DuckDB and PostgreSQL, HTTP and HTTPS services, a program over pipes. What they give away is what
// the same table gives away in process; and an audit that is killed goes on from its log as if
// nothing had happened.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <filesystem>
#include <thread>

#include "rankveil/api/generate.h"
#include "rankveil/api/table_input.h"
#include "rankveil/attack/testing/postgres_server.h"
#include "rankveil/base/file.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/connect/database.h"
#include "tests/audit/command.h"
#include "tests/audit/ranking_server.h"

namespace rankveil::tests {
namespace {

namespace fs = std::filesystem;
using attack::testing_support::PostgresServer;
using testing::HasSubstr;

constexpr std::uint32_t people = 200;

// ---- A folder with a table, its policy, and what an audit in process says ----

class LiveAudit : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder("rankveil-live");
    auto made = api::generate({.rows = people,
                               .attributes = 6,
                               .seed = 3,
                               .table_path = path("people.csv"),
                               .policy_path = {},
                               .workload_path = {},
                               .progress = {}});
    ASSERT_TRUE(made) << made.error().message;
    api::TableInput input{.source = {.path = path("people.csv")},
                          .policy_path = path("people.toml"),
                          .overrides = {},
                          .progress = {}};
    auto loaded = connect::read_table(input.source, *load_policy(input));
    ASSERT_TRUE(loaded) << loaded.error().message;
    table_ = new Table(std::move(loaded->table));
    in_process_ = new Json(audit({"people.csv", "--levels", "ignorant,repeats,ties"}));
  }
  static void TearDownTestSuite() {
    delete std::exchange(table_, nullptr);
    delete std::exchange(in_process_, nullptr);
    delete std::exchange(folder_, nullptr);
  }

  static std::string path(const std::string& name) { return folder_->path(name); }
  static void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_text(path(name), text));
  }

  // The command with what all audits here have in common; `words` begin with the target.
  static Command start(const std::vector<std::string>& words,
                       const std::vector<std::string>& settings = {}) {
    std::vector<std::string> all = {RANKVEIL_COMMAND, "audit"};
    all.insert(all.end(), words.begin(), words.end());
    if (words.front().ends_with(".toml")) all.insert(all.end(), {"--table", "people.csv"});
    for (const char* word : {"--policy", "people.toml", "--victims", "6", "--k", "20", "--seed",
                             "5", "--canaries", "3", "--json"}) {
      all.emplace_back(word);
    }
    return {std::move(all), folder_->path(), settings};
  }
  // What `rankveil` prints with these words.
  static std::string run(std::vector<std::string> words) {
    words.insert(words.begin(), RANKVEIL_COMMAND);
    Command command(std::move(words), folder_->path());
    EXPECT_EQ(command.wait(), 0) << command.err();
    return command.out();
  }
  static Json audit(const std::vector<std::string>& words,
                    const std::vector<std::string>& settings = {}) {
    Command command = start(words, settings);
    EXPECT_EQ(command.wait(), 0) << command.err();
    auto report = parse_json(command.out());
    EXPECT_TRUE(report) << command.out();
    return report ? *report : Json();
  }

  // What attacks found, without what the number of findings has a say in: how strict tests are.
  static std::string attacks_in(const Json& report) {
    std::string text;
    for (const Json& finding : *report.find("findings")->as_array()) {
      const std::string& method = *finding.find("method")->as_text();
      if (method == "profiles" || method == "none") continue;
      Json figures;
      for (const auto& [name, value] : *finding.as_object()) {
        if (name != "reason") figures.set(name, value);
      }
      text += figures.dump(-1) + "\n";
    }
    return text;
  }
  static void expect_as_in_process(const Json& report, const char* kind) {
    EXPECT_EQ(*report.find("subject")->find("target_kind")->as_text(), kind);
    std::string attacks = attacks_in(report);
    EXPECT_GT(attacks.size(), 1000U);
    EXPECT_EQ(attacks, attacks_in(*in_process_));
    for (const char* part : {"control", "curves", "transcript"}) {
      EXPECT_EQ(report.find(part)->dump(), in_process_->find(part)->dump()) << part;
    }
  }

  // ---- SQL ----

  static std::string quoted(const std::string& name) { return "\"" + name + "\""; }
  static std::string columns() {
    std::string text = "(id BIGINT PRIMARY KEY";
    for (const Attribute& attribute : table_->schema().attributes) {
      text += ", " + quoted(attribute.name) + " TEXT";
    }
    return text + ")";
  }
  static std::string query_sql() {
    std::string score = "0";
    for (const Attribute& attribute : table_->schema().attributes) {
      score += fmt::format(" + {} * coalesce(CAST({} = ANY(${{all:{}}}) AS INTEGER), 0)",
                           attribute.weight, quoted(attribute.name), attribute.name);
    }
    return fmt::format("SELECT id FROM people ORDER BY {} DESC, id LIMIT ${{k}}", score);
  }
  static std::string insert_sql() {
    std::string values = "CAST(${id} AS BIGINT)";
    for (const Attribute& attribute : table_->schema().attributes) {
      values += fmt::format(", ${{one:{}}}", attribute.name);
    }
    return fmt::format("INSERT INTO people VALUES ({})", values);
  }
  static std::string sql_target(const std::string& kind_and_place) {
    return fmt::format("{}\nfirst_id = 100000\nquery = '''{}'''\ninsert = '''{}'''\n",
                       kind_and_place, query_sql(), insert_sql());
  }
  static void fill(connect::Database& database) {
    std::string sql = "INSERT INTO people VALUES (CAST($1 AS BIGINT)";
    for (std::uint32_t i = 0; i < table_->schema().size(); ++i) sql += fmt::format(", ${}", i + 2);
    for (std::uint32_t row = 0; row < table_->rows(); ++row) {
      connect::Statement insert{sql + ")", {table_->names().text(RowId{row})}};
      for (std::uint32_t i = 0; i < table_->schema().size(); ++i) {
        ValueId value = table_->value(RowId{row}, AttributeId{i});
        if (value == missing_value) {
          insert.values.emplace_back();
        } else {
          insert.values.emplace_back(table_->schema().attributes[i].domain.text(value));
        }
      }
      auto done = database.run(insert);
      ASSERT_TRUE(done) << done.trouble().error.message;
    }
  }

  // ---- Killing ----

  static std::size_t lines_of(const std::string& name) {
    auto text = read_text(path(name));
    return text ? static_cast<std::size_t>(std::ranges::count(*text, '\n')) : 0;
  }
  // Kills an audit as soon as its log has so many lines. False: it was done before.
  static bool kill_at(const std::string& target, const std::string& log, std::size_t lines) {
    Command command = start({target, "--log", log});
    while (!command.has_ended() && lines_of(log) < lines) {
      std::this_thread::sleep_for(std::chrono::milliseconds(2));
    }
    command.kill();
    return command.wait() == -1;
  }
  // A report without its time.
  static std::string timeless(const Json& report) {
    Json rest;
    for (const auto& [name, value] : *report.as_object()) {
      if (name != "seconds") rest.set(name, value);
    }
    return rest.dump();
  }

  static TemporaryFolder* folder_;
  static Table* table_;
  static Json* in_process_;
};

TemporaryFolder* LiveAudit::folder_ = nullptr;
Table* LiveAudit::table_ = nullptr;
Json* LiveAudit::in_process_ = nullptr;

// ---- The same findings everywhere ----

TEST_F(LiveAudit, OfADuckdbTemplateFindsWhatTheTableGivesAway) {
  // Over the file, in a database in memory: rows are inserted there and forgotten with it.
  write("duckdb.toml",
        sql_target(fmt::format("kind = \"duckdb\"\nsetup = [\"CREATE TABLE people AS "
                               "SELECT CAST(id AS BIGINT) AS id, * EXCLUDE (id) "
                               "FROM read_csv('{}', all_varchar = true)\"]",
                               path("people.csv"))));
  expect_as_in_process(audit({"duckdb.toml"}), "sql");
}

TEST_F(LiveAudit, OfAnHttpServiceFindsWhatTheTableGivesAwayAndLeavesNothingBehind) {
  RankingServer server(*table_, RankingServer::Speaks::Http);
  write("http.toml", server.target_file());
  expect_as_in_process(audit({"http.toml"}), "http");
  EXPECT_EQ(server.people(), people);
}

TEST_F(LiveAudit, OfAnHttpsServiceNeedsACertificateThatTheSystemTrusts) {
  RankingServer server(*table_, RankingServer::Speaks::Https);
  write("https.toml", server.target_file());
  Command refused = start({"https.toml"});
  EXPECT_NE(refused.wait(), 0);
  EXPECT_THAT(refused.err(), HasSubstr("its certificate is not trusted"));
  EXPECT_THAT(refused.err(), HasSubstr("SSL_CERT_FILE"));
  write("ours.pem", server.certificate());
  expect_as_in_process(audit({"https.toml"}, {"SSL_CERT_FILE=" + path("ours.pem")}), "http");
  EXPECT_EQ(server.people(), people);
}

TEST_F(LiveAudit, OfAProgramFindsWhatTheTableGivesAway) {
  write("program.toml",
        fmt::format("kind = \"program\"\ninserts = true\ncommand = [\"{}\", "
                    "\"{}\", \"{}\"]\n",
                    RANKVEIL_RANKING_PROGRAM, path("people.csv"), path("people.toml")));
  expect_as_in_process(audit({"program.toml"}), "program");
}

// ---- A protected program, met by somebody who knows the scheme ----

class LiveProtectedAudit : public LiveAudit {
 protected:
  // An audit of a program that serves the table under a scheme, and takes no rows. `declared`: what
  // the auditor is told of it.
  static Json audit_of(const std::string& scheme, const std::vector<std::string>& declared,
                       const std::string& policy = "people.toml") {
    std::string index = scheme + ".rankveil";
    std::string key = scheme + ".key";  // a key's rows keep the scheme of their first build
    if (!fs::exists(path(key))) run({"keygen", key, "--seed", "7"});
    run({"protect", "people.csv", "--policy", "people.toml", "--scheme", scheme, "--l", "2",
         "--key", key, "-o", index});
    write(scheme + ".toml", fmt::format("kind = \"program\"\ncommand = [\"{}\", \"{}\"]\n",
                                        RANKVEIL_RANKING_PROGRAM, path(index)));
    std::vector<std::string> words = {"audit",    scheme + ".toml",
                                      "--table",  "people.csv",
                                      "--policy", policy,
                                      "--l",      "2",
                                      "--k",      "20",
                                      "--json",   "--victims",
                                      "40",       "--canaries",
                                      "0"};
    words.insert(words.end(), declared.begin(), declared.end());
    auto report = parse_json(run(words));
    EXPECT_TRUE(report);
    return report ? *report : Json();
  }

  static const Json* finding(const Json& report, const std::string& method,
                             const std::string& level) {
    for (const Json& one : *report.find("findings")->as_array()) {
      bool all = *one.find("attribute")->as_text() == "all";
      if (all && *one.find("method")->as_text() == method &&
          *one.find("level")->as_text() == level) {
        return &one;
      }
    }
    return nullptr;
  }
  static std::string text(const Json& json, const char* name) {
    return *json.find(name)->as_text();
  }
  static double number(const Json& json, const char* name) { return *json.find(name)->as_number(); }
  static std::string notes(const Json& report) { return report.find("notes")->dump(); }
};

TEST_F(LiveProtectedAudit, OfPvsvIsBrokenByQueriesAloneWhenTheSchemeIsDeclared) {
  Json report = audit_of("pvsv", {"--scheme", "pvsv"});
  const Json* found = finding(report, "recovered", "mechanism-public");
  ASSERT_NE(found, nullptr) << notes(report);
  EXPECT_EQ(text(*found, "verdict"), "broken");
  EXPECT_GT(number(*found, "rate"), number(*found, "prior") + 0.1);
  EXPECT_GT(number(*found, "gain"), 0.9);
  EXPECT_EQ(text(*report.find("subject"), "scheme"), "pvsv");
  for (const char* method : {"q-point", "q-in"}) {
    EXPECT_NE(text(*finding(report, method, "ignorant"), "verdict"), "broken") << method;
  }
}

TEST_F(LiveProtectedAudit, WithoutADeclaredSchemeSaysThatTheMechanismIsNotKnown) {
  std::string policy = *read_text(path("people.toml"));
  auto line = policy.find("\nscheme") + 1;
  ASSERT_GT(line, 0U);
  policy.erase(line, policy.find('\n', line) - line);
  write("silent.toml", policy);
  Json report = audit_of("pvsv", {}, "silent.toml");
  EXPECT_EQ(finding(report, "recovered", "mechanism-public"), nullptr);
  EXPECT_THAT(notes(report), HasSubstr("mechanism-public"));
  EXPECT_THAT(notes(report), HasSubstr("were left out: no scheme is declared"));
}

TEST_F(LiveProtectedAudit, OfSwapIsNotBrokenByAnybody) {
  Json report = audit_of("swap", {"--scheme", "swap"});
  for (const Json& one : *report.find("findings")->as_array()) {
    EXPECT_NE(text(one, "verdict"), "broken") << one.dump();
  }
  EXPECT_THAT(notes(report), HasSubstr("no attack recovered a whole profile"));
}

TEST_F(LiveProtectedAudit, OfAnotherSchemeThanDeclaredSaysSo) {
  Json report = audit_of("random", {"--scheme", "pvsv"});
  EXPECT_EQ(finding(report, "recovered", "mechanism-public"), nullptr);
  EXPECT_THAT(notes(report), HasSubstr("nothing that pvsv with l = 2 shows"));
}

class LivePostgresAudit : public LiveAudit {
 protected:
  void SetUp() override {
    auto programs = attack::testing_support::server_programs();
    if (!programs) GTEST_SKIP() << "PostgreSQL is not installed; install postgresql";
    server_.emplace(*programs);
    ASSERT_TRUE(server_->is_running());
    auto owner = connect::open_postgres(server_->connection(), {});
    ASSERT_TRUE(owner) << owner.trouble().error.message;
    ASSERT_TRUE((*owner)->run({"CREATE TABLE people " + columns()}));
    fill(**owner);
    write("postgres.toml", sql_target(fmt::format("kind = \"postgres\"\nconnection = \"{}\"",
                                                  server_->connection())));
  }

  std::optional<PostgresServer> server_;
};

TEST_F(LivePostgresAudit, FindsWhatTheTableGivesAwayAndSurvivesBeingKilled) {
  Json whole = audit({"postgres.toml"});
  expect_as_in_process(whole, "sql");
  ASSERT_TRUE(kill_at("postgres.toml", "postgres.log", 40));
  std::size_t before = lines_of("postgres.log");
  ASSERT_TRUE(kill_at("postgres.toml", "postgres.log", before + 60));
  EXPECT_EQ(timeless(audit({"postgres.toml", "--log", "postgres.log"})), timeless(whole));
  auto owner = connect::open_postgres(server_->connection(), {});
  auto count = (*owner)->run({"SELECT count(*) FROM people"});
  ASSERT_TRUE(count);
  EXPECT_EQ(count->front(), std::to_string(people));
}

// ---- Killed in the middle ----

// The program ends whoever asks it, at questions that are told beforehand.
TEST_F(LiveAudit, ThatIsKilledGoesOnFromItsLogAsIfNothingHadHappened) {
  auto target = [&](long last) {
    return fmt::format(
        "kind = \"program\"\ninserts = true\ncommand = [\"{}\", \"{}\", \"{}\", \"{}\", \"{}\"]\n",
        RANKVEIL_RANKING_PROGRAM, path("people.csv"), path("people.toml"), path("questions"), last);
  };
  write("mortal.toml", target(-1));
  Json whole = audit({"mortal.toml"});
  auto questions = static_cast<long>(read_text(path("questions"))->size());
  ASSERT_GT(questions, 200);
  fs::remove(path("questions"));
  for (long last : {5L, questions / 3, questions * 2 / 3}) {
    write("mortal.toml", target(last));
    EXPECT_EQ(start({"mortal.toml", "--log", "mortal.log"}).wait(), -1);
  }
  std::size_t before = lines_of("mortal.log");
  write("mortal.toml", target(-1));
  EXPECT_EQ(timeless(audit({"mortal.toml", "--log", "mortal.log"})), timeless(whole));
  EXPECT_GT(lines_of("mortal.log"), before);
}

// A service keeps the rows of an audit that was killed; who goes on removes them.
TEST_F(LiveAudit, ThatIsKilledWhileAServiceKeepsItsRowsRemovesThemInTheEnd) {
  RankingServer server(*table_, RankingServer::Speaks::Http);
  write("kept.toml", server.target_file());
  Json whole = audit({"kept.toml"});
  std::atomic<int> last = 0;
  std::atomic<pid_t> asker = 0;
  std::atomic<int> asked = 0;
  server.before_each([&](const std::string& what, std::size_t present) {
    bool now = ++asked >= last && what == "/rank" && present > people;
    if (now && asker > 0) ::kill(asker.exchange(0), SIGKILL);
  });
  for (int pause : {100, 200}) {
    asked = 0;
    last = pause;
    Command command = start({"kept.toml", "--log", "kept.log"});
    asker = command.process();
    ASSERT_EQ(command.wait(), -1) << command.err();
    EXPECT_GT(server.people(), people) << "it was killed with rows of its own in the ranking";
  }
  EXPECT_EQ(timeless(audit({"kept.toml", "--log", "kept.log"})), timeless(whole));
  EXPECT_EQ(server.people(), people);
}

TEST_F(LiveAudit, IsReportedEvenWhenItsLastRowsStay) {
  RankingServer server(*table_, RankingServer::Speaks::Http);
  write("stays.toml", server.target_file());
  Json whole = audit({"stays.toml"});
  server.allow_removals(server.removals() - 1);
  Command command = start({"stays.toml"});
  command.wait();
  EXPECT_THAT(command.err(), HasSubstr("the rows inserted last may still be there"));
  auto report = parse_json(command.out());
  ASSERT_TRUE(report) << command.out();
  EXPECT_EQ(report->find("findings")->dump(), whole.find("findings")->dump());
  EXPECT_EQ(server.people(), people + 1);
}

}  // namespace
}  // namespace rankveil::tests

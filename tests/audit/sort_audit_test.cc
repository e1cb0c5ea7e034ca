// `rankveil audit` on rankings that order by one column: services and SQL, open, repaired,
// protected and noisy ones.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <utility>

#include "rankveil/audit/sort/sort_effect.h"
#include "rankveil/base/file.h"
#include "rankveil/base/random.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "tests/audit/command.h"
#include "tests/audit/stand_in.h"

namespace rankveil::tests {
namespace {

using attack::testing_support::StandIn;
using attack::testing_support::StandInHabits;
using testing::HasSubstr;
using testing::Not;

constexpr int kept = 0, broken = 1, wrongly_used = 2, untested = 3;
constexpr std::uint32_t people_sorted = 400;

// 400 people with a public city, a hidden faith (some have none) and a hidden income.
class SortAudit : public testing::Test {
 protected:
  static void SetUpTestSuite() {
    folder_ = new TemporaryFolder("rankveil-sort");
    Rng rng(5);
    const std::vector<std::string> cities = {"Oslo", "Rome", "Lima"};
    const std::vector<std::string> values = {"none", "Anglican", "buddhist", "Zen", "Ökumene"};
    std::string people = "id,city,faith,income\n", open = "id,city,faith\n", alone = "id,faith\n";
    Schema schema{{{"city", Visibility::Public, 1, *Domain::of(cities)},
                   {"faith", Visibility::Private, 1, *Domain::of(values)}},
                  "id"};
    std::vector<ValueId> city_column, faith_column;
    IntegerNames names;
    for (std::uint32_t row = 0; row < people_sorted; ++row) {
      const auto city = static_cast<std::uint16_t>(rng.below(cities.size()));
      const auto faith = static_cast<std::uint16_t>(rng.below(values.size()));
      const std::string text = row % 40 == 7 ? "" : values[faith];
      people += fmt::format("{},{},{},{}\n", row + 1, cities[city], text, 10000 + rng.below(60000));
      open += fmt::format("{},{},{}\n", row + 1, cities[city], text);
      alone += fmt::format("{},{}\n", row + 1, text);
      city_column.push_back(ValueId{city});
      faith_column.push_back(text.empty() ? missing_value : ValueId{faith});
      names.values.push_back(row + 1);
    }
    write("people.csv", people);
    write("open.csv", open);
    write("alone.csv", alone);
    write("alone.policy.toml", "[column.id]\nrole = \"id\"\n[column.faith]\nrole = \"private\"\n");
    const std::string common =
        "[column.id]\nrole = \"id\"\n[column.city]\nrole = \"public\"\n"
        "[column.faith]\nrole = \"private\"\n";
    write("open.policy.toml", common);
    write(
        "people.policy.toml",
        common + "[column.income]\nrole = \"private\"\nbins = { edges = [20000, 30000, 50000] }\n");
    table_ = new Table(schema, {Column(3, city_column), Column(5, faith_column)},
                       RowNames(std::move(names)));
  }
  static void TearDownTestSuite() {
    delete std::exchange(table_, nullptr);
    delete std::exchange(folder_, nullptr);
  }
  static void write(const std::string& name, const std::string& text) {
    ASSERT_TRUE(write_text(folder_->path(name), text));
  }

  int run(std::vector<std::string> words) {
    words.insert(words.begin(), RANKVEIL_COMMAND);
    Command command(std::move(words), folder_->path());
    int code = command.wait();
    out_ = command.out();
    err_ = command.err();
    return code;
  }
  int audit(const std::string& table, const std::string& file,
            const std::vector<std::string>& more = {}) {
    write("sorted.toml", file);
    std::vector<std::string> words = {"audit",     "sorted.toml",
                                      "--table",   table + ".csv",
                                      "--policy",  table + ".policy.toml",
                                      "--scheme",  "swap",
                                      "--l",       "3",
                                      "--seed",    "5",
                                      "--fail-on", "broken"};
    words.insert(words.end(), more.begin(), more.end());
    return run(std::move(words));
  }

  // ---- A service ----

  void serve(const StandInHabits& habits) {
    StandInHabits sorting = habits;
    sorting.sorts = true;
    service_.emplace(*table_, sorting);
  }
  std::string asking(const std::string& more = "") const {
    return "kind = \"http\"\n[query]\nurl = \"" + service_->address() +
           "/people?limit=${k}&sort=${direction}${field}" + more +
           "\"\nids = \"/docs/*/id\"\n[sort]\nup = \"\"\ndown = \"-\"\n";
  }
  std::string writing() const { return service_->insert_section() + service_->remove_section(); }

  // ---- SQL ----

  static std::string sql(const std::string& shown_faith, const std::string& order,
                         const std::string& insert = "") {
    return fmt::format(
        "kind = \"duckdb\"\nfirst_id = 100000\nsetup = [\"CREATE TABLE people AS SELECT id, city, "
        "{} AS faith, income FROM read_csv('{}')\"]\nquery = '''SELECT id FROM people ORDER BY {} "
        "LIMIT ${{k}}'''\n{}",
        shown_faith, folder_->path("people.csv"), order,
        insert.empty() ? "" : "insert = '''" + insert + "'''\n");
  }
  static constexpr const char* own_row =
      "INSERT INTO people VALUES (CAST(${id} AS BIGINT), ${one:city}, ${one:faith}, "
      "CAST(${one:income} AS BIGINT))";

  static TemporaryFolder* folder_;
  static Table* table_;
  std::optional<StandIn> service_;
  std::string out_, err_;
};

TemporaryFolder* SortAudit::folder_ = nullptr;
Table* SortAudit::table_ = nullptr;

TEST_F(SortAudit, OwnRowsAsMarksLayEverybodyOpen) {
  serve({});
  EXPECT_EQ(audit("open", asking() + writing(), {"--methods", "marks", "--all"}), broken) << err_;
  EXPECT_THAT(out_, HasSubstr("BROKEN by ignorant (faith, marks)"));
  EXPECT_THAT(out_, HasSubstr("390 of 400")) << "ten have no faith" << out_;
  EXPECT_THAT(out_, HasSubstr("How to prove that faith of row"));
  EXPECT_THAT(out_, HasSubstr("ask for sort by=faith up"));
  EXPECT_THAT(out_, HasSubstr("a row of one's own as a mark"));
  EXPECT_THAT(out_, HasSubstr("values of 12 planted rows were recovered"));
  EXPECT_EQ(service_->size(), people_sorted) << "marks are taken back";
}

TEST_F(SortAudit, KnownPeopleAreMarksWhereNothingCanBeInserted) {
  serve({});
  EXPECT_EQ(audit("open", asking(), {"--all"}), broken) << err_;
  EXPECT_THAT(out_, HasSubstr("BROKEN by ignorant (faith, known)"));
  EXPECT_THAT(out_, Not(HasSubstr("insert ")));
  EXPECT_THAT(err_, HasSubstr("known: the values of 100 rows are taken for known"));
  EXPECT_EQ(audit("open", asking(), {"--methods", "marks"}), wrongly_used);
  EXPECT_THAT(err_, HasSubstr("inserts rows, which this target does not take"));
}

TEST_F(SortAudit, ATranscriptIsReplayedUntilTheSortIsRepaired) {
  for (bool writes : {true, false}) {
    serve({});
    ASSERT_EQ(audit("open", asking() + (writes ? writing() : ""), {"--output", "report.json"}),
              broken);
    const std::vector<std::string> replay = {"replay",      "report.json",     "--target",
                                             "sorted.toml", "--table",         "open.csv",
                                             "--policy",    "open.policy.toml"};
    EXPECT_EQ(run(replay), broken) << out_ << err_;
    EXPECT_EQ(service_->size(), people_sorted);
    serve({.unread = {"faith"}});
    write("sorted.toml", asking() + (writes ? writing() : ""));
    EXPECT_EQ(run(replay), kept) << out_ << err_;
    EXPECT_EQ(run({"verify", "report.json", "--table", "open.csv", "--policy", "open.policy.toml"}),
              kept)
        << out_ << err_;
  }
}

TEST_F(SortAudit, ARefusalEndsWhatATranscriptProved) {
  const std::string refusal = "[refused]\nstatus = [400]\nbody = \"/errors\"\n";
  const std::vector<std::string> replay = {"replay",      "report.json",     "--target",
                                           "sorted.toml", "--table",         "open.csv",
                                           "--policy",    "open.policy.toml"};
  for (bool writes : {true, false}) {
    const auto file = [&] { return asking() + (writes ? writing() : "") + refusal; };
    serve({});
    ASSERT_EQ(audit("open", file(), {"--output", "report.json"}), broken) << err_;
    EXPECT_EQ(run(replay), broken) << out_ << err_;
    serve({.refused = {"faith"}});
    write("sorted.toml", file());
    EXPECT_EQ(run(replay), kept) << out_ << err_;
    EXPECT_THAT(out_, HasSubstr("no longer proves that faith of row"));
    EXPECT_THAT(out_, HasSubstr("refused now"));
    EXPECT_EQ(service_->size(), people_sorted) << "marks are taken back";
    serve({.refused = {"faith", "city"}});
    write("sorted.toml", file());
    EXPECT_EQ(run(replay), untested) << "who refuses everything has repaired nothing" << out_;
  }
}

TEST_F(SortAudit, AParameterThatNobodyReadsIsNotTested) {
  serve({.unread = {"faith"}});
  EXPECT_EQ(audit("open", asking() + writing()), untested) << out_;
  EXPECT_THAT(out_, HasSubstr("nothing moves when the order by faith is turned"));
  EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
  serve({});
  EXPECT_EQ(audit("open", asking() + "fields = { faith = \"fiath\" }\n"), untested) << out_;
  EXPECT_THAT(out_, HasSubstr("nothing moves when the order by faith is turned"));
}

TEST_F(SortAudit, ARefusalIsAPassWhereItIsSaidToBeOne) {
  const std::string refusal = "[refused]\nstatus = [400]\nbody = \"/errors\"\n";
  serve({.refused = {"faith"}});
  EXPECT_EQ(audit("open", asking() + writing()), untested) << "an error ends an audit";
  EXPECT_EQ(audit("open", asking() + writing() + refusal), kept) << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("REFUSED: the best answer there is"));
  EXPECT_THAT(out_, HasSubstr("the service refuses to sort by faith, both ways"));
  serve({.refused = {"faith", "city"}});
  EXPECT_EQ(audit("open", asking() + refusal), untested);
  EXPECT_THAT(err_, HasSubstr("refuses to sort by public columns, too"));
}

TEST_F(SortAudit, ARefusalThatAnyNameGetsIsNotTested) {
  const std::string refusal = "[refused]\nstatus = [400]\nbody = \"/errors\"\n";
  serve({.refused = {"faith", "rankveil_no_such_column"}});
  for (const std::string& more : {std::string(), writing()}) {
    EXPECT_EQ(audit("open", asking() + more + refusal), untested) << out_ << err_;
    EXPECT_THAT(out_, HasSubstr("refuses to sort by faith as it refuses rankveil_no_such_column"));
    EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
    EXPECT_THAT(out_, Not(HasSubstr("REFUSED")));
  }
  EXPECT_EQ(audit("open", asking() + "fields = { faith = \"faith\" }\n" + refusal), kept)
      << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("REFUSED: the best answer there is"));
}

TEST_F(SortAudit, ARefusalWithoutAPublicColumnIsNotTested) {
  serve({.refused = {"faith"}});
  EXPECT_EQ(
      audit("alone", asking() + "fields = { faith = \"faith\" }\n[refused]\nstatus = [400]\n"),
      untested)
      << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("refuses to sort by faith, and no public column is there"));
  EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
}

// Up is answered, down is not: no pass, and no error either.
TEST_F(SortAudit, ARefusalOfOneDirectionIsNotTested) {
  const std::string refusal = "[refused]\nstatus = [400]\nbody = \"/errors\"\n";
  serve({.refused = {"--faith"}});
  std::string file = asking();
  file.replace(file.find("down = \"-\""), 10, "down = \"--\"");
  EXPECT_EQ(audit("open", file + refusal), untested) << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("refuses some of the orders by faith"));
}

TEST_F(SortAudit, FieldsOfNoColumnAreRefused) {
  serve({});
  EXPECT_EQ(audit("open", asking() + "fields = { fiath = \"faith\" }\n"), untested) << out_;
  EXPECT_THAT(err_, HasSubstr("did you mean faith?"));
  EXPECT_THAT(err_, HasSubstr("there are city, faith"));
}

TEST_F(SortAudit, MarksOfFewValuesAreNoTest) {
  const std::string file = sql("faith", "${field} ${direction}, id", own_row);
  EXPECT_EQ(audit("people", file, {"--methods", "marks", "--insert-budget", "1"}), untested)
      << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("marks in the lists have 1 of 5 values of faith"));
  EXPECT_THAT(out_, HasSubstr("--insert-budget"));
  EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
}

// Own rows stand at the end, in order among themselves: the control finds them, and nobody else.
TEST_F(SortAudit, MarksThatStandApartAreNoTest) {
  EXPECT_EQ(audit("people", sql("faith", "id >= 100000, ${field} ${direction}, id", own_row),
                  {"--methods", "marks"}),
            untested)
      << out_ << err_;
  EXPECT_THAT(out_, HasSubstr("the target puts marks elsewhere"));
  EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
}

// The same, and in no order among themselves.
TEST_F(SortAudit, AControlThatFindsNothingIsBlind) {
  audit("people",
        sql("faith", "id >= 100000, CASE WHEN id < 100000 THEN ${field} END ${direction}, id",
            own_row),
        {"--methods", "marks"});
  EXPECT_THAT(out_, HasSubstr("0 of 24 values of 12 planted rows were recovered"));
  EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
}

TEST_F(SortAudit, LevelsAboutWishesAreRefused) {
  serve({});
  EXPECT_EQ(audit("open", asking(), {"--levels", "joint"}), wrongly_used) << out_;
  EXPECT_THAT(err_, HasSubstr("the level \"joint\" is about wishes"));
  EXPECT_EQ(audit("open", asking(), {"--levels", "ignorant"}), broken) << err_;
}

// Of many rows that are not read some are, and these tell.
TEST(SortEffect, IsSeenInTheEndsOfALongList) {
  constexpr std::uint32_t rows = 50'000;
  std::vector<ValueId> values;
  IntegerNames names;
  audit::OrderedRows up, down;
  for (std::uint32_t row = 0; row < rows; ++row) {
    values.push_back(ValueId{static_cast<std::uint16_t>(row % 2)});
    names.values.push_back(row);
    audit::OrderedRows& list = row % 2 == 0 ? up : down;
    if (list.size() < 40) list.push_back(row);
  }
  Schema schema{{{"faith", Visibility::Private, 1, *Domain::of({"none", "Zen"})}}, "id"};
  Table table(schema, {Column(2, values)}, RowNames(std::move(names)));
  audit::Effect effect = audit::effect_of_order(table, AttributeId{0}, {{up}, {down}}, 5);
  EXPECT_EQ(audit::acts_name(effect.acts), "rises") << effect.note;
}

TEST_F(SortAudit, EqualsInAnyOrderHideNobody) {
  serve({.mixes_equals = true});
  EXPECT_EQ(audit("open", asking() + writing(), {"--methods", "marks"}), broken) << err_;
  EXPECT_THAT(out_, HasSubstr("How to prove that faith of row"));
  EXPECT_EQ(audit("open", asking()), broken) << err_;
}

TEST_F(SortAudit, PagesAreReadToTheEnd) {
  serve({.page = 30});
  EXPECT_EQ(audit("open", asking("&page=${page}") + writing(), {"--methods", "marks", "--all"}),
            broken)
      << err_;
  EXPECT_THAT(out_, HasSubstr("390 of 400"));
  EXPECT_EQ(audit("open", asking("&page=${page}"), {"--k", "60"}), broken) << err_;
  EXPECT_THAT(err_, HasSubstr("Lists were read up to row 60 of 400"));
}

TEST_F(SortAudit, ThrottledListsAreBlind) {
  for (const StandInHabits& habits :
       {StandInHabits{.answers = 0}, StandInHabits{.unread = {"faith"}, .answers = 3}}) {
    serve(habits);
    EXPECT_EQ(audit("open", asking()), untested) << out_;
    EXPECT_THAT(out_ + err_, HasSubstr("the audit is blind"));
    EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
  }
  serve({.answers = 1});
  EXPECT_EQ(audit("open", asking()), broken) << "one list is enough" << out_;
}

TEST_F(SortAudit, SqlThatOrdersByHiddenColumnsIsBroken) {
  for (const char* ties : {"", ", id", ", id DESC"}) {
    EXPECT_EQ(audit("people", sql("faith", std::string("${field} ${direction}") + ties, own_row),
                    {"--methods", "marks", "--all"}),
              broken)
        << ties << err_;
    EXPECT_THAT(out_, HasSubstr("BROKEN by ignorant (faith, marks)"));
    EXPECT_THAT(out_, HasSubstr("400 of 400")) << "every income is between marks" << ties << out_;
    EXPECT_THAT(out_, HasSubstr("How to prove"));
  }
}

// Equals that turn with the direction: marks are last of them one way and first the other way.
TEST_F(SortAudit, EqualsThatTurnWithTheDirectionHideNobody) {
  EXPECT_EQ(audit("people", sql("faith", "${field} ${direction}, id ${direction}", own_row),
                  {"--methods", "marks", "--all"}),
            broken)
      << err_;
  EXPECT_THAT(out_, HasSubstr("97.5%")) << "all 390 who have a faith are guessed" << out_;
}

TEST_F(SortAudit, SqlThatOrdersBySomethingElseIsNotTested) {
  for (const char* order : {"CASE WHEN ${field} IS NULL THEN 1 ELSE 1 END ${direction}, city, id",
                            "md5(CAST(id AS TEXT) || CAST(length(${field}::TEXT) > 99 AS TEXT)) "
                            "${direction}"}) {
    EXPECT_EQ(audit("people", sql("faith", order, own_row)), untested) << order << out_;
    EXPECT_THAT(out_, HasSubstr("NOT TESTED"));
    EXPECT_THAT(out_, Not(HasSubstr("KEPT")));
  }
}

// A third of the rows show their own faith and income, the others somebody else's.
TEST_F(SortAudit, AProtectedOrderProvesNothing) {
  const std::string setup = fmt::format(
      "kind = \"duckdb\"\nsetup = [\"CREATE TABLE real AS SELECT * FROM read_csv('{}')\", "
      "\"CREATE TABLE people AS SELECT a.id, a.city, CASE WHEN hash(a.id) % 3 = 0 THEN a.faith "
      "ELSE "
      "b.faith END AS faith, CASE WHEN hash(a.id) % 3 = 0 THEN a.income ELSE b.income END AS "
      "income "
      "FROM real a JOIN real b ON b.id = 1 + (a.id + 160) % 400\"]\n"
      "query = \"SELECT id FROM people ORDER BY ${{field}} ${{direction}}, id LIMIT ${{k}}\"\n",
      folder_->path("people.csv"));
  EXPECT_EQ(audit("people", setup, {"--all"}), kept) << out_ << err_;
  EXPECT_THAT(out_, Not(HasSubstr("BROKEN")));
  EXPECT_THAT(out_, HasSubstr("0 of 400"));
  EXPECT_THAT(out_, Not(HasSubstr("How to prove")));
  EXPECT_THAT(err_, HasSubstr("rows do not stand where their own values of faith would put them"));
}

// The same with nobody protected but 2% of values out of date: still everybody's.
TEST_F(SortAudit, AFewStaleValuesDoNotSaveTheOthers) {
  EXPECT_EQ(audit("people", sql("CASE WHEN id % 50 = 3 THEN 'Zen' ELSE faith END",
                                "${field} ${direction}, id")),
            broken)
      << out_ << err_;
}

TEST_F(SortAudit, FilesThatAskHalfAnOrderAreRefused) {
  EXPECT_EQ(audit("people", sql("faith", "${field}")), untested);
  EXPECT_THAT(err_, HasSubstr("has ${field} alone"));
  EXPECT_EQ(audit("people", sql("faith", "id") + "[sort]\nup = \"asc\"\n"), untested);
  EXPECT_THAT(err_, HasSubstr("is of no use"));
  EXPECT_EQ(audit("people", sql("faith", "${field} ${direction}") + "[sort]\ndown = \"asc\"\n"),
            untested);
  EXPECT_THAT(err_, HasSubstr("the two directions must differ"));
}

}  // namespace
}  // namespace rankveil::tests

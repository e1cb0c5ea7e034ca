#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>

#include "rankveil/base/file.h"
#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/connect/columns.h"
#include "rankveil/connect/duckdb/session.h"
#include "rankveil/connect/source.h"
#include "rankveil/connect/sql.h"

namespace rankveil::connect {
namespace {

using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;

// A folder of its own for each test.
class Connect : public testing::Test {
 protected:
  void SetUp() override {
    const auto* test = testing::UnitTest::GetInstance()->current_test_info();
    folder_ = std::filesystem::path(testing::TempDir()) /
              fmt::format("rankveil {}.{}", test->test_suite_name(), test->name());
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
  }
  void TearDown() override { std::filesystem::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  std::string file(const std::string& name, const std::string& text) const {
    std::ofstream(path(name), std::ios::binary) << text;
    return path(name);
  }

  // Runs SQL against a DuckDB file, which it makes.
  void make_database(const std::string& name, const std::string& sql) const {
    sql_must_run(fmt::format("ATTACH {} AS made; USE made; {}", quoted_text(path(name)), sql));
  }

  static void sql_must_run(const std::string& sql) {
    auto session = Session::open();
    ASSERT_TRUE(session);
    auto run = session->run(sql);
    ASSERT_TRUE(run) << run.error().message;
  }

  std::filesystem::path folder_;
};

Policy policy_of(std::vector<ColumnPolicy> columns) {
  Policy policy;
  policy.columns = std::move(columns);
  return policy;
}

const Policy people =
    policy_of({{"id", Role::Id}, {"city", Role::Public}, {"diet", Role::Private}});

std::string message_of(const Result<LoadedTable>& loaded) {
  return loaded ? "nothing was refused" : loaded.error().message;
}

// "7 Paris -": the row's id and values, a dash for a missing one.
std::vector<std::string> lines_of(const Table& table) {
  std::vector<std::string> lines;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    std::string line = table.names().text(RowId{row});
    for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
      ValueId value = table.value(RowId{row}, AttributeId{i});
      line += " ";
      line += value == missing_value ? "-" : table.schema().attributes[i].domain.text(value);
    }
    lines.push_back(line);
  }
  return lines;
}

const std::string people_csv = "id,city,secret,diet\n7,Paris,x,vegan\n3,Rome,y,\n5,Paris,z,any\n";
const std::vector<std::string> people_lines = {"7 Paris vegan", "3 Rome -", "5 Paris any"};

void expect_people(const Result<LoadedTable>& loaded) {
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_EQ(lines_of(loaded->table), people_lines);
  EXPECT_THAT(loaded->warnings,
              ElementsAre("left out, because the policy does not name them: secret"));
  EXPECT_EQ(loaded->table.schema().id_name, "id");
  EXPECT_TRUE(loaded->table.schema().attributes[1].is_private());
}

Policy policy_for(const Schema& schema) {
  Policy policy;
  policy.columns.push_back({schema.id_name, Role::Id});
  for (const Attribute& attribute : schema.attributes) {
    policy.columns.push_back(
        {attribute.name, attribute.is_private() ? Role::Private : Role::Public});
  }
  return policy;
}

void expect_equal(const Table& left, const Table& right) {
  ASSERT_EQ(left.rows(), right.rows());
  ASSERT_EQ(left.schema().size(), right.schema().size());
  for (std::uint32_t i = 0; i < left.schema().size(); ++i) {
    EXPECT_EQ(left.schema().attributes[i].name, right.schema().attributes[i].name);
    EXPECT_EQ(left.schema().attributes[i].domain, right.schema().attributes[i].domain);
    for (std::uint32_t row = 0; row < left.rows(); ++row) {
      ASSERT_EQ(left.value(RowId{row}, AttributeId{i}), right.value(RowId{row}, AttributeId{i}))
          << "row " << row << ", attribute " << i;
    }
  }
  for (std::uint32_t row = 0; row < left.rows(); ++row) {
    ASSERT_EQ(left.names().text(RowId{row}), right.names().text(RowId{row}));
  }
}

// Kinds of sources.

TEST_F(Connect, ReadsCsv) {
  expect_people(read_table({file("p.csv", people_csv), "", ""}, people));
}

TEST_F(Connect, ReadsCsvWithOtherDelimitersLineEndsAndABom) {
  auto with = [](std::string text, char from, const std::string& to) {
    std::string result;
    for (char c : text) result += c == from ? to : std::string(1, c);
    return result;
  };
  expect_people(read_table({file("s.csv", with(people_csv, ',', ";")), "", ""}, people));
  expect_people(read_table({file("p.csv", with(people_csv, ',', "|")), "", ""}, people));
  expect_people(read_table({file("t.tsv", with(people_csv, ',', "\t")), "", ""}, people));
  expect_people(read_table({file("w.csv", with(people_csv, '\n', "\r\n")), "", ""}, people));
  expect_people(read_table({file("b.csv", "\xEF\xBB\xBF" + people_csv), "", ""}, people));
}

TEST_F(Connect, MarksEstablishedRowsByAColumnOfAnyRole) {
  auto source = file("t.csv",
                     "id,city,diet,joined\n1,Oslo,vegan,2024-05-01\n2,Rome,none,2026-02-03\n"
                     "3,Oslo,none,\n4,Rome,vegan,2025-12-31\n");
  Policy policy = people;
  policy.established = EstablishedRule{"joined", {}, "2026-01-01"};
  auto loaded = read_table({source}, policy);
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_THAT(loaded->established, ElementsAre(1, 0, 0, 1));
  EXPECT_EQ(loaded->table.schema().size(), 2U);
  policy.established->column = "left";
  EXPECT_THAT(message_of(read_table({source}, policy)), HasSubstr("\"left\", which is not there"));
  EXPECT_THAT(read_table({source}, people)->established, IsEmpty());
}

TEST_F(Connect, ReadsWhatEachPersonChose) {
  auto source = file("t.csv",
                     "id,city,diet,choice\n1,Oslo,vegan,open\n2,Rome,none,hidden\n"
                     "3,Oslo,none,\n4,Rome,vegan,protected\n");
  Policy policy = people;
  policy.consent = "choice";
  auto loaded = read_table({source}, policy);
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_THAT(loaded->consent, ElementsAre(1, 2, 0, 0));
  EXPECT_THAT(read_table({source}, people)->consent, IsEmpty());
  auto bad = file("u.csv", "id,city,diet,choice\n1,Oslo,vegan,open\n2,Rome,none,secret\n");
  EXPECT_THAT(message_of(read_table({bad}, policy)),
              HasSubstr("row 2 has \"secret\" in choice, by which the policy's consent goes"));
  policy.consent = "chosen";
  EXPECT_THAT(message_of(read_table({source}, policy)),
              HasSubstr("\"chosen\", which is not there"));
}

TEST_F(Connect, PutsTheRowsOfAPersonInOrder) {
  auto source = file("t.csv",
                     "id,city,diet,who,day,choice\n1,Oslo,vegan,eve,10,open\n2,Rome,none,bob,3,\n"
                     "3,Oslo,none,eve,9,hidden\n4,Rome,vegan,eve,,open\n5,Rome,vegan,bob,3,\n"
                     "6,Rome,vegan,ann,1,open\n");
  Policy policy = people;
  policy.person = "who";
  auto loaded = read_table({source}, policy);
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_THAT(loaded->person_of, ElementsAre(0, 1, 0, 0, 1, 2));
  EXPECT_THAT(loaded->person_names, ElementsAre("eve", "bob", "ann"));
  EXPECT_THAT(loaded->place_of, ElementsAre(0, 0, 1, 2, 1, 0)) << "without time: as in the file";
  policy.time = "day";
  policy.consent = "choice";
  loaded = read_table({source}, policy);
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_THAT(loaded->place_of, ElementsAre(1, 0, 0, 2, 1, 0)) << "9 before 10, missing last";
  EXPECT_THAT(loaded->consent, ElementsAre(2, 0, 2, 2, 0, 1)) << "a person's rows agree";
  EXPECT_THAT(read_table({source}, people)->person_of, IsEmpty());
}

TEST_F(Connect, RefusesARowWithoutAPerson) {
  auto source = file("t.csv", "id,city,diet,who\n1,Oslo,vegan,eve\n2,Rome,none,\n");
  Policy policy = people;
  policy.person = "who";
  EXPECT_THAT(message_of(read_table({source}, policy)),
              HasSubstr("row 2 has no who, by which the policy's person goes"));
}

TEST_F(Connect, SeesWhatADomainOfTheDataSaysOfSetsAndNames) {
  auto source = file("t.csv", "id,city,diet\n1,Oslo,vegan\n2,Rome,none\n3,Rome,any\n");
  Policy policy = people;
  auto& diet = *std::ranges::find(policy.columns, "diet", &ColumnPolicy::name);
  diet.sensitive_sets = {{"vegan", "kosher"}};
  EXPECT_THAT(message_of(read_table({source}, policy)), HasSubstr("has no value \"kosher\""));
  diet.sensitive_sets = {{"vegan", "none"}};
  diet.renamed = {{"plants", "vegan"}, {"never met", "nor this"}};
  EXPECT_TRUE(read_table({source}, policy));
  diet.renamed = {{"any", "all"}};
  EXPECT_THAT(message_of(read_table({source}, policy)), HasSubstr("still has the value \"any\""));
}

TEST_F(Connect, ReadsGzippedCsv) {
  sql_must_run(fmt::format(
      "COPY (SELECT * FROM (VALUES (7, 'Paris', 'x', 'vegan'), (3, 'Rome', 'y', NULL), (5, "
      "'Paris', "
      "'z', 'any')) t(id, city, secret, diet)) TO {} (FORMAT csv, HEADER, COMPRESSION gzip)",
      quoted_text(path("p.csv.gz"))));
  expect_people(read_table({path("p.csv.gz"), "", ""}, people));
}

TEST_F(Connect, RefusesGzippedFilesThatWereCutWhereverTheyWere) {
  for (const char* name : {"t.csv.gz", "t.ndjson.gz"}) {
    bool csv = std::string_view(name).find("csv") != std::string_view::npos;
    sql_must_run(fmt::format(
        "COPY (SELECT i AS id, 'c' || (i % 4) AS city, 'd' || (i % 3) AS diet FROM range(50) t(i)) "
        "TO {} (FORMAT {}, COMPRESSION gzip)",
        quoted_text(path(name)), csv ? "csv, HEADER" : "json"));
    auto bytes = read_text(path(name));
    ASSERT_TRUE(bytes && read_table({path(name)}, people));
    for (std::size_t size = 20; size < bytes->size(); size += 7) {
      auto cut = file(std::string("cut-") + name, bytes->substr(0, size));
      EXPECT_THAT(message_of(read_table({cut}, people)), HasSubstr("fetch it again")) << size;
    }
    bytes->at(bytes->size() - 6) ^= 1;  // of the checksum
    EXPECT_THAT(message_of(read_table({file(std::string("bad-") + name, *bytes)}, people)),
                HasSubstr("is damaged"));
  }
}

TEST_F(Connect, LeavesOutAColumnWithoutAName) {
  EXPECT_TRUE(
      read_table({file("q.csv", "id,city,diet,,\n7,Paris,any,,\n8,Rome,vegan,,\n")}, people));
  auto loaded =
      read_table({file("p.csv", ",city,diet,id\n0,Paris,any,7\n1,Rome,vegan,8\n")}, people);
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_THAT(lines_of(loaded->table), ElementsAre("7 Paris any", "8 Rome vegan"));
  EXPECT_THAT(loaded->warnings,
              ElementsAre("left out, because the policy does not name them: column1"));
  auto behind = read_table({file("b.csv", "id,city,,diet\n7,Paris,,any\n8,Rome,,vegan\n")}, people);
  ASSERT_TRUE(behind) << message_of(behind);
  EXPECT_THAT(behind->warnings,
              ElementsAre("column 3 has no name in the first line, and is left out"));
}

TEST_F(Connect, ReadsParquet) {
  sql_must_run(
      fmt::format("COPY (SELECT * FROM (VALUES (7, 'Paris', 'x', 'vegan'), (3, 'Rome', 'y', NULL), "
                  "(5, 'Paris', "
                  "'z', 'any')) t(id, city, secret, diet)) TO {} (FORMAT parquet)",
                  quoted_text(path("p.parquet"))));
  expect_people(read_table({path("p.parquet"), "", ""}, people));
}

TEST_F(Connect, ReadsJsonArraysAndLines) {
  const std::string rows[] = {R"({"id": 7, "city": "Paris", "secret": "x", "diet": "vegan"})",
                              R"({"id": 3, "city": "Rome", "secret": "y", "diet": null})",
                              R"({"id": 5, "city": "Paris", "diet": "any"})"};
  auto lines = fmt::format("{}\n{}\n{}\n", rows[0], rows[1], rows[2]);
  auto array = fmt::format("[{},\n{},\n{}]", rows[0], rows[1], rows[2]);
  expect_people(read_table({file("p.ndjson", lines), "", ""}, people));
  expect_people(read_table({file("p.jsonl", lines), "", ""}, people));
  expect_people(read_table({file("p.json", array), "", ""}, people));
}

TEST_F(Connect, ReadsGzippedJson) {
  sql_must_run(
      fmt::format("COPY (SELECT * FROM (VALUES (7, 'Paris', 'x', 'vegan'), (3, 'Rome', 'y', NULL), "
                  "(5, 'Paris', "
                  "'z', 'any')) t(id, city, secret, diet)) TO {} (FORMAT json, COMPRESSION gzip)",
                  quoted_text(path("p.ndjson.gz"))));
  expect_people(read_table({path("p.ndjson.gz"), "", ""}, people));
}

TEST_F(Connect, KeepsTheTextOfJsonValues) {
  auto source = file("p.ndjson",
                     "{\"a\": 1, \"b\": true, \"c\": \"2020-01-01\"}\n"
                     "{\"a\": 2.50, \"b\": false, \"c\": \"x\"}\n"
                     "{\"a\": \"n/a\", \"late\": \"l\"}\n{\"late\": \"m\"}\n");
  auto loaded = read_table(
      {source, "", ""},
      policy_of(
          {{"a", Role::Public}, {"b", Role::Public}, {"c", Role::Public}, {"late", Role::Public}}));
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_THAT(lines_of(loaded->table),
              ElementsAre("0 1 true 2020-01-01 -", "1 2.5 false x -", "2 n/a - - l", "3 - - - m"));
}

TEST_F(Connect, ReadsATableOfADuckdbFile) {
  make_database("p.duckdb",
                "CREATE TABLE people AS SELECT * FROM (VALUES (7, 'Paris', 'x', 'vegan'), (3, "
                "'Rome', 'y', ''), (5, 'Paris', 'z', 'any')) t(id, city, secret, diet); "
                "CREATE TABLE \"o'ther\" AS SELECT 1 AS id");
  expect_people(read_table({path("p.duckdb"), "people", ""}, people));
  EXPECT_THAT(message_of(read_table({path("p.duckdb"), "", ""}, people)),
              HasSubstr("has the tables o'ther, people; name one with --table"));
  EXPECT_THAT(message_of(read_table({path("p.duckdb"), "poeple", ""}, people)),
              HasSubstr("has no table \"poeple\"; it has o'ther, people"));
}

TEST_F(Connect, ReadsTheOnlyTableOfADuckdbFile) {
  make_database("p.db",
                "CREATE TABLE p AS SELECT * FROM (VALUES (7, 'Paris', 'x', 'vegan'), (3, 'Rome', "
                "'y', NULL), (5, 'Paris', 'z', 'any')) t(id, city, secret, diet)");
  expect_people(read_table({path("p.db"), "", ""}, people));
}

TEST_F(Connect, ReadsSqlOverFilesAndDatabases) {
  auto csv = file("p.csv", people_csv);
  auto select =
      fmt::format("SELECT * FROM read_csv({}, all_varchar=true);  -- all of it", quoted_text(csv));
  expect_people(read_table({"", "", select}, people));
  make_database("p.duckdb", fmt::format("CREATE TABLE p AS SELECT * FROM {}", quoted_text(csv)));
  expect_people(read_table({path("p.duckdb"), "", "FROM p"}, people));
  auto sorted =
      read_table({path("p.duckdb"), "", "WITH q AS (FROM p) FROM q ORDER BY id DESC"}, people);
  ASSERT_TRUE(sorted) << message_of(sorted);
  EXPECT_THAT(lines_of(sorted->table), ElementsAre("7 Paris vegan", "5 Paris any", "3 Rome -"));
}

TEST_F(Connect, WhatJoinsComesInTheSameOrderEachTime) {
  make_database("p.duckdb",
                "CREATE TABLE p AS SELECT i AS id, i % 5 AS city, i % 3 AS diet FROM range(400000) "
                "t(i); CREATE VIEW v AS SELECT p.* FROM p JOIN (SELECT id FROM p WHERE city < 3) q "
                "USING (id)");
  auto order_of = [&](const Source& source) {
    auto loaded = read_table(source, people, {4, {}});
    EXPECT_TRUE(loaded) << message_of(loaded);
    EXPECT_THAT(loaded->warnings, ElementsAre(HasSubstr("joined or grouped")));
    return lines_of(loaded->table);
  };
  for (const Source& source : {Source{path("p.duckdb"), "v", ""},
                               Source{path("p.duckdb"), "", "SELECT DISTINCT * FROM p"}}) {
    auto first = order_of(source);
    for (int again = 0; again < some_of(3); ++again) EXPECT_EQ(order_of(source), first);
  }
}

TEST_F(Connect, WhatIsSortedOrReadAsItStandsNeedsNoWarning) {
  make_database("p.duckdb",
                "CREATE TABLE p AS SELECT i AS id, i % 5 AS city, i % 3 AS diet FROM range(100) "
                "t(i)");
  for (const char* sql : {"SELECT * FROM p WHERE city < 3", "SELECT * FROM p LIMIT 50",
                          "SELECT DISTINCT * FROM p ORDER BY id",
                          "FROM p UNION ALL SELECT id + 100, city, diet FROM p",
                          "SELECT p.* FROM p JOIN p q USING (id) ORDER BY id LIMIT 60"}) {
    SCOPED_TRACE(sql);
    auto loaded = read_table({path("p.duckdb"), "", sql}, people);
    ASSERT_TRUE(loaded) << message_of(loaded);
    EXPECT_THAT(loaded->warnings, IsEmpty());
  }
}

TEST_F(Connect, TellsHowToReadTheTextsOfACsvInASelect) {
  auto csv = file("p.csv", "id,city,diet\n1,Paris,yes\n2,Rome,no\n");
  Policy policy = people;
  policy.columns[2].domain = {"no", "yes"};
  auto refused = read_table({"", "", fmt::format("SELECT * FROM '{}'", csv)}, policy);
  EXPECT_THAT(message_of(refused), HasSubstr("select FROM read_csv('" + csv + "', all_varchar"));
  auto select = fmt::format("SELECT * FROM read_csv('{}', all_varchar=true)", csv);
  EXPECT_TRUE(read_table({"", "", select}, policy));
}

TEST_F(Connect, RefusesSqlThatIsNotOneSelect) {
  make_database("p.duckdb", "CREATE TABLE p AS SELECT 1 AS id");
  for (const char* sql :
       {"DROP TABLE p", "DROP TABLE nope", "INSERT INTO nope VALUES (1)", "SELECT 1; SELECT 2",
        "SELECT 1; DROP TABLE p", "CREATE TABLE q AS SELECT 1", "COPY p TO 'x.csv'"}) {
    SCOPED_TRACE(sql);
    EXPECT_THAT(message_of(read_table({path("p.duckdb"), "", sql}, people)),
                HasSubstr("must be a single SELECT"));
  }
  EXPECT_THAT(message_of(read_table({path("p.duckdb"), "", "  "}, people)), HasSubstr("empty"));
  EXPECT_THAT(message_of(read_table({path("p.duckdb"), "", "SELEC 1"}, people)),
              HasSubstr("syntax error at or near \"SELEC\""));
  EXPECT_THAT(message_of(read_table({path("p.duckdb"), "", "SELECT * FROM nope"}, people)),
              HasSubstr("Table with name nope does not exist"));
}

TEST_F(Connect, ShowsNoValueThatCannotBeConverted) {
  auto csv = file("p.csv", "id,city,diet,pay\n1,Paris,any,secret\n2,Rome,vegan,12\n");
  auto sql = fmt::format("SELECT id, city, CAST(pay AS INTEGER) AS diet FROM '{}'", csv);
  auto message = message_of(read_table({"", "", sql}, people));
  EXPECT_THAT(message, HasSubstr("to INT32"));
  EXPECT_THAT(message, Not(HasSubstr("secret")));
}

TEST_F(Connect, LoadsNoExtensionAndReachesNoNetwork) {
  auto loaded = read_table({"", "", "SELECT * FROM read_csv('https://localhost:1/x.csv')"}, people);
  ASSERT_FALSE(loaded);
  EXPECT_THAT(loaded.error().message, Not(HasSubstr("download")));
}

TEST_F(Connect, RefusesPartsThatDoNotFit) {
  auto csv = file("p.csv", people_csv);
  EXPECT_THAT(message_of(read_table({csv, "people", ""}, people)), HasSubstr("is no DuckDB file"));
  EXPECT_THAT(message_of(read_table({csv, "", "SELECT 1"}, people)),
              HasSubstr("is no DuckDB file"));
  EXPECT_EQ(read_table({"", "", ""}, people).error().code, ErrorCode::WrongUse);
  EXPECT_EQ(read_table({"p.db", "t", "SELECT 1"}, people).error().code, ErrorCode::WrongUse);
}

// Files that are not what they should be.

TEST_F(Connect, RefusesFilesThatAreNotThere) {
  for (const char* name : {"no.csv", "no.parquet", "no.json", "no.duckdb", "no.csv.gz"}) {
    auto loaded = read_table({path(name), "", ""}, people);
    ASSERT_FALSE(loaded);
    EXPECT_EQ(loaded.error().code, ErrorCode::Io);
    EXPECT_EQ(loaded.error().message,
              fmt::format("cannot open {}: there is no such file; check its name", path(name)));
  }
  std::filesystem::create_directory(path("folder.csv"));
  EXPECT_THAT(message_of(read_table({path("folder.csv"), "", ""}, people)),
              HasSubstr("is a folder"));
  EXPECT_THAT(message_of(read_table({path(std::string(300, 'x') + ".csv"), "", ""}, people)),
              HasSubstr("File name too long"));
}

TEST_F(Connect, RefusesUnknownEndings) {
  auto loaded = read_table({file("p.xls", people_csv), "", ""}, people);
  EXPECT_THAT(message_of(loaded), HasSubstr("p.xls has an unknown ending; known are .csv"));
  EXPECT_THAT(message_of(read_table({file("people", people_csv), "", ""}, people)),
              HasSubstr("unknown ending"));
}

TEST_F(Connect, NamesTheLineOfABrokenCsvAndNotItsContent) {
  auto refusal = [&](const std::string& text) {
    auto loaded = read_table({file("b.csv", text), "", ""}, people);
    EXPECT_FALSE(loaded);
    if (loaded) return std::string();
    EXPECT_EQ(loaded.error().code, ErrorCode::BadInput);
    EXPECT_THAT(loaded.error().message, Not(HasSubstr("secret")));
    EXPECT_THAT(loaded.error().message, Not(HasSubstr("\n")));
    return loaded.error().message;
  };
  EXPECT_THAT(refusal("id,city,diet\n1,Paris,any\n2,Rome,secret,x\n"),
              HasSubstr("b.csv: line 3: it has 4 values where the header has 3 names"));
  EXPECT_THAT(refusal("id,city,diet\n1,Paris\n"),
              HasSubstr("b.csv: line 2: it has 2 values where the header has 3 names"));
  EXPECT_THAT(refusal("id,city,diet\n1,Paris,\"secret\n"),
              HasSubstr("b.csv: line 2: a quoted value has no end"));
  EXPECT_THAT(refusal("id,city,diet\n1,Par\xffis,any\n2,Rome,x\n"), HasSubstr("not UTF-8"));
  EXPECT_THAT(refusal(""), HasSubstr("b.csv: the first line must name the columns"));
  EXPECT_THAT(refusal("id,city,id\n1,Rome,2\n"), HasSubstr("the first line names \"id\" twice"));
}

constexpr const char* plain_text = "id,city,diet\n1,K\u00f6ln,any\n2,Rome,vegan\n";

std::string in_two_bytes(std::string_view text, bool marked) {
  std::string bytes = marked ? "\xFF\xFE" : "";
  for (char c : text) bytes += {c, '\0'};
  return bytes;
}

TEST_F(Connect, ReadsCsvInOtherEncodings) {
  auto first_city = [&](const Source& source) {
    auto loaded = read_table(source, people);
    if (!loaded) return loaded.error().message;
    return loaded->table.schema().attributes[0].domain.text(ValueId{0});
  };
  std::string latin = "id,city,diet\n1,K\xf6ln,any\n2,Rome,vegan\n";
  EXPECT_EQ(first_city({.path = file("u.csv", plain_text)}), "K\u00f6ln");
  EXPECT_EQ(first_city({.path = file("l.csv", latin), .encoding = "latin-1"}), "K\u00f6ln");
  EXPECT_EQ(first_city({.path = file("w.csv", in_two_bytes(people_csv, true))}), "Paris");
  EXPECT_EQ(
      first_city({.path = file("n.csv", in_two_bytes(people_csv, false)), .encoding = "utf-16"}),
      "Paris");
}

TEST_F(Connect, NamesTheEncodingThatMayBeMeant) {
  auto latin = file("l.csv", "id,city,diet\n1,K\xf6ln,any\n2,Rome,vegan\n");
  EXPECT_THAT(message_of(read_table({.path = latin}, people)),
              HasSubstr("line 2: the text is not UTF-8; pass --encoding latin-1 or utf-16"));
  std::string two_bytes = in_two_bytes(people_csv, false);
  EXPECT_THAT(message_of(read_table({.path = file("n.csv", two_bytes)}, people)),
              HasSubstr("pass --encoding utf-16"));
  EXPECT_THAT(message_of(read_table({.path = file("b.csv", '\0' + two_bytes)}, people)),
              HasSubstr("iconv -f UTF-16BE -t UTF-8"));
  EXPECT_THAT(message_of(read_table({.path = latin, .encoding = "latin1"}, people)),
              HasSubstr("known are utf-8, latin-1 and utf-16"));
  auto json = file("p.json", "[]");
  EXPECT_EQ(read_table({.path = json, .encoding = "utf-16"}, people).error().code,
            ErrorCode::WrongUse);
}

TEST_F(Connect, RefusesAQuoteWithoutAnEndInAnyEncoding) {
  std::string open = "id,city,diet\n1,Rome,any\n2,Bonn,\"vegan\n";
  EXPECT_THAT(message_of(read_table({.path = file("l.csv", open), .encoding = "latin-1"}, people)),
              HasSubstr("a quoted value has no end"));
  EXPECT_THAT(message_of(read_table({.path = file("w.csv", in_two_bytes(open, true))}, people)),
              HasSubstr("a quoted value has no end"));
}

// Readers that share a file begin at places of their own, here within a value that looks like rows.
TEST_F(Connect, ReadsValuesInQuotesThatLookLikeRows) {
  std::string rows;
  for (int i = 0; i < 150'000; ++i) rows += fmt::format("\n{},x{},a", i, i % 5);
  std::string text = "id,city,diet\n";
  for (int i = 0; i < 40; ++i) {
    text += fmt::format("{},{},{}\n", i, i % 2 == 0 ? "Rome" : "\"Bo" + rows + "\"",
                        i % 4 < 2 ? "any" : "vegan");
  }
  Source source{.path = file("long.csv", text)};
  auto loaded = read_table(source, people);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->table.rows(), 40U);
  auto columns = read_columns(source, {"id"}, {});
  ASSERT_TRUE(columns) << columns.error().message;
  EXPECT_EQ(columns->rows, 40U);
}

TEST_F(Connect, CallsDamagedFilesOfAnyKindUnreadable) {
  for (const char* name : {"d.parquet", "d.duckdb", "d.csv.gz"}) {
    for (const char* content : {"", "these bytes are of no such file"}) {
      if (*content == '\0' && std::string_view(name) == "d.csv.gz") continue;
      auto loaded = read_table({.path = file(name, content)}, people);
      ASSERT_FALSE(loaded);
      EXPECT_EQ(loaded.error().code, ErrorCode::Io) << loaded.error().message;
      EXPECT_THAT(loaded.error().message, HasSubstr("it is damaged, or no"));
    }
  }
  std::vector<std::string> cities;
  for (int i = 0; i < 3000; ++i)
    cities.push_back(fmt::format("{},Rome{},any{}\n", i, i % 9, i % 2));
  std::string text = "id,city,diet\n";
  for (const std::string& city : cities) text += city;
  auto loaded = read_table({.path = file("s.csv", text)}, people);
  ASSERT_TRUE(loaded) << loaded.error().message;
  std::string whole = path("w.parquet");
  ASSERT_TRUE(write_table(loaded->table, whole));
  std::string bytes = *read_text(whole);
  auto cut = file("c.parquet", bytes.substr(0, bytes.size() / 2));
  EXPECT_EQ(read_table({.path = cut}, people).error().code, ErrorCode::Io);
}

TEST_F(Connect, SaysThatLineEndsAreMixedWhereverTheyAre) {
  for (const char* text : {"id,city,diet\r\n1,Paris,any\n2,Rome,vegan\n",
                           "id,city,diet\n1,Paris,any\r\n2,Rome,vegan\n",
                           "id,city,diet\n1,Paris,any\r\n2,Rome,vegan\r\n",
                           "id,city,diet\n1,Par\ris,any\n2,Rome,vegan\n",
                           "id,city,diet\r\n1,Paris,any\r\n2,Rome,vegan\n3,Rome,any\r\n"}) {
    EXPECT_THAT(message_of(read_table({file("m.csv", text), "", ""}, people)),
                HasSubstr("m.csv: some lines end in LF and others in CR LF"))
        << text;
  }
}

TEST_F(Connect, TakesOtherLineEndsWithinQuotes) {
  auto loaded = read_table(
      {file("q.csv", "id,city,diet\n1,\"Pa\r\nris\",any\n2,Rome,vegan\n"), "", ""}, people);
  ASSERT_TRUE(loaded) << loaded.error().message;
  EXPECT_EQ(loaded->table.rows(), 2u);
}

TEST_F(Connect, KnowsTheFilesThatASelectNames) {
  std::string one = file("it's 1.csv", people_csv), two = file("it's 2.csv", people_csv);
  auto files = [](const std::string& sql) { return Source{"", "", sql}.files(); };
  EXPECT_THAT(files("SELECT * FROM " + quoted_text(one)), ElementsAre(one));
  EXPECT_THAT(files("SELECT 'x' FROM " + quoted_name(two)), ElementsAre(two));
  EXPECT_THAT(files("SELECT * FROM read_csv(" + quoted_text(path("it's *.csv")) + ")"),
              ElementsAre(one, two));
  EXPECT_THAT(files("SELECT 'no end"), IsEmpty());
  EXPECT_THAT((Source{one, "", "SELECT 1"}.files()), ElementsAre(one));
}

TEST_F(Connect, RefusesATableWithoutRows) {
  std::string only_names = file("e.csv", "id,city,diet\n");
  EXPECT_THAT(message_of(read_table({only_names, "", ""}, people)),
              HasSubstr("e.csv: there are no rows below the names"));
  EXPECT_THAT(
      message_of(read_table({"", "", "SELECT 1 id, 'a' city, 'b' diet WHERE false"}, people)),
      HasSubstr("the SELECT: there are no rows"));
  auto draft = draft_policy({only_names, "", ""});
  ASSERT_FALSE(draft);
  EXPECT_THAT(draft.error().message, HasSubstr("e.csv: there are no rows"));
}

TEST_F(Connect, NoticesABrokenLineFarDownTheFile) {
  std::string text = "id,city,diet\n";
  for (int i = 0; i < 100'000; ++i) text += fmt::format("{},c{},d{}\n", i, i % 7, i % 5);
  text += "100000,Paris\n";
  EXPECT_THAT(message_of(read_table({file("b.csv", text), "", ""}, people)),
              HasSubstr("line 100002: it has 2 values"));
}

TEST_F(Connect, RefusesBrokenParquetJsonAndDatabases) {
  for (const char* name : {"b.parquet", "b.json", "b.ndjson", "b.duckdb", "b.csv.gz"}) {
    SCOPED_TRACE(name);
    auto loaded = read_table(
        {file(name, "this is {no such file, to be sure: " + std::string(5000, 'x')), "", ""},
        people);
    ASSERT_FALSE(loaded);
    EXPECT_THAT(loaded.error().message, HasSubstr(name));
    EXPECT_THAT(loaded.error().message, Not(HasSubstr("\n")));
    EXPECT_LT(loaded.error().message.size(), 500u) << loaded.error().message;
  }
}

TEST_F(Connect, TakesPathsAndNamesWithQuotesSpacesAndStars) {
  Policy policy = policy_of(
      {{"we'ird \"col\", x", Role::Public}, {"City", Role::Public}, {"city", Role::Public}});
  std::string csv =
      "\"we'ird \"\"col\"\", x\",City,city\n\"a,\"\"b\"\"\",1,p\nit's,2,q\n\"two\nlines\",1,p\n";
  for (const char* name : {"we''ird \"name\",x.csv", "it's.csv", "a*[1]?.csv", "sp ace.csv"}) {
    SCOPED_TRACE(name);
    auto loaded = read_table({file(name, csv), "", ""}, policy);
    ASSERT_TRUE(loaded) << message_of(loaded);
    EXPECT_THAT(lines_of(loaded->table),
                ElementsAre("0 a,\"b\" 1 p", "1 it's 2 q", "2 two\nlines 1 p"));
    EXPECT_THAT(loaded->warnings,
                ElementsAre(HasSubstr("the columns \"City\" and \"city\" are two")));
  }
}

TEST_F(Connect, WritesPathsAndNamesWithQuotesSpacesAndStars) {
  Table table(
      Schema{{{"we'ird \"col\", x", Visibility::Public, 1, *Domain::of({"a,\"b\"", "it's"})},
              {"two\twords", Visibility::Public, 1, *Domain::of({" a", "b "})}},
             "i d"},
      {Column(2, std::vector<ValueId>{ValueId{1}, ValueId{0}}),
       Column(2, std::vector<ValueId>{ValueId{0}, ValueId{1}})},
      RowNames(IntegerNames{{4, 2}}));
  for (const char* name : {"we''ird \"name\",x", "it's", "a*[1]?", "sp ace"}) {
    for (const char* ending : {".csv", ".csv.gz", ".parquet"}) {
      auto copy = path(std::string(name) + ending);
      SCOPED_TRACE(copy);
      auto written = write_table(table, copy);
      ASSERT_TRUE(written) << written.error().message;
      auto again = read_table({copy, "", ""}, policy_for(table.schema()));
      ASSERT_TRUE(again) << message_of(again);
      expect_equal(table, again->table);
    }
  }
}

TEST_F(Connect, RefusesToWriteNamesThatDifferOnlyInCase) {
  Table table(Schema{{{"City", Visibility::Public, 1, *Domain::of({"a", "b"})},
                      {"city", Visibility::Public, 1, *Domain::of({"a", "b"})}},
                     ""},
              {Column(2, std::vector<ValueId>{}), Column(2, std::vector<ValueId>{})},
              RowNames(RowNumbers{0}));
  auto written = write_table(table, path("t.csv"));
  ASSERT_FALSE(written);
  EXPECT_THAT(written.error().message, HasSubstr("\"City\" and \"city\" differ only"));
}

// What a policy and a table must not be.

TEST_F(Connect, RefusesWhatCannotBeRankedNamingTheFile) {
  auto refusal = [&](const std::string& csv, const Policy& policy) {
    return message_of(read_table({file("p.csv", csv), "", ""}, policy));
  };
  EXPECT_THAT(refusal("id,city\n1,a\n", people),
              HasSubstr("p.csv: the policy names a column \"diet\", which is not there; there are "
                        "id, city"));
  EXPECT_THAT(refusal("id,city,diet\n1,a,b\n2,b,c\n1,b,c\n", people),
              HasSubstr("p.csv: id \"1\" names two rows, 1 and 3"));
  EXPECT_THAT(refusal("id,city,diet\n1,a,b\n,b,c\n", people), HasSubstr("row 2 has no id"));
  EXPECT_THAT(refusal("id,city,diet\n1,a,b\n2,a,c\n", people),
              HasSubstr("city has one value only, \"a\""));
  EXPECT_THAT(refusal("id,city,diet\n1,,b\n2,,c\n", people),
              HasSubstr("city has no value in any row"));
  EXPECT_THAT(refusal(people_csv, policy_of({{"id", Role::Id}})), HasSubstr("nothing to rank by"));
  EXPECT_THAT(refusal(people_csv, policy_of({{"city", Role::Public, 1, {"Paris", "Oslo"}}})),
              HasSubstr("city is \"Rome\" in row 2, which its declared domain lacks"));
  EXPECT_THAT(refusal(people_csv, policy_of({{"city", Role::Public, 1, {}, Quantiles{2}}})),
              HasSubstr("city is binned, but \"Paris\" in row 1 is no number"));
}

TEST_F(Connect, TakesThreeHundredValuesAndRefusesSeventyThousand) {
  std::string text = "few,many\n";
  for (int i = 0; i < 70'000; ++i) text += fmt::format("v{},w{}\n", i % 300, i);
  auto source = Source{file("p.csv", text), "", ""};
  auto loaded = read_table(source, policy_of({{"few", Role::Private}}));
  ASSERT_TRUE(loaded) << message_of(loaded);
  EXPECT_FALSE(loaded->table.column(AttributeId{0}).is_narrow());
  EXPECT_EQ(lines_of(loaded->table)[69'999], "69999 v99");
  EXPECT_THAT(message_of(read_table(source, policy_of({{"many", Role::Public}}))),
              HasSubstr("many has more than 65,535 different values"));
}

TEST_F(Connect, RefusesPrivateColumnsOfNearlyUniqueValues) {
  std::string text = "x\n";
  for (int i = 0; i < 150; ++i) text += fmt::format("v{}\n", i);
  EXPECT_THAT(
      message_of(read_table({file("p.csv", text), "", ""}, policy_of({{"x", Role::Private}}))),
      HasSubstr("x has 150 different values in 150 rows"));
}

TEST_F(Connect, KeepsDeclaredOrdersAndCutsNumbersOfEverySource) {
  std::string csv = "age,size\n17,L\n18,S\n,M\n64.5,S\n";
  Policy policy = policy_of({{"age", Role::Public, 2, {}, BinEdges{{18, 50}}},
                             {"size", Role::Private, 1, {"S", "M", "L", "XL"}}});
  auto from_csv = read_table({file("p.csv", csv), "", ""}, policy);
  ASSERT_TRUE(from_csv) << message_of(from_csv);
  EXPECT_THAT(from_csv->table.schema().attributes[1].domain.values(),
              ElementsAre("S", "M", "L", "XL"));
  EXPECT_EQ(from_csv->table.schema().attributes[0].weight, 2);
  EXPECT_THAT(lines_of(from_csv->table), ElementsAre("0 <18 L", "1 18-50 S", "2 - M", "3 >=50 S"));
  EXPECT_THAT(from_csv->warnings, ElementsAre("no row has size \"XL\""));

  sql_must_run(fmt::format("COPY (FROM {}) TO {}", quoted_text(path("p.csv")),
                           quoted_text(path("p.parquet"))));
  auto from_parquet = read_table({path("p.parquet"), "", ""}, policy);
  ASSERT_TRUE(from_parquet) << message_of(from_parquet);
  EXPECT_EQ(lines_of(from_parquet->table), lines_of(from_csv->table));
}

// Order and round trips.

// Domains of 2 to 400 values, some missing, some long, text ids or integers.
Table random_table(std::uint32_t rows, bool text_ids, std::uint64_t seed) {
  Rng rng(seed);
  Schema schema;
  std::vector<Column> columns;
  for (std::uint32_t size : {2u, 15u, 255u, 256u, 400u}) {
    std::vector<std::string> values;
    for (std::uint32_t i = 0; i < size; ++i) {
      values.push_back(fmt::format("{}{:03}", i % 2 == 0 ? "v" : "a rather long value, ", i));
    }
    std::sort(values.begin(), values.end());
    std::vector<ValueId> cells;
    for (std::uint32_t row = 0; row < rows; ++row) {
      auto value = static_cast<std::uint16_t>(row < size ? row : rng.below(size));
      cells.push_back(row > size && rng.below(10) == 0 ? missing_value : ValueId{value});
    }
    columns.emplace_back(size, cells);
    auto visibility = size < 200 ? Visibility::Public : Visibility::Private;
    schema.attributes.push_back({fmt::format("a{}", size), visibility, 1, *Domain::of(values)});
  }
  schema.id_name = "who";
  if (!text_ids) {
    IntegerNames names;
    for (std::uint32_t row = 0; row < rows; ++row)
      names.values.push_back(std::int64_t{row} * 7 - 50);
    return Table(schema, columns, RowNames(std::move(names)));
  }
  TextNames names;
  for (std::uint32_t row = 0; row < rows; ++row) {
    names.bytes += fmt::format("user {}", row);
    names.ends.push_back(names.bytes.size());
  }
  return Table(schema, columns, RowNames(std::move(names)));
}

TEST_F(Connect, ReadsBackWhatItWrites) {
  for (bool text_ids : {false, true}) {
    Table table = random_table(5000, text_ids, 1);
    for (const char* name : {"t.csv", "t.csv.gz", "t.parquet"}) {
      SCOPED_TRACE(testing::Message() << name << (text_ids ? " text ids" : " integer ids"));
      auto written = write_table(table, path(name));
      ASSERT_TRUE(written) << written.error().message;
      auto loaded = read_table({path(name), "", ""}, policy_for(table.schema()));
      ASSERT_TRUE(loaded) << message_of(loaded);
      EXPECT_THAT(loaded->warnings, IsEmpty());
      expect_equal(table, loaded->table);
    }
  }
}

TEST_F(Connect, CompressesWhatIsCalledGz) {
  ASSERT_TRUE(write_table(random_table(500, false, 2), path("t.csv.gz")));
  auto bytes = read_text(path("t.csv.gz"));
  ASSERT_TRUE(bytes);
  EXPECT_EQ(bytes->substr(0, 2), "\x1f\x8b");
}

TEST_F(Connect, WritesNoIdForRowsCalledByNumber) {
  Table table(Schema{{{"x", Visibility::Public, 1, *Domain::of({"a", "b"})}}, ""},
              {Column(2, std::vector<ValueId>{ValueId{1}, missing_value, ValueId{0}})},
              RowNames(RowNumbers{3}));
  ASSERT_TRUE(write_table(table, path("t.csv")));
  auto text = read_text(path("t.csv"));
  ASSERT_TRUE(text);
  EXPECT_EQ(*text, "x\nb\n\"\"\na\n");
  auto loaded = read_table({path("t.csv"), "", ""}, policy_of({{"x", Role::Public}}));
  ASSERT_TRUE(loaded) << message_of(loaded);
  expect_equal(table, loaded->table);
}

TEST_F(Connect, KeepsTheOrderOfRowsWithSeveralThreads) {
  Table table = random_table(200'000, false, 3);
  std::vector<double> told;
  auto tell = [&](std::string_view, double done) { told.push_back(done); };
  for (const char* name : {"big.csv", "big.parquet"}) {
    SCOPED_TRACE(name);
    told.clear();
    ASSERT_TRUE(write_table(table, path(name), tell));
    EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
    EXPECT_EQ(told.back(), 1);
    for (std::uint32_t threads : {1u, 4u}) {
      told.clear();
      auto loaded = read_table({path(name), "", ""}, policy_for(table.schema()), {threads, tell});
      ASSERT_TRUE(loaded) << message_of(loaded);
      expect_equal(table, loaded->table);
      EXPECT_TRUE(std::is_sorted(told.begin(), told.end()));
      EXPECT_LE(told.size(), 300u);
      EXPECT_EQ(told.back(), 1);
    }
  }
}

TEST_F(Connect, WritesNothingWhenItCannotWrite) {
  Table table = random_table(500, false, 4);
  auto unknown = write_table(table, path("t.xls"));
  ASSERT_FALSE(unknown);
  EXPECT_THAT(unknown.error().message, HasSubstr("must end in .csv, .csv.gz or .parquet"));
  auto no_folder = write_table(table, path("no/t.csv"));
  ASSERT_FALSE(no_folder);
  EXPECT_EQ(no_folder.error().code, ErrorCode::Io);
  EXPECT_TRUE(std::filesystem::is_empty(folder_));
}

TEST_F(Connect, LeavesOnlyTheFinishedFile) {
  ASSERT_TRUE(write_table(random_table(500, false, 5), path("t.csv")));
  std::vector<std::string> names;
  for (const auto& entry : std::filesystem::directory_iterator(folder_)) {
    names.push_back(entry.path().filename().string());
  }
  EXPECT_THAT(names, ElementsAre("t.csv"));
}

// Workloads.

Schema wish_schema() {
  Schema schema;
  schema.attributes.push_back({"city", Visibility::Public, 1,
                               *Domain::of({"Paris", "a|b", "c\\d", "e,\"f\"", "g\nh", " "})});
  schema.attributes.push_back(
      {"diet, if any", Visibility::Private, 1, *Domain::of({"any", "vegan"})});
  return schema;
}

Workload random_workload(const Schema& schema, int queries, std::uint64_t seed) {
  Rng rng(seed);
  Workload workload;
  for (int i = 0; i < queries; ++i) {
    WorkloadEntry entry{empty_query(schema), 1 + rng.below(9)};
    for (std::uint32_t a = 0; a < schema.size(); ++a) {
      for (std::uint32_t v = 0; v < schema.attributes[a].domain.size(); ++v) {
        if (rng.below(3) != 0) continue;
        entry.query.wanted[a].push_back(ValueId{static_cast<std::uint16_t>(v)});
      }
    }
    workload.entries.push_back(std::move(entry));
  }
  return workload;
}

void expect_equal(const Workload& left, const Workload& right) {
  ASSERT_EQ(left.entries.size(), right.entries.size());
  for (std::size_t i = 0; i < left.entries.size(); ++i) {
    EXPECT_EQ(left.entries[i].query, right.entries[i].query) << "entry " << i;
    EXPECT_EQ(left.entries[i].count, right.entries[i].count) << "entry " << i;
  }
}

TEST_F(Connect, ReadsBackTheWorkloadItWrites) {
  Schema schema = wish_schema();
  Workload workload = random_workload(schema, 200, 6);
  ASSERT_TRUE(write_workload_csv(workload, schema, path("w.csv")));
  auto again = read_workload(path("w.csv"), schema);
  ASSERT_TRUE(again) << again.error().message;
  expect_equal(workload, *again);
}

TEST_F(Connect, ReadsBackAWorkloadWhoseOnlyAttributeIsCalledCount) {
  Schema schema;
  schema.attributes.push_back({"count", Visibility::Public, 1, *Domain::of({"1", "2"})});
  Workload workload;
  workload.entries.push_back({empty_query(schema), 1});
  workload.entries.push_back({Query{{{ValueId{0}, ValueId{1}}}}, 1});
  ASSERT_TRUE(write_workload_csv(workload, schema, path("w.csv")));
  auto again = read_workload(path("w.csv"), schema);
  ASSERT_TRUE(again) << again.error().message;
  expect_equal(workload, *again);
  workload.entries[0].count = 2;
  auto refused = write_workload_csv(workload, schema, path("w.csv"));
  ASSERT_FALSE(refused);
  EXPECT_THAT(refused.error().message, HasSubstr("an attribute is called \"count\""));
}

TEST_F(Connect, ReadsWorkloadsFromParquetTsvAndLines) {
  Schema schema = wish_schema();
  Workload expected;
  expected.entries.push_back({Query{{{ValueId{0}}, {}}}, 3});
  expected.entries.push_back({Query{{{}, {ValueId{0}, ValueId{1}}}}, 1});

  auto tsv = read_workload(file("w.tsv", "diet, if any\tcity\tcount\n\tParis\t3\nvegan|any\t\t\n"),
                           schema);
  ASSERT_TRUE(tsv) << tsv.error().message;
  expect_equal(expected, *tsv);

  auto lines = read_workload(file("w.ndjson",
                                  "{\"count\": 3, \"query\": {\"city\": \"Paris\"}}\n"
                                  "{\"query\": {\"diet, if any\": [\"vegan\", \"any\"]}}\n"),
                             schema);
  ASSERT_TRUE(lines) << lines.error().message;
  expect_equal(expected, *lines);

  sql_must_run(
      fmt::format("COPY (SELECT * FROM (VALUES ('Paris', NULL, 3), (NULL, 'vegan|any', 1)) "
                  "t(city, \"diet, if any\", count)) TO {}",
                  quoted_text(path("w.parquet"))));
  auto parquet = read_workload(path("w.parquet"), schema);
  ASSERT_TRUE(parquet) << parquet.error().message;
  expect_equal(expected, *parquet);
}

TEST_F(Connect, RefusesWorkloadsThatDoNotFit) {
  Schema schema = wish_schema();
  auto refusal = [&](const std::string& name) {
    auto read = read_workload(path(name), schema);
    return read ? "nothing was refused" : read.error().message;
  };
  file("a.csv", "citty,count\n,1\n");
  EXPECT_THAT(refusal("a.csv"), HasSubstr("a.csv: column \"citty\" is no attribute to rank by"));
  file("b.csv", "city,count\nParis,1\nOslo,1\n");
  EXPECT_THAT(refusal("b.csv"), HasSubstr("b.csv, line 3: city has no value \"Oslo\""));
  file("c.csv", "city,count\nParis,many\n");
  EXPECT_THAT(refusal("c.csv"), HasSubstr("c.csv, line 2: count \"many\""));
  file("d.txt", "");
  EXPECT_THAT(refusal("d.txt"), HasSubstr("unknown ending for a workload"));
  EXPECT_THAT(refusal("none.csv"), HasSubstr("cannot open"));
  EXPECT_THAT(refusal("none.ndjson"), HasSubstr("cannot open"));
}

TEST_F(Connect, NumbersComeAsTheyAre) {
  std::string csv = file("n.csv", "a,b\n1, 2.5\n,-3e2\n+4,\n");
  auto columns = read_columns({csv, {}, {}}, {"b", "a"}, {});
  ASSERT_TRUE(columns) << columns.error().message;
  EXPECT_THAT(columns->numbers[0].values, ElementsAre(2.5, -300, testing::IsNan()));
  EXPECT_THAT(columns->numbers[1].values, ElementsAre(1, testing::IsNan(), 4));
  sql_must_run(fmt::format("COPY (SELECT 1 AS a, 2.5 AS b) TO {}", quoted_text(path("n.parquet"))));
  auto typed = read_columns({path("n.parquet"), {}, {}}, {"a", "b"}, {});
  ASSERT_TRUE(typed) << typed.error().message;
  EXPECT_THAT(typed->numbers[1].values, ElementsAre(2.5));
}

TEST_F(Connect, NumbersRefuseTextByItsRow) {
  auto text = read_columns({file("n.csv", "a\n1\nmany\n"), {}, {}}, {"a"}, {});
  ASSERT_FALSE(text);
  EXPECT_THAT(text.error().message, HasSubstr("a is \"many\" in row 2, which is no number"));
  auto infinite = read_columns({file("i.csv", "a\n1\ninf\n"), {}, {}}, {"a"}, {});
  EXPECT_FALSE(infinite);
  auto other = read_columns({path("n.csv"), {}, {}}, {"aa"}, {});
  ASSERT_FALSE(other);
  EXPECT_THAT(other.error().message, HasSubstr("there is no column \"aa\"; did you mean a?"));
}

TEST_F(Connect, TextsComeRowByRow) {
  std::string csv = file("t.csv", "old,new\nx,y\nx,\n,y\n");
  auto texts = read_texts({csv, {}, {}}, {"new", "old"});
  ASSERT_TRUE(texts) << texts.error().message;
  EXPECT_THAT((*texts)[0], ElementsAre("y", "", "y"));
  EXPECT_THAT((*texts)[1], ElementsAre("x", "x", ""));
  auto none = read_texts({file("none.csv", "old,new\n"), {}, {}}, {"old"});
  ASSERT_TRUE(none) << none.error().message;
  EXPECT_TRUE((*none)[0].empty());
}

}  // namespace
}  // namespace rankveil::connect

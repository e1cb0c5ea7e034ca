#include "rankveil/protect/ledger/ledger.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include <algorithm>

#include "rankveil/base/file.h"
#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/ledger/sealed_values.h"

namespace rankveil {
namespace {

std::string path_of(const std::string& name) { return testing::TempDir() + "/" + name; }

void rewrite(const std::string& path, const std::string& text) {
  ASSERT_TRUE(write_text(path, text));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
}

LedgerEntry entry_with(Ledger& ledger, RowStatus status, std::uint32_t releases,
                       std::uint32_t rows = 1) {
  LedgerEntry entry{.status = status,
                    .releases = releases,
                    .since = 20'410,
                    .rows = rows,
                    .at = ledger.codes.size()};
  for (std::size_t i = 0; i < ledger.code_count(entry); ++i) {
    ledger.codes.push_back(static_cast<std::uint16_t>(i % 2));
  }
  return entry;
}

Ledger example() {
  Ledger ledger;
  ledger.population = "people";
  ledger.parameters = Json().set("scheme", "swap").set("l", 3);
  ledger.release = 2;
  ledger.build = 5;
  ledger.outputs = {{"/here/a.rankveil", 4, Json().set("l", 3), {"city"}},
                    {"/here/b.rankveil", 5, Json().set("l", 4), {"city", "age"}}};
  ledger.left_out = {"drugs"};
  ledger.columns = {{"diet", {"vegan", "any\nthing"}, ""}, {"income", {"low", "high"}, "10, 20.5"}};
  ledger.public_columns = {"city", "age"};
  ledger.fit_columns = {"city", "age", "job"};
  ledger.has_values = true;
  ledger.scheme_state = Json().set("weights", Json::Array{1, 2});
  ledger.ladder = {{"city", "age"}, {"city"}};
  ledger.share_rows = 7;
  ledger.told.released = 9;
  ProtectionReport& report = ledger.told.report;
  report.set_sizes = {0, 0, 5};
  report.rungs = {{{"city"}, 2, 6}, {{}, 1, 3}};
  report.short_sets = {4, 0};
  report.rows_with_short_sets = 4;
  report.obfuscation_bound = BoundedValue{8, 7};
  report.largest_rounding = 0.25;
  ledger.shares = {{"diet", {{"vegan", 3}, {"any\nthing", 4}}}};
  ledger.groups = {{{"city", "age"}, {{{"Rome", std::nullopt}, 7, {{{0, 3}, {1, 4}}}, 5}}},
                   {{}, {}}};
  ledger.rows["alice"] = entry_with(ledger, RowStatus::Shown, 1);
  ledger.rows["bo b\\n\n"] = entry_with(ledger, RowStatus::Withdrawn, 2);
  ledger.rows["bo b\\n\n"].group = 17;
  ledger.rows[""] = entry_with(ledger, RowStatus::Company, 1);
  ledger.rows["x"] = entry_with(ledger, RowStatus::Waiting, 0);
  ledger.rows["y 1"] = entry_with(ledger, RowStatus::Changed, 1, 3);
  ledger.first_names = {{"y 1", "y\n 0"}};
  ledger.gone = {{1, 2}, {~0ULL, 0}};
  return ledger;
}

TEST(Ledger, ReadsBackWhatItWrote) {
  std::string path = path_of("book.ledger");
  ASSERT_TRUE(write_ledger(example(), path));
  auto read = read_ledger(path);
  ASSERT_TRUE(read) << read.error().message;
  std::string again = path_of("again.ledger");
  ASSERT_TRUE(write_ledger(*read, again));
  EXPECT_EQ(*read_text(again), *read_text(path));
  EXPECT_EQ(read->build, 5U);
  EXPECT_EQ(read->columns, example().columns);
  EXPECT_EQ(read->last_output().path, "/here/b.rankveil");
  EXPECT_EQ(json_of(read->told).dump(-1), json_of(example().told).dump(-1));
  EXPECT_EQ(read->groups->front().groups[0].values, example().groups->front().groups[0].values);
  EXPECT_EQ(read->groups->front().groups[0].counts, example().groups->front().groups[0].counts);
  EXPECT_EQ(read->first_names, example().first_names);
  EXPECT_EQ(read->gone, example().gone);
  Ledger wrote = example();
  ASSERT_EQ(read->rows.size(), wrote.rows.size());
  for (const auto& [name, entry] : wrote.rows) {
    const LedgerEntry& back = read->rows.at(name);
    EXPECT_EQ(back.status, entry.status) << name;
    EXPECT_EQ(back.releases, entry.releases) << name;
    EXPECT_EQ(back.group, entry.group) << name;
    EXPECT_EQ(back.rows, entry.rows) << name;
    EXPECT_EQ(back.since, entry.since) << name;
    EXPECT_TRUE(std::ranges::equal(read->public_hashes(back), wrote.public_hashes(entry)));
    if (!shows(entry.status)) continue;
    EXPECT_TRUE(std::ranges::equal(read->sealed_values(back), wrote.sealed_values(entry)));
    EXPECT_TRUE(std::ranges::equal(read->shown_values(back), wrote.shown_values(entry)));
  }
}

// Who shows nothing has no values in the book, sealed or not.
TEST(Ledger, KeepsValuesOfThoseAloneWhoShowSomething) {
  Ledger ledger = example();
  EXPECT_EQ(ledger.code_count(ledger.rows["alice"]), 6U);
  EXPECT_EQ(ledger.code_count(ledger.rows["y 1"]), 14U);
  for (const char* name : {"bo b\\n\n", "", "x"}) {
    EXPECT_EQ(ledger.code_count(ledger.rows[name]), 2U) << name;
  }
}

TEST(Ledger, MustSayItsLadderAndWhatWasTold) {
  std::string path = path_of("ladder.ledger");
  Ledger ledger = example();
  ledger.ladder.clear();
  ASSERT_TRUE(write_ledger(ledger, path));
  std::string text = *read_text(path);
  EXPECT_TRUE(parse_ledger(text, "it")->ladder.empty());
  for (const char* field : {"\"ladder\"", "\"told\""}) {
    std::string without = text;
    without.replace(without.find(field), std::string_view(field).size(), "\"other\"");
    EXPECT_FALSE(parse_ledger(without, "it")) << field;
  }
}

TEST(Ledger, IsForItsOwnerAlone) {
  std::string path = path_of("closed.ledger");
  ASSERT_TRUE(write_ledger(example(), path));
  struct stat found {};
  ASSERT_EQ(::stat(path.c_str(), &found), 0);
  EXPECT_EQ(found.st_mode & 0777, 0600U);
  ASSERT_EQ(::chmod(path.c_str(), 0644), 0);
  EXPECT_FALSE(read_ledger(path));
}

TEST(Ledger, RefusesDamage) {
  std::string path = path_of("damaged.ledger");
  ASSERT_TRUE(write_ledger(example(), path));
  std::string text = *read_text(path);
  for (std::size_t cut : {std::size_t{0}, std::size_t{5}, text.size() / 3, text.size() - 3,
                          text.rfind('\n', text.size() - 2) + 1}) {
    rewrite(path, text.substr(0, cut));
    EXPECT_FALSE(read_ledger(path)) << cut;
  }
  rewrite(path, text + "z 1 2 3 eve\n");
  EXPECT_FALSE(read_ledger(path));
  rewrite(path, text + text.substr(text.find('\n') + 1));
  EXPECT_FALSE(read_ledger(path)) << "every row stands twice";
}

TEST(ValueSeal, TellsNothingWithoutTheKeyAndEverythingWithIt) {
  std::vector<LedgerColumn> columns = {{"diet", {}, ""}, {"income", {}, ""}};
  ValueSeal seal(SecretKey::from_seed(1), columns, 1), other(SecretKey::from_seed(2), columns, 1);
  std::uint16_t sealed = seal.seal(3, 0, "alice", {1, 0});
  EXPECT_EQ(seal.open(sealed, 0, "alice", {1, 0}), 3);
  EXPECT_NE(other.open(sealed, 0, "alice", {1, 0}), 3);
  EXPECT_NE(seal.seal(3, 1, "alice", {1, 0}), sealed) << "another column";
  EXPECT_NE(seal.seal(3, 0, "bob", {1, 0}), sealed) << "another person";
  EXPECT_NE(seal.seal(3, 0, "alice", {2, 0}), sealed) << "another release";
  EXPECT_NE(seal.seal(3, 0, "alice", {1, 1}), sealed) << "another row";
  ValueSeal anew(SecretKey::from_seed(1), columns, 2);
  EXPECT_NE(anew.seal(3, 0, "alice", {1, 0}), sealed) << "everything anew under the same key";
}

}  // namespace
}  // namespace rankveil

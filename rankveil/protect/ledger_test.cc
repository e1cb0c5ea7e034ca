#include "rankveil/protect/ledger.h"

#include <gtest/gtest.h>
#include <sys/stat.h>

#include "rankveil/base/file.h"
#include "rankveil/protect/protect_tables.h"
#include "rankveil/protect/report_json.h"

namespace rankveil {
namespace {

using testing_support::coded_table;

std::string path_of(const std::string& name) { return testing::TempDir() + "/" + name; }

void rewrite(const std::string& path, const std::string& text) {
  ASSERT_TRUE(write_text(path, text));
  ASSERT_EQ(::chmod(path.c_str(), 0600), 0);
}

Ledger example() {
  Ledger ledger;
  ledger.parameters = Json().set("scheme", "swap").set("l", 3);
  ledger.release = 2;
  ledger.build = 5;
  ledger.left_out = {"drugs"};
  ledger.ladder = {{"city", "age"}, {"city"}};
  ledger.share_rows = 7;
  ledger.told.emplace().released = 9;
  ProtectionReport& report = ledger.told->report;
  report.set_sizes = {0, 0, 5};
  report.rungs = {{{"city"}, 2, 6}, {{}, 1, 3}};
  report.short_sets = {4, 0};
  report.rows_with_short_sets = 4;
  report.obfuscation_bound = BoundedValue{8, 7};
  report.largest_rounding = 0.25;
  ledger.shares = {{"diet", {{"vegan", 3}, {"any\nthing", 4}}}};
  ledger.groups = {{{"city", "age"}, {{{"Rome", std::nullopt}, 7, {{{0, 3}, {1, 4}}}, 5}}},
                   {{}, {}}};
  ledger.rows["alice"] = {{1, 2}, RowStatus::Shown, 1};
  ledger.rows["bo b\\n\n"] = {{~0ULL, 0}, RowStatus::Withdrawn, 2, 17};
  ledger.rows[""] = {{5, 6}, RowStatus::Gone, 0};
  ledger.rows["x"] = {{5, 7}, RowStatus::Waiting, 0};
  return ledger;
}

TEST(Ledger, ReadsBackWhatItWrote) {
  std::string path = path_of("book.ledger");
  ASSERT_TRUE(write_ledger(example(), path));
  auto read = read_ledger(path);
  ASSERT_TRUE(read) << read.error().message;
  EXPECT_EQ(read->parameters.dump(-1), example().parameters.dump(-1));
  EXPECT_EQ(read->release, 2U);
  EXPECT_EQ(read->build, 5U);
  EXPECT_EQ(read->left_out, example().left_out);
  EXPECT_EQ(read->ladder, example().ladder);
  EXPECT_EQ(read->share_rows, 7U);
  EXPECT_EQ(read->shares, example().shares);
  ASSERT_TRUE(read->told);
  EXPECT_EQ(read->told->released, 9U);
  EXPECT_EQ(report_to_json(*read->told).dump(-1), report_to_json(*example().told).dump(-1));
  EXPECT_EQ(read->told->report.rungs[0].rows, 6U);
  EXPECT_EQ(read->told->report.obfuscation_bound->bound, 7U);
  ASSERT_TRUE(read->groups);
  ASSERT_EQ(read->groups->size(), 2U);
  const FrozenRung& rung = read->groups->front();
  EXPECT_EQ(rung.columns, example().groups->front().columns);
  ASSERT_EQ(rung.groups.size(), 1U);
  EXPECT_EQ(rung.groups[0].values, example().groups->front().groups[0].values);
  EXPECT_EQ(rung.groups[0].rows, 7U);
  EXPECT_EQ(rung.groups[0].number, 5U);
  EXPECT_EQ(rung.groups[0].counts, example().groups->front().groups[0].counts);
  EXPECT_TRUE(read->groups->back().groups.empty());
  ASSERT_EQ(read->rows.size(), 4U);
  for (const auto& [name, entry] : example().rows) {
    EXPECT_EQ(read->rows[name].values, entry.values);
    EXPECT_EQ(read->rows[name].status, entry.status);
    EXPECT_EQ(read->rows[name].releases, entry.releases);
    EXPECT_EQ(read->rows[name].group, entry.group);
  }
}

TEST(Ledger, TellsNoLadderFromOneThatIsNotWrittenDown) {
  std::string path = path_of("ladder.ledger");
  Ledger ledger = example();
  ledger.ladder.reset();
  ASSERT_TRUE(write_ledger(ledger, path));
  EXPECT_FALSE(read_ledger(path)->ladder.has_value());
  ledger.ladder.emplace();
  ASSERT_TRUE(write_ledger(ledger, path));
  ASSERT_TRUE(read_ledger(path)->ladder.has_value());
  EXPECT_TRUE(read_ledger(path)->ladder->empty());
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
  rewrite(path, text + "zz s 1 eve\n");
  EXPECT_FALSE(read_ledger(path));
  rewrite(path, text + text.substr(text.find('\n') + 1));
  EXPECT_FALSE(read_ledger(path)) << "every row stands twice";
}

TEST(HashOfValues, ChangesWithTheKeyTheRowAndEveryPrivateValueOnly) {
  Table table = coded_table({{0, 0, 1}, {1, 0, 1}, {0, 1, 1}, {0, -1, 1}}, 1, {2, 2, 2});
  Table moved = coded_table({{1, 0, 1}, {1, 0, 0}}, 1, {2, 2, 2});
  SecretKey key = SecretKey::from_seed(1);
  auto hash = hash_of_values(key, table, RowId{0});
  EXPECT_EQ(hash, hash_of_values(key, moved, RowId{0})) << "public values do not count";
  EXPECT_NE(hash, hash_of_values(key, table, RowId{1})) << "another row";
  EXPECT_NE(hash_of_values(key, table, RowId{1}), hash_of_values(key, moved, RowId{1}));
  EXPECT_NE(hash, hash_of_values(SecretKey::from_seed(2), table, RowId{0}));
}

}  // namespace
}  // namespace rankveil

// What the order and the names of a protected index say: nothing.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/api/protect.h"
#include "rankveil/base/file.h"
#include "rankveil/base/key_file.h"
#include "rankveil/base/random.h"
#include "rankveil/base/temporary_folder.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {
namespace {

using testing::HasSubstr;

// 600 people of two cities, whose ids are chance. The table is sorted by religion.
class ServedOrder : public testing::Test {
 protected:
  static constexpr std::uint32_t people = 600;

  void SetUp() override {
    ASSERT_TRUE(write_key_file(SecretKey::from_seed(1), path("people.key")));
    Rng rng(5);
    for (std::uint32_t i = 0; i < people; ++i) {
      rows_.push_back({static_cast<std::uint32_t>(1000 + 7919 * i % 9973), i % 2,
                       static_cast<std::uint32_t>(rng.below(4))});
    }
    std::ranges::stable_sort(rows_, {}, &Row::religion);
    policy("");
  }

  struct Row {
    std::uint32_t id, city, religion;
  };

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  void policy(const std::string& keys) const {
    ASSERT_TRUE(write_text(path("people.toml"),
                           keys +
                               "\nl = 3\nscheme = \"swap\"\n[column.id]\nrole = \"id\"\n"
                               "[column.city]\nrole = \"public\"\n[column.religion]\n"
                               "role = \"private\"\ndomain = [\"r0\", \"r1\", \"r2\", \"r3\"]\n"));
  }

  Result<ProtectResult> build(const std::vector<Row>& rows, bool new_release = false) const {
    std::string csv = "id,city,religion\n";
    for (const Row& row : rows) csv += fmt::format("{},c{},r{}\n", row.id, row.city, row.religion);
    EXPECT_TRUE(write_text(path("people.csv"), csv));
    ProtectRequest request;
    request.input.source.path = path("people.csv");
    request.input.policy_path = path("people.toml");
    request.key_path = path("people.key");
    request.output = path("people.rankveil");
    request.new_release = new_release;
    return protect(request);
  }

  Index served() const {
    auto index = open_index(path("people.rankveil"));
    EXPECT_TRUE(index) << index.error().message;
    return *index;
  }

  // Names of a city's rows, in the order in which ties are answered.
  std::vector<std::string> ties(const Index& index, std::uint32_t city) const {
    Query query{{{ValueId{static_cast<std::uint16_t>(city)}}, {}}};
    std::vector<std::string> names;
    for (const Hit& hit : index.rank(query, {.k = people / 2}).hits) {
      names.push_back(index.name(hit.row));
    }
    return names;
  }

  // The share of rows whose religion their neighbours in a list of ids give away: somebody guesses
  // the one that most of the four around a row have.
  double told_by(const std::vector<std::string>& ids) const {
    std::vector<std::uint32_t> religions;
    for (const std::string& id : ids) {
      auto row = std::ranges::find(rows_, static_cast<std::uint32_t>(std::stoul(id)), &Row::id);
      religions.push_back(row->religion);
    }
    std::uint32_t right = 0;
    for (std::size_t i = 2; i + 2 < religions.size(); ++i) {
      std::uint32_t count[4] = {};
      for (std::size_t near : {i - 2, i - 1, i + 1, i + 2}) ++count[religions[near]];
      right += static_cast<std::uint32_t>(std::ranges::max_element(count) - count) == religions[i];
    }
    return right / static_cast<double>(religions.size() - 4);
  }

  std::vector<Row> rows_;

 private:
  TemporaryFolder folder_{"rankveil-order"};
};

TEST_F(ServedOrder, GivesAwayNothingOfASortedTable) {
  ASSERT_TRUE(build(rows_));
  std::vector<std::string> as_in_the_table;
  for (const Row& row : rows_) {
    if (row.city == 0) as_in_the_table.push_back(std::to_string(row.id));
  }
  EXPECT_GT(told_by(as_in_the_table), 0.95) << "what ties would tell if they went by the table";
  for (std::uint32_t city : {0U, 1U}) {
    EXPECT_LT(told_by(ties(served(), city)), 0.25 + 0.09) << "chance is 0.25, 3.5 sigma 0.09";
  }
}

TEST_F(ServedOrder, StaysWhenRowsComeAndGo) {
  std::vector<Row> first(rows_.begin() + 50, rows_.end());
  std::vector<Row> second(rows_.begin(), rows_.end() - 60);
  ASSERT_TRUE(build(first));
  auto before = ties(served(), 0);
  std::ranges::reverse(second);  // however the table is sorted
  auto made = build(second);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->continued);
  auto after = ties(served(), 0);
  std::erase_if(before, [&](const auto& id) { return !std::ranges::count(after, id); });
  std::erase_if(after, [&](const auto& id) { return !std::ranges::count(before, id); });
  EXPECT_GT(before.size(), 200U);
  EXPECT_EQ(before, after);
}

TEST_F(ServedOrder, IsAnotherWithAnotherKey) {
  ASSERT_TRUE(build(rows_));
  auto before = ties(served(), 0);
  std::filesystem::remove(path("people.key"));
  ASSERT_TRUE(write_key_file(SecretKey::from_seed(2), path("people.key")));
  auto made = build(rows_, true);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_NE(ties(served(), 0), before);
}

}  // namespace
}  // namespace rankveil::api

// What the order and the names of a protected index say: nothing.
#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <sstream>

#include "rankveil/api/ids.h"
#include "rankveil/api/index_output.h"
#include "rankveil/api/measure.h"
#include "rankveil/api/protect.h"
#include "rankveil/base/file.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/random.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {
namespace {

using testing::Contains;
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

// ---- What rows are called ----

class ServedIdForms : public ServedOrder {
 protected:
  std::vector<Row> with_telling_ids() const {
    std::vector<Row> rows = rows_;  // sorted by religion
    for (std::uint32_t i = 0; i < people; ++i) rows[i].id = 5000 + i;
    return rows;
  }
};

TEST_F(ServedIdForms, PlainIdsThatTellAreRefusedUntilTheOwnerSaysSo) {
  auto refused = build(with_telling_ids());
  ASSERT_FALSE(refused);
  EXPECT_EQ(refused.error().code, ErrorCode::BadInput);
  EXPECT_THAT(refused.error().message,
              HasSubstr("of the same religion by the last number in their ids (gain "));
  EXPECT_THAT(refused.error().message, HasSubstr("ids = \"keyed\""));
  EXPECT_FALSE(file_exists(path("people.rankveil"))) << "nothing is written";
  policy("ids_tell = true");
  auto made = build(with_telling_ids());
  ASSERT_TRUE(made) << made.error().message;
  ASSERT_EQ(made->telling_ids.size(), 1U);
  EXPECT_EQ(made->telling_ids[0].attribute, "religion");
  EXPECT_THAT(made->warnings, Contains(HasSubstr("nothing is promised against who goes by ids")));
  EXPECT_NE(served().info().notes.find("telling_ids"), nullptr);
}

TEST_F(ServedIdForms, KeyedNamesHideIdsAndStay) {
  policy("ids = \"keyed\"");
  std::vector<Row> rows = with_telling_ids();
  ASSERT_TRUE(build(rows));
  EXPECT_FALSE(served().find_row("5001"));
  auto before = ties(served(), 0);
  EXPECT_EQ(before[0].size(), 16U);
  rows.erase(rows.begin(), rows.begin() + 30);
  auto made = build(rows);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_TRUE(made->continued);
  EXPECT_EQ(made->counts.kept, 570U) << "rows were found again by their ids";
  auto after = ties(served(), 0);
  std::erase_if(before, [&](const auto& name) { return !std::ranges::count(after, name); });
  std::erase_if(after, [&](const auto& name) { return !std::ranges::count(before, name); });
  EXPECT_GT(before.size(), 200U);
  EXPECT_EQ(before, after);
}

TEST_F(ServedIdForms, RowsWithoutNamesKeepWhatTheyShow) {
  policy("ids = \"none\"");
  std::vector<Row> rows = with_telling_ids();
  ASSERT_TRUE(build(rows));
  EXPECT_EQ(served().name(RowId{7}), "7");
  rows.erase(rows.begin(), rows.begin() + 30);
  auto made = build(rows);
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->counts.kept, 570U);
  EXPECT_EQ(made->counts.gone, 30U);
}

TEST_F(ServedIdForms, AreTranslatedBackWithTheKeyAlone) {
  for (const char* form : {"keyed", "none"}) {
    policy(fmt::format("ids = \"{}\"", form));
    ASSERT_TRUE(build(with_telling_ids(), true));
    IdsRequest request;
    request.source.path = path("people.csv");
    request.index_path = path("people.rankveil");
    request.key_path = path("people.key");
    request.output = path("names.csv");
    auto told = translate_ids(request);
    ASSERT_TRUE(told) << told.error().message;
    EXPECT_EQ(told->rows, people);
    EXPECT_EQ(told->unknown, 0U);
    auto mode = std::filesystem::status(request.output).permissions();
    EXPECT_EQ(mode, std::filesystem::perms::owner_read | std::filesystem::perms::owner_write);
    // The city of each row, by its name in the index and by its id in the table.
    std::istringstream lines(*read_text(request.output));
    std::string line;
    std::getline(lines, line);
    EXPECT_EQ(line, "name,id");
    Index index = served();
    while (std::getline(lines, line)) {
      auto comma = line.find(',');
      auto row = index.find_row(line.substr(0, comma));
      ASSERT_TRUE(row) << line;
      unsigned id = static_cast<unsigned>(std::stoul(line.substr(comma + 1)));
      EXPECT_EQ(+index.public_value(*row, AttributeId{0}), with_telling_ids()[id - 5000].city);
    }
    ASSERT_TRUE(write_key_file(SecretKey::from_seed(9), path("other.key")));
    request.key_path = path("other.key");
    EXPECT_THAT(translate_ids(request).error().message, HasSubstr("made with another key"));
    std::filesystem::remove(path("other.key"));
  }
}

TEST_F(ServedIdForms, MeasuringTakesTheKey) {
  policy("ids = \"keyed\"");
  ASSERT_TRUE(build(with_telling_ids()));
  MeasureRequest request;
  request.input.source.path = path("people.csv");
  request.input.policy_path = path("people.toml");
  request.index_path = path("people.rankveil");
  request.queries = 2;
  EXPECT_THAT(measure(request).error().message, HasSubstr("pass it with --key FILE"));
  request.key_path = path("people.key");
  auto measured = measure(request);
  ASSERT_TRUE(measured) << measured.error().message;
  EXPECT_EQ(measured->rows, people);
}

// ---- What people chose ----

class Choices : public ServedOrder {
 protected:
  // Rows 0, 10, 20, ... chose this.
  Result<ProtectResult> build_with(const std::string& choice) const {
    std::string csv = "id,city,religion,choice\n";
    for (std::uint32_t i = 0; i < people; ++i) {
      csv += fmt::format("{},c{},r{},{}\n", rows_[i].id, rows_[i].city, rows_[i].religion,
                         i % 10 == 0 ? choice : "");
    }
    EXPECT_TRUE(write_text(path("people.csv"), csv));
    ProtectRequest request;
    request.input.source.path = path("people.csv");
    request.input.policy_path = path("people.toml");
    request.key_path = path("people.key");
    request.output = path("people.rankveil");
    return protect(request);
  }

  // Whether the row matches its own value alone, and in full.
  bool shows_own(const Index& index, const Row& row) const {
    auto place = index.find_row(std::to_string(row.id));
    for (std::uint16_t value = 0; value < 4; ++value) {
      double expected = value == row.religion ? 1 : 0;
      if (index.match(*place, PrivateId{0}, ValueId{value}) != expected) return false;
    }
    return true;
  }

  std::uint32_t count_own() const {
    Index index = served();
    std::uint32_t own = 0;
    for (std::uint32_t i = 0; i < people; i += 10) own += shows_own(index, rows_[i]);
    return own;
  }
};

TEST_F(Choices, OpenRowsShowTheirOwnValues) {
  policy("consent = \"choice\"");
  auto made = build_with("open");
  ASSERT_TRUE(made) << made.error().message;
  EXPECT_EQ(made->open_rows, 60U);
  EXPECT_EQ(made->hidden_rows, 0U);
  EXPECT_EQ(made->counts.waiting, 0U);
  EXPECT_EQ(made->counts.released, 540U);
  EXPECT_EQ(count_own(), 60U);
  // Whoever asks for a value finds the open rows that have it first.
  Index index = served();
  Query query{{{}, {ValueId{2}}}};
  std::size_t have_it = 0;
  for (std::uint32_t i = 0; i < people; i += 10) have_it += rows_[i].religion == 2 ? 1 : 0;
  auto answer = index.rank(query, {.k = static_cast<std::uint32_t>(have_it)});
  for (const Hit& hit : answer.hits) {
    EXPECT_EQ(static_cast<double>(hit.score) * answer.unit, 1);
    EXPECT_EQ(index.match(hit.row, PrivateId{0}, ValueId{2}), 1);
  }
}

TEST_F(Choices, MayBeTakenBackBothWays) {
  policy("consent = \"choice\"");
  ASSERT_TRUE(build_with("open"));
  auto hidden = build_with("hidden");
  ASSERT_TRUE(hidden) << hidden.error().message;
  EXPECT_EQ(hidden->hidden_rows, 60U);
  EXPECT_EQ(count_own(), 0U) << "nothing of their own is served any more";
  auto undecided = build_with("");
  ASSERT_TRUE(undecided) << undecided.error().message;
  EXPECT_EQ(count_own(), 0U) << "60 newcomers wait for others";
  EXPECT_EQ(undecided->counts.waiting, 60U);
}

TEST_F(Choices, WithdrawAtOnceWhatWasShown) {
  policy("consent = \"choice\"");
  ASSERT_TRUE(build_with(""));
  auto hidden = build_with("hidden");
  ASSERT_TRUE(hidden) << hidden.error().message;
  EXPECT_EQ(hidden->counts.kept, 540U);
  auto back = build_with("");
  ASSERT_TRUE(back) << back.error().message;
  EXPECT_EQ(back->counts.withdrawn, 60U) << "what was withdrawn does not come back by itself";
  auto open = build_with("open");
  ASSERT_TRUE(open) << open.error().message;
  EXPECT_EQ(count_own(), 60U);
  // And without the key in the policy nothing of that is left.
  policy("");
  ASSERT_TRUE(build_with("open"));
  EXPECT_EQ(count_own(), 0U);
}

}  // namespace
}  // namespace rankveil::api

#include "rankveil/api/profiles.h"

#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {
namespace {

namespace fs = std::filesystem;

class ProfilesListing : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "rankveil_profiles_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  // Rows a, b "quoted", c and d, of which c is deleted; strengths in thirds.
  std::string written_index() const {
    Schema schema;
    schema.attributes = {
        {"city", Visibility::Public, 1, *Domain::of({"Paris"})},
        {"religion", Visibility::Private, 1, *Domain::of({"none", "a,b", "x \"y\""})},
        {"smokes", Visibility::Private, 1, *Domain::of({"yes", "no"})}};
    TextNames names{"ab \"quoted\"cd", {1, 11, 12, 13}};
    PublicTable rows{schema, {Column(1, std::vector(4, ValueId{0}))}, RowNames(names)};
    LevelProfiles profiles(4, {3, 2}, 3);
    profiles.set(RowId{0}, PrivateId{0}, ValueId{0}, 2);
    profiles.set(RowId{0}, PrivateId{0}, ValueId{1}, 1);
    profiles.set(RowId{1}, PrivateId{0}, ValueId{2}, 3);
    profiles.set(RowId{1}, PrivateId{1}, ValueId{1}, 3);
    Index index = Index::build(rows, profiles, {.scheme = "estt", .l = 2});
    EXPECT_TRUE(write_index(index.erase(std::vector{RowId{2}}), path("p.rankveil")));
    return path("p.rankveil");
  }

  std::string listed(const ProfilesRequest& request) const {
    std::string text;
    auto result = profiles(request, [&](std::string_view piece) {
      text += piece;
      return true;
    });
    return result ? text : result.error().message;
  }

 private:
  fs::path folder_;
};

ProfilesRequest request_for(const std::string& index) {
  ProfilesRequest request;
  request.index_path = index;
  return request;
}

TEST_F(ProfilesListing, HasALineForEachRowAndAttribute) {
  EXPECT_EQ(
      listed(request_for(written_index())),
      R"({"row":"a","attribute":"religion","values":{"none":0.6666666666666666,"a,b":0.3333333333333333}}
{"row":"a","attribute":"smokes","values":{}}
{"row":"b \"quoted\"","attribute":"religion","values":{"x \"y\"":1}}
{"row":"b \"quoted\"","attribute":"smokes","values":{"no":1}}
{"row":"d","attribute":"religion","values":{}}
{"row":"d","attribute":"smokes","values":{}}
)");
}

TEST_F(ProfilesListing, HasALineForEachValueInCsv) {
  auto request = request_for(written_index());
  request.format = ProfilesFormat::Csv;
  EXPECT_EQ(listed(request), R"(row,attribute,value,strength
a,religion,none,0.6666666666666666
a,religion,"a,b",0.3333333333333333
"b ""quoted""",religion,"x ""y""",1
"b ""quoted""",smokes,no,1
)");
}

TEST_F(ProfilesListing, TakesTheRowsAndAttributesThatAreNamed) {
  auto request = request_for(written_index());
  request.rows = {"d", "a", "d"};
  request.attributes = {"smokes"};
  EXPECT_EQ(listed(request),
            "{\"row\":\"a\",\"attribute\":\"smokes\",\"values\":{}}\n"
            "{\"row\":\"d\",\"attribute\":\"smokes\",\"values\":{}}\n");
  request.limit = 1;
  EXPECT_EQ(listed(request), "{\"row\":\"a\",\"attribute\":\"smokes\",\"values\":{}}\n");
}

TEST_F(ProfilesListing, RefusesWhatIsNotThere) {
  auto request = request_for(written_index());
  request.rows = {"a", "c"};
  EXPECT_EQ(listed(request), "the index has no row \"c\"");
  request.rows = {};
  request.attributes = {"smoke"};
  EXPECT_EQ(listed(request), "there is no private attribute \"smoke\"; did you mean smokes?");
  request.attributes = {"city"};
  EXPECT_EQ(listed(request), "attribute city is public; only private attributes have profiles");
}

TEST_F(ProfilesListing, GoesToAFileInTheFormatOfItsName) {
  auto request = request_for(written_index());
  request.output = path("profiles.csv");
  EXPECT_EQ(listed(request), "");
  auto text = read_text(path("profiles.csv"));
  ASSERT_TRUE(text);
  EXPECT_EQ(text->substr(0, 29), "row,attribute,value,strength\n");
  request.output = path("../rankveil_profiles_test/p.rankveil");
  EXPECT_EQ(listed(request), "the output would replace the index itself; choose another name");
}

TEST_F(ProfilesListing, EndsWhenNoMoreIsWanted) {
  Schema schema;
  schema.attributes = {{"smokes", Visibility::Private, 1, *Domain::of({"yes", "no"})}};
  constexpr std::uint32_t rows = 50'000;
  Index index =
      Index::build({schema, {}, RowNames(RowNumbers{rows})}, LevelProfiles(rows, {2}, 1), {});
  ASSERT_TRUE(write_index(index, path("many.rankveil")));
  int pieces = 0;
  auto result = profiles(request_for(path("many.rankveil")), [&](std::string_view piece) {
    EXPECT_EQ(piece.back(), '\n');
    return ++pieces < 2;
  });
  ASSERT_TRUE(result);
  EXPECT_EQ(pieces, 2);
  EXPECT_LT(result->rows, rows);
}

}  // namespace
}  // namespace rankveil::api

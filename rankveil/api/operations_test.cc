// The four operations one after the other, as a user runs them.
#include <gtest/gtest.h>
#include <sys/stat.h>

#include <filesystem>

#include "rankveil/api/build_index.h"
#include "rankveil/api/generate.h"
#include "rankveil/api/inspect.h"
#include "rankveil/api/measure.h"
#include "rankveil/api/query.h"
#include "rankveil/base/file.h"
#include "rankveil/base/random.h"

namespace rankveil::api {
namespace {

namespace fs = std::filesystem;

class Operations : public testing::Test {
 protected:
  void SetUp() override {
    folder_ = fs::path(testing::TempDir()) / "rankveil_operations_test";
    fs::remove_all(folder_);
    fs::create_directories(folder_);
  }
  void TearDown() override { fs::remove_all(folder_); }

  std::string path(const std::string& name) const { return (folder_ / name).string(); }

  Result<GenerateResult> generate_people() const {
    return generate({.rows = 400,
                     .attributes = 6,
                     .queries = 3,
                     .table_path = path("people.csv"),
                     .policy_path = {},
                     .workload_path = {},
                     .progress = {}});
  }

  TableInput people() const {
    TableInput input;
    input.source.path = path("people.csv");
    input.policy_path = path("people.toml");
    return input;
  }

 private:
  fs::path folder_;
};

TEST_F(Operations, LeadFromNothingToARanking) {
  ASSERT_TRUE(generate_people());

  auto inspected = inspect({.input = people(), .write_policy = {}});
  ASSERT_TRUE(inspected) << inspected.error().message;
  EXPECT_EQ(std::get<TableReport>(*inspected).summary.rows, 400U);

  auto built = build_index({.input = people(), .output = path("p.rankveil"), .unprotected = true});
  ASSERT_TRUE(built) << built.error().message;
  EXPECT_EQ(built->rows, 400U);
  EXPECT_FALSE(built->replaced);

  QueryRequest request;
  request.index_path = path("p.rankveil");
  request.wishes = {"city=Paris", "religion=none"};
  request.k = 400;
  auto answered = query(request);
  ASSERT_TRUE(answered) << answered.error().message;
  const auto hits = hits_of(*answered, answered->answers.at(0));
  ASSERT_EQ(hits.size(), 400U);
  for (std::size_t i = 1; i < hits.size(); ++i) {
    EXPECT_GE(hits[i - 1].score, hits[i].score);
    bool tie = hits[i - 1].score == hits[i].score;
    EXPECT_TRUE(!tie || std::stoi(hits[i - 1].id) < std::stoi(hits[i].id)) << "at " << i;
  }
}

// 3,000 rows of a public and a private attribute, the first of many values.
std::string table_text(const std::string& id_prefix, std::uint32_t id_step, std::uint32_t domain) {
  Rng rng(domain);
  std::string text = "id,town,smokes\n";
  for (std::uint32_t row = 0; row < 3'000; ++row) {
    text += id_prefix + std::to_string(row * id_step) + ",t" + std::to_string(rng.below(domain)) +
            (rng.below(3) == 0 ? ",no\n" : ",yes\n");
  }
  return text;
}

TEST_F(Operations, TellAboutTheSizeOfAnIndexBeforeItIsBuilt) {
  struct Case {
    const char* id_role;
    std::string table;
  };
  for (const auto& [id_role, table] :
       {Case{"id", table_text("", 1, 12)}, Case{"id", table_text("", 7, 12)},
        Case{"id", table_text("4f6d3c1e-8a70-", 7, 12)}, Case{"ignored", table_text("", 1, 12)},
        Case{"id", table_text("", 1, 2'500)}, Case{"id", table_text("8a70-", 1, 2'500)}}) {
    SCOPED_TRACE(table.substr(0, 60) + " with the role " + id_role);
    ASSERT_TRUE(write_text(path("people.csv"), table));
    ASSERT_TRUE(write_text(path("people.toml"),
                           std::string("k = 1234\n[column.id]\nrole = \"") + id_role +
                               "\"\n[column.town]\nrole = \"public\"\n[column.smokes]\nrole = "
                               "\"private\"\n"));
    auto inspected = inspect({.input = people(), .write_policy = {}});
    ASSERT_TRUE(inspected) << inspected.error().message;
    auto built =
        build_index({.input = people(), .output = path("p.rankveil"), .unprotected = true});
    ASSERT_TRUE(built) << built.error().message;
    auto told = static_cast<double>(std::get<TableReport>(*inspected).index_bytes);
    auto bytes = static_cast<double>(built->file_bytes);
    EXPECT_NEAR(told, bytes, 1500 + bytes / 10);
  }
}

TEST_F(Operations, TellARowWhereItStands) {
  ASSERT_TRUE(generate_people());
  ASSERT_TRUE(build_index({.input = people(), .output = path("p.rankveil"), .unprotected = true}));
  QueryRequest request;
  request.index_path = path("p.rankveil");
  request.wishes = {"city=Paris", "religion=none"};
  request.k = 400;
  request.row = "77";
  auto answered = query(request);
  ASSERT_TRUE(answered) << answered.error().message;
  const auto& answer = answered->answers.at(0);
  ASSERT_TRUE(answer.row);
  const QueryHit hit = hits_of(*answered, answer).at(answer.row->rank - 1);
  EXPECT_EQ(hit.id, "77");
  EXPECT_EQ(hit.score, answer.row->score);
}

TEST_F(Operations, ShowNoPrivateAttributeInJson) {
  ASSERT_TRUE(generate_people());
  ASSERT_TRUE(build_index({.input = people(), .output = path("p.rankveil"), .unprotected = true}));
  QueryRequest request;
  request.index_path = path("p.rankveil");
  auto answered = query(request);
  ASSERT_TRUE(answered) << answered.error().message;
  std::string json = to_json(*answered, answered->answers.at(0)).dump();
  for (const Attribute& attribute : answered->schema.attributes) {
    bool shown = json.find(attribute.name) != std::string::npos;
    EXPECT_NE(shown, attribute.is_private()) << attribute.name;
  }
}

TEST_F(Operations, MeasureOnTuningAndOtherQueries) {
  ASSERT_TRUE(generate_people());
  ASSERT_TRUE(build_index({.input = people(), .output = path("p.rankveil"), .unprotected = true}));
  MeasureRequest request;
  request.input = people();
  request.index_path = path("p.rankveil");
  request.tuning_path = path("people-workload.csv");
  request.ks = {5};
  auto measured = measure(request);
  ASSERT_TRUE(measured) << measured.error().message;
  std::vector<std::string> names;
  for (const auto& workload : measured->workloads) {
    names.push_back(workload.name);
    EXPECT_EQ(workload.utility.total_rank_loss, 0);
    EXPECT_EQ(workload.utility.queries, workload.name == "tuning" ? 3U : 50U);
    EXPECT_EQ(workload.utility.at.at(0).fair.mean, 1);
  }
  EXPECT_EQ(names, (std::vector<std::string>{"tuning", "same", "uniform", "sparse"}));
  EXPECT_TRUE(measured->warnings.empty());
}

TEST_F(Operations, ReplaceNoFileTheyReadUnderAnyName) {
  ASSERT_TRUE(generate_people());
  fs::create_symlink("people.csv", path("link.csv"));
  for (const char* name : {"./people.csv", "link.csv"}) {
    auto inspected = inspect({.input = people(), .write_policy = path(name), .force = true});
    ASSERT_FALSE(inspected) << name;
    EXPECT_EQ(inspected.error().code, ErrorCode::WrongUse);
    auto built = build_index({.input = people(), .output = path(name), .unprotected = true});
    ASSERT_FALSE(built) << name;
    EXPECT_EQ(built.error().code, ErrorCode::WrongUse);
  }
  EXPECT_EQ(read_text(path("people.csv"))->substr(0, 2), "id");
}

TEST_F(Operations, LeaveNothingWhenTheTableCannotBeWritten) {
  ASSERT_EQ(::mkfifo(path("people.csv").c_str(), 0600), 0);
  ASSERT_FALSE(generate_people());
  EXPECT_EQ(std::distance(fs::directory_iterator(path("")), {}), 1);
}

TEST(Promise, IsOnlyMadeByANamedScheme) {
  EXPECT_EQ(promise({.scheme = "swap", .l = 3}), "protected by swap, l = 3");
  EXPECT_EQ(
      promise({.scheme = "swap", .l = 3, .notes = Json().set("claim", "for 7 of 9 rows, a gain")}),
      "protected by swap, l = 3; for 7 of 9 rows, a gain");
  EXPECT_EQ(promise({}), "its scheme is not stated, so it promises nothing");
  EXPECT_EQ(promise({.scheme = "unprotected"}).substr(0, 11), "UNPROTECTED");
}

TEST(Promise, IsNullInJsonWithoutAScheme) {
  Json json = to_json(InspectResult(IndexReport{}));
  ASSERT_NE(json.find("scheme"), nullptr);
  EXPECT_TRUE(json.find("scheme")->is_null());
}

TEST_F(Operations, RefuseAnIndexNobodyCalledUnprotected) {
  ASSERT_TRUE(generate_people());
  auto built = build_index({.input = people(), .output = path("p.rankveil")});
  ASSERT_FALSE(built);
  EXPECT_EQ(built.error().code, ErrorCode::WrongUse);
  EXPECT_FALSE(fs::exists(path("p.rankveil")));
}

}  // namespace
}  // namespace rankveil::api

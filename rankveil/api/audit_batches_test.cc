// Audits of an index whose rows were released in several batches.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/api/audit.h"
#include "rankveil/api/generate.h"
#include "rankveil/api/protect.h"
#include "rankveil/base/file.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::Not;

class AuditBatches : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(generate({.rows = 3300,
                          .attributes = 10,
                          .seed = 5,
                          .table_path = path("people.csv"),
                          .policy_path = {},
                          .workload_path = {},
                          .progress = {}}));
    ASSERT_TRUE(write_key_file(SecretKey::from_seed(1), path("people.key")));
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  TableInput people(const std::string& which) const {
    TableInput input;
    input.source.sql = "SELECT * FROM '" + path("people.csv") + "' WHERE " + which;
    input.policy_path = path("people.toml");
    return input;
  }

  void build(const std::string& scheme, std::uint32_t l, const std::string& which) {
    ProtectRequest request;
    request.input = people(which);
    request.input.overrides.scheme = scheme;
    request.input.overrides.l = l;
    request.key_path = path("people.key");
    request.output = path("people.rankveil");
    auto made = protect(request);
    ASSERT_TRUE(made) << made.error().message;
  }

  void start_over() const {
    std::filesystem::remove(path("people.rankveil"));
    std::filesystem::remove(path("people.key.default.ledger"));
  }

  // Only such rows show something.
  void establish(const std::string& column, const std::string& value) const {
    auto policy = read_text(path("people.toml"));
    ASSERT_TRUE(policy);
    std::string rule = "established = { column = \"" + column + "\", is = \"" + value + "\" }\n";
    ASSERT_TRUE(write_text(path("people.toml"), rule + *policy));
  }

  // Ten in a hundred come later.
  void build_twice(const std::string& scheme, std::uint32_t l) {
    start_over();
    build(scheme, l, "id <= 3000");
    build(scheme, l, "true");
  }

  audit::AuditReport audited(std::vector<std::string> against = {"all"},
                             const std::string& which = "true") const {
    AuditRequest request;
    request.target.target = path("people.rankveil");
    request.target.input = people(which);
    if (!is_missing(path("people.key.default.ledger"))) {
      request.target.ledger = path("people.key.default.ledger");
    }
    request.against = std::move(against);
    request.victims = 5;
    request.methods = {"q-point"};
    auto made = run_audit(request);
    EXPECT_TRUE(made) << made.error().message;
    return made ? made->report : audit::AuditReport{};
  }

  // Gives every 50th row that shows something a cluster of its own.
  void isolate_rows() const {
    auto index = open_index(path("people.rankveil"));
    ASSERT_TRUE(index) << index.error().message;
    auto policy = load_policy(people("true"));
    ASSERT_TRUE(policy);
    auto table = connect::read_table(people("true").source, *policy);
    ASSERT_TRUE(table) << table.error().message;
    auto old = std::get<GroupedProfiles>(index->profiles().kinds());
    std::uint32_t groups = old.shares.groups(), more = old.signals.rows() / 50;
    GroupShares shares(groups + more, old.shares.domain_sizes());
    for (std::uint32_t g = 0; g < groups + more; ++g) {
      bool own = g >= groups;
      RowId row{(g - groups) * 50};
      if (own) old.group_of[+row] = g;
      if (!own && old.shares.in_full(g)) shares.set_in_full(g);
      shares.set_size(g, own ? 1 : old.shares.size(g));
      for (std::uint32_t j = 0; j < shares.domain_sizes().size(); ++j) {
        AttributeId column{table->table.schema().public_count() + j};
        for (std::uint32_t v = 0; v < shares.domain_sizes()[j]; ++v) {
          ValueId value{static_cast<std::uint16_t>(v)};
          std::uint32_t has = own && table->table.value(row, column) == value ? 1 : 0;
          shares.set_count(g, PrivateId{j}, value,
                           own ? has : old.shares.count(g, PrivateId{j}, value));
        }
      }
    }
    old.shares = std::move(shares);
    Index forged = Index::build(public_part(table->table), std::move(old), index->info());
    ASSERT_TRUE(write_index(forged, path("people.rankveil")));
  }

 private:
  TemporaryFolder folder_{"rankveil-batches"};
};

std::vector<std::string> broken_levels(const audit::AuditReport& report) {
  std::vector<std::string> levels;
  for (const audit::Finding& finding : report.findings) {
    if (finding.verdict == audit::Verdict::Broken) levels.push_back(finding.level);
  }
  return levels;
}

std::vector<std::string> levels_run(const audit::AuditReport& report) {
  std::vector<std::string> levels;
  for (const audit::Finding& finding : report.findings) levels.push_back(finding.level);
  return levels;
}

TEST_F(AuditBatches, JudgeRowsByTheGroupsTheyWereReleasedIn) {
  GroupSizes::Hook small_classes({.batch = 2, .exact_class = 20});  // for swap-exact
  for (const char* scheme : {"swap-exact", "cluster"}) {
    for (std::uint32_t l = 2; l < 2 + some_of(2U); ++l) {
      SCOPED_TRACE(testing::Message() << scheme << ", l = " << l);
      build_twice(scheme, l);
      audit::AuditReport report = audited();
      EXPECT_THAT(broken_levels(report), testing::IsEmpty());
      for (const char* level : {"mechanism-public", "joint", "bayesian-joint"}) {
        EXPECT_THAT(levels_run(report), Contains(level));
      }
    }
  }
}

// It has no groups: each batch was exchanged by a model of people.
TEST_F(AuditBatches, JudgeRowsOfAFittedSwapByWhatPeopleAreLike) {
  for (std::uint32_t l = 2; l < 2 + some_of(2U); ++l) {
    SCOPED_TRACE(testing::Message() << "l = " << l);
    build_twice("swap", l);
    audit::AuditReport report = audited();
    EXPECT_THAT(broken_levels(report), testing::IsEmpty());
    EXPECT_THAT(levels_run(report), Not(Contains("joint")));
    for (const char* level : {"mechanism-public", "bayesian-joint", "population", "trained"}) {
      EXPECT_THAT(levels_run(report), Contains(level));
    }
  }
}

TEST_F(AuditBatches, KnowTheLawsOfOtherSchemesInThem) {
  for (const char* scheme : {"capped", "ldp"}) {
    SCOPED_TRACE(scheme);
    build_twice(scheme, 2);
    audit::AuditReport report = audited();
    EXPECT_THAT(broken_levels(report), Not(Contains("mechanism-public")));
    EXPECT_THAT(levels_run(report), Contains("mechanism-public"));
  }
}

// What is left of a group has other shares than it was released with, and the promise starts from
// those.
TEST_F(AuditBatches, StartFromTheSharesThatAGroupHadWhenRowsHaveLeft) {
  build_twice("cluster", 2);
  build("cluster", 2, "id % 9 > 0");
  EXPECT_THAT(broken_levels(audited({"all"}, "id % 9 > 0")), testing::IsEmpty());
}

TEST_F(AuditBatches, LeaveLawsOutWhereRowsHaveLeft) {
  build_twice("capped", 3);
  build("capped", 3, "id % 9 > 0");
  audit::AuditReport report = audited({"all"}, "id % 9 > 0");
  for (const char* level : {"mechanism-public", "fits", "trained"}) {
    EXPECT_THAT(broken_levels(report), Not(Contains(level)));
  }
  EXPECT_THAT(levels_run(report), Not(Contains("mechanism-public")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("rows have left the groups")));
}

// Rows that show nothing are alike to whoever knows their public values, and not all to each other.
TEST_F(AuditBatches, DoNotTakePublicValuesOfSilentRowsForALeak) {
  establish("gender", "woman");
  for (const char* scheme : {"swap", "cluster", "capped", "ldp"}) {
    if (sanitized && std::string_view(scheme) != "swap") continue;
    SCOPED_TRACE(scheme);
    start_over();
    build(scheme, 3, "true");
    build(scheme, 3, "true");
    audit::AuditReport report = audited();
    for (const char* level : {"mechanism-public", "fits", "trained", "bayesian-joint"}) {
      bool own_breaker = std::string_view(scheme) == "capped" && level[0] == 'b';
      if (own_breaker) continue;
      EXPECT_THAT(broken_levels(report), Not(Contains(level)));
    }
  }
}

TEST_F(AuditBatches, CatchClustersThatAreTooSmall) {
  build_twice("cluster", 2);
  isolate_rows();
  std::vector<std::string> broken = broken_levels(audited());
  EXPECT_THAT(broken, Contains("mechanism-public"));
  EXPECT_THAT(broken, Contains("bayesian-joint"));
  EXPECT_THAT(broken, Contains("fits"));
}

TEST_F(AuditBatches, LeaveOutWhatHangsOnBatchesThatNobodyKnows) {
  build_twice("cluster", 2);
  std::filesystem::remove(path("people.key.default.ledger"));
  audit::AuditReport report = audited();
  EXPECT_THAT(broken_levels(report), testing::IsEmpty());
  EXPECT_THAT(levels_run(report), Not(Contains("mechanism-public")));
  EXPECT_THAT(report.notes, Contains(HasSubstr("released in several batches")));
}

}  // namespace
}  // namespace rankveil::api

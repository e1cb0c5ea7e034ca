// Whom an audit takes a promise to be made for, whatever the index says of itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/api/audit.h"
#include "rankveil/api/generate.h"
#include "rankveil/api/protect.h"
#include "rankveil/audit/truth.h"
#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil::api {
namespace {

using testing::Contains;
using testing::Not;

class AuditClaims : public testing::Test {
 protected:
  void SetUp() override {
    ASSERT_TRUE(generate({.rows = 400,
                          .attributes = 6,
                          .seed = 1,
                          .table_path = path("people.csv"),
                          .policy_path = {},
                          .workload_path = {},
                          .progress = {}}));
    ASSERT_TRUE(write_key_file(SecretKey::from_seed(1), path("people.key")));
    ProtectRequest request;
    request.input = people();
    request.key_path = path("people.key");
    request.output = path("people.rankveil");
    auto made = protect(request);
    ASSERT_TRUE(made) << made.error().message;
    ASSERT_EQ(made->scheme, "swap");
  }

  std::string path(const std::string& name) const { return folder_.path() + "/" + name; }

  TableInput people() const {
    TableInput input;
    input.source.path = path("people.csv");
    input.policy_path = path("people.toml");
    return input;
  }

  // The same index, with another note of whom it holds against.
  void forge(const Json& note) const {
    auto index = open_index(path("people.rankveil"));
    ASSERT_TRUE(index) << index.error().message;
    auto policy = load_policy(people());
    ASSERT_TRUE(policy);
    auto table = connect::read_table(people().source, *policy);
    ASSERT_TRUE(table) << table.error().message;
    IndexInfo info = index->info();
    info.notes.set("holds_against", note);
    auto rows = audit::truth_of(table->table, *index);  // in the order of the index
    ASSERT_TRUE(rows) << rows.error().message;
    Index forged = Index::build(public_part(*rows), index->profiles(), info);
    ASSERT_TRUE(write_index(forged, path("people.rankveil")));
  }

  std::vector<AdversaryLevel> tested() const {
    AuditRequest request;
    request.target.target = path("people.rankveil");
    request.target.input = people();
    request.victims = 5;
    request.methods = {"q-point"};
    request.levels = {"ignorant"};
    request.against = {"claimed"};
    auto audited = run_audit(request);
    EXPECT_TRUE(audited) << audited.error().message;
    return audited ? audited->report.subject.against : std::vector<AdversaryLevel>();
  }

 private:
  TemporaryFolder folder_{"rankveil-claims"};
};

TEST_F(AuditClaims, AreTheSchemes) { EXPECT_EQ(tested(), find_scheme("swap")->holds_against); }

TEST_F(AuditClaims, AnIndexThatClaimsNothingIsTestedAllTheSame) {
  forge(Json(Json::Array{}));
  EXPECT_EQ(tested(), find_scheme("swap")->holds_against);
}

TEST_F(AuditClaims, OnlyWhoHoldsTwoReleasesMayBeLeftOut) {
  Json::Array names;
  names.emplace_back("ignorant");
  names.emplace_back("nobody we know");
  forge(Json(names));
  std::vector<AdversaryLevel> expected = find_scheme("swap")->holds_against;
  std::erase(expected, AdversaryLevel::Intersecting);
  EXPECT_EQ(tested(), expected);
  EXPECT_THAT(tested(), Not(Contains(AdversaryLevel::Intersecting)));
}

}  // namespace
}  // namespace rankveil::api

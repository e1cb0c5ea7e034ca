// `rankveil probe` of a GraphQL service, of which it knows nothing but what the service says
// itself.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <filesystem>

#include "rankveil/api/probe.h"
#include "rankveil/base/testing/temporary_folder.h"
#include "tests/probe/graphql_stand_in.h"

namespace rankveil::tests {
namespace {

using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

class GraphqlProbe : public testing::Test {
 protected:
  GraphqlProbe() : folder_("rankveil-graphql") {
    ::setenv("RANKVEIL_TEST_OWNER", GraphqlStandIn::owner_token, 1);
  }

  api::ProbeRequest request(const GraphqlStandIn& service) const {
    api::ProbeRequest request;
    request.target = service.url();
    request.told.user = {{"Authorization", "Bearer ${RANKVEIL_TEST_OWNER}"}};
    request.write = true;
    request.seed = 7;
    request.journal = folder_.path("probe.journal");
    request.patience = 0;
    return request;
  }

  static std::string told(const probe::ProbeResult& result) {
    std::string text;
    for (const probe::Finding& finding : result.findings) {
      text += name_of(finding) + ": " + std::string(to_text(finding.verdict)) + " " +
              finding.reason + "\n";
    }
    for (const std::string& note : result.notes) text += note + "\n";
    return text;
  }
  // "income orderBy: {field: direction} (desc)"
  static std::vector<std::string> leaks(const probe::ProbeResult& result) {
    std::vector<std::string> names;
    for (const probe::Finding& finding : result.findings) {
      if (finding.verdict != probe::Verdict::Leak) continue;
      names.push_back(finding.field + " " + finding.way.name);
    }
    return names;
  }

  TemporaryFolder folder_;
};

TEST_F(GraphqlProbe, FieldsWaysAndMutationsComeFromTheSchema) {
  GraphqlStandIn service({.leaks = {"orderBy"}});
  auto result = api::run_probe(request(service));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->dialect, "graphql");
  std::vector<std::string> fields;
  for (const probe::ProbedField& field : result->fields) fields.push_back(field.spec);
  EXPECT_THAT(fields, testing::UnorderedElementsAre("religion:text", "income:number",
                                                    "plan:FREE|PAID|TRIAL"));
  EXPECT_THAT(leaks(*result),
              testing::UnorderedElementsAre("religion orderBy: {field: direction} (desc)",
                                            "income orderBy: {field: direction} (desc)",
                                            "plan orderBy: {field: direction} (desc)"))
      << told(*result);
  EXPECT_EQ(exit_code_of(*result, false), 1);
  EXPECT_EQ(service.people(), 60U) << "the own row is removed";
  EXPECT_EQ(result->left_behind, "");
}

struct Leak {
  const char* what;
  const char* way;
};

class EachGraphqlLeak : public GraphqlProbe, public testing::WithParamInterface<Leak> {};

TEST_P(EachGraphqlLeak, IsFoundAndNothingElse) {
  GraphqlStandIn service({.leaks = {GetParam().what}});
  auto asked = request(service);
  asked.told.fields = {"religion"};
  auto result = api::run_probe(asked);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(leaks(*result), Contains(std::string("religion ") + GetParam().way)) << told(*result);
  for (const std::string& leak : leaks(*result)) {
    EXPECT_THAT(leak, HasSubstr(std::string(GetParam().way).substr(0, 6))) << told(*result);
  }
  EXPECT_EQ(service.people(), 60U);
}

INSTANTIATE_TEST_SUITE_P(Kinds, EachGraphqlLeak,
                         testing::Values(Leak{"where", "where: {field: {contains: value}}"},
                                         Leak{"OR", "where: {OR: [{field: {eq: value}}]}"},
                                         Leak{"search", "search: \"value\""},
                                         Leak{"max", "people_aggregate.max"},
                                         Leak{"column", "column"}),
                         [](const testing::TestParamInfo<Leak>& leak) {
                           return std::string(leak.param.what);
                         });

TEST_F(GraphqlProbe, ACleanServiceIsRefused) {
  for (const bool tells_strangers : {true, false}) {
    GraphqlStandIn service({.tells_strangers = tells_strangers});
    auto result = api::run_probe(request(service));
    ASSERT_TRUE(result) << result.error().message;
    EXPECT_THAT(leaks(*result), IsEmpty());
    EXPECT_EQ(overall(*result), probe::Verdict::Refused) << told(*result);
    EXPECT_EQ(exit_code_of(*result, false), 0) << told(*result);
  }
}

TEST_F(GraphqlProbe, AThrottleIsNoRefusal) {
  GraphqlStandIn service({.throttles = true});
  auto asked = request(service);
  asked.told.fields = {"income:number"};
  auto result = api::run_probe(asked);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(exit_code_of(*result, false), 3) << told(*result);
}

TEST_F(GraphqlProbe, ARowThatStaysIsToldAndInTheJournal) {
  GraphqlStandIn service({.keeps_rows = true});
  auto result = api::run_probe(request(service));
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(service.people(), 61U);
  EXPECT_THAT(result->left_behind, HasSubstr("nobody is removed here"))
      << "an answer of 200 may say no";
  EXPECT_TRUE(std::filesystem::exists(folder_.path("probe.journal")));
}

TEST_F(GraphqlProbe, WithoutIntrospectionItSaysSo) {
  GraphqlStandIn service({.tells_strangers = false});
  auto asked = request(service);
  asked.told.user.clear();
  asked.write = false;
  auto result = api::run_probe(asked);
  ASSERT_FALSE(result);
  EXPECT_THAT(result.error().message, HasSubstr("introspection is off"));
}

TEST_F(GraphqlProbe, TheBudgetHoldsFromTheFirstQuestion) {
  GraphqlStandIn service({.leaks = {"orderBy"}});
  for (const std::uint64_t budget : {40U, 60U, 90U}) {
    const std::size_t before = service.requests();
    auto asked = request(service);
    asked.budget = budget;
    asked.journal = folder_.path(std::to_string(budget));
    (void)api::run_probe(asked);
    EXPECT_LE(service.requests() - before, budget);
    EXPECT_EQ(service.people(), 60U);
  }
}

}  // namespace
}  // namespace rankveil::tests

#include "rankveil/audit/verify.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <functional>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/guesses.h"
#include "rankveil/audit/power.h"
#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/audit/truth.h"
#include "rankveil/audit/verdict.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

const Table& table() {
  static const Table made = small_table(200, 1);
  return made;
}

AuditReport honest_report() {
  SmallRanking ranking = unprotected(200, 1);
  Priors priors(ranking.table, {}, 10);
  auto campaign = run_campaign(ranking.arena, *attack::find_method("q-in"), first_rows(50), {});
  AuditReport report;
  report.subject.fingerprint = fingerprint(table());
  report.subject.rows = 200;
  report.subject.promise = {PromiseKind::GainAtMost, 1.0 / 3};
  report.subject.against = {AdversaryLevel::Ignorant};
  report.findings = findings_of(*campaign, ranking.arena, ranking.table, priors);
  for (Finding& finding : report.findings) {
    finding.promise = promise_of(report.subject, finding);
  }
  report.comparisons = count_comparisons(report.findings);
  for (Finding& finding : report.findings) judge(finding, {report.comparisons, false});
  report.power = power_of(report.findings, report.comparisons);
  report.curves = {curve_of(*campaign, ranking.table, "after")};
  return report;
}

std::vector<std::string> misfits(const AuditReport& report, const Table* truth = nullptr) {
  return verify(report, to_json(report), truth).misfits;
}

TEST(Verify, FindsNothingWrongWithAnHonestReport) {
  AuditReport report = honest_report();
  EXPECT_THAT(misfits(report), IsEmpty());
  EXPECT_THAT(misfits(report, &table()), IsEmpty());
  auto back = audit_report_from_json(*parse_json(to_json(report).dump()));
  ASSERT_TRUE(back);
  EXPECT_THAT(misfits(*back), IsEmpty()) << "numbers survive being written";
  EXPECT_GT(verify(report, to_json(report), nullptr).checks, 50U);
}

TEST(Verify, NoticesEveryNumberThatWasChanged) {
  struct Change {
    const char* what;
    std::function<void(AuditReport&)> make;
  };
  const Change changes[] = {
      {"rate", [](AuditReport& r) { r.findings[0].rate -= 0.1; }},
      {"low", [](AuditReport& r) { r.findings[0].low = 0; }},
      {"high", [](AuditReport& r) { r.findings[1].high -= 1e-6; }},
      {"more right guesses than attempts", [](AuditReport& r) { r.findings[0].right = 51; }},
      {"more proven", [](AuditReport& r) { r.findings[0].proven = 51; }},
      {"more hidden", [](AuditReport& r) { r.findings[0].hidden = 51; }},
      {"verdict", [](AuditReport& r) { r.findings[0].verdict = Verdict::Kept; }},
      {"reason", [](AuditReport& r) { r.findings[0].reason = "all is well"; }},
      {"promise", [](AuditReport& r) { r.findings[0].promise = {}; }},
      {"comparisons", [](AuditReport& r) { r.comparisons = 1; }},
      {"critical", [](AuditReport& r) { r.power[0].critical += 1; }},
      {"leak", [](AuditReport& r) { r.power[0].leak = 0.001; }},
      {"curve", [](AuditReport& r) { r.curves[0].points[0].share = 2; }},
      {"control", [](AuditReport& r) { r.control.recovered = 3; }},
  };
  for (const Change& change : changes) {
    AuditReport report = honest_report();
    change.make(report);
    EXPECT_THAT(misfits(report), Contains(HasSubstr(change.what))) << change.what;
  }
}

TEST(Verify, NoticesASummaryThatSaysSomethingElse) {
  AuditReport report = honest_report();
  Json::Object members = *to_json(report).as_object();
  for (auto& [name, value] : members) {
    if (name == "verdict") value = Json("kept");
  }
  EXPECT_THAT(verify(report, Json(members), nullptr).misfits,
              Contains("verdict is \"kept\", and comes out as \"broken\""));
}

TEST(Verify, NoticesAnotherTable) {
  AuditReport report = honest_report();
  Table other = small_table(201, 1);
  EXPECT_THAT(misfits(report, &other), Contains(HasSubstr("fingerprint")));
  EXPECT_THAT(misfits(report, &other), Contains(HasSubstr("rows")));
}

TEST(Fingerprint, ChangesWithEveryPartOfATable) {
  EXPECT_EQ(fingerprint(small_table(50, 1)), fingerprint(small_table(50, 1)));
  EXPECT_NE(fingerprint(small_table(50, 1)), fingerprint(small_table(50, 2)));
  Table table = small_table(50, 1);
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < 5; ++i) columns.push_back(table.column(AttributeId{i}));
  Table renamed(table.schema(), columns, RowNames(RowNumbers{50}));
  EXPECT_NE(fingerprint(table), fingerprint(renamed)) << "ids count";
  Schema schema = table.schema();
  schema.attributes[0].name = "town";
  EXPECT_NE(fingerprint(table), fingerprint(Table(schema, columns, table.names())));
}

TEST(Truth, FollowsTheOrderOfTheIndex) {
  Table mixed = small_table(40, 3);
  std::vector<std::uint32_t> order = first_rows(40);
  std::reverse(order.begin(), order.end());
  TextNames names;
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < 5; ++i) {
    std::vector<ValueId> values;
    for (std::uint32_t row : order) values.push_back(mixed.value(RowId{row}, AttributeId{i}));
    columns.emplace_back(mixed.column(AttributeId{i}).domain_size(), values);
  }
  for (std::uint32_t row : order) {
    names.bytes += mixed.names().text(RowId{row});
    names.ends.push_back(names.bytes.size());
  }
  Table turned(mixed.schema(), columns, RowNames(names));
  Index index = Index::build(public_part(turned), unprotected_profiles(turned), {});
  auto truth = truth_of(mixed, index);
  ASSERT_TRUE(truth) << truth.error().message;
  EXPECT_EQ(fingerprint(*truth), fingerprint(turned));
}

TEST(Truth, RefusesAnIndexOfOtherRows) {
  Table table = small_table(40, 3);
  Index fewer =
      Index::build(public_part(small_table(39, 3)), unprotected_profiles(small_table(39, 3)), {});
  EXPECT_FALSE(truth_of(table, fewer));
}

}  // namespace
}  // namespace rankveil::audit

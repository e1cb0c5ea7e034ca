// The audit's page, JUnit XML and SARIF.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <set>

#include "rankveil/audit/check.h"
#include "rankveil/audit/report_alerts.h"
#include "rankveil/audit/report_charts.h"
#include "rankveil/audit/report_html.h"
#include "rankveil/audit/report_junit.h"
#include "rankveil/audit/report_sarif.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/audit/testing/sample_report.h"
#include "rankveil/report/testing/well_formed.h"

namespace rankveil::audit {
namespace {

using reports::WellFormed;
using testing::HasSubstr;
using testing::Not;

const std::string hostile = "\"></td><script>x</script>&'\x01";

AuditReport kept_report() {
  AuditReport report = sample_report();
  report.findings.clear();
  report.power.clear();
  report.failures.clear();
  report.transcript.reset();
  add_sample_findings(report, "smokes", 0.5, 0.3);
  return report;
}

AuditReport hostile_report() {
  AuditReport report = sample_report();
  for (Finding& finding : report.findings) {
    finding.attribute = finding.method = finding.level = finding.reason = hostile;
  }
  report.subject.target = report.subject.table = report.subject.policy = hostile;
  report.subject.scheme = report.subject.fingerprint = report.settings.version = hostile;
  report.notes = report.failures = {hostile};
  report.control.note = hostile;
  report.transcript->victim = report.transcript->value = hostile;
  for (Step& step : report.transcript->steps) {
    step.why = hostile;
    step.answer = {hostile};
    step.row = {hostile, std::nullopt};
    step.query = Json().set(hostile, hostile);
  }
  return report;
}

std::size_t count_of(const std::string& text, const std::string& part) {
  std::size_t count = 0;
  for (std::size_t at = text.find(part); at != std::string::npos; at = text.find(part, at + 1)) {
    ++count;
  }
  return count;
}

TEST(AuditWords, TellWhatIsPromisedFromWhatWasTested) {
  using L = AdversaryLevel;
  AuditReport report;
  for (const char* level : {"ignorant", "joint-balanced", "population", "intersecting"}) {
    report.findings.push_back({.level = level});
  }
  Subject& subject = report.subject;
  subject.holds_against = {L::Ignorant, L::Joint};
  subject.against = {L::Ignorant, L::Joint, L::Intersecting};
  EXPECT_EQ(claimed_text(subject),
            "ignorant; joint: about rows whose group shares all public values");
  EXPECT_EQ(tested_text(report), "all of these, and intersecting");
  subject.against = subject.holds_against;
  EXPECT_EQ(tested_text(report), "all of these");
  subject.against = {L::Ignorant, L::Population};
  EXPECT_EQ(tested_text(report), "ignorant, population");
  subject.holds_against = {};
  EXPECT_EQ(claimed_text(subject), "nobody");
  EXPECT_EQ(tested_text(report), "ignorant, population");
}

TEST(AuditWords, NameLevelsThatWereLeftOut) {
  using L = AdversaryLevel;
  AuditReport report;
  report.findings = {{.level = "ignorant"}, {.level = "prior-public"}};
  report.subject.holds_against = report.subject.against = {L::Ignorant, L::Joint};
  EXPECT_EQ(tested_text(report), "ignorant; not joint");
  report.subject.against = {L::Ignorant, L::Population};
  EXPECT_EQ(tested_text(report), "ignorant; not population");
}

TEST(AuditWords, SayWhenALevelIsBeyondThePromise) {
  Subject subject{.scheme = "pvsv"};
  subject.holds_against = {AdversaryLevel::Ignorant};
  EXPECT_EQ(beyond_claim(subject, {.level = "joint-balanced"}),
            ", a level that pvsv makes no promise about");
  EXPECT_EQ(beyond_claim(subject, {.level = "ignorant"}), "");
  subject.scheme = "unprotected";
  EXPECT_EQ(beyond_claim(subject, {.level = "joint-balanced"}), "");
  subject.scheme = "cluster";  // which promises it, but not of rows that were released twice
  EXPECT_EQ(beyond_claim(subject, {.level = "intersecting"}),
            ", a level that this release of cluster makes no promise about");
}

TEST(AuditPage, SaysWhatIsBrokenAndByWhom) {
  const std::string html = to_html(sample_report());
  EXPECT_THAT(html, HasSubstr("Promise broken"));
  EXPECT_THAT(html, HasSubstr("Weakest adversary that breaks it: "));
  EXPECT_THAT(html, HasSubstr("religion is broken by joint (profiles)"));
}

TEST(AuditPage, SaysThatAPromiseIsKept) {
  const std::string html = to_html(kept_report());
  EXPECT_THAT(html, HasSubstr("Promise kept"));
  EXPECT_THAT(html, Not(HasSubstr("banner bad")));
  EXPECT_THAT(html, Not(HasSubstr("The shortest transcript")));
}

TEST(AuditPage, DoesNotCallABlindAuditKept) {
  AuditReport report = kept_report();
  report.control.blind = true;
  for (Finding& finding : report.findings) judge(finding, {.comparisons = 60, .blind = true});
  const std::string html = to_html(report);
  EXPECT_THAT(html, HasSubstr("The audit is blind"));
  EXPECT_THAT(html, Not(HasSubstr("Promise kept")));
}

TEST(AuditPage, ShowsWhereTheNumbersComeFrom) {
  const std::string html = to_html(sample_report());
  for (const char* fact : {"9f3c2a7be01d4c58", "<dt>Seed</dt><dd>1</dd>",
                           "rankveil 0.1.0, GCC 12.2.0", "rankveil-audit-1"}) {
    EXPECT_THAT(html, HasSubstr(fact));
  }
}

TEST(AuditPage, ShowsEachStepOfTheTranscript) {
  const std::string html = to_html(sample_report());
  EXPECT_THAT(html, HasSubstr("4 steps prove that row p-0417 has religion = buddhism"));
  EXPECT_THAT(html, HasSubstr("city = Paris, religion = buddhism or hinduism"));
  EXPECT_THAT(html, HasSubstr("Paris, 30-39, buddhism, (none)"));
}

TEST(AuditPage, ShowsEveryFinding) {
  const AuditReport report = sample_report();
  const std::string html = to_html(report);
  const std::string table = html.substr(html.find("class=\"caption\">All findings"));
  EXPECT_EQ(count_of(table.substr(0, table.find("</table>")), "<tr>"), report.findings.size() + 1);
}

TEST(AuditPage, OfHostileNamesIsStillThatPage) {
  const std::string html = to_html(hostile_report());
  EXPECT_EQ(WellFormed({"meta"})(html), "");
  EXPECT_THAT(html, Not(HasSubstr("<script")));
}

TEST(AuditPage, OfAnEmptyReportIsAPage) {
  EXPECT_EQ(WellFormed({"meta"})(to_html(AuditReport{})), "");
}

TEST(AuditPage, FoldsManyAttributesAway) {
  AuditReport report = kept_report();
  report.subject.private_attributes.clear();
  for (int i = 0; i < 12; ++i) add_sample_findings(report, "a" + std::to_string(i), 0.5, 0.2);
  EXPECT_THAT(to_html(report), HasSubstr("<summary>5 more attributes</summary>"));
}

TEST(AuditCharts, MarkPriorAndPromiseOfEachBar) {
  const auto charts = attribute_charts(sample_report(), "religion");
  ASSERT_EQ(charts.size(), 3U);
  const auto& bars = std::get<reports::BarChart>(charts[0]);
  EXPECT_EQ(bars.categories.front(), "ignorant");
  EXPECT_EQ(bars.categories.size(), 7U);
  EXPECT_DOUBLE_EQ(*bars.marks[0].values[0], 0.41);
  EXPECT_NEAR(*bars.marks[1].values[0], 0.41 + 0.59 / 3, 1e-12);
}

TEST(AuditCharts, EachFindingIsOneBar) {
  for (const reports::Chart& chart : attribute_charts(sample_report(), "diet")) {
    const auto& bars = std::get<reports::BarChart>(chart);
    for (std::size_t c = 0; c < bars.categories.size(); ++c) {
      int count = 0;
      for (const auto& series : bars.series) count += series.bars[c].has_value() ? 1 : 0;
      EXPECT_EQ(count, 1);
    }
  }
}

TEST(AuditCharts, ShowBeforeAndAfterForEachMethod) {
  const auto charts = recovery_charts(sample_report());
  ASSERT_EQ(charts.size(), 2U);
  const auto& lines = std::get<reports::LineChart>(charts[1]);
  ASSERT_EQ(lines.lines.size(), 2U);
  EXPECT_EQ(lines.lines[0].name, "after: this target");
  EXPECT_EQ(lines.lines[1].name, "before: no protection");
  EXPECT_EQ(lines.lines[1].points.size(), 7U);
  EXPECT_EQ(informed_charts(sample_report()).size(), 1U);
}

TEST(AuditCharts, SayWhereNothingWasProven) {
  AuditReport report = sample_report();
  for (Curve& curve : report.curves) {
    if (curve.name == "after") curve.points.clear();
  }
  const auto charts = recovery_charts(report);
  const auto& lines = std::get<reports::LineChart>(charts[1]).lines;
  EXPECT_EQ(lines[0].name, "after: this target, nothing proven");
  ASSERT_EQ(lines[0].points.size(), 2U);
  EXPECT_EQ(lines[0].points[1].x, lines[1].points.back().x) << "as far as the other line goes";
  EXPECT_EQ(lines[0].points[0].y + lines[0].points[1].y, 0);
}

TEST(AuditCharts, TellRecoveredProfilesFromThoseThatWereRead) {
  AuditReport report = sample_report();
  for (Finding& finding : report.findings) {
    if (finding.method == profiles_method) finding.method = recovered_method;
  }
  const auto charts = attribute_charts(report, "diet");
  EXPECT_THAT(std::get<reports::BarChart>(charts[0]).title, HasSubstr("profiles recovered"));
  EXPECT_THAT(method_words(report), testing::Contains(HasSubstr("could only be asked")));
  EXPECT_THAT(limit_words(report), testing::Contains(HasSubstr("could only be asked, not read")));
}

TEST(AuditWords, ExplainEveryLevelAndMethod) {
  for (std::string_view level : level_names()) EXPECT_NE(level_phrase(level), "") << level;
  for (const char* method : {"profiles", "recovered", "none", "q-point", "qi-in"}) {
    EXPECT_NE(method_phrase(method), "") << method;
  }
  EXPECT_EQ(level_phrase("unheard-of"), "");
}

// Attributes with something broken; all of them together are not one more.
std::size_t broken_attributes(const AuditReport& report) {
  std::set<std::string> names;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::Broken && finding.attribute != "all") {
      names.insert(finding.attribute);
    }
  }
  return names.size();
}

TEST(AuditJUnit, FailsOnceForEachAttributeThatIsBroken) {
  const AuditReport report = sample_report();
  const std::string xml = to_junit(report);
  EXPECT_EQ(WellFormed()(xml), "");
  std::size_t findings = 0;
  for (const Finding& finding : report.findings) findings += finding.verdict == Verdict::Broken;
  ASSERT_GT(findings, broken_attributes(report)) << "or there is nothing to tell apart";
  std::size_t of_the_gate = 0;  // objections to attributes are told with these
  for (const std::string& failure : report.failures) {
    bool is_told = std::ranges::any_of(attributes_of(report), [&](const std::string& attribute) {
      return is_about(failure, attribute);
    });
    of_the_gate += is_told ? 0 : 1;
  }
  EXPECT_EQ(count_of(xml, "<failure"), broken_attributes(report) + of_the_gate);
  EXPECT_THAT(xml, HasSubstr("<testsuite name=\"religion\" tests=\"1\""));
  EXPECT_THAT(xml, HasSubstr("profiles, joint: "));
}

TEST(AuditJUnit, WhatTheBaselineKnowsIsToldAndDoesNotFail) {
  AuditReport report = sample_report();
  report.failures.clear();
  for (const Finding& finding : report.findings) {
    if (finding.verdict == Verdict::Broken) report.known.push_back(name_of(finding));
  }
  const std::string fresh = report.known.back();
  const std::size_t attributes = broken_attributes(report);
  EXPECT_EQ(count_of(to_junit(report), "<failure"), 0U);
  report.known.pop_back();
  const std::string xml = to_junit(report);
  EXPECT_EQ(WellFormed()(xml), "");
  EXPECT_LE(count_of(xml, "<failure"), 1U) << fresh;
  EXPECT_GE(count_of(xml, "known, as in the baseline"), attributes - 1);
  EXPECT_THAT(xml, HasSubstr("known from the baseline"));
  EXPECT_GE(count_of(to_sarif(report).dump(), "\"suppressions\""), attributes - 1);
  EXPECT_THAT(to_html(report), HasSubstr("known from the baseline"));
}

TEST(AuditJUnit, PassesWhatIsKept) {
  const std::string xml = to_junit(kept_report());
  EXPECT_THAT(xml, HasSubstr("failures=\"0\""));
  EXPECT_THAT(xml, HasSubstr("no objection"));
}

TEST(AuditJUnit, NamesNoPrivateValue) {
  EXPECT_THAT(to_junit(sample_report()), Not(HasSubstr("buddhism")));
  EXPECT_THAT(to_sarif(sample_report()).dump(), Not(HasSubstr("buddhism")));
}

TEST(AuditSarif, HasOneAlertForEachBrokenAttributeAtItsLineOfThePolicy) {
  AuditReport report = sample_report();
  report.subject.policy_lines = {{"religion", 17}};
  const Json log = to_sarif(report);
  const Json& run = log.find("runs")->as_array()->front();
  const Json::Array& results = *run.find("results")->as_array();
  EXPECT_EQ(results.size(), broken_attributes(report));
  EXPECT_EQ(count_of(log.dump(-1), "\"startLine\":17"), 1U);
  EXPECT_THAT(log.dump(), HasSubstr("policy.toml"));
  EXPECT_EQ(count_of(log.dump(), "\"helpUri\""),
            run.find("tool")->find("driver")->find("rules")->as_array()->size());
}

// Two sentences end every result, in words that need no paper.
TEST(AuditWords, EndInTwoSentencesForAnybody) {
  auto sentences = [](const std::string& text) { return count_of(text, ". ") + 1; };
  const AuditReport broken = sample_report();
  EXPECT_EQ(sentences(plain_words(broken)), 2U) << plain_words(broken);
  EXPECT_THAT(plain_words(broken), HasSubstr("learns more about"));
  EXPECT_THAT(plain_words(broken, "religion"), HasSubstr("the religion of people"));
  const AuditReport kept = kept_report();
  EXPECT_EQ(sentences(plain_words(kept)), 2U) << plain_words(kept);
  AuditReport stopped = kept;
  stopped.incomplete = "q-in was stopped after 3 of 60 victims";
  EXPECT_THAT(plain_words(stopped), HasSubstr("was stopped before it was done"));
  EXPECT_THAT(to_html(stopped), HasSubstr("Incomplete: so far kept"));
  for (const AuditReport* report : {&broken, &kept, static_cast<const AuditReport*>(&stopped)}) {
    EXPECT_THAT(to_html(*report), HasSubstr("In two sentences: "));
  }
}

TEST(AuditSarif, OfKeptPromisesHasRulesAndNoResults) {
  const Json log = to_sarif(kept_report());
  const Json& run = log.find("runs")->as_array()->front();
  EXPECT_TRUE(run.find("results")->as_array()->empty());
  EXPECT_EQ(run.find("tool")->find("driver")->find("rules")->as_array()->size(),
            13U + check_names().size());
}

TEST(AuditSarif, OfHostileNamesIsStillJson) {
  EXPECT_TRUE(parse_json(to_sarif(hostile_report()).dump()));
  EXPECT_EQ(WellFormed()(to_junit(hostile_report())), "");
}

}  // namespace
}  // namespace rankveil::audit

// Each kind of leak alone is found, and nothing else.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/probe/testing/probed.h"

namespace rankveil::probe {
namespace {

using testing::ElementsAre;
using testing::IsEmpty;

// A search box answers a question for any way's value; it looks into numbers as text.
class EachLeak : public testing::TestWithParam<const char*> {};

Verdict expected_of(const std::string& way) {
  return way == "column" ? Verdict::Shown : Verdict::Leak;
}

void expect_alone(const ProbeReport& report, const std::string& finding, Verdict verdict) {
  EXPECT_THAT(found(report, verdict), ElementsAre(finding)) << told(report);
  for (const Verdict other : {Verdict::Leak, Verdict::Shown, Verdict::Declared, Verdict::Blind}) {
    if (other == verdict) continue;
    EXPECT_THAT(found(report, other), IsEmpty()) << told(report);
  }
}

TEST_P(EachLeak, OfANumberIsFoundAmongWaysThatPassOverIt) {
  const std::string way = GetParam();
  const auto report = probed({.seed = 3, .leaks = {way}}, probe_options(3));
  expect_alone(report, "income " + way, expected_of(way));
  EXPECT_EQ(found(report, Verdict::Inert).size(), 20U) << told(report);
}

TEST_P(EachLeak, OfATextIsFoundAmongWaysThatRefuse) {
  const std::string way = GetParam();
  auto options = probe_options(4);
  options.fields = {hidden_note()};
  const auto report = probed({.seed = 4, .leaks = {way}, .refuses = true}, options);
  expect_alone(report, "note " + way, expected_of(way));
  EXPECT_EQ(found(report, Verdict::Refused).size(), way == "search" ? 20U : 19U) << told(report);
}

TEST_P(EachLeak, IsFoundWithTwoRowsThatTheOperatorNames) {
  const std::string way = GetParam();
  auto options = probe_options(5);
  options.rows = {"u1007", "u1030"};
  options.pages = 5;
  FakeClock clock;
  StandIn service({.seed = 5, .rows = 40, .leaks = {way}}, clock);
  const auto before = service.people();
  const auto report = probed(service, clock, options);
  // A cursor tells of the last row of a page, which is somebody else's.
  if (way != "cursor") expect_alone(report, "income " + way, expected_of(way));
  EXPECT_EQ(service.made(), 0U);
  for (std::size_t i = 0; i < before.size(); ++i) {
    EXPECT_EQ(service.people()[i].values, before[i].values);
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, EachLeak, testing::ValuesIn(StandIn::names_of_ways),
                         [](const auto& way) { return std::string(way.param); });

TEST(Probe, OfACleanServiceFindsNothing) {
  const auto report = probed({.seed = 6}, probe_options(6));
  EXPECT_EQ(found(report, Verdict::Inert).size(), 21U) << told(report);
  EXPECT_LT(report.requests, 400U);
  EXPECT_LT(report.writes, 35U);
}

TEST(Probe, ProvesWithTheSameQuestionForABA) {
  const auto report = probed({.seed = 7, .leaks = {"sort"}}, probe_options(7));
  const auto leak = std::ranges::find(report.findings, Verdict::Leak, &Finding::verdict);
  ASSERT_NE(leak, report.findings.end());
  ASSERT_EQ(leak->proofs.size(), 3U);
  for (const Proof& proof : leak->proofs) {
    ASSERT_EQ(proof.exchanges.size(), 3U);
    const auto& [a, b, again] =
        std::tie(proof.exchanges[0], proof.exchanges[1], proof.exchanges[2]);
    EXPECT_EQ(a.state + b.state + again.state, "aba");
    EXPECT_EQ(a.written, again.written);
    EXPECT_NE(a.written, b.written);
    EXPECT_EQ(a.question.value, b.question.value);
    EXPECT_EQ(a.seen.observed, "there");
    EXPECT_EQ(b.seen.observed, "not there");
    EXPECT_EQ(again.seen.observed, "there");
  }
  EXPECT_NE(leak->proofs[0].exchanges[0].written, leak->proofs[1].exchanges[0].written);
}

TEST(Probe, RemovesItsRow) {
  FakeClock clock;
  StandIn service({.seed = 8, .leaks = {"sort"}}, clock);
  const auto report = probed(service, clock, probe_options(8));
  EXPECT_EQ(service.made(), 1U);
  EXPECT_EQ(service.removed(), 1U);
  EXPECT_EQ(service.people().size(), 200U);
  EXPECT_EQ(report.left_behind, "");
}

}  // namespace
}  // namespace rankveil::probe

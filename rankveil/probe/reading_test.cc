// Reading finds what goes with the end that is asked for, and says what it cannot see.
#include "rankveil/probe/reading.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <set>

#include "rankveil/probe/testing/probed.h"

namespace rankveil::probe {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::IsEmpty;

ReadingReport read_only(const StandInOptions& service_options, bool controlled = true,
                        const Field& field = hidden_income()) {
  FakeClock clock;
  StandIn service(service_options, clock);
  ReadingOptions options;
  options.fields = {field};
  if (controlled) options.control = public_name();
  options.seed = service_options.seed;
  auto report = probe_by_reading(service, options, clock);
  EXPECT_EQ(service.writes() + service.made(), 0U);
  EXPECT_LE(report.requests, options.budget);
  return report;
}

std::vector<std::string> ways_with(const ReadingReport& report, Verdict verdict) {
  std::vector<std::string> names;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == verdict) names.push_back(finding.way.name);
  }
  return names;
}

class ReadLeak : public testing::TestWithParam<const char*> {};

TEST_P(ReadLeak, IsFoundOrNotClearedWithoutWriting) {
  const std::set<std::string> seen = {"sort",       "greater", "greater_equal", "less",
                                      "less_equal", "count",   "posts"};
  const std::string way = GetParam();
  const auto report = read_only({.seed = 31, .leaks = {way}});
  if (seen.contains(way)) {
    EXPECT_THAT(ways_with(report, Verdict::Leak), ElementsAre(way));
  } else {
    EXPECT_THAT(ways_with(report, Verdict::Leak), IsEmpty());
    EXPECT_THAT(ways_with(report, Verdict::Blind), Contains(way));
  }
}

INSTANTIATE_TEST_SUITE_P(Ways, ReadLeak, testing::ValuesIn(StandIn::names_of_ways),
                         [](const auto& way) { return std::string(way.param); });

TEST(Reading, NamesTheKindsThatItCannotSee) {
  const auto report = read_only({.seed = 32});
  EXPECT_THAT(report.unseen, Contains(Kind::Search));
  EXPECT_THAT(report.unseen, Contains(Kind::Aggregate));
  EXPECT_THAT(report.unseen, Contains(Kind::Cursor));
  EXPECT_THAT(report.unseen, testing::Not(Contains(Kind::Sort)));
  EXPECT_THAT(ways_with(report, Verdict::Inert), Contains("sort"));
}

TEST(Reading, OfRefusalsIsRefused) {
  EXPECT_THAT(ways_with(read_only({.seed = 33, .refuses = true}), Verdict::Refused),
              Contains("sort"));
}

// Who names a field may not say its type, and 400 for a text is no refusal to be asked.
TEST(Reading, ARefusedValueIsNoRefusedQuestion) {
  const StandInOptions typed{
      .seed = 36, .leaks = {"greater"}, .refuses = true, .takes_types = true};
  for (const FieldType told : {FieldType::Text, FieldType::Number}) {
    const auto report = read_only(typed, true, {"income", told});
    EXPECT_THAT(ways_with(report, Verdict::Leak), ElementsAre("greater"));
    EXPECT_THAT(ways_with(report, Verdict::Refused), Contains("less"));
  }
}

TEST(Reading, WithoutAControlClearsNothing) {
  const auto report = read_only({.seed = 34, .leaks = {"sort"}}, false);
  EXPECT_THAT(ways_with(report, Verdict::Leak), ElementsAre("sort"));
  EXPECT_EQ(ways_with(report, Verdict::Blind).size(), 20U);
}

TEST(Reading, OfASilentServiceIsBlind) {
  EXPECT_EQ(ways_with(read_only({.seed = 35, .empty_after = 1}), Verdict::Blind).size(), 21U);
  EXPECT_THAT(ways_with(read_only({.seed = 35, .empty_after = 120}), Verdict::Inert), IsEmpty());
}

// A way that fails for everybody is none; one that is throttled may answer another time.
TEST(Reading, OfAWayThatIsThrottledIsBlind) {
  const auto report = read_only({.seed = 37,
                                 .broken = {"less"},
                                 .throttled = {"greater name", "greater income", "sort name"}});
  EXPECT_THAT(ways_with(report, Verdict::Absent), ElementsAre("less"));
  EXPECT_THAT(ways_with(report, Verdict::Blind), Contains("greater"));
  EXPECT_THAT(ways_with(report, Verdict::Blind), Contains("sort"));
}

TEST(Reading, OfNoiseIsNoLeak) {
  for (std::uint64_t seed = 1; seed <= 60; ++seed) {
    StandInOptions noisy{.seed = seed};
    noisy.order = static_cast<DefaultOrder>(seed % 5);
    noisy.ties_by_chance = seed % 2 == 0;
    noisy.shows_updated = true;
    noisy.others_write = seed % 3 == 0;
    noisy.every_nth_throttled = 7;
    EXPECT_THAT(ways_with(read_only(noisy), Verdict::Leak), IsEmpty()) << seed;
  }
}

}  // namespace
}  // namespace rankveil::probe

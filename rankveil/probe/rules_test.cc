// Each rule of the experiment, in a service that is wrongly judged without it.
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/probe/own_rows.h"
#include "rankveil/probe/testing/probed.h"

namespace rankveil::probe {
namespace {

using testing::AllOf;
using testing::Contains;
using testing::Each;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::IsEmpty;
using testing::Not;
using testing::SizeIs;

std::vector<std::string> reasons(const ProbeReport& report, Verdict verdict) {
  std::vector<std::string> reasons;
  for (const Finding& finding : report.findings) {
    if (finding.verdict == verdict) reasons.push_back(finding.reason);
  }
  return reasons;
}

const Finding& finding_of(const ProbeReport& report, const std::string& way) {
  const auto found = std::ranges::find(report.findings, way,
                                       [](const Finding& finding) { return finding.way.name; });
  EXPECT_NE(found, report.findings.end());
  return *found;
}

// ---- what is compared ----

TEST(Rules, TheOwnRowsPresenceIsNamedBeforeTheWholeAnswer) {
  const auto report = probed({.leaks = {"sort", "group_by"}}, probe_options(1));
  EXPECT_EQ(finding_of(report, "sort").proofs[0].feature, "presence of the own row");
  EXPECT_EQ(finding_of(report, "group_by").proofs[0].feature, "\"groups\"");
}

// Rows lie in two places by turns: every second write puts the own row back where it was.
TEST(Rules, WhatEverySecondWriteBringsBackIsNoLeak) {
  for (const bool controlled : {true, false}) {
    auto options = probe_options(2);
    if (!controlled) options.control.reset();
    const auto report = probed({.order = DefaultOrder::Slot, .two_slots = true}, options);
    EXPECT_THAT(found(report, Verdict::Leak), IsEmpty()) << told(report);
  }
}

TEST(Rules, WhatEachWriteChangesIsLeftOut) {
  for (const auto order : {DefaultOrder::Updated, DefaultOrder::Slot}) {
    const auto report =
        probed({.leaks = {"less"}, .order = order, .shows_updated = true}, probe_options(2));
    EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income less")) << told(report);
  }
}

// With one other row, everything is seen by chance every second time.
TEST(Rules, ChanceIsNoLeak) {
  for (std::uint64_t seed = 1; seed <= 100; ++seed) {
    const auto report =
        probed({.seed = seed, .rows = 1, .order = DefaultOrder::Chance}, probe_options(seed));
    EXPECT_THAT(found(report, Verdict::Leak), IsEmpty()) << "seed " << seed << told(report);
  }
}

// ---- values ----

TEST(Rules, BothEndsAreTried) {
  const auto report = probed({.leaks = {"greater", "less"}}, probe_options(3));
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income greater", "income less"));
}

TEST(Rules, ValuesThatAServiceRefusesGiveWayToMoreModestOnes) {
  FakeClock clock;
  StandIn service({.leaks = {"sort"}}, clock);
  service.takes_value = [](const Field& field, const Value& value) {
    return field.name != "income" || (std::stol(value.text) >= 0 && std::stol(value.text) < 40'000);
  };
  const auto report = probed(service, clock, probe_options(4));
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income sort")) << told(report);
}

TEST(Rules, AWriteThatDoesNotArriveLeavesThemBlind) {
  const auto report = probed({.leaks = {"sort"}, .swallows_writes = true}, probe_options(5));
  EXPECT_THAT(report.findings, SizeIs(21));
  EXPECT_THAT(found(report, Verdict::Blind), SizeIs(21)) << told(report);
  EXPECT_THAT(reasons(report, Verdict::Blind), Each(HasSubstr("its owner reads \"")));
}

TEST(Rules, AFieldThatIsShownIsNotHidden) {
  const auto report = probed({.leaks = {"sort"}, .shows_hidden = true}, probe_options(6));
  EXPECT_THAT(found(report, Verdict::Shown), Contains("income sort")) << told(report);
  EXPECT_THAT(found(report, Verdict::Leak), IsEmpty()) << told(report);
}

// ---- the control ----

TEST(Rules, AMisspeltRequestIsBlindWhereNothingActs) {
  std::set<std::string> all(std::begin(StandIn::names_of_ways), std::end(StandIn::names_of_ways));
  const auto report = probed({.unknown = all}, probe_options(7));
  EXPECT_THAT(found(report, Verdict::Blind), SizeIs(21)) << told(report);
  EXPECT_THAT(reasons(report, Verdict::Blind), Each(HasSubstr("misspelt")));
}

TEST(Rules, AWayThatTheServiceDoesNotKnowIsAbsentAndOneThatMustBeKnownBlind) {
  for (const bool required : {false, true}) {
    FakeClock clock;
    StandIn service({.unknown = {"sort", "equals"}}, clock);
    if (required) service.require_all();
    const auto report = probed(service, clock, probe_options(8));
    EXPECT_THAT(found(report, required ? Verdict::Blind : Verdict::Absent),
                ElementsAre("income sort", "income equals"))
        << told(report);
  }
}

// Its own order is by the public field: answers move, and not because they were asked to.
// Parse Server on PostgreSQL answers 500 to any order through a pointer.
TEST(Rules, AWayThatFailsForEveryFieldIsAbsentAndBlindsNobody) {
  const auto report = probed({.refuses = true, .broken = {"posts"}}, probe_options(15));
  EXPECT_EQ(found(report, Verdict::Absent), std::vector<std::string>{"income posts"})
      << told(report);
  EXPECT_TRUE(found(report, Verdict::Blind).empty()) << told(report);
}

// A lost connection here and a status there are no answers that follow a public value.
TEST(Rules, AWayThatAlwaysFailsDoesNotActByHowItFails) {
  for (std::uint64_t seed = 1; seed <= 40; ++seed) {
    const auto report = probed({.seed = seed, .refuses = true, .broken = {"posts"}, .fails = 0.2},
                               probe_options(seed));
    EXPECT_EQ(finding_of(report, "posts").verdict, Verdict::Absent) << seed << told(report);
  }
}

TEST(Rules, AWayDoesNotActBecauseTheListIsInThatOrderAnyway) {
  const auto report = probed({.unknown = {"sort"}, .order = DefaultOrder::Name}, probe_options(9));
  EXPECT_EQ(finding_of(report, "sort").verdict, Verdict::Absent) << told(report);
}

TEST(Rules, EmptyAnswersFromTheStartAreBlind) {
  const auto report = probed({.empty_after = 1}, probe_options(10));
  EXPECT_THAT(found(report, Verdict::Blind), SizeIs(21)) << told(report);
}

TEST(Rules, EmptyAnswersAfterTheControlAreNotInert) {
  for (std::uint32_t after = 20; after < 220; after += 20) {
    const auto report = probed({.empty_after = after}, probe_options(11));
    EXPECT_THAT(found(report, Verdict::Inert), IsEmpty()) << after << "\n" << told(report);
    EXPECT_THAT(found(report, Verdict::Leak), IsEmpty()) << after << "\n" << told(report);
  }
}

TEST(Rules, ARefusalOfEverythingAfterTheControlIsNotRefused) {
  const auto report = probed({.refuses_after = 130}, probe_options(12));
  EXPECT_THAT(found(report, Verdict::Refused), IsEmpty()) << told(report);
  EXPECT_THAT(found(report, Verdict::Blind), Not(IsEmpty())) << told(report);
}

TEST(Rules, WithoutAControlNothingIsCleared) {
  auto options = probe_options(13);
  options.control.reset();
  const auto report = probed({.leaks = {"sort"}}, options);
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income sort"));
  EXPECT_THAT(found(report, Verdict::Blind), SizeIs(20)) << told(report);
}

TEST(Rules, ACacheIsWaitedFor) {
  for (const double seconds : {1, 5, 12}) {
    const auto report = probed({.leaks = {"sort"}, .cache_seconds = seconds}, probe_options(14));
    EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income sort")) << told(report);
    EXPECT_GE(report.lag_seconds, seconds);
  }
}

TEST(Rules, ACacheThatIsNotWaitedForLeavesThemBlind) {
  auto options = probe_options(15);
  options.patience = 2;
  const auto report = probed({.leaks = {"sort"}, .cache_seconds = 60}, options);
  EXPECT_THAT(found(report, Verdict::Blind), SizeIs(21)) << told(report);
}

TEST(Rules, ARateLimitIsWaitedFor) {
  const auto report = probed({.leaks = {"or"}, .every_nth_throttled = 4}, probe_options(16));
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income or")) << told(report);
}

// A list in which the own row comes last: who takes it away from there is not seen.
TEST(Rules, WhatNeedsTheOwnRowInSightIsNotInertOutOfSight) {
  const auto report =
      probed({.leaks = {"not_equal"}, .order = DefaultOrder::Slot}, probe_options(17));
  EXPECT_EQ(finding_of(report, "not_equal").verdict, Verdict::Absent) << told(report);
  EXPECT_THAT(finding_of(report, "not_equal").reason, HasSubstr("not tested"));
}

TEST(Rules, FurtherPagesBringItIntoSight) {
  auto options = probe_options(18);
  options.pages = 30;
  const auto report = probed({.leaks = {"not_equal"}, .order = DefaultOrder::Slot}, options);
  EXPECT_EQ(finding_of(report, "not_equal").verdict, Verdict::Leak) << told(report);
}

// ---- proofs ----

TEST(Rules, ThreeRepetitionsProveAndTheFirstProofIsEnough) {
  auto options = probe_options(19);
  const auto once = probed({.leaks = {"sort"}}, options);
  options.all = true;
  const auto both = probed({.leaks = {"sort"}}, options);
  EXPECT_THAT(finding_of(once, "sort").proofs, SizeIs(3));
  EXPECT_THAT(finding_of(both, "sort").proofs, SizeIs(6));
  EXPECT_LT(once.requests, both.requests);
}

TEST(Rules, AnOrderUnderAPromiseIsDeclaredAndAConditionIsNot) {
  auto options = probe_options(20);
  options.fields[0].declared = "ranked by income under rr, epsilon 1";
  const auto report = probed({.leaks = {"sort", "equals"}}, options);
  EXPECT_THAT(found(report, Verdict::Declared), ElementsAre("income sort"));
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income equals"));
  EXPECT_EQ(finding_of(report, "sort").reason, "ranked by income under rr, epsilon 1");
}

// ---- what is spent and left ----

TEST(Rules, TheBudgetIsKept) {
  for (std::uint64_t budget = 2; budget < 330; budget += 23) {
    auto options = probe_options(21);
    options.budget = budget;
    FakeClock clock;
    StandIn service({.rows = 20}, clock);
    const auto report = probed(service, clock, options);
    EXPECT_LE(service.calls(), budget);
    EXPECT_EQ(service.people().size(), 20U);
    EXPECT_THAT(reasons(report, Verdict::Blind), Contains(HasSubstr("budget"))) << budget;
    EXPECT_THAT(found(report, Verdict::Inert), IsEmpty()) << budget;
  }
}

TEST(Rules, CtrlCTakesEverythingBackWheneverItComes) {
  for (std::uint64_t call = 2; call < 400; call += 7) {
    for (const bool named : {false, true}) {
      std::atomic<bool> stop = false;
      auto options = probe_options(22);
      options.stop = &stop;
      if (named) options.rows = {"u1003", "u1005"};
      FakeClock clock;
      StandIn service({.rows = 20, .leaks = {"sort"}}, clock);
      service.on_call = [&](std::uint64_t calls) { stop = stop || calls >= call; };
      const auto before = service.people();
      const auto report = probed(service, clock, options);
      EXPECT_EQ(report.left_behind, "");
      ASSERT_EQ(service.people().size(), before.size());
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(service.people()[i].values, before[i].values);
      }
    }
  }
}

// The service goes away in the middle, and comes back: the journal knows what is left.
TEST(Rules, WhatIsLeftAfterACrashIsCleanedLater) {
  std::uint64_t rows_left = 0;
  for (std::uint64_t call = 1; call < 300; call += 3) {
    for (const bool named : {false, true}) {
      TemporaryFolder folder("rankveil-probe");
      auto journal = Journal::create(folder.path("journal"), "stand-in");
      ASSERT_TRUE(journal);
      auto options = probe_options(23);
      if (named) options.rows = {"u1003", "u1005"};
      FakeClock clock;
      StandIn service({.rows = 20, .leaks = {"sort"}, .dies_at = call}, clock);
      const auto before = service.people();
      static_cast<void>(probe(service, service, *journal, options, clock));
      service.revive();
      rows_left += service.people().size() - before.size();
      auto cleaned = clean(folder.path("journal"), service, clock);
      ASSERT_TRUE(cleaned) << cleaned.error().message;
      EXPECT_THAT(cleaned->left, IsEmpty());
      ASSERT_EQ(service.people().size(), before.size()) << "call " << call;
      for (std::size_t i = 0; i < before.size(); ++i) {
        EXPECT_EQ(service.people()[i].values, before[i].values) << "call " << call;
      }
      EXPECT_TRUE(read_journal(folder.path("journal"))->made.empty());
      EXPECT_TRUE(read_journal(folder.path("journal"))->changed.empty());
    }
  }
  EXPECT_GT(rows_left, 50U);
}

TEST(Rules, ARowWhoseMakingWasNotHeardOfIsFoundByItsMark) {
  FakeClock clock;
  StandIn service({.leaks = {"sort"}, .loses_reply = true}, clock);
  const auto report = probed(service, clock, probe_options(24));
  EXPECT_THAT(found(report, Verdict::Leak), ElementsAre("income sort")) << told(report);
  EXPECT_EQ(service.people().size(), 200U);
}

TEST(Rules, ARowThatMayHaveBeenMadeIsNotForgotten) {
  TemporaryFolder folder("rankveil-probe");
  FakeClock clock;
  StandIn service({.loses_reply = true, .lists_no_drafts = true}, clock);
  {
    auto journal = Journal::create(folder.path("journal"), "stand-in");
    ASSERT_TRUE(journal);
    auto report = probe(service, service, *journal, probe_options(26), clock);
    ASSERT_FALSE(report);
    EXPECT_THAT(report.error().message, AllOf(HasSubstr("connection lost"), HasSubstr("--clean")));
  }
  EXPECT_EQ(service.people().size(), 201U);
  auto left = read_journal(folder.path("journal"));
  ASSERT_TRUE(left) << left.error().message;
  EXPECT_EQ(left->made.size(), 1U);
}

// A journal with an empty mark would name every row.
TEST(Rules, CleaningGoesByMarksOfProbesAlone) {
  for (const char* mark : {"", "a", "rvprobe", "rvprobe00000000000g", "somebody"}) {
    TemporaryFolder folder("rankveil-probe");
    FakeClock clock;
    StandIn service({.rows = 20}, clock);
    ASSERT_TRUE(service.create(mark));
    {
      auto journal = Journal::create(folder.path("journal"), "stand-in");
      ASSERT_TRUE(journal);
      ASSERT_TRUE(journal->making(mark));
    }
    auto cleaned = clean(folder.path("journal"), service, clock);
    ASSERT_TRUE(cleaned) << cleaned.error().message;
    EXPECT_EQ(cleaned->left.size(), 1U) << mark;
    EXPECT_EQ(service.people().size(), 21U) << mark;
  }
}

// A service that begins to count anew after a crash gives the id to somebody else.
TEST(Rules, CleaningLeavesARowThatIsSomebodyElsesByNow) {
  const std::string mark = "rvprobe0123456789ab";
  struct Case {
    std::string held;
    bool is_ours;
  };
  for (const Case& one : {Case{mark, true},
                          {"by " + mark, true},
                          {"zzzzkvqbtd", true},
                          {"Maria", false},
                          {"zzzzMaria7", false}}) {
    TemporaryFolder folder("rankveil-probe");
    FakeClock clock;
    StandIn service({.rows = 20}, clock);
    auto row = service.create(mark);
    ASSERT_TRUE(row);
    ASSERT_TRUE(service.write(*row, {"mark"}, Value{one.held}));
    {
      auto journal = Journal::create(folder.path("journal"), "stand-in");
      ASSERT_TRUE(journal);
      ASSERT_TRUE(journal->making(mark));
      ASSERT_TRUE(journal->made(mark, *row));
    }
    auto cleaned = clean(folder.path("journal"), service, clock);
    ASSERT_TRUE(cleaned) << cleaned.error().message;
    EXPECT_EQ(cleaned->removed, one.is_ours ? 1U : 0U) << one.held;
    EXPECT_EQ(service.people().size(), one.is_ours ? 20U : 21U) << one.held;
    EXPECT_EQ(cleaned->left.size(), one.is_ours ? 0U : 1U) << one.held;
    for (const std::string& left : cleaned->left) {
      EXPECT_THAT(left, HasSubstr("does not bear the mark"));
    }
  }
}

// A row that is there is not called gone, whatever can be read of it.
TEST(Rules, CleaningNamesWhatItCannotTell) {
  const std::string mark = "rvprobe0123456789ab";
  struct Case {
    bool erases_mark;
    StandInOptions options;
    std::string left;  // empty: the row is removed
  };
  for (const Case& one :
       {Case{true, {.rows = 20}, "does not bear the mark"},
        {false, {.rows = 20, .reads_no_marks = true}, ""},
        {false, {.rows = 20, .lists_no_drafts = true, .reads_no_marks = true}, "status 403"}}) {
    TemporaryFolder folder("rankveil-probe");
    FakeClock clock;
    StandIn service(one.options, clock);
    auto row = service.create(mark);
    ASSERT_TRUE(row);
    if (one.erases_mark) {
      ASSERT_TRUE(service.write(*row, {"mark"}, std::nullopt));
    }
    {
      auto journal = Journal::create(folder.path("journal"), "stand-in");
      ASSERT_TRUE(journal);
      ASSERT_TRUE(journal->making(mark));
      ASSERT_TRUE(journal->made(mark, *row));
    }
    auto cleaned = clean(folder.path("journal"), service, clock);
    ASSERT_TRUE(cleaned) << cleaned.error().message;
    EXPECT_EQ(service.people().size(), one.left.empty() ? 20U : 21U) << one.left;
    EXPECT_EQ(cleaned->left.size(), one.left.empty() ? 0U : 1U) << one.left;
    for (const std::string& left : cleaned->left) EXPECT_THAT(left, HasSubstr(one.left));
    EXPECT_EQ(read_journal(folder.path("journal"))->made.empty(), one.left.empty());
  }
}

// A restored service may call the row otherwise.
TEST(Rules, CleaningRemovesWhoeverBearsTheMark) {
  const std::string mark = "rvprobe0123456789ab";
  TemporaryFolder folder("rankveil-probe");
  FakeClock clock;
  StandIn service({.rows = 20}, clock);
  ASSERT_TRUE(service.create(mark));
  {
    auto journal = Journal::create(folder.path("journal"), "stand-in");
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->making(mark));
    ASSERT_TRUE(journal->made(mark, "u9999"));
  }
  auto cleaned = clean(folder.path("journal"), service, clock);
  ASSERT_TRUE(cleaned) << cleaned.error().message;
  EXPECT_EQ(cleaned->removed, 1U);
  EXPECT_EQ(service.people().size(), 20U);
}

TEST(Rules, ARowThatIsGoneAlreadyIsNotCounted) {
  TemporaryFolder folder("rankveil-probe");
  FakeClock clock;
  StandIn service({.rows = 20}, clock);
  {
    auto journal = Journal::create(folder.path("journal"), "stand-in");
    ASSERT_TRUE(journal);
    ASSERT_TRUE(journal->making("rvprobe0123456789ab"));
    ASSERT_TRUE(journal->made("rvprobe0123456789ab", "u9999"));
  }
  auto cleaned = clean(folder.path("journal"), service, clock);
  ASSERT_TRUE(cleaned) << cleaned.error().message;
  EXPECT_EQ(cleaned->removed, 0U);
  EXPECT_THAT(cleaned->left, IsEmpty());
  EXPECT_TRUE(read_journal(folder.path("journal"))->made.empty());
}

TEST(Rules, AFailureToTakeBackIsSaid) {
  FakeClock clock;
  StandIn service({.rows = 20, .dies_at = 100}, clock);
  const auto report = probed(service, clock, probe_options(25));
  EXPECT_THAT(report.left_behind, AllOf(HasSubstr("u1020"), HasSubstr("--clean")));
}

}  // namespace
}  // namespace rankveil::probe

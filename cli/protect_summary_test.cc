#include "cli/protect_summary.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

namespace rankveil::cli {
namespace {

using testing::HasSubstr;
using testing::Not;

api::ProtectResult swapped() {
  api::ProtectResult result;
  result.scheme = "swap";
  result.leans_on_groups = true;
  result.rows = 100;
  result.attributes = {"diet", "religion"};
  result.counts.released = 100;
  result.report.rungs = {{{"city", "age"}, 1, 30}, {{"city"}, 2, 60}, {{}, 1, 10}};
  result.report.unique_rows = 7;
  result.coarser_rows = 70;
  return result;
}

api::ProtectResult continued(api::ProtectResult result) {
  result.continued = true;
  result.earlier.emplace().add(result.counts.released, result.report);
  result.counts = {.kept = result.counts.released};
  result.report = {};
  return result;
}

TEST(ProtectSummary, SaysForWhomThePromiseEndsOnCoarserRungs) {
  std::string text = protect_summary(swapped());
  EXPECT_THAT(text, HasSubstr("          70  of them hide among rows alike in fewer columns"));
  EXPECT_THAT(text, HasSubstr("           7  of these have public values that nobody shares\n"));
}

TEST(ProtectSummary, IsSilentOnGroupsWhereThePromiseDoesNotHangOnThem) {
  api::ProtectResult result = swapped();
  result.leans_on_groups = false;
  result.coarser_rows.reset();
  std::string text = protect_summary(result);
  EXPECT_THAT(text, Not(HasSubstr("nobody shares")));
  EXPECT_THAT(text, Not(HasSubstr("fewer columns")));
}

TEST(ProtectSummary, NamesTheFallbackAndTheAttributesThatAreShort) {
  api::ProtectResult result = swapped();
  result.report.short_sets = {0, 20};
  result.report.rows_with_short_sets = 20;
  result.report.set_sizes = {0, 0, 180};
  for (auto [fallback, words] :
       {std::pair("shares", "shares of a larger group"), std::pair("suppress", "suppressed"),
        std::pair("whole-domain", "match every value")}) {
    result.fallback = fallback;
    std::string text = protect_summary(result);
    EXPECT_THAT(text, HasSubstr("could not be given l values in 1 attribute: religion 20; "));
    EXPECT_THAT(text, HasSubstr(words));
    EXPECT_THAT(text, HasSubstr("too few    20  10.0%")) << "sets without a size count in shares";
  }
}

TEST(ProtectSummary, ASchemeThatShowsNothingDoesNotShowSomething) {
  api::ProtectResult result = swapped();
  result.shows_nothing = true;
  EXPECT_THAT(protect_summary(result), HasSubstr("100  show nothing private\n"));
  EXPECT_THAT(protect_summary(result), Not(HasSubstr("show something")));
}

TEST(ProtectSummary, RowsThatAreNotEstablishedDoNotWait) {
  api::ProtectResult result = swapped();
  result.counts = {.released = 90, .waiting = 10, .not_established = 8};
  std::string text = protect_summary(result);
  EXPECT_THAT(text, HasSubstr(" 2  wait for enough rows"));
  EXPECT_THAT(text, HasSubstr(" 8  are not established"));
}

TEST(ProtectSummary, ManySizesOfSetsStandInClassesOfSomeWeight) {
  api::ProtectResult result = swapped();
  result.report.set_sizes.assign(1001, 1);  // 0 to 1000
  std::string text = protect_summary(result);
  EXPECT_THAT(text, HasSubstr("    0 to 83    84   8.4%"));
  EXPECT_THAT(text, HasSubstr("to 1,000"));
  EXPECT_THAT(text, Not(HasSubstr("more")));
}

TEST(ProtectSummary, AContinuedBuildTellsOfKeptRowsAndOfNewOnes) {
  api::ProtectResult result = continued(swapped());
  result.counts = {.kept = 98, .released = 21, .gone = 2};
  result.report.rungs = {{{"city", "age"}, 0, 0}, {{"city"}, 1, 21}, {{}, 0, 0}};
  std::string text = protect_summary(result);
  EXPECT_THAT(text, HasSubstr("groups  rows  of them new"));
  EXPECT_THAT(text, HasSubstr("     3    81           21"));
  EXPECT_THAT(text, HasSubstr("the table counts 2 rows that left or changed since, too"));
  EXPECT_THAT(text, HasSubstr("of them, at most, hide among"));
}

}  // namespace
}  // namespace rankveil::cli

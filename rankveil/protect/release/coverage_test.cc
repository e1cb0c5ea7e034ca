#include "rankveil/protect/release/coverage.h"

#include <gtest/gtest.h>

#include "rankveil/protect/release/release.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::OwnTask;

// 120 rows alike in all, 30 alike in all, 30 all different in the second column and alike in the
// first, and one like nobody.
OwnTask mixed_task(const std::string& scheme) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 120; ++i) rows.push_back({0, 0, i % 3});
  for (int i = 0; i < 30; ++i) rows.push_back({1, 0, i % 3});
  for (int i = 0; i < 30; ++i) rows.push_back({2, 1 + i, i % 3});
  rows.push_back({3, 40, 0});
  OwnTask own{coded_table(rows, 2, {4, 41, 3})};
  own.demand.scheme = scheme;
  own.demand.l = 3;
  return own;
}

Coverage covered_by(const std::string& scheme) {
  OwnTask own = mixed_task(scheme);
  Task task = own.task();
  task.ladder = {{AttributeId{0}}};
  auto release = first_release(task);
  EXPECT_TRUE(release) << release.error().message;
  return release ? release->coverage : Coverage{};
}

TEST(CoverageOf, CountsRowsWhoseGroupSharesAllPublicValues) {
  for (const char* scheme : {"cluster", "capped", "ldp"}) {
    Coverage coverage = covered_by(scheme);
    EXPECT_EQ(coverage.rows, 181U) << scheme;
    EXPECT_EQ(coverage.covered, 150U) << scheme << ": 30 rows share one column of two";
    EXPECT_LE(coverage.base_only, 1U) << scheme;
    EXPECT_EQ(coverage.without_model, std::nullopt) << scheme;
  }
}

TEST(CoverageOf, ClaimsNothingWhereNothingIsPromisedOrShown) {
  EXPECT_EQ(covered_by("rr-mean").covered, 0U);
  EXPECT_EQ(covered_by("drop"), (Coverage{.rows = 181, .base_only = 181}));
}

TEST(CoverageOf, LeavesOutRowsWhoseSetsCouldNotBeFilled) {
  EXPECT_EQ(covered_by("pvsv").covered, 181U) << "a set needs nobody else";
  Coverage alone = covered_by("pvst");
  EXPECT_LE(alone.covered, 150U) << "31 rows have nobody to share a set with";
  EXPECT_GT(alone.covered, 0U);
}

}  // namespace
}  // namespace rankveil

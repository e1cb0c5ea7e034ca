#include "rankveil/audit/fits.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/audit/testing/small_ranking.h"
#include "rankveil/table/people/people.h"

namespace rankveil::audit {
namespace {

using ::testing::HasSubstr;
using testing_support::small_table;

// Evidence against what the library itself makes; empty: none.
std::string evidence(const Table& table, const Mechanism& mechanism, std::uint64_t key) {
  SecretKey secret = SecretKey::from_seed(key);
  auto made = protect({.table = table,
                       .workload = mechanism.workload,
                       .demand = mechanism.demand,
                       .key = secret,
                       .ladder = mechanism.ladder,
                       .taking_part = mechanism.taking_part,
                       .threads = 1});
  EXPECT_TRUE(made) << made.error().message;
  std::string all;
  for (const Finding& finding :
       check_fits({.table = table, .profiles = made->profiles, .mechanism = mechanism})) {
    EXPECT_EQ(finding.attempts, table.rows());
    all += finding.evidence;
  }
  return all;
}

Mechanism declared(std::string_view scheme, std::uint32_t l) {
  Mechanism mechanism;
  mechanism.demand.scheme = scheme;
  mechanism.demand.l = l;
  return mechanism;
}

TEST(Fits, EverySchemeFitsItself) {
  for (const Scheme& scheme : schemes()) {
    for (std::uint64_t seed = 1; seed <= 6; ++seed) {
      SCOPED_TRACE(::testing::Message() << scheme.name << ", seed " << seed);
      auto l = static_cast<std::uint32_t>(2 + seed % 2);
      EXPECT_EQ(evidence(small_table(300, seed), declared(scheme.name, l), seed), "");
    }
  }
}

// Values that are missing, skewed and hang together; attributes with fewer values than l.
TEST(Fits, SchemesFitThemselvesOnPeople) {
  for (const Scheme& scheme : schemes()) {
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(::testing::Message() << scheme.name << ", seed " << seed);
      Table table = *generate_people({.rows = 400, .attributes = 8, .seed = seed});
      EXPECT_EQ(evidence(table, declared(scheme.name, 2), seed), "");
    }
  }
}

TEST(Fits, RowsThatTakeNoPartFit) {
  for (const Scheme& scheme : schemes()) {
    if (!scheme.takes_cover) continue;
    for (std::uint64_t seed = 1; seed <= 3; ++seed) {
      SCOPED_TRACE(::testing::Message() << scheme.name << ", seed " << seed);
      Mechanism mechanism = declared(scheme.name, 3);
      for (std::uint32_t row = 0; row < 300; ++row) {
        mechanism.taking_part.push_back(row % 7 != seed ? 1 : 0);
      }
      EXPECT_EQ(evidence(small_table(300, seed), mechanism, seed), "");
    }
  }
}

TEST(Fits, FallbacksOfShortSetsFit) {
  for (Fallback fallback : {Fallback::Shares, Fallback::Suppress, Fallback::WholeDomain}) {
    Mechanism mechanism = declared("pvst", 4);
    mechanism.demand.fallback = fallback;
    EXPECT_EQ(evidence(small_table(100, 5), mechanism, 5), "");
  }
}

TEST(Fits, NamesTheRowAndWhatIsWrong) {
  Table table = small_table(200, 1);
  LevelProfiles sets(200, {4, 5}, 1);
  for (std::uint32_t row = 0; row < 200; ++row) {
    for (std::uint16_t v = 0; v < 3; ++v) {
      sets.set(RowId{row}, PrivateId{0}, ValueId{v});
      if (row != 9 || v > 0) sets.set(RowId{row}, PrivateId{1}, ValueId{v});
    }
  }
  Profiles profiles = sets;
  auto findings =
      check_fits({.table = table, .profiles = profiles, .mechanism = declared("random", 3)});
  ASSERT_EQ(findings.size(), 2U);
  EXPECT_EQ(findings[0].evidence, "");
  EXPECT_THAT(findings[1].evidence, HasSubstr("1 of 200 profiles"));
  EXPECT_THAT(findings[1].evidence, HasSubstr("r9 matches 2 values, and 3 at least"));
}

TEST(Fits, AnythingShownByDropIsTooMuch) {
  Table table = small_table(50, 1);
  LevelProfiles shown(50, {4, 5}, 1);
  shown.set(RowId{3}, PrivateId{1}, ValueId{2});
  Profiles profiles = shown;
  auto findings =
      check_fits({.table = table, .profiles = profiles, .mechanism = declared("drop", 3)});
  EXPECT_EQ(findings[0].evidence, "");
  EXPECT_THAT(findings[1].evidence, HasSubstr("r3 shows 1 value, and 0 at most"));
}

}  // namespace
}  // namespace rankveil::audit

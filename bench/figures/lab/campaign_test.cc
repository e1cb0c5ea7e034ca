#include "bench/figures/lab/campaign.h"

#include <gtest/gtest.h>

#include "bench/figures/lab/attack_figures.h"
#include "rankveil/audit/new_rows.h"
#include "rankveil/ranking/sample_workload.h"

namespace rankveil::figures {
namespace {

class Campaigns : public testing::Test {
 protected:
  std::unique_ptr<Stronghold> held_by(const std::string& scheme) {
    auto held = hold(bed.table, workload, besieged(scheme), 1, 1);
    EXPECT_TRUE(held) << held.error().message;
    return std::move(*held);
  }

  std::vector<ValueId> values_of(std::uint32_t row) {
    std::vector<ValueId> values;
    for (std::uint32_t i = 0; i < bed.table.schema().size(); ++i) {
      values.push_back(bed.table.value(RowId{row}, AttributeId{i}));
    }
    return values;
  }

  static std::vector<double> strengths(const Profiles& profiles, std::uint32_t row) {
    std::vector<double> all;
    for (std::uint32_t j = 0; j < 5; ++j) {
      for (std::uint16_t v = 0; v < sizes[j]; ++v) {
        all.push_back(profiles.match(RowId{row}, PrivateId{j}, ValueId{v}));
      }
    }
    return all;
  }

  static constexpr std::uint16_t sizes[] = {5, 2, 2, 5, 6};
  Bed bed = attack_bed("small", 4000, 0, 7);
  Workload workload = test_workload(bed.table, TestQueries::Same, {.queries = 10});
};

TEST_F(Campaigns, ACopyOfARowIsProtectedAsTheRowIs) {
  // What these schemes make of a row depends on its values, and for pvst its peers', alone.
  for (const char* scheme : {"pvsv", "pvst"}) {
    auto held = held_by(scheme);
    for (std::uint32_t row : {0U, 17U, 3999U}) {
      auto made = held->make_profile(values_of(row));
      ASSERT_TRUE(made) << scheme;
      EXPECT_EQ(strengths(*made, 0), strengths(*held->profiles, row)) << scheme << " " << row;
    }
  }
}

TEST_F(Campaigns, EquivalentSetsOfNewRowsHoldTheirOwnValues) {
  auto held = held_by("esvt");
  auto values = values_of(5);
  auto made = held->make_profile(values);
  ASSERT_TRUE(made);
  for (std::uint32_t j = 0; j < 5; ++j) {
    EXPECT_EQ(made->match(RowId{0}, PrivateId{j}, values[5 + j]), 0.5);
  }
}

TEST_F(Campaigns, NewRowsOfOurSchemesShowNothing) {
  for (const char* scheme : {"swap", "cluster"}) {
    auto held = held_by(scheme);
    auto values = values_of(3);
    auto first = held->make_profile(values);
    for (std::uint32_t i = 5; i < 10; ++i) {
      std::uint32_t domain = bed.table.schema().attributes[i].domain.size();
      values[i] = ValueId{static_cast<std::uint16_t>((+values[i] + 1) % domain)};
    }
    auto second = held->make_profile(values);
    ASSERT_TRUE(first && second) << scheme;
    EXPECT_EQ(strengths(*first, 0), strengths(*second, 0)) << scheme;
  }
}

TEST_F(Campaigns, EverySchemesRankingTakesItsNewRows) {
  for (const char* scheme :
       {unprotected, "pvsv", "pvst", "esvt", "estt", "swap", "cluster", "random"}) {
    auto held = held_by(scheme);
    attack::IndexTarget target(*held->index, 10, held->make_profile);
    auto row = target.insert(values_of(11));
    ASSERT_TRUE(row) << scheme << ": " << row.error().message;
    EXPECT_EQ(*row, 4000U);
  }
}

TEST_F(Campaigns, WithoutProtectionEverythingIsProven) {
  auto tallies = attack_all(*held_by(unprotected), {.k = 50, .victims = 10, .threads = 1});
  ASSERT_TRUE(tallies);
  for (const Tally& tally : *tallies) {
    EXPECT_EQ(tally.attempts, 50U);
    EXPECT_EQ(tally.proven, 50U) << tally.method;
    EXPECT_EQ(tally.right, 50) << tally.method;
    EXPECT_EQ(tally.wrong, 0U);
    EXPECT_LT(tally.interval().low, 1);
  }
}

TEST_F(Campaigns, SetsOfTwoLeaveAGuessAndNoProof) {
  for (const char* scheme : {"pvsv", "esvt"}) {
    auto tallies = attack_all(*held_by(scheme), {.k = 50, .victims = 10, .threads = 1});
    ASSERT_TRUE(tallies) << scheme;
    for (const Tally& tally : *tallies) {
      EXPECT_NEAR(tally.rate(), 0.5, 0.05) << scheme << ", " << tally.method;
      EXPECT_EQ(tally.proven, 0U) << scheme << ", " << tally.method;
    }
  }
}

TEST_F(Campaigns, ThreadsDoNotChangeWhatIsFound) {
  auto held = held_by("swap");
  auto one = attack_with(*held, paper_methods[3], {.k = 50, .victims = 12, .threads = 1});
  auto many = attack_with(*held, paper_methods[3], {.k = 50, .victims = 12, .threads = 4});
  ASSERT_TRUE(one && many);
  EXPECT_EQ(one->right, many->right);
  EXPECT_EQ(one->queries, many->queries);
}

Siege siege_of(std::initializer_list<double> rights) {
  Siege siege{contender("pvsv")};
  for (double right : rights) {
    Tally tally;
    tally.attempts = 1000;
    tally.right = right;
    siege.tallies.push_back(tally);
  }
  return siege;
}

TEST(AttackChecks, LookAtEveryMethod) {
  EXPECT_TRUE(near_all(siege_of({480, 510}), 0.5, 0.05).holds);
  EXPECT_FALSE(near_all(siege_of({480, 560}), 0.5, 0.05).holds);
  EXPECT_TRUE(at_least_all(siege_of({950, 1000}), 0.95).holds);
  EXPECT_FALSE(at_least_all(siege_of({940, 1000}), 0.95).holds);
}

TEST(AttackChecks, ClearlyBelowNeedsIntervalsApart) {
  EXPECT_TRUE(clearly_below(siege_of({500, 500}), siege_of({990, 990})).holds);
  EXPECT_FALSE(clearly_below(siege_of({500, 500}), siege_of({990, 530})).holds);
  EXPECT_TRUE(slightly_below(siege_of({480, 470}), siege_of({500, 490})).holds);
  EXPECT_FALSE(slightly_below(siege_of({500, 500}), siege_of({500, 490})).holds);
  EXPECT_FALSE(slightly_below(siege_of({300, 300}), siege_of({500, 490})).holds);
  EXPECT_EQ(slightly_below(siege_of({480, 470}), siege_of({500, 490})).value,
            "0.475 against 0.495: cannot be told apart");
  EXPECT_EQ(slightly_below(siege_of({420, 430}), siege_of({500, 490})).value,
            "0.425 against 0.495");
  EXPECT_FALSE(below_on_average(siege_of({500, 510}), 0.5).holds);
}

}  // namespace
}  // namespace rankveil::figures

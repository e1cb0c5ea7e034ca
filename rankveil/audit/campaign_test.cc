#include "rankveil/audit/campaign.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include "rankveil/audit/control.h"
#include "rankveil/audit/guesses.h"
#include "rankveil/audit/testing/small_ranking.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;
using testing::ElementsAre;
using testing::IsEmpty;

Campaign run(const SmallRanking& ranking, const std::string& method, std::uint32_t victims,
             attack::Budget budget = {}) {
  auto campaign = run_campaign(ranking.arena, *attack::find_method(method), first_rows(victims),
                               {.budget = budget});
  EXPECT_TRUE(campaign) << campaign.error().message;
  return *campaign;
}

const Finding& find(const std::vector<Finding>& findings, const std::string& attribute,
                    const std::string& level) {
  for (const Finding& finding : findings) {
    if (finding.attribute == attribute && finding.level == level) return finding;
  }
  ADD_FAILURE() << "no finding about " << attribute << " at " << level;
  return findings[0];
}

TEST(Victims, AreDrawnBySeedWithoutRepeats) {
  auto drawn = draw_victims(100, 30, 7);
  EXPECT_EQ(drawn.size(), 30U);
  EXPECT_TRUE(std::is_sorted(drawn.begin(), drawn.end()));
  EXPECT_EQ(std::adjacent_find(drawn.begin(), drawn.end()), drawn.end());
  EXPECT_EQ(drawn, draw_victims(100, 30, 7));
  EXPECT_NE(drawn, draw_victims(100, 30, 8));
  EXPECT_EQ(draw_victims(5, 30, 7), first_rows(5)) << "all when there are fewer";
}

TEST(Methods, AreThoseThatTheTargetAllows) {
  auto names = [](const Arena& arena, std::vector<std::string> wanted) {
    std::vector<std::string> chosen;
    auto methods = choose_methods(arena, wanted);
    if (!methods) return std::vector{methods.error().message};
    for (const auto* method : *methods) chosen.emplace_back(method->name);
    return chosen;
  };
  SmallRanking open = unprotected(100, 1);
  EXPECT_THAT(names(open.arena, {"all"}), ElementsAre("q-point", "q-in", "qi-point", "qi-in"));
  SmallRanking sets = protected_by("pvsv", 2, 100, 1);
  EXPECT_THAT(names(sets.arena, {"all"}),
              ElementsAre("q-point", "q-in", "qi-point", "profile-by-sets"));
  Arena closed = open.arena;
  closed.takes_inserts = false;
  EXPECT_THAT(names(closed, {"all"}), ElementsAre("q-point", "q-in"));
  EXPECT_THAT(names(closed, {"qi-in"}),
              ElementsAre("qi-in inserts rows, which this target does not take; use all for every "
                          "attack that works here"));
  EXPECT_THAT(names(open.arena, {"guess"}),
              ElementsAre(testing::HasSubstr("there is no attack \"guess\"")));
}

// Schemes that hide a row among those with the same public values take inserts, too.
class PeerSchemes : public testing::TestWithParam<const char*> {};

TEST_P(PeerSchemes, HideNewRowsAmongTheirPeers) {
  SmallRanking ranking = protected_by(GetParam(), 2, 600, 12);
  ASSERT_TRUE(ranking.arena.takes_inserts);
  auto make = profile_of_new_row(ranking.index, ranking.profiles, ranking.table, ranking.mechanism);
  for (std::uint32_t row = 0; row < 40; ++row) {
    std::vector<ValueId> values;
    for (std::uint32_t i = 0; i < ranking.table.schema().size(); ++i) {
      values.push_back(ranking.table.value(RowId{row}, AttributeId{i}));
    }
    auto profile = make(values);
    ASSERT_TRUE(profile) << profile.error().message;
    std::uint32_t matched = 0;
    for (std::uint16_t v = 0; v < 4; ++v) {
      matched += profile->match(RowId{0}, PrivateId{0}, ValueId{v}) > 0 ? 1 : 0;
    }
    EXPECT_NE(matched, 1U) << "one value alone would be the row's own";
  }
}

TEST_P(PeerSchemes, AreAttackedWithOwnRowsAndNeverProvenWrong) {
  SmallRanking ranking = protected_by(GetParam(), 2, 600, 13);
  double inserts = 0;
  for (const char* method : {"qi-point", "qi-in", "profile-by-sets"}) {
    Campaign campaign = run(ranking, method, 25);
    for (std::size_t i = 0; i < campaign.victims.size(); ++i) {
      for (std::uint32_t j = 0; j < 2; ++j) {
        const auto& found = campaign.victims[i].attributes[j];
        ValueId truth =
            ranking.table.value(RowId{static_cast<std::uint32_t>(i)}, AttributeId{3 + j});
        if (!found.proven) continue;
        EXPECT_EQ(found.candidates[0], truth) << method << ", row " << i;
      }
    }
    Priors priors(ranking.table, {}, 5);
    for (const Finding& finding : findings_of(campaign, ranking.arena, ranking.table, priors)) {
      inserts = std::max(inserts, finding.inserts);
    }
  }
  EXPECT_GT(inserts, 0);
}

TEST_P(PeerSchemes, TakeCanaries) {
  SmallRanking ranking = protected_by(GetParam(), 2, 600, 14);
  auto methods = choose_methods(ranking.arena, std::vector<std::string>{"all"});
  ASSERT_TRUE(methods);
  auto control = run_control(ranking.arena, *methods, 8, 1, {});
  ASSERT_TRUE(control) << control.error().message;
  EXPECT_EQ(control->planted, 8U);
  EXPECT_EQ(control->wrong, 0U);
}

INSTANTIATE_TEST_SUITE_P(Campaign, PeerSchemes, testing::Values("pvst", "estt"),
                         [](const auto& one) { return std::string(one.param); });

TEST(Campaign, ProvesAllValuesOfAnUnprotectedRanking) {
  SmallRanking ranking = unprotected(300, 3);
  Priors priors(ranking.table, {}, 5);
  for (const char* method : {"q-in", "qi-point", "qi-in"}) {
    Campaign campaign = run(ranking, method, 40);
    auto findings = findings_of(campaign, ranking.arena, ranking.table, priors);
    const Finding& all = find(findings, "all", "ignorant");
    EXPECT_EQ(all.attempts, 80U) << method;
    EXPECT_EQ(all.proven, 80U) << method;
    EXPECT_EQ(all.right, 80) << method;
    EXPECT_EQ(all.gain, 1) << method;
    EXPECT_EQ(all.certain, 1) << method;
    EXPECT_EQ(all.candidates, 1) << method;
    EXPECT_GT(all.queries, 1) << method;
    EXPECT_EQ(proven_wrong(campaign, ranking.table), 0U) << method;
  }
}

TEST(Campaign, ProvesNothingAboutValuesThatAreDeclaredNotSensitive) {
  SmallRanking ranking = unprotected(300, 3);
  const Schema& schema = ranking.table.schema();
  const Attribute& first = schema.attributes[schema.public_count()];
  std::string value(first.domain.text(ValueId{0}));
  Priors priors(ranking.table, {}, 5, SparedValues(schema, {{first.name, {value}}}));
  Campaign campaign = run(ranking, "q-in", 40);
  std::uint64_t have_it = 0;
  for (const Attacked& attacked : campaign.victims) {
    AttributeId attribute{schema.public_count()};
    have_it += ranking.table.value(RowId{attacked.victim}, attribute) == ValueId{0} ? 1 : 0;
  }
  ASSERT_GT(have_it, 0U);
  auto findings = findings_of(campaign, ranking.arena, ranking.table, priors);
  const Finding& of_first = find(findings, first.name, "ignorant");
  EXPECT_EQ(of_first.attempts, 40U);
  EXPECT_EQ(of_first.proven, 40U - have_it);
  EXPECT_EQ(of_first.right, 40.0 - static_cast<double>(have_it));
  EXPECT_EQ(of_first.gain, 1) << "on the values that are left";
  // With all values spared there is nothing to gain.
  std::vector<std::string> every;
  for (std::uint16_t v = 0; v < first.domain.size(); ++v) {
    every.emplace_back(first.domain.text(ValueId{v}));
  }
  Priors none(ranking.table, {}, 5, SparedValues(schema, {{first.name, every}}));
  auto spared = findings_of(campaign, ranking.arena, ranking.table, none);
  EXPECT_EQ(find(spared, first.name, "ignorant").gain, 0);
  EXPECT_EQ(find(spared, first.name, "ignorant").right, 0);
  EXPECT_EQ(find(spared, first.name, "ignorant").prior, 0);
}

TEST(Campaign, DoesNotDependOnThreads) {
  SmallRanking ranking = unprotected(300, 4);
  Priors priors(ranking.table, {}, 5);
  auto told = [&](std::uint32_t threads) {
    ranking.arena.threads = threads;
    std::string text;
    Campaign campaign = run(ranking, "q-point", 60);
    for (const Finding& finding : findings_of(campaign, ranking.arena, ranking.table, priors)) {
      text += to_json(finding).dump();
    }
    return text;
  };
  EXPECT_EQ(told(1), told(2));
}

TEST(Campaign, SetsOfTwoLeaveAGuessOfOneHalf) {
  SmallRanking ranking = protected_by("random", 2, 400, 5);
  Priors priors(ranking.table, {}, 5);
  Campaign campaign = run(ranking, "profile-by-sets", 100);
  auto findings = findings_of(campaign, ranking.arena, ranking.table, priors);
  const Finding& all = find(findings, "all", "ignorant");
  EXPECT_EQ(all.proven, 0U);
  EXPECT_NEAR(all.rate, 0.5, 1e-9) << "the true value is always one of two";
  EXPECT_NEAR(all.candidates, 2, 1e-9);
  EXPECT_LE(all.gain, 0.5);
}

TEST(Campaign, HiddenVictimsStayInTheDenominator) {
  SmallRanking ranking = unprotected(300, 6, /*k=*/1);
  Priors priors(ranking.table, {}, 5);
  Campaign campaign = run(ranking, "q-point", 60, {.queries = 1});
  auto findings = findings_of(campaign, ranking.arena, ranking.table, priors);
  const Finding& all = find(findings, "all", "ignorant");
  EXPECT_EQ(all.attempts, 120U);
  EXPECT_GT(all.hidden, 60U);
  EXPECT_LT(all.rate, 0.5);
}

TEST(Campaign, PassesFailuresOn) {
  SmallRanking ranking = unprotected(50, 7);
  ranking.arena.fresh = []() -> Result<std::unique_ptr<attack::Target>> {
    return io_error("nobody is there");
  };
  auto campaign = run_campaign(ranking.arena, *attack::find_method("q-in"), first_rows(5), {});
  ASSERT_FALSE(campaign);
  EXPECT_EQ(campaign.error().message, "nobody is there");
}

TEST(Curve, AscendsToTheShareOfProvenValues) {
  SmallRanking ranking = unprotected(300, 8);
  Campaign campaign = run(ranking, "qi-in", 30);
  Curve curve = curve_of(campaign, ranking.table, "after");
  ASSERT_FALSE(curve.points.empty());
  EXPECT_EQ(curve.points.back().share, 1);
  for (std::size_t i = 1; i < curve.points.size(); ++i) {
    EXPECT_GT(curve.points[i].queries, curve.points[i - 1].queries);
    EXPECT_GT(curve.points[i].share, curve.points[i - 1].share);
  }
  SmallRanking sets = protected_by("random", 2, 300, 8);
  EXPECT_THAT(curve_of(run(sets, "qi-in", 30), sets.table, "after").points, IsEmpty());
}

// An attack that takes values of the first rows for proven; `wrong` of them are not the true ones.
Campaign taken_for_proven(const SmallRanking& ranking, std::uint32_t rows, std::uint32_t wrong) {
  Campaign campaign{"q-in", {}};
  for (std::uint32_t row = 0; row < rows; ++row) {
    Attacked& attacked = campaign.victims.emplace_back();
    attacked.victim = row;
    attacked.seen = true;
    for (std::uint32_t j = 0; j < 2; ++j) {
      const AttributeId attribute{3 + j};
      std::uint32_t domain = ranking.table.schema()[attribute].domain.size();
      std::uint32_t value = +ranking.table.value(RowId{row}, attribute);
      if (row < wrong) value = (value + 1) % domain;
      attacked.attributes.push_back({.candidates = {ValueId{static_cast<std::uint16_t>(value)}},
                                     .weights = {1.0},
                                     .proven = true,
                                     .queries = 3});
    }
  }
  return campaign;
}

Finding all_as_ignorant(const SmallRanking& ranking, const Campaign& campaign) {
  Priors priors(ranking.table, {}, 5);
  return find(findings_of(campaign, ranking.arena, ranking.table, priors), "all", "ignorant");
}

TEST(Campaign, ProofsThatAreOftenWrongGainNothing) {
  SmallRanking ranking = unprotected(300, 15);
  Campaign campaign = taken_for_proven(ranking, 100, 70);
  Finding finding = all_as_ignorant(ranking, campaign);
  EXPECT_EQ(finding.gain, 0) << "thirty of a hundred are luck where there are four or five values";
  EXPECT_EQ(finding.proven, 60U) << "of 200, those that are true";
  EXPECT_EQ(finding.certain, 0.3);
  EXPECT_EQ(finding.right, 60);
  EXPECT_EQ(curve_of(campaign, ranking.table, "after").points.back().share, 0.3);
}

TEST(Campaign, AFewWrongProofsDoNotHideALeak) {
  SmallRanking ranking = unprotected(300, 15);
  EXPECT_EQ(all_as_ignorant(ranking, taken_for_proven(ranking, 100, 0)).gain, 1);
  Campaign campaign = taken_for_proven(ranking, 100, 3);
  Finding finding = all_as_ignorant(ranking, campaign);
  EXPECT_GT(finding.gain, 0.6) << "ninety-seven of a hundred are no luck";
  EXPECT_LT(finding.gain, 1);
  EXPECT_EQ(proven_wrong(campaign, ranking.table), 6U);
}

TEST(Campaign, OneRightProofAmongFewIsNoGain) {
  SmallRanking ranking = unprotected(300, 15);
  EXPECT_EQ(all_as_ignorant(ranking, taken_for_proven(ranking, 1, 0)).gain, 1);
  EXPECT_EQ(all_as_ignorant(ranking, taken_for_proven(ranking, 2, 1)).gain, 0);
}

TEST(Baselines, GuessTheMostFrequentValue) {
  SmallRanking ranking = unprotected(2000, 9);
  Priors priors(ranking.table, {}, 21);
  auto findings = baselines(first_rows(2000), ranking.table, priors);
  const Finding& prior = find(findings, "faith", "prior");
  EXPECT_NEAR(prior.rate, 0.25, 0.04);
  const Finding& grouped = find(findings, "faith", "prior-public");
  EXPECT_GT(grouped.rate, prior.rate) << "groups of 83 rows lean one way or another";
  EXPECT_NEAR(grouped.rate, grouped.prior, 1e-9) << "over all rows the best share is what is right";
}

TEST(Priors, SmallGroupsAreLookedUpAmongMoreRows) {
  Table table = small_table(100, 10);  // 24 groups of about 4
  Priors fine(table, {}, 1);
  Priors coarse(table, {}, 21);
  double fine_sum = 0;
  double coarse_sum = 0;
  for (std::uint32_t row = 0; row < 100; ++row) {
    fine_sum += fine.best(row, PrivateId{0});
    coarse_sum += coarse.best(row, PrivateId{0});
  }
  EXPECT_GT(fine_sum, coarse_sum + 10);
  EXPECT_NEAR(coarse.best(0, PrivateId{0}),
              *std::max_element(coarse.overall()[0].begin(), coarse.overall()[0].end()), 1e-9);
}

// Rows without a value show decoys only; that is no proof that they have one.
TEST(Campaign, ARowMayHaveNoValue) {
  SmallRanking ranking = protected_by("pvsv", 2, 200, 11);
  ranking.arena.complete = {0, 1};
  Campaign campaign = run(ranking, "profile-by-sets", 20);
  for (const Attacked& attacked : campaign.victims) {
    EXPECT_EQ(attacked.attributes[0].candidates.size(), 3U);
    EXPECT_EQ(attacked.attributes[0].candidates.back(), missing_value);
    EXPECT_EQ(attacked.attributes[1].candidates.size(), 2U);
  }
}

}  // namespace
}  // namespace rankveil::audit

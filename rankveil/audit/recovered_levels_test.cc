#include "rankveil/audit/recovered_levels.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/audit/recovered_profiles.h"
#include "rankveil/audit/testing/recovered_rankings.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/scheme.h"

namespace rankveil::audit {
namespace {

using namespace testing_support;
using testing::AnyOf;
using testing::Contains;
using testing::HasSubstr;
using testing::IsEmpty;

// Levels that look at rows one by one, and those that look at groups.
const std::vector<std::string> above_knowledgeable = {"mechanism-table", "mechanism-public",
                                                      "joint", "joint-balanced", "bayesian-joint"};

void expect_same(const Judgement& recovered, const Judgement& read) {
  ASSERT_EQ(recovered.findings.size(), read.findings.size());
  for (std::size_t i = 0; i < read.findings.size(); ++i) {
    const Finding& ours = recovered.findings[i];
    const Finding& theirs = read.findings[i];
    SCOPED_TRACE(name_of(theirs));
    EXPECT_EQ(ours.level, theirs.level);
    EXPECT_EQ(ours.method, "recovered");
    EXPECT_EQ(ours.attempts, theirs.attempts);
    EXPECT_EQ(ours.proven, theirs.proven);
    EXPECT_NEAR(ours.right, theirs.right, 1e-9);
    EXPECT_NEAR(ours.prior, theirs.prior, 1e-9);
    EXPECT_NEAR(ours.gain, theirs.gain, 1e-9);
    EXPECT_NEAR(ours.certain, theirs.certain, 1e-9);
    EXPECT_NEAR(ours.candidates, theirs.candidates, 1e-9);
  }
}

Judgement judged(const SmallRanking& ranking, const Profiles& profiles, const Sight* sight) {
  Observed observed{
      .table = ranking.table, .profiles = profiles, .mechanism = ranking.mechanism, .sight = sight};
  auto judgement = judge_profiles(observed, {.levels = above_knowledgeable, .threads = 1});
  EXPECT_TRUE(judgement) << judgement.error().message;
  return judgement ? *std::move(judgement) : Judgement{};
}

Sight only(std::uint32_t row, std::uint32_t rows) {
  Sight sight;
  sight.attacked.assign(rows, 0);
  sight.known.assign(2, std::vector<std::uint8_t>(rows, 1));
  sight.attacked[row] = 1;
  return sight;
}

TEST(RecoveredLevels, AllRowsRecoveredAreAsGoodAsProfilesThatWereRead) {
  for (const Demand& demand : recoverable_demands()) {
    for (std::uint64_t seed = 0; seed < some_of(2U); ++seed) {
      SCOPED_TRACE(testing::Message() << demand.scheme << ", l " << demand.l << ", seed " << seed);
      SmallRanking ranking = even_ranking(demand, seed);
      RecoveredProfiles recovered =
          recovered_profiles(all_campaigns(ranking.arena, first_rows(72)), ranking.arena);
      expect_same(judged(ranking, recovered.profiles, &recovered.sight),
                  judged(ranking, ranking.profiles, nullptr));
      for (std::uint32_t row = 0; row < 72; row += sanitized ? 30 : 5) {
        SCOPED_TRACE(testing::Message() << "row " << row);
        Sight one = only(row, 72);
        expect_same(judged(ranking, recovered.profiles, &one),
                    judged(ranking, ranking.profiles, &one));
      }
    }
  }
}

// Figures of single rows, read by themselves, make up those of all rows read together.
TEST(RecoveredLevels, RowsAddUpToTheTable) {
  for (const Demand& demand : recoverable_demands()) {
    SCOPED_TRACE(testing::Message() << demand.scheme << ", l " << demand.l);
    SmallRanking ranking = even_ranking(demand, 4);
    Judgement all = judged(ranking, ranking.profiles, nullptr);
    std::vector<double> right(all.findings.size(), 0), candidates = right, gain = right;
    for (std::uint32_t row = 0; row < 72; ++row) {
      Sight one = only(row, 72);
      Judgement alone = judged(ranking, ranking.profiles, &one);
      ASSERT_EQ(alone.findings.size(), all.findings.size());
      for (std::size_t i = 0; i < right.size(); ++i) {
        right[i] += alone.findings[i].right;
        candidates[i] += alone.findings[i].candidates;
        gain[i] = std::max(gain[i], alone.findings[i].gain);
      }
    }
    for (std::size_t i = 0; i < right.size(); ++i) {
      const Finding& finding = all.findings[i];
      EXPECT_NEAR(right[i], finding.right, 1e-6) << name_of(finding);
      EXPECT_NEAR(candidates[i] / 72, finding.candidates, 1e-6) << name_of(finding);
      if (finding.level.starts_with("joint")) continue;  // their gain is one of all bets together
      EXPECT_NEAR(gain[i], finding.gain, 1e-6) << name_of(finding);
    }
  }
}

// ---- An audit that cannot read profiles ----

AuditTask recovering_task(const SmallRanking& ranking) {
  AuditTask task{.truth = ranking.table, .arena = ranking.arena};
  task.mechanism = ranking.mechanism;
  const Demand& demand = ranking.mechanism->demand;
  task.subject.promise = find_scheme(demand.scheme)->promise_for(demand, ranking.table.schema());
  task.subject.against = {AdversaryLevel::Ignorant, AdversaryLevel::Knowledgeable,
                          AdversaryLevel::MechanismAware, AdversaryLevel::Joint,
                          AdversaryLevel::BayesianJoint};
  task.subject.private_attributes = {"faith", "diet"};
  task.victims = 72;
  task.canaries = 0;
  task.victims_before = 0;
  return task;
}

AuditReport audited_ranking(const AuditTask& task) {
  auto report = run_audit(task);
  EXPECT_TRUE(report) << report.error().message;
  return report ? *report : AuditReport{};
}

std::vector<Finding> recovered_in(const AuditReport& report) {
  std::vector<Finding> findings;
  for (const Finding& finding : report.findings) {
    if (finding.method == "recovered") findings.push_back(finding);
  }
  return findings;
}

const Finding* find(const std::vector<Finding>& findings, const std::string& level) {
  for (const Finding& finding : findings) {
    if (finding.level == level && finding.attribute == "all") return &finding;
  }
  return nullptr;
}

TEST(RecoveredLevels, AQueriedRankingByPvsvIsBrokenByThoseWhoKnowTheMechanism) {
  SmallRanking ranking = even_ranking({.scheme = "pvsv", .l = 2}, 1);
  ranking.arena.takes_inserts = false;
  AuditReport report = audited_ranking(recovering_task(ranking));
  std::vector<Finding> findings = recovered_in(report);
  const Finding* found = find(findings, "mechanism-public");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->verdict, Verdict::Broken);
  EXPECT_EQ(found->attempts, 144U);
  EXPECT_GT(found->rate, 0.8);
  EXPECT_GT(found->queries, 1);
  EXPECT_THAT(report.notes, Contains(HasSubstr("recovered those of 72 of 72 victims wholly")));
  for (const Finding& finding : report.findings) {
    bool attack = finding.method.starts_with("q");
    EXPECT_FALSE(attack && finding.verdict == Verdict::Broken) << finding.reason;
  }
  EXPECT_FALSE(report.informed.empty());
}

// An answer of rr is d / (l - 1) times as likely from who has the value as from others: 2.5 for
// l = 3 and five values.
TEST(RecoveredLevels, AMechanismThatKeepsItsPromiseIsNotBroken) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    SmallRanking ranking = even_ranking({.scheme = "rr", .l = 3}, seed);
    AuditTask task = recovering_task(ranking);
    task.subject.promise = {PromiseKind::LikelihoodRatio, std::log(2.5)};
    task.subject.against = {AdversaryLevel::MechanismAware};
    AuditReport report = audited_ranking(task);
    EXPECT_FALSE(recovered_in(report).empty());
    EXPECT_EQ(report.first_broken(), nullptr)
        << "seed " << seed << ": " << report.first_broken()->reason;
  }
}

TEST(RecoveredLevels, VictimsThatAreNotRecoveredCountAndAreGuessedByPublicValues) {
  SmallRanking ranking = even_ranking({.scheme = "random", .l = 2}, 2, /*k=*/1);
  AuditTask task = recovering_task(ranking);
  task.budget.queries = 12;
  AuditReport report = audited_ranking(task);
  std::vector<Finding> findings = recovered_in(report);
  const Finding* found = find(findings, "mechanism-public");
  ASSERT_NE(found, nullptr);
  EXPECT_EQ(found->attempts, 144U);
  EXPECT_GT(found->hidden, 0U);
  SmallRanking open = even_ranking({.scheme = "random", .l = 2}, 2);
  std::vector<Finding> more = recovered_in(audited_ranking(recovering_task(open)));
  EXPECT_EQ(find(more, "mechanism-public")->hidden, 0U);
  EXPECT_LT(found->right, find(more, "mechanism-public")->right);
  EXPECT_GE(found->right, found->prior * 144 - 1e-9);
}

TEST(RecoveredLevels, WithoutADeclaredSchemeTheMechanismIsNotUsed) {
  SmallRanking ranking = even_ranking({.scheme = "pvsv", .l = 2}, 1);
  AuditTask task = recovering_task(ranking);
  task.mechanism.reset();
  AuditReport report = audited_ranking(task);
  EXPECT_THAT(recovered_in(report), IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("left out: no scheme is declared")));
  EXPECT_TRUE(report.informed.empty());
}

// Not all are: a set that pvsv or generalise shows is one that random could have drawn.
TEST(RecoveredLevels, AWrongDeclarationIsFoundOut) {
  const std::pair<const char*, const char*> real_and_declared[] = {
      {"random", "pvsv"},     {"generalise", "pvsv"},   {"rr", "pvsv"},       {"drop", "pvsv"},
      {"pvsv", "generalise"}, {"random", "generalise"}, {"rr", "generalise"}, {"pvsv", "drop"},
      {"random", "drop"},     {"rr", "drop"},           {"pvsv", "rr"},       {"generalise", "rr"},
      {"rr", "random"},       {"drop", "random"}};
  for (const auto& [real, declared] : real_and_declared) {
    for (std::uint64_t seed = 0; seed < some_of(2U); ++seed) {
      SCOPED_TRACE(std::string(real) + " declared as " + declared);
      SmallRanking ranking = even_ranking({.scheme = real, .l = 2}, seed);
      ranking.arena.takes_inserts = false;
      AuditTask task = recovering_task(ranking);
      task.mechanism->demand.scheme = declared;
      AuditReport report = audited_ranking(task);
      EXPECT_THAT(recovered_in(report), IsEmpty());
      EXPECT_THAT(report.notes,
                  Contains(AnyOf(HasSubstr("is nothing that " + std::string(declared)),
                                 HasSubstr("no attack recovered a whole profile"))));
    }
  }
}

TEST(RecoveredLevels, AWrongSizeOfSetsIsFoundOut) {
  for (std::uint32_t l : {2U, 3U}) {
    for (const char* scheme : {"pvsv", "random"}) {
      SmallRanking ranking = even_ranking({.scheme = scheme, .l = l}, 3);
      ranking.arena.takes_inserts = false;
      AuditTask task = recovering_task(ranking);
      task.mechanism->demand.l = 5 - l;
      EXPECT_THAT(recovered_in(audited_ranking(task)), IsEmpty()) << scheme << " of " << l;
    }
  }
}

TEST(RecoveredLevels, JointNeedsWholeGroups) {
  SmallRanking ranking = even_ranking({.scheme = "random", .l = 2}, 4);
  AuditTask task = recovering_task(ranking);
  task.victims = 12;
  AuditReport report = audited_ranking(task);
  EXPECT_NE(find(recovered_in(report), "mechanism-public"), nullptr);
  EXPECT_EQ(find(recovered_in(report), "joint"), nullptr);
  EXPECT_THAT(
      report.notes,
      Contains(HasSubstr("joint, joint-balanced were left out: all rows of a public group")));
}

TEST(RecoveredLevels, SaysWhySwapIsNotRecovered) {
  SmallRanking ranking = even_ranking({.scheme = "swap-exact", .l = 3}, 5);
  AuditReport report = audited_ranking(recovering_task(ranking));
  EXPECT_THAT(recovered_in(report), IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("no attack recovered a whole profile")));
  EXPECT_EQ(report.first_broken(), nullptr);
}

// The worst row first.
class TurnedRound : public attack::Target {
 public:
  explicit TurnedRound(std::unique_ptr<attack::Target> target) : target_(std::move(target)) {}
  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    auto rows = target_->query(query);
    if (rows) std::reverse(rows->begin(), rows->end());
    return rows;
  }
  Result<std::uint32_t> insert(std::span<const ValueId> values) override {
    return target_->insert(values);
  }
  bool takes_inserts() const override { return target_->takes_inserts(); }
  bool takes_sets() const override { return target_->takes_sets(); }

 private:
  std::unique_ptr<attack::Target> target_;
};

TEST(RecoveredLevels, AnswersThatMakeNoSenseAreNoAudit) {
  SmallRanking ranking = even_ranking({.scheme = "pvsv", .l = 2}, 1, /*k=*/72);
  ranking.arena.takes_inserts = false;
  auto fresh = ranking.arena.fresh;
  ranking.arena.fresh = [fresh]() -> Result<std::unique_ptr<attack::Target>> {
    auto target = fresh();
    if (!target) return target.error();
    return std::unique_ptr<attack::Target>(new TurnedRound(*std::move(target)));
  };
  auto report = run_audit(recovering_task(ranking));
  ASSERT_FALSE(report);
  EXPECT_THAT(report.error().message, HasSubstr("the policy's attributes, weights and categories"));
}

TEST(RecoveredLevels, AnUnprotectedRankingHasNothingToRecoverButValues) {
  SmallRanking ranking = unprotected(72, 6);
  ranking.mechanism = Mechanism{};
  AuditReport report = audited_ranking(recovering_task(ranking));
  EXPECT_THAT(recovered_in(report), IsEmpty());
  EXPECT_THAT(report.notes, Contains(HasSubstr("as if it were not protected: swap with l = 3 is "
                                               "declared, and moved nothing")));
}

}  // namespace
}  // namespace rankveil::audit

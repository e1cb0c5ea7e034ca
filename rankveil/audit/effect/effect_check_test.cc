// Services that do everything but match what is asked, and one that does.
#include "rankveil/audit/effect/effect_check.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <functional>
#include <numeric>

#include "rankveil/audit/gate.h"
#include "rankveil/audit/json_fields.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/random.h"
#include "rankveil/table/people/people.h"

namespace rankveil::audit {
namespace {

using testing::HasSubstr;

using EffectAnswer = std::vector<std::uint32_t>;
using Respond = std::function<EffectAnswer(const Query&)>;

class RespondingTarget : public attack::Target {
 public:
  explicit RespondingTarget(const Respond& respond) : respond_(respond) {}
  Result<EffectAnswer> query(const Query& query) override { return respond_(query); }
  Result<std::uint32_t> insert(std::span<const ValueId>) override { return wrong_use("no rows"); }
  bool takes_inserts() const override { return false; }

 private:
  const Respond& respond_;
};

class EffectCheckTest : public testing::Test {
 protected:
  EffectCheckTest() : table_(*generate_people({.rows = 600, .attributes = 6, .seed = 3})) {}

  SeenEffects seen_by(const Respond& respond) {
    respond_ = respond;
    arena_.knowledge.schema = table_.schema();
    arena_.fresh = [this]() -> Result<std::unique_ptr<attack::Target>> {
      return std::unique_ptr<attack::Target>(new RespondingTarget(respond_));
    };
    auto seen = check_effects(arena_, table_, 7);
    EXPECT_TRUE(seen);
    return *std::move(seen);
  }
  static std::vector<Acts> acts_of(const SeenEffects& seen) {
    std::vector<Acts> acts;
    for (const Effect& effect : seen.effects) acts.push_back(effect.acts);
    return acts;
  }

  // The k best of the true ranking, with wishes changed beforehand.
  EffectAnswer best(const Query& query, std::uint32_t k = 20) const {
    auto ranking = plain_top(query, k);
    return ranking;
  }
  EffectAnswer plain_top(const Query& query, std::uint32_t k) const {
    std::vector<std::uint32_t> order(table_.rows());
    std::iota(order.begin(), order.end(), 0U);
    auto score = [&](std::uint32_t row) {
      int sum = 0;
      for (std::uint32_t i = 0; i < query.wanted.size(); ++i) {
        ValueId value = table_.value(RowId{row}, AttributeId{i});
        sum += std::ranges::find(query.wanted[i], value) != query.wanted[i].end() ? 1 : 0;
      }
      return sum;
    };
    std::ranges::stable_sort(order, [&](auto a, auto b) { return score(a) > score(b); });
    order.resize(std::min<std::size_t>(k, order.size()));
    return order;
  }

  Table table_;
  Respond respond_;
  Arena arena_;
};

TEST_F(EffectCheckTest, SeesThatMatchesRise) {
  for (std::uint32_t k : {1U, 20U, 600U}) {
    auto seen = seen_by([&](const Query& query) { return best(query, k); });
    EXPECT_THAT(acts_of(seen), testing::Each(Acts::Rises)) << "k = " << k;
    EXPECT_EQ(not_tested_because(seen.effects, "all"), "");
    for (const Effect& effect : seen.effects) EXPECT_GT(effect.share, effect.elsewhere);
  }
}

TEST_F(EffectCheckTest, AWishThatNobodyReadsMovesNothing) {
  std::uint32_t first = table_.schema().public_count();
  auto seen = seen_by([&](Query query) {
    query.wanted[first].clear();  // the parameter is misspelt, or overridden
    return best(query);
  });
  EXPECT_EQ(seen.effects[0].acts, Acts::Still);
  EXPECT_EQ(seen.effects[1].acts, Acts::Rises);
  const std::string name = table_.schema().attributes[first].name;
  EXPECT_THAT(seen.effects[0].note, HasSubstr("nothing moves when " + name + " is asked for"));
  EXPECT_THAT(not_tested_because(seen.effects, "all"), HasSubstr(name + " was not tested"));
  EXPECT_EQ(not_tested_because(seen.effects, seen.effects[1].attribute), "");
}

TEST_F(EffectCheckTest, ASortByAColumnIsNoMatch) {
  std::uint32_t first = table_.schema().public_count();
  std::vector<std::uint32_t> sorted(table_.rows());
  std::iota(sorted.begin(), sorted.end(), 0U);
  std::ranges::stable_sort(
      sorted, {}, [&](std::uint32_t row) { return +table_.value(RowId{row}, AttributeId{first}); });
  auto seen =
      seen_by([&](const Query&) { return EffectAnswer(sorted.begin(), sorted.begin() + 20); });
  EXPECT_THAT(acts_of(seen), testing::Each(Acts::Still));
}

TEST_F(EffectCheckTest, WhatKeepsMatchesAwayIsNoMatch) {
  auto seen = seen_by([&](const Query& query) {
    EffectAnswer whole = plain_top(query, table_.rows());
    return EffectAnswer(whole.rbegin(), whole.rbegin() + 20);
  });
  EXPECT_THAT(acts_of(seen), testing::Each(Acts::Otherwise));
  EXPECT_THAT(seen.effects[0].note, HasSubstr("do not rise more than by chance"));
}

// Random answers, shards of like rows, and those kept by a cache: none is a match.
TEST_F(EffectCheckTest, NoiseIsTakenForAMatchHardlyEver) {
  std::uint64_t wrong = 0, all = 0;
  for (std::uint64_t seed = 1; seed <= 25; ++seed) {
    Rng rng(seed);
    auto shard = [&](std::uint64_t number) {
      EffectAnswer rows;
      AttributeId by{static_cast<std::uint32_t>(table_.schema().public_count() + seed % 2)};
      std::uint64_t value = number % table_.schema()[by].domain.size();
      for (std::uint32_t row = 0; row < table_.rows() && rows.size() < 20; ++row) {
        if (+table_.value(RowId{row}, by) == value) rows.push_back(row);
      }
      return rows;
    };
    std::vector<std::pair<Query, EffectAnswer>> cache;
    auto cached = [&](const Query& query) {
      for (const auto& [known, answer] : cache) {
        if (known == query) return answer;
      }
      return cache.emplace_back(query, shard(rng())).second;
    };
    for (const Respond& respond :
         {Respond([&](const Query&) { return shard(rng()); }), Respond(cached)}) {
      for (const Effect& effect : seen_by(respond).effects) {
        wrong += effect.acts == Acts::Rises ? 1 : 0;
        ++all;
      }
    }
  }
  EXPECT_EQ(all, 150U);
  EXPECT_LE(wrong, 3U) << "0.5% of 150, and chance above it once in a hundred times";
}

TEST_F(EffectCheckTest, EmptyAnswersAreBlind) {
  auto matching = [&](const Query& query) { return best(query); };
  auto seen = seen_by(matching);
  ASSERT_TRUE(check_still_answered(arena_, seen));
  EXPECT_THAT(acts_of(seen), testing::Each(Acts::Rises)) << "it answers still";
  respond_ = [](const Query&) { return EffectAnswer(); };
  ASSERT_TRUE(check_still_answered(arena_, seen));
  EXPECT_THAT(acts_of(seen), testing::Each(Acts::Blind)) << "it throttles";
  EXPECT_THAT(seen.effects[0].note, HasSubstr("10 of 10 questions that had an answer"));

  seen = seen_by(matching);
  arena_.answers = std::make_shared<AnswerCount>(AnswerCount{.all = 1000, .empty = 501});
  ASSERT_TRUE(check_still_answered(arena_, seen));
  EXPECT_THAT(seen.effects[0].note, HasSubstr("501 of 1,000 answers had no rows"));
}

TEST_F(EffectCheckTest, ReadsBackFromItsJson) {
  Effect effect{"religion", Acts::Otherwise, 12, 0.25, 0.5, 0.75, "a note"};
  std::string problem;
  Json json = to_json(effect);
  EXPECT_EQ(effect_from_json(JsonFields(json, "the effect", problem)), effect);
  EXPECT_EQ(problem, "");
  Json wrong = Json().set("attribute", "religion").set("acts", "dances");
  effect_from_json(JsonFields(wrong, "the effect", problem));
  EXPECT_THAT(problem, HasSubstr("\"dances\" is no effect"));
}

Finding quiet_finding(const std::string& attribute) {
  Finding finding;
  finding.attribute = attribute;
  finding.method = "q-point";
  finding.level = "ignorant";
  finding.attempts = 1000;
  finding.promise = {PromiseKind::GainAtMost, 0.5};
  fill_rate(finding);
  return finding;
}

TEST(NotTested, IsSaidInsteadOfKeptAndFailsWithoutLeave) {
  std::vector<Effect> effects = {{.attribute = "religion", .acts = Acts::Still, .note = "silence"},
                                 {.attribute = "income", .acts = Acts::Rises}};
  AuditReport report;
  for (const char* attribute : {"religion", "income", "all"}) {
    report.findings.push_back(quiet_finding(attribute));
    judge(report.findings.back(), {.comparisons = 1});
    EXPECT_EQ(report.findings.back().verdict, Verdict::Kept);
    judge(report.findings.back(), {.comparisons = 1, .effects = effects});
  }
  EXPECT_EQ(report.findings[0].verdict, Verdict::NotTested);
  EXPECT_EQ(report.findings[0].reason, "silence");
  EXPECT_EQ(report.findings[1].verdict, Verdict::Kept);
  EXPECT_EQ(report.findings[2].reason, "religion was not tested: silence");
  EXPECT_EQ(report.overall(), Verdict::NotTested);
  EXPECT_TRUE(lacks_tests(report, {}));
  EXPECT_TRUE(lacks_tests(report, {*rule_from_text("broken")}));
  EXPECT_FALSE(lacks_tests(report, {*rule_from_text("broken"), *rule_from_text("untested=allow")}));
}

TEST(NotTested, DoesNotHideWhatIsBroken) {
  std::vector<Effect> effects = {{.attribute = "religion", .acts = Acts::Still, .note = "silence"}};
  Finding finding = quiet_finding("religion");
  finding.gain = 1;
  judge(finding, {.comparisons = 1, .effects = effects});
  EXPECT_EQ(finding.verdict, Verdict::Broken);
}

}  // namespace
}  // namespace rankveil::audit

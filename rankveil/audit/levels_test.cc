#include "rankveil/audit/levels.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "rankveil/protect/scheme.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::audit {
namespace {

using rankveil::testing_support::coded_table;
using rankveil::testing_support::OwnTask;
using rankveil::testing_support::random_workload;

TEST(LevelNames, StandForOneLevelOrForAllThatPromisesCallSo) {
  EXPECT_EQ(levels_called("joint"), std::vector<std::string>{"joint"});
  EXPECT_EQ(levels_called("ties"), std::vector<std::string>{"ties"});
  EXPECT_EQ(levels_called("mechanism-aware"),
            (std::vector<std::string>{"mechanism-table", "mechanism-public"}));
  EXPECT_EQ(levels_called("informed"),
            (std::vector<std::string>{"acquaintance", "acquaintance-3", "share", "sets"}));
  EXPECT_TRUE(levels_called("joined").empty());
}

TEST(Levels, GoFromWeakToStrong) {
  auto last = AdversaryLevel::Prior;
  for (std::string_view name : level_names()) {
    EXPECT_LE(last, level_of(name)) << name;
    last = level_of(name);
  }
}

TEST(Levels, OfOneNameAreCalledByIt) {
  EXPECT_EQ(level_of("bayesian-joint"), AdversaryLevel::BayesianJoint);
  EXPECT_EQ(level_of("mechanism-table"), AdversaryLevel::MechanismAware);
}

// Findings over all attributes, by level.
std::map<std::string, Finding> totals(const Judgement& judgement) {
  std::map<std::string, Finding> found;
  for (const Finding& finding : judgement.findings) {
    if (finding.attribute == "all") found.emplace(finding.level, finding);
  }
  return found;
}

Mechanism mechanism_of(const OwnTask& own) { return {own.demand, own.workload, {}, {}}; }

// A table with correlated private attributes: two groups of rows of a few kinds, with noise.
Table correlated_table(std::uint64_t seed, std::uint32_t rows) {
  Rng rng(seed);
  std::vector<std::vector<int>> values;
  for (std::uint32_t i = 0; i < rows; ++i) {
    auto kind = static_cast<int>(rng.below(6));
    auto part = [&](int from) {
      return rng.below(4) == 0 ? static_cast<int>(rng.below(5)) : (kind + from) % 5;
    };
    values.push_back({static_cast<int>(rng.below(2)), part(0), part(1), part(3)});
  }
  return coded_table(values, 1, {2, 5, 5, 5});
}

OwnTask task_for(std::string scheme, std::uint64_t seed, std::uint32_t rows = 800) {
  OwnTask own{correlated_table(seed, rows)};
  own.demand.scheme = std::move(scheme);
  own.demand.l = 2;
  own.key = SecretKey::from_seed(seed + 1);
  Rng rng(seed);
  own.workload = random_workload(rng, own.table.schema(), 5);
  return own;
}

Judgement judged(const OwnTask& own, const Profiles& profiles,
                 std::vector<const Profiles*> others = {}, const Table* population = nullptr) {
  Observed observed{own.table, profiles, mechanism_of(own), population, std::move(others)};
  auto judgement = judge_profiles(observed, {});
  EXPECT_TRUE(judgement) << (judgement ? "" : judgement.error().message);
  return judgement ? *judgement : Judgement{};
}

class EveryLevel : public testing::TestWithParam<std::string> {};

// Whether what it shows has a law in closed form; swap's hangs on a model of all rows.
bool has_law(const std::string& scheme) { return scheme != "swap"; }

TEST_P(EveryLevel, IsRunOrLeftOutByName) {
  OwnTask own = task_for(GetParam(), 3);
  Table population = correlated_table(99, 2000);
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  own.key = SecretKey::from_seed(77);
  auto again = protect(own.task());
  Judgement judgement = judged(own, made->profiles, {&again->profiles}, &population);
  auto found = totals(judgement);
  for (std::string_view level : level_names()) {
    bool noted = false;
    for (const std::string& note : judgement.notes) {
      bool lists = note.find(" left out: ") != std::string::npos;
      std::size_t at = note.find(level);
      bool named = at != std::string::npos && note.substr(at + level.size(), 1) != "-";
      noted |= named && (lists || at == 0);
    }
    if (level == "population" && found.contains("population")) noted = false;  // how it learned
    EXPECT_NE(found.contains(std::string(level)), noted) << level;
  }
  for (const auto& [level, finding] : found) {
    bool by_cases = finding.gains && level_of(level) == AdversaryLevel::Informed;
    EXPECT_EQ(finding.attempts, by_cases ? finding.attempts : 3 * 800U) << level;
    EXPECT_GE(finding.gain, 0) << level;
    EXPECT_LE(finding.gain, 1 + 1e-9) << level;
    EXPECT_GE(finding.candidates, 1 - 1e-9) << level;
    EXPECT_LE(finding.rate, 1) << level;
  }
}

// What every scheme says it holds against, it holds against.
TEST_P(EveryLevel, KeepsWhatTheSchemePromises) {
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    OwnTask own = task_for(GetParam(), seed);
    auto made = protect(own.task());
    ASSERT_TRUE(made);
    for (const Finding& finding : judged(own, made->profiles).findings) {
      bool up_the_ladder = finding.coins && find_scheme(GetParam())->climbs;
      if (up_the_ladder) continue;  // circles of people who differ in public are not sound
      EXPECT_NE(finding.verdict, Verdict::Broken)
          << finding.attribute << " " << finding.level << ": " << finding.reason;
    }
  }
}

// Nobody with a law guesses better than the prior where nothing is shown, nor worse than it by much
// anywhere.
TEST_P(EveryLevel, KnowsAtLeastWhatPublicValuesTell) {
  if (!has_law(GetParam())) GTEST_SKIP() << "nobody has its law";
  OwnTask own = task_for(GetParam(), 5, 3000);
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  auto found = totals(judged(own, made->profiles));
  double prior = found.at("prior-public").rate;
  for (const char* level : {"mechanism-public", "bayesian-joint"}) {
    EXPECT_GT(found.at(level).rate, prior - 0.03) << level;
  }
}

TEST_P(EveryLevel, LearnsNothingFromTheSameReleaseTwice) {
  if (!has_law(GetParam())) GTEST_SKIP() << "nobody has its law";
  OwnTask own = task_for(GetParam(), 8);
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  auto found = totals(judged(own, made->profiles, {&made->profiles}));
  EXPECT_NEAR(found.at("intersecting").rate, found.at("bayesian-joint").rate, 1e-9);
  EXPECT_NEAR(found.at("intersecting").gain, found.at("bayesian-joint").gain, 1e-9);
}

TEST_P(EveryLevel, DoesNotDependOnThreads) {
  OwnTask own = task_for(GetParam(), 11);
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  Observed observed{own.table, made->profiles, mechanism_of(own)};
  auto one = judge_profiles(observed, {.threads = 1});
  auto three = judge_profiles(observed, {.threads = 3});
  ASSERT_EQ(one->findings.size(), three->findings.size());
  for (std::size_t i = 0; i < one->findings.size(); ++i) {
    EXPECT_EQ(one->findings[i].right, three->findings[i].right);
    EXPECT_EQ(one->findings[i].gain, three->findings[i].gain);
    EXPECT_EQ(one->findings[i].candidates, three->findings[i].candidates);
  }
}

std::vector<std::string> scheme_names() {
  std::vector<std::string> list;
  for (const Scheme& scheme : schemes()) list.emplace_back(scheme.name);
  return list;
}

std::string test_name(const testing::TestParamInfo<std::string>& info) {
  std::string name = info.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

INSTANTIATE_TEST_SUITE_P(Levels, EveryLevel, testing::ValuesIn(scheme_names()), test_name);

TEST(Levels, CatchThePublishedSchemes) {
  struct Case {
    const char* scheme;
    const char* level;
  };
  for (const Case& one : {Case{"pvsv", "mechanism-public"}, Case{"pvsv", "bayesian-joint"},
                          Case{"pvst", "mechanism-public"}, Case{"pvst", "bayesian-joint"},
                          Case{"esvt", "mechanism-public"}, Case{"esvt", "bayesian-joint"}}) {
    SCOPED_TRACE(testing::Message() << one.scheme << " " << one.level);
    OwnTask own = task_for(one.scheme, 21);
    auto made = protect(own.task());
    ASSERT_TRUE(made);
    const Finding finding = totals(judged(own, made->profiles)).at(one.level);
    EXPECT_GT(finding.low, 0.5);  // what they promise, to others
    EXPECT_GT(finding.gain, 0.5);
  }
}

// Where a value is common, sets lack others, and made-up ones are told from true ones.
TEST(Levels, CatchEsttByJoint) {
  Rng rng(5);
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 800; ++i) {
    auto value = [&] { return rng.below(4) != 0 ? 0 : static_cast<int>(rng.below(5)); };
    rows.push_back({value(), value(), value()});
  }
  OwnTask own{coded_table(rows, 0, {5, 5, 5})};
  own.demand = {.scheme = "estt", .l = 2};
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  auto found = totals(judged(own, made->profiles));
  EXPECT_GT(found.at("joint").low, 0.5);
  EXPECT_GT(found.at("joint").rate, found.at("ignorant").rate + 0.2);
  EXPECT_NEAR(found.at("ignorant").rate, 0.5, 0.01);
}

TEST(Levels, CatchFreshDrawsByIntersecting) {
  for (const char* scheme : {"swap-exact", "cluster", "random", "rr-mean", "capped", "rr"}) {
    SCOPED_TRACE(scheme);
    OwnTask own = task_for(scheme, 31);
    auto first = protect(own.task());
    own.key = SecretKey::from_seed(1001);
    auto second = protect(own.task());
    own.key = SecretKey::from_seed(1002);
    auto third = protect(own.task());
    ASSERT_TRUE(first && second && third);
    auto found = totals(judged(own, first->profiles, {&second->profiles, &third->profiles}));
    EXPECT_GT(found.at("intersecting").rate, found.at("bayesian-joint").rate + 0.02);
    EXPECT_GT(found.at("intersecting").gain, 0.5);
  }
}

// Rows of groups of 21, in which private attributes have the same value four times of five.
OwnTask capped_task(std::uint32_t attributes) {
  Rng rng(37);
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 100 * 21; ++i) {
    std::vector<int> row = {i / 21, static_cast<int>(rng.below(5))};
    while (row.size() <= attributes) {
      row.push_back(rng.below(5) == 0 ? static_cast<int>(rng.below(5)) : row[1]);
    }
    rows.push_back(row);
  }
  std::vector<std::uint32_t> domains(1 + attributes, 5);
  domains[0] = 100;
  OwnTask own{coded_table(rows, 1, domains)};
  own.demand = {.scheme = "capped", .l = 2};
  return own;
}

std::map<std::string, Finding> found_of_capped(std::uint32_t attributes) {
  OwnTask own = capped_task(attributes);
  auto made = protect(own.task());
  EXPECT_TRUE(made);
  return totals(judged(own, made->profiles));
}

// Each of the others is a row seen alone.
TEST(Levels, AreCertainOfValuesByCappedOnlyWhereItPromisesNothing) {
  const auto& held = find_scheme("capped")->holds_against;
  for (std::uint32_t attributes : {1U, 3U}) {
    SCOPED_TRACE(attributes);
    auto found = found_of_capped(attributes);
    for (const auto& [level, finding] : found) {
      if (std::find(held.begin(), held.end(), level_of(level)) == held.end()) continue;
      EXPECT_EQ(finding.proven, 0U) << level;
      EXPECT_LE(finding.gain, 0.5 + 1e-9) << level;
    }
    EXPECT_GT(found.at("joint").proven, 20U) << "all rows of a group together";
    EXPECT_GT(found.at("joint").certain, 0.01);
  }
}

TEST(Levels, BreakCappedFirstByKnowingWhichVectorsOccur) {
  auto found = found_of_capped(3);
  EXPECT_EQ(find_scheme("capped")->broken_by, AdversaryLevel::Knowledgeable);
  EXPECT_EQ(level_of("knowledgeable"), AdversaryLevel::Knowledgeable);
  EXPECT_GT(found.at("knowledgeable").gain, 0.6);
  EXPECT_GT(found.at("knowledgeable").certain, 0.5);
  EXPECT_EQ(found.at("ignorant").certain, 0);
}

// Rows keep their vectors more often than they say.
TEST(Levels, CatchASwapThatMovesTooFewRows) {
  OwnTask own = task_for("swap-exact", 41, 3000);
  own.demand.l = 2;
  auto made = protect(own.task());
  own.demand.l = 3;
  GroupedProfiles forged = *std::get_if<GroupedProfiles>(&made->profiles.kinds());
  forged.keep = {1, 3};
  bool broken = false;
  for (const Finding& finding : judged(own, forged).findings) {
    broken |= finding.verdict == Verdict::Broken;
  }
  EXPECT_TRUE(broken);
}

TEST(Levels, CatchAnLdpThatTellsTheTruthTooOften) {
  OwnTask own = task_for("ldp", 43, 4000);
  own.demand.epsilon = 2.5;
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  own.demand.epsilon = 1;
  bool broken = false;
  for (const Finding& finding : judged(own, made->profiles).findings) {
    broken |= finding.verdict == Verdict::Broken;
  }
  EXPECT_TRUE(broken);
}

TEST(Levels, KnowAllOfAnUnprotectedTable) {
  Table table = correlated_table(51, 300);
  Profiles bare = unprotected_profiles(table);
  auto judgement = judge_profiles({table, bare}, {});
  ASSERT_TRUE(judgement);
  auto found = totals(*judgement);
  for (const char* level : {"ignorant", "knowledgeable", "joint", "joint-balanced"}) {
    EXPECT_EQ(found.at(level).rate, 1) << level;
    EXPECT_EQ(found.at(level).certain, 1) << level;
    EXPECT_EQ(found.at(level).proven, 900U) << level;
    EXPECT_EQ(found.at(level).verdict, Verdict::NotPromised) << level;
  }
  EXPECT_FALSE(found.contains("bayesian-joint"));
}

// The study's example: every member of a cluster has each of its vectors with the same odds.
TEST(Levels, GiveMembersOfAClusterItsShares) {
  OwnTask own{coded_table({{0, 0}, {1, 1}, {0, 2}, {2, 1}, {1, 0}, {0, 0}}, 0, {3, 3})};
  own.demand = {.scheme = "cluster", .l = 2, .min_group = 2};
  GroupShares shares(3, {3, 3});
  std::vector<std::vector<int>> members = {{0, 0, 1, 1}, {0, 2, 2, 1}, {1, 0, 0, 0}};
  for (std::uint32_t c = 0; c < 3; ++c) {
    shares.set_size(c, 2);
    for (std::uint32_t i = 0; i < 4; ++i) {
      PrivateId attribute{i % 2};
      ValueId value{static_cast<std::uint16_t>(members[c][i])};
      shares.set_count(c, attribute, value, shares.count(c, attribute, value) + 1);
    }
  }
  Profiles profiles =
      GroupedProfiles{{0, 1}, LevelProfiles(6, {3, 3}, 1), {0, 0, 1, 1, 2, 2}, std::move(shares)};
  auto judgement = judged(own, profiles);
  for (const Finding& finding : judgement.findings) {
    if (finding.level != "bayesian-joint" || finding.attribute != "b0") continue;
    // Rows 4 and 5 are 1 or 0 with 1/2 each, and so are all others between two values.
    EXPECT_NEAR(finding.right, 3, 1e-9);
    EXPECT_NEAR(finding.candidates, 2, 1e-9);
    // Value 2 has a share of 1/6, and 1/2 after.
    EXPECT_NEAR(finding.gain, (1.0 / 2 - 1.0 / 6) / (1 - 1.0 / 6), 1e-9);
  }
}

TEST(Levels, RefuseWhatDoesNotBelongTogether) {
  Table table = correlated_table(61, 50), other = correlated_table(61, 49);
  Profiles bare = unprotected_profiles(table);
  EXPECT_FALSE(judge_profiles({other, bare}, {}));
  EXPECT_FALSE(judge_profiles({table, bare}, {.levels = {"psychic"}}));
  EXPECT_FALSE(judge_profiles({table, bare, Mechanism{{.scheme = "none such"}}}, {}));
}

TEST(Levels, RunThoseThatAreAskedFor) {
  Table table = correlated_table(63, 50);
  Profiles bare = unprotected_profiles(table);
  auto judgement = judge_profiles({table, bare}, {.levels = {"joint"}});
  ASSERT_TRUE(judgement);
  ASSERT_EQ(judgement->findings.size(), 4U);
  EXPECT_EQ(judgement->findings[0].attribute, "b1");
  EXPECT_EQ(judgement->findings[3].attribute, "all");
  for (const Finding& finding : judgement->findings) EXPECT_EQ(finding.level, "joint");
}

TEST(Informed, MovesOddsBySwapAsTheStudySays) {
  OwnTask own = task_for("swap-exact", 71, 600);
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  std::vector<double> beliefs = {0, 0.5, 0.9, 1};
  auto curve = informed_curve({own.table, made->profiles, mechanism_of(own)}, beliefs);
  ASSERT_TRUE(curve);
  EXPECT_EQ((*curve)[0].largest, 0);
  EXPECT_NEAR((*curve)[3].mean, 1, 1e-9);
  // A vector that one row of about 300 has: odds rise by (p + (1 - p) s) / ((1 - p) s), about 300.
  EXPECT_GT((*curve)[1].largest, 0.99);
  EXPECT_GT((*curve)[1].mean, 0.5);
}

TEST(Informed, OddsMoveByNoMoreThanTheBudgetOfLdp) {
  OwnTask own = task_for("ldp", 73, 600);
  own.demand.epsilon = 0.5;
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  std::vector<double> beliefs = {0.5};
  auto curve = informed_curve({own.table, made->profiles, mechanism_of(own)}, beliefs);
  ASSERT_TRUE(curve);
  double odds = (*curve)[0].largest / (1 - (*curve)[0].largest);
  EXPECT_LE(odds, std::exp(3 * 0.5) * (1 + 1e-9));
  EXPECT_GT(odds, 1);
}

TEST(Informed, NeedsAMechanism) {
  Table table = correlated_table(63, 50);
  Profiles bare = unprotected_profiles(table);
  EXPECT_FALSE(informed_curve({table, bare}, std::vector<double>{0.5}));
}

// ---- Values that are declared not sensitive ----

// One public group of 60 rows: 48 have "no" (0), and 12 one of the values 1 to 4. With l = 2 the
// caps are .9 for 0 and .5 for the others.
OwnTask mostly_no() {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 60; ++i) rows.push_back({0, i < 48 ? 0 : 1 + i % 4});
  OwnTask own{coded_table(rows, 1, {1, 5})};
  own.demand.scheme = "cluster";
  own.demand.l = 2;
  return own;
}

void declare(OwnTask& own, std::vector<std::uint16_t> codes) {
  const Attribute& attribute = own.table.schema().attributes[1];
  own.demand.not_sensitive = {{attribute.name, {}}};
  for (std::uint16_t code : codes) {
    own.demand.not_sensitive[0].values.emplace_back(attribute.domain.text(ValueId{code}));
  }
}

Finding bayesian(const OwnTask& own, const Profiles& profiles) {
  return totals(judged(own, profiles)).at("bayesian-joint");
}

// Clusters have two rows each: 0 and another value, two others, or 0 alone, which is then certain.
TEST(NotSensitive, ValuesAreLearntAndThePromiseIsKept) {
  OwnTask own = mostly_no();
  declare(own, {0});
  auto made = protect(own.task());
  ASSERT_TRUE(made);
  Finding finding = bayesian(own, made->profiles);
  EXPECT_EQ(finding.verdict, Verdict::Kept) << finding.reason;
  EXPECT_TRUE(finding.promise.spares_declared);
  EXPECT_NEAR(finding.gain, (.5 - .05) / (1 - .05), 1e-9);  // 3 of 60 have each of 1 to 4
  // Each pair with another value than 0 in it has one right guess; 6 to 12 pairs have.
  EXPECT_GE(finding.right, 6 - 1e-9);
  EXPECT_LE(finding.right, 12 + 1e-9);
  EXPECT_NEAR(finding.prior, .05, 1e-9);
  EXPECT_EQ(finding.proven, 0U);
  // The same release under a promise about every value.
  own.demand.not_sensitive.clear();
  finding = bayesian(own, made->profiles);
  EXPECT_EQ(finding.verdict, Verdict::Broken);
  EXPECT_NEAR(finding.gain, 1, 1e-9);
}

// A cluster of the three rows that have 1, and one of all others: no cap but that of 0 is kept.
TEST(NotSensitive, ValuesThatWereNotDeclaredMustKeepTheirCaps) {
  OwnTask own = mostly_no();
  const Column& column = own.table.column(AttributeId{1});
  GroupShares shares(2, {5});
  std::vector<std::uint32_t> group_of;
  std::array<std::array<std::uint32_t, 5>, 2> counts{};
  for (std::uint32_t row = 0; row < 60; ++row) {
    group_of.push_back(column.value(RowId{row}) == ValueId{1} ? 1 : 0);
    ++counts[group_of.back()][+column.value(RowId{row})];
  }
  for (std::uint32_t group = 0; group < 2; ++group) {
    shares.set_size(group, group == 1 ? 3 : 57);
    for (std::uint16_t v = 0; v < 5; ++v) {
      shares.set_count(group, PrivateId{0}, ValueId{v}, counts[group][v]);
    }
  }
  Profiles mutant = GroupedProfiles{{0, 1}, LevelProfiles(60, {5}, 1), group_of, shares};
  declare(own, {0});
  Finding finding = bayesian(own, mutant);
  EXPECT_EQ(finding.verdict, Verdict::Broken) << finding.reason;
  EXPECT_NEAR(finding.gain, 1, 1e-9);
  EXPECT_EQ(finding.proven, 3U);
  declare(own, {0, 1});
  EXPECT_EQ(bayesian(own, mutant).verdict, Verdict::Kept);
}

TEST_P(EveryLevel, KeepsWhatTheSchemePromisesOfSensitiveValues) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    OwnTask own = task_for(GetParam(), seed);
    const Schema& schema = own.table.schema();
    for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
      const Attribute& attribute = schema.attributes[i];
      std::string value(attribute.domain.text(ValueId{static_cast<std::uint16_t>(i)}));
      own.demand.not_sensitive.push_back({attribute.name, {value}});
    }
    auto made = protect(own.task());
    ASSERT_TRUE(made);
    for (const Finding& finding : judged(own, made->profiles).findings) {
      EXPECT_NE(finding.verdict, Verdict::Broken)
          << finding.attribute << " " << finding.level << ": " << finding.reason;
    }
  }
}

}  // namespace
}  // namespace rankveil::audit

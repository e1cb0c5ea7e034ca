#include "rankveil/protect/scheme.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/life/profile_merger.h"
#include "rankveil/protect/scheme_options.h"
#include "rankveil/protect/testing/plain_groups.h"

namespace rankveil {
namespace {

using testing::HasSubstr;
using testing_support::coded_table;
using testing_support::OwnTask;

OwnTask small_task(const std::string& scheme, std::uint32_t l) {
  OwnTask own{coded_table({{0, 0, 0}, {0, 1, 2}, {1, 0, 1}}, 1, {2, 2, 3})};
  own.demand.scheme = scheme;
  own.demand.l = l;
  return own;
}

std::string refusal(const OwnTask& own) {
  auto checked = check_demand(own.table.schema(), own.demand);
  return checked ? "nothing was refused" : checked.error().message;
}

TEST(Schemes, HaveNamesOfTheirOwnAndSayWhatTheyPromise) {
  for (const Scheme& scheme : schemes()) {
    EXPECT_EQ(find_scheme(scheme.name), &scheme);
    EXPECT_FALSE(scheme.summary.empty()) << scheme.name;
    bool promises = scheme.promise != PromiseKind::None;
    EXPECT_EQ(promises, !scheme.holds_against.empty()) << scheme.name;
    for (std::string_view option : scheme.options) {
      EXPECT_NE(find_scheme_option(option), nullptr) << scheme.name << " " << option;
    }
    if (!scheme.broken_by) continue;
    EXPECT_THAT(scheme.holds_against, testing::Not(testing::Contains(*scheme.broken_by)));
  }
}

TEST(Schemes, ServeEveryRowWhateverTheDemand) {
  for (const Scheme& scheme : schemes()) {
    OwnTask own = small_task(std::string(scheme.name), 2);
    auto made = protect(own.task());
    ASSERT_TRUE(made) << scheme.name << ": " << made.error().message;
    EXPECT_EQ(made->profiles.rows(), 3U) << scheme.name;
    EXPECT_FALSE(made->profiles.unprotected());
  }
}

TEST(CheckDemand, NamesTheAttributeItsDomainAndTheLargestL) {
  for (const Scheme& scheme : schemes()) {
    if (!scheme.needs_l_values) continue;
    std::string message = refusal(small_task(std::string(scheme.name), 3));
    EXPECT_THAT(message, HasSubstr("b1 has 2 values"));
    EXPECT_THAT(message, HasSubstr("the largest l that works is 2"));
  }
}

TEST(CheckDemand, RefusesWhatMakesNoSense) {
  EXPECT_THAT(refusal(small_task("swpa", 2)), HasSubstr("did you mean swap?"));
  EXPECT_THAT(refusal(small_task("swap", 1)), HasSubstr("at least 2"));
  OwnTask own = small_task("swap", 3);
  own.demand.set_size = 2;
  EXPECT_THAT(refusal(own), HasSubstr("set of 2 rows"));
  own.demand.set_size = 0;
  own.demand.gamma = 0.5;
  EXPECT_THAT(refusal(own), HasSubstr("gamma"));
  own.demand.gamma = 0;
  own.table = coded_table({{0}}, 1, {2});
  EXPECT_THAT(refusal(own), HasSubstr("nothing to protect"));
  for (const char* scheme : {"swap", "swap-exact", "esvt", "estt"}) {
    EXPECT_THAT(refusal(small_task(scheme, 256)), HasSubstr("too fine; use an l of at most 255"));
  }
}

// ---- Threads ----

class AnyScheme : public testing::TestWithParam<std::string> {};

std::string name_of(const testing::TestParamInfo<std::string>& scheme) {
  std::string name = scheme.param;
  std::replace(name.begin(), name.end(), '-', '_');
  return name;
}

std::vector<std::string> names_of_schemes() {
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes()) names.emplace_back(scheme.name);
  return names;
}

INSTANTIATE_TEST_SUITE_P(Schemes, AnyScheme, testing::ValuesIn(names_of_schemes()), name_of);

// Enough rows for several pieces of work, also where they are cheap.
TEST_P(AnyScheme, GivesTheSameOnAnyNumberOfThreads) {
  const Scheme& scheme = *find_scheme(GetParam());
  bool searches = scheme.uses_workload || scheme.has_caps() || scheme.name == "estt";
  Rng rng(5);
  OwnTask own{testing_support::random_table(rng, {searches ? 4'000U : some_of(50'000U), 2, 4})};
  own.workload = testing_support::random_workload(rng, own.table.schema(), 8);
  own.demand.scheme = GetParam();
  own.demand.l = 2;
  Task task = own.task();
  task.together = {{PrivateId{1}, PrivateId{2}}};
  task.threads = 1;
  auto one = protect(task);
  ASSERT_TRUE(one) << one.error().message;
  std::string bytes = testing_support::index_bytes(own.table, one->profiles, GetParam());
  for (std::uint32_t threads : {2U, 4U, 5U}) {
    task.threads = threads;
    auto other = protect(task);
    EXPECT_EQ(testing_support::index_bytes(own.table, other->profiles, GetParam()), bytes);
    EXPECT_EQ(other->scheme_state.dump(), one->scheme_state.dump());
    EXPECT_EQ(other->report.largest_rounding, one->report.largest_rounding);
  }
}

// ---- Schemes that round strengths ----

class RoundingScheme : public testing::TestWithParam<std::string> {
 protected:
  Protection made(Table table, std::uint32_t levels) const {
    OwnTask own{std::move(table)};
    own.demand.scheme = GetParam();
    own.demand.levels = levels;
    auto protection = protect(own.task());
    EXPECT_TRUE(protection);
    return *std::move(protection);
  }

  // Strengths in 255 steps stand for exact ones.
  void expect_reported(const Table& table) const {
    Protection exact = made(table, 255);
    Protection rounded = made(table, 15);
    double largest = 0;
    const auto& domains = signals_of(exact.profiles).domain_sizes();
    for (std::uint32_t j = 0; j < domains.size(); ++j) {
      for (std::uint32_t row = 0; row < table.rows(); ++row) {
        auto here =
            testing_support::profile_of(rounded.profiles, RowId{row}, PrivateId{j}, domains[j]);
        auto there =
            testing_support::profile_of(exact.profiles, RowId{row}, PrivateId{j}, domains[j]);
        for (std::uint32_t v = 0; v < domains[j]; ++v) {
          largest = std::max(largest, std::abs(here[v] - there[v]));
        }
      }
    }
    EXPECT_NEAR(rounded.report.largest_rounding, largest, 0.5 / 255 + 1e-9);
    EXPECT_LE(rounded.report.largest_rounding, 0.5 / 15 + 1e-12);
  }
};

INSTANTIATE_TEST_SUITE_P(Schemes, RoundingScheme, testing::Values("ldp", "rr-mean", "capped"),
                         name_of);

TEST_P(RoundingScheme, ReportsHowFarStrengthsAreRounded) {
  for (std::uint64_t seed = 1; seed < 6; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    expect_reported(testing_support::random_table(rng, {700, 2, 3}));
  }
}

// One public group in which the first value is common and two are not, and a small one without the
// first.
TEST_P(RoundingScheme, ReportsHowFarStrengthsOfSkewedGroupsAreRounded) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 20'000; ++i) codes.push_back({0, i % 10 < 7 ? 0 : i % 10 < 9 ? 1 : 2});
  for (int i = 0; i < 21; ++i) codes.push_back({1, 1 + i % 2});
  expect_reported(coded_table(codes, 1, {2, 3}));
}

// ---- Options ----

TEST(SchemeOptions, AreReadBack) {
  for (const SchemeOption& option : scheme_options()) {
    for (std::string_view word : option.words) {
      Demand demand;
      EXPECT_TRUE(option.set(demand, word)) << word;
      EXPECT_EQ(option.text(demand), word);
    }
    if (!option.words.empty()) continue;
    Demand demand;
    EXPECT_TRUE(option.set(demand, "3")) << option.name;
    EXPECT_EQ(option.text(demand), "3");
    EXPECT_TRUE(option.check(demand));
  }
  Demand demand;
  auto best = find_scheme_option("pairing")->set(demand, "best");
  ASSERT_FALSE(best);
  EXPECT_EQ(best.error().message, "it takes random, sorted-weight or optimal, not \"best\"");
  EXPECT_EQ(find_scheme_option("pairings"), nullptr);
}

TEST(SchemeOptions, RefuseWhatIsOutOfRange) {
  Demand demand;
  auto said = [&](std::string_view option, std::string_view text) {
    auto read = find_scheme_option(option)->set(demand, text);
    return read ? "nothing was refused" : read.error().message;
  };
  EXPECT_EQ(said("n-min", "1"), "it takes a whole number from 2 to 1000000, not \"1\"");
  EXPECT_EQ(said("n-min", "2.5"), "it takes a whole number from 2 to 1000000, not \"2.5\"");
  EXPECT_EQ(said("n-min", "2"), "nothing was refused");
  EXPECT_EQ(said("gamma", "0.5"), "it takes a number from 1 up, or inf, not \"0.5\"");
  EXPECT_EQ(said("gamma", "inf"), "nothing was refused");
  EXPECT_EQ(said("epsilon", "0"), "it takes a number above 0 and at most 100, not \"0\"");
  EXPECT_EQ(said("epsilon", "nan"), "it takes a number above 0 and at most 100, not \"nan\"");
  EXPECT_EQ(said("levels", "256"), "it takes a whole number from 1 to 255, not \"256\"");
  demand.levels = 256;
  EXPECT_EQ(check_scheme_options(demand).error().message,
            "levels is 256; it takes a whole number from 1 to 255");
  EXPECT_TRUE(check_scheme_options({})) << "defaults, also those that stand for something else";
}

}  // namespace
}  // namespace rankveil

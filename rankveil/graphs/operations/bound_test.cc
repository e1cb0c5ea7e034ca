#include "rankveil/graphs/operations/bound.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <fstream>

namespace rankveil::api {
namespace {

using testing::Contains;
using testing::ElementsAre;
using testing::HasSubstr;
using testing::Not;
using testing::SizeIs;

std::string file(const std::string& name, const std::string& text) {
  std::string path = testing::TempDir() + "bound_test_" + name;
  std::ofstream(path) << text;
  return path;
}

BoundRequest coins() {
  BoundRequest request;
  request.theorem = 2;
  request.setting.n = 10000;
  request.setting.p = 0.3;
  request.setting.terms.delta1 = 0.01;
  return request;
}

std::string refusal_of(const BoundRequest& request) {
  auto result = bound(request);
  EXPECT_FALSE(result);
  return result ? "" : result.error().message;
}

TEST(Bound, CoinsNeedNoSums) {
  auto result = bound(coins());
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_THAT(result->rows, SizeIs(1));
  EXPECT_NEAR(result->rows[0].bound->delta, 0.03830955073, 1e-10);
}

TEST(Bound, SweepsGoThroughEveryPointAndSayWhereThereIsNone) {
  BoundRequest request = coins();
  request.theorem = 0;
  auto sweep = parse_sweep("lambda2=0:0.9:0.1");
  ASSERT_TRUE(sweep);
  request.sweep = *sweep;
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->theorem, 4);
  ASSERT_THAT(result->rows, SizeIs(10));
  for (std::size_t i = 1; i < 10; ++i) {
    EXPECT_GT(result->rows[i].bound->delta, result->rows[i - 1].bound->delta);
  }
  request.sweep = *parse_sweep("lambda2=0.8:1.2:0.2");
  result = bound(request);
  ASSERT_TRUE(result);
  EXPECT_TRUE(result->rows[0].bound);
  EXPECT_THAT(result->rows[1].refusal, HasSubstr("lambda2 is 1"));
  EXPECT_THAT(to_csv(*result), HasSubstr("\n1,,\n"));
}

TEST(Bound, BadSweepsAreRefused) {
  for (const char* text : {"lambda2", "lambda9=0:1:1", "s=1:2", "s=1:2:x", "s=1:2:0", "s=2:1:1",
                           "s=0:1:0.00001", "s=1:2:3:4", "s=:1:1", "s=nan:1:1"}) {
    EXPECT_FALSE(parse_sweep(text)) << text;
  }
}

TEST(Bound, ATablesPrivateValuesAreCountedWithinPublicGroups) {
  std::string rows = "id,city,ill\n";
  for (int i = 0; i < 2000; ++i) {
    rows += std::to_string(i) + (i % 2 == 0 ? ",a," : ",b,") + (i % 10 < 3 ? "yes\n" : "no\n");
  }
  BoundRequest request;
  request.input.source.path = file("people.csv", rows);
  request.input.overrides.roles = {
      {"id", Role::Id}, {"city", Role::Public}, {"ill", Role::Private}};
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_EQ(result->people, 2000);
  ASSERT_THAT(result->rows, SizeIs(1));
  EXPECT_EQ(result->rows[0].attribute, "ill");
  // Of the cities' people 2 and 1 in 5 are ill.
  bound::Crowd crowd = {{bound::moments_of_share(0.4), 1000}, {bound::moments_of_share(0.2), 1000}};
  auto expected = bound::independent_bound(bound::worst_sums(crowd, 0), {}, bound::Mode::Sound);
  EXPECT_NEAR(result->rows[0].bound->delta, expected->delta, 1e-12);

  request.attribute = "age";
  EXPECT_THAT(refusal_of(request), HasSubstr("there is no private attribute \"age\""));
  request.attribute = "ill";
  request.value = "maybe";
  EXPECT_THAT(refusal_of(request), HasSubstr("\"ill\" has no value \"maybe\""));
}

TEST(Bound, AColumnOfNumbersIsItsOwnLaw) {
  std::string rows = "x\n";
  std::vector<double> values;
  for (int i = 0; i < 500; ++i) {
    values.push_back(i % 7);
    rows += std::to_string(i % 7) + "\n";
  }
  BoundRequest request;
  request.input.source.path = file("numbers.csv", rows);
  request.column = "x";
  request.setting.terms.s = 6;
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  bound::Crowd crowd = {{bound::moments_of(values), 500}};
  bound::Terms terms;
  terms.s = 6;
  auto expected = bound::independent_bound(bound::worst_sums(crowd, 0), terms, bound::Mode::Sound);
  EXPECT_EQ(result->rows[0].bound->delta, expected->delta);
}

// 0 has all others for friends; the others are a ring.
std::string wheel(int rim) {
  std::string text = "u,v\n";
  for (int i = 1; i <= rim; ++i) {
    text += "0," + std::to_string(i) + "\n";
    text += std::to_string(i) + "," + std::to_string(i % rim + 1) + "\n";
  }
  return text;
}

// The lists of a wheel as numbers, without a graph.
bound::Crowd wheel_crowd(int rim) {
  double n = rim + 1;
  bound::Crowd crowd;
  for (int i = 0; i <= rim; ++i) {
    std::vector<double> friends;
    if (i == 0) {
      for (int j = 1; j <= rim; ++j) friends.push_back(j / n);
    } else {
      friends = {0, (i % rim + 1) / n, (i == 1 ? rim : i - 1) / n};
    }
    crowd.push_back({bound::moments_of(friends), 1});
  }
  return crowd;
}

TEST(Bound, AGraphIsItsFriendLists) {
  BoundRequest request;
  request.graph.path = file("wheel.csv", wheel(300));
  for (auto mode : {bound::Mode::Sound, bound::Mode::Paper}) {
    request.mode = mode;
    for (double lambda2 : {0.0, 0.3}) {
      request.setting.lambda2 = lambda2;
      request.theorem = lambda2 > 0 ? 4 : 2;
      auto result = bound(request);
      ASSERT_TRUE(result) << result.error().message;
      EXPECT_EQ(result->people, 301);
      auto crowd = wheel_crowd(300);
      auto sums = mode == bound::Mode::Sound ? bound::worst_sums(crowd, lambda2)
                                             : bound::expected_sums(crowd, lambda2);
      auto expected = bound::independent_bound(sums, {}, mode);
      ASSERT_TRUE(expected);
      EXPECT_NEAR(result->rows[0].bound->epsilon, expected->epsilon, 1e-12);
      EXPECT_NEAR(result->rows[0].bound->delta, expected->delta, 1e-9);
    }
  }
}

TEST(Bound, FriendsOfAGraphDependOnEachOther) {
  BoundRequest request;
  request.graph.path = file("ring.csv", wheel(300));
  request.theorem = 3;
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->rows[0].bound->assumptions[0], HasSubstr("depends on that of 301 people"));
  request.setting.neighbourhood = 4;
  result = bound(request);
  ASSERT_TRUE(result);
  EXPECT_THAT(result->rows[0].bound->assumptions[0], HasSubstr("depends on that of 4 people"));
}

TEST(Bound, ASoundBoundOfAGraphCountsThatListsDepend) {
  BoundRequest request;
  request.graph.path = file("mutual.csv", wheel(300));
  for (double lambda2 : {0.0, 0.3}) {
    request.setting.lambda2 = lambda2;
    request.mode = bound::Mode::Sound;
    auto sound = bound(request);
    ASSERT_TRUE(sound) << sound.error().message;
    EXPECT_EQ(sound->theorem, lambda2 > 0 ? 5U : 3U);
    EXPECT_THAT(assumptions_of(*sound), Not(Contains("people's data is independent")));
    request.mode = bound::Mode::Paper;
    auto printed = bound(request);
    ASSERT_TRUE(printed) << printed.error().message;
    EXPECT_EQ(printed->theorem, lambda2 > 0 ? 4U : 2U);
  }
}

TEST(Bound, AnIndependentBoundOfAGraphSaysThatListsDepend) {
  BoundRequest request;
  request.graph.path = file("asked.csv", wheel(300));
  request.theorem = 2;
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(result->notes, Contains(HasSubstr("theorem 2 would hold if they were independent")));
}

TEST(Bound, ASweepWarnsOfPointsThatPromiseNothing) {
  BoundRequest request = coins();
  request.theorem = 4;
  request.setting.n = 100;
  request.sweep = Sweep{"lambda2", 0, 0.9, 0.1};
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_LT(result->rows.front().bound->delta, 1);
  ASSERT_GE(result->rows.back().bound->delta, 1);
  EXPECT_THAT(warnings_of(*result), Contains(HasSubstr("a delta of 1 or more promises nothing")));
  EXPECT_THAT(to_json(*result).dump(), HasSubstr("promises nothing (2 of 10 rows)"));
}

TEST(Bound, SaysHowManyPeopleItTakesWhereItPromisesNothing) {
  BoundRequest request = coins();
  request.theorem = 4;
  request.setting.n = 20;
  request.setting.lambda2 = 0.9;
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  ASSERT_GE(result->rows.front().bound->delta, 1);
  ASSERT_FALSE(result->notes.empty());
  EXPECT_THAT(result->notes.back(), HasSubstr("a smaller --lambda2"));
  // The number that is named is enough.
  std::size_t at = result->notes.back().find('(') + 1;
  std::string digits;
  for (char c : result->notes.back().substr(at)) {
    if (c == ' ') break;
    if (c != ',') digits += c;
  }
  request.setting.n = std::stod(digits);
  auto enough = bound(request);
  ASSERT_TRUE(enough) << result->notes.back();
  EXPECT_LT(enough->rows.front().bound->delta, 1);
  EXPECT_THAT(enough->notes, Not(Contains(HasSubstr("promises something"))));
}

TEST(Bound, ASweepNamesWhatItRestsOn) {
  BoundRequest request = coins();
  request.sweep = Sweep{"s", 1, 3, 1};
  auto result = bound(request);
  ASSERT_TRUE(result) << result.error().message;
  EXPECT_THAT(assumptions_of(*result),
              ElementsAre("people's data is independent", HasSubstr("judged as intervals"),
                          "changing one person moves the sum by at most 1 (at s = 1)",
                          "changing one person moves the sum by at most 3 (at s = 3)"));
}

TEST(Bound, AGraphGoesWithoutWhatIsSaidOfATable) {
  BoundRequest plain;
  plain.graph.path = file("alone.csv", wheel(10));
  BoundRequest request = plain;
  request.attribute = "religion";
  EXPECT_THAT(refusal_of(request), HasSubstr("--attribute does not go with it"));
  request = plain;
  request.value = "none";
  EXPECT_THAT(refusal_of(request), HasSubstr("--value does not go with it"));
  request = plain;
  request.input.policy_path = "people.toml";
  EXPECT_THAT(refusal_of(request), HasSubstr("--policy does not go with it"));
  request = plain;
  request.given.emplace();
  EXPECT_THAT(refusal_of(request), HasSubstr("--given does not go with it"));
  request = plain;
  request.sums.fourth = 2;
  EXPECT_THAT(refusal_of(request), HasSubstr("a sum of moments does not go with it"));
}

TEST(Bound, AGraphGoesWithoutOtherPeople) {
  BoundRequest request;
  request.graph.path = file("other.csv", wheel(10));
  request.setting.n = 5;
  EXPECT_THAT(refusal_of(request), HasSubstr("--n does not go with it"));
  request.setting.n.reset();
  request.theorem = 1;
  EXPECT_THAT(refusal_of(request), HasSubstr("no table and no graph"));
  request.theorem = 0;
  request.graph.path = "nowhere.csv";
  EXPECT_THAT(refusal_of(request), HasSubstr("nowhere.csv"));
  request.graph.path = file("text.csv", "u,v\n1,2\n2,x\n");
  EXPECT_THAT(refusal_of(request), HasSubstr("line 3"));
}

TEST(Bound, SaysWhatIsMissing) {
  BoundRequest request;
  request.theorem = 2;
  EXPECT_THAT(refusal_of(request), HasSubstr("needs --n, --variance, --absolute-third"));
  request.theorem = 1;
  EXPECT_THAT(refusal_of(request), HasSubstr("needs --n"));
  request.theorem = 6;
  EXPECT_THAT(refusal_of(request), HasSubstr("there is no theorem 6"));
  request = coins();
  request.setting.lambda2 = 0.2;
  EXPECT_THAT(refusal_of(request), HasSubstr("take theorem 4"));
  request.theorem = 4;
  request.setting.lambda2 = 1;
  EXPECT_THAT(refusal_of(request), HasSubstr("lambda2 is 1"));
}

TEST(Bound, OneBoundLiesAtTheTopOfItsJson) {
  auto result = bound(coins());
  ASSERT_TRUE(result);
  Json json = to_json(*result);
  for (const char* name : {"epsilon", "delta", "mode", "warnings"}) {
    EXPECT_TRUE(json.find(name)) << name;
  }
  EXPECT_THAT(to_html(*result), HasSubstr("n = 10000"));
}

}  // namespace
}  // namespace rankveil::api

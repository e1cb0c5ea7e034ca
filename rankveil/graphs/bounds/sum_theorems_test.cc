#include "rankveil/graphs/bounds/sum_theorems.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/random.h"

namespace rankveil::bound {
namespace {

Guarantee independent(const Sums& sums, const Terms& terms, Mode mode) {
  auto guarantee = independent_bound(sums, terms, mode);
  EXPECT_TRUE(guarantee) << guarantee.error().message;
  return guarantee ? *guarantee : Guarantee{};
}

Guarantee dependent(const Sums& sums, const Dependence& dependence, const Terms& terms, Mode mode) {
  auto guarantee = dependent_bound(sums, dependence, terms, mode);
  EXPECT_TRUE(guarantee) << guarantee.error().message;
  return guarantee ? *guarantee : Guarantee{};
}

Crowd coins(std::uint64_t people, double p) { return {{moments_of_share(p), people}}; }

TEST(SumTheorems, HaveThePublishedValuesForTenThousandCoins) {
  Sums sums = worst_sums(coins(10000, 0.3), 0);
  Terms terms;
  terms.k = 10;
  terms.delta1 = 0.01;
  Guarantee exact = independent(sums, terms, Mode::Sound);
  EXPECT_EQ(exact.epsilon, 0);
  EXPECT_NEAR(exact.delta, 0.03830955073, 1e-10);
  terms.by_tail = true;
  Guarantee tail = independent(sums, terms, Mode::Sound);
  EXPECT_NEAR(tail.epsilon, 0.05100573, 1e-8);
  EXPECT_NEAR(tail.delta, 0.03905025488, 1e-10);
  Guarantee paper = independent(sums, terms, Mode::Paper);
  EXPECT_NEAR(paper.epsilon, 0.05607960732, 1e-10);
  EXPECT_NEAR(paper.delta, 2.028917913, 1e-8);
  terms.denominator_outside = true;
  EXPECT_NEAR(independent(sums, terms, Mode::Paper).delta, 0.03018917913, 1e-10);
}

TEST(SumTheorems, SignedMomentsPromiseTooMuch) {
  std::vector<double> values(100, 0.0);
  values[0] = -2;
  values[1] = 2;
  Crowd crowd = {{moments_of(values), 10000}};
  Terms terms;
  terms.delta1 = 0.01;
  Sums sums = worst_sums(crowd, 0);
  // The sum is even: 0 has a probability of 0.0282 in one data set, and none one further.
  EXPECT_NEAR(independent(sums, terms, Mode::Paper).delta, 0.01, 1e-12);
  EXPECT_NEAR(independent(sums, terms, Mode::Sound).delta, 0.1688971728, 1e-9);
}

TEST(SumTheorems, DistancesHaveThePublishedValues) {
  Sums sums = worst_sums(coins(10000, 0.3), 0);
  double sigma = std::sqrt(sums.variance);
  EXPECT_NEAR(distance_from_normal(sums, 1, sigma).wasserstein, 0.05228401166, 1e-10);
  EXPECT_NEAR(distance_from_normal(sums, 1, sigma).kolmogorov, 0.2042464337, 1e-9);
  EXPECT_NEAR(distance_from_normal(sums, 3, sigma).wasserstein, 0.3198196142, 1e-9);
  EXPECT_NEAR(distance_from_normal(sums, 3, sigma).kolmogorov, 0.5051525833, 1e-9);
}

// The settings of the printed figures, where they can be had at all.
struct FigureVector {
  double n;
  double low, high;  // at the ends of the axis
};

Sums figure2(double n) {
  Sums sums;
  sums.people = n;
  sums.variance = 2500;
  sums.variance_3_2 = 100;
  sums.third = 1;
  return sums;
}

TEST(Figures, Figure2HasThePublishedValues) {
  for (const FigureVector& v :
       {FigureVector{1000, .0433371558, .433371558}, {196591, .0607113031, .607113031}}) {
    Terms terms;
    terms.k = 10;
    EXPECT_NEAR(independent(figure2(v.n), terms, Mode::Paper).epsilon, v.low, 1e-9);
    terms.s = 10;
    EXPECT_NEAR(independent(figure2(v.n), terms, Mode::Paper).epsilon, v.high, 1e-8);
  }
  for (const FigureVector& v :
       {FigureVector{1000, .0545902836, .0617198194}, {196591, .0254280618, .035915818}}) {
    Terms terms;
    EXPECT_NEAR(independent(figure2(v.n), terms, Mode::Paper).delta, v.low, 1e-9);
    terms.s = 10;
    EXPECT_NEAR(independent(figure2(v.n), terms, Mode::Paper).delta, v.high, 1e-9);
  }
  for (const FigureVector& v :
       {FigureVector{1000, .0433371558, .0634034699}, {196591, .0607113031, .0634034699}}) {
    Terms terms;
    terms.k = 10;
    EXPECT_NEAR(independent(figure2(v.n), terms, Mode::Paper).epsilon, v.low, 1e-9);
    terms.k = 100;
    EXPECT_NEAR(independent(figure2(v.n), terms, Mode::Paper).epsilon, v.high, 1e-9);
  }
}

Sums raw_moments(double n, double third, double root_of_fourth) {
  Sums sums;
  sums.people = n;
  sums.raw_third = third;
  sums.raw_fourth = root_of_fourth * root_of_fourth;
  return sums;
}

TEST(Figures, Figure3HasThePublishedValues) {
  for (const FigureVector& v :
       {FigureVector{1000, .0363061076, .142633768}, {196591, .00693870296, .113266363}}) {
    Terms terms;
    terms.epsilon = 0.1;
    Sums sums = raw_moments(v.n, 5, 1);
    EXPECT_NEAR(dependent(sums, {0.1, 1, 50}, terms, Mode::Paper).delta, v.low, 1e-9);
    EXPECT_NEAR(dependent(sums, {0.9, 1, 50}, terms, Mode::Paper).delta, v.high, 1e-8);
  }
  for (const FigureVector& v :
       {FigureVector{1000, .0439855505, .0534586652}, {196591, .0146181459, .0240912606}}) {
    Terms terms;
    Sums sums = raw_moments(v.n, 5, 1);
    terms.epsilon = 0.1;
    EXPECT_NEAR(dependent(sums, {0.2, 1, 50}, terms, Mode::Paper).delta, v.low, 1e-9);
    terms.epsilon = 1;
    EXPECT_NEAR(dependent(sums, {0.2, 1, 50}, terms, Mode::Paper).delta, v.high, 1e-9);
  }
}

Sums figure4(double n, double lambda2) {
  Sums sums;
  sums.people = n * (1 - lambda2);
  sums.variance = 10 * lambda2;
  sums.variance_3_2 = 100 * lambda2;
  sums.third = 10 * lambda2;
  return sums;
}

TEST(Figures, Figure4HasThePublishedValues) {
  Terms terms;
  terms.k = 10;
  for (const FigureVector& v :
       {FigureVector{1000, 1.66297357, .440474572}, {196591, 3.72984493, .43788258}}) {
    EXPECT_NEAR(independent(figure4(v.n, .1), terms, Mode::Paper).delta, v.low, 1e-7);
    EXPECT_NEAR(independent(figure4(v.n, .9), terms, Mode::Paper).delta, v.high, 1e-8);
  }
  for (const FigureVector& v :
       {FigureVector{1000, 2.14740012, .574003947}, {196591, 3.02001224, .89354275}}) {
    EXPECT_NEAR(independent(figure4(v.n, .1), terms, Mode::Paper).epsilon, v.low, 1e-7);
    EXPECT_NEAR(independent(figure4(v.n, .9), terms, Mode::Paper).epsilon, v.high, 1e-8);
  }
}

Guarantee figure5(double n, double lambda1, double lambda2) {
  Sums sums = raw_moments(n * (1 - lambda2), 5 * lambda2, 5 * lambda2);
  Terms terms;
  terms.k = 20;
  return dependent(sums, {lambda1, 1, std::sqrt(1000 * lambda2)}, terms, Mode::Paper);
}

TEST(Figures, Figure5HasThePublishedValues) {
  std::vector<double> deltas = {.0285587644, .0277884537, .0279587457, .0285621449, .0295527761,
                                .0310420347, .0333448141, .0373264316, .0464734066};
  for (std::size_t i = 0; i < deltas.size(); ++i) {
    double lambda2 = 0.1 * static_cast<double>(i + 1);
    EXPECT_NEAR(figure5(10000, 0.1, lambda2).delta, deltas[i], 1e-9) << lambda2;
  }
  for (const FigureVector& v :
       {FigureVector{1000, .0509482762, .450867836}, {196591, .0208812905, .440983671}}) {
    EXPECT_NEAR(figure5(v.n, .1, .1).delta, v.low, 1e-9);
    EXPECT_NEAR(figure5(v.n, .9, .1).delta, v.high, 1e-8);
  }
  for (const FigureVector& v :
       {FigureVector{1000, .214740012, .0574003947}, {196591, .302001224, .089354275}}) {
    EXPECT_NEAR(figure5(v.n, .1, .1).epsilon, v.low, 1e-8);
    EXPECT_NEAR(figure5(v.n, .1, .9).epsilon, v.high, 1e-8);
  }
}

// The law of a sum of independent numbers in 0..2, by convolution.
struct Person {
  std::vector<double> law;  // of 0, 1, 2
};

std::vector<double> values_of(const Person& person) {
  std::vector<double> values;  // in hundredths
  for (std::size_t value = 0; value < 3; ++value) {
    for (int i = 0; i < std::lround(100 * person.law[value]); ++i) {
      values.push_back(static_cast<double>(value));
    }
  }
  return values;
}

std::vector<double> law_of_sum(const std::vector<Person>& people) {
  std::vector<double> law = {1};
  for (const Person& person : people) {
    std::vector<double> next(law.size() + 2, 0);
    for (std::size_t i = 0; i < law.size(); ++i) {
      for (std::size_t value = 0; value < 3; ++value) next[i + value] += law[i] * person.law[value];
    }
    law = std::move(next);
  }
  return law;
}

// The largest excess over all intervals: the best run of consecutive differences.
double exact_delta(const std::vector<double>& law, std::size_t shift, double epsilon) {
  double worst = 0;
  for (int direction : {-1, 1}) {
    double run = 0;
    for (std::size_t i = 0; i < law.size(); ++i) {
      auto other = static_cast<std::ptrdiff_t>(i) + direction * static_cast<std::ptrdiff_t>(shift);
      bool inside = other >= 0 && other < static_cast<std::ptrdiff_t>(law.size());
      double q = inside ? law[static_cast<std::size_t>(other)] : 0;
      run = std::max(0.0, run) + law[i] - std::exp(epsilon) * q;
      worst = std::max(worst, run);
    }
  }
  return worst;
}

TEST(SumTheorems, SoundIsNeverBelowTheExactValue) {
  Rng random(7);
  int telling = 0;
  for (int round = 0; round < 300; ++round) {
    std::vector<Person> people(20 + random.below(280));
    Crowd crowd;
    for (Person& person : people) {
      double one = 0.01 * static_cast<double>(random.below(60));
      double two = 0.01 * static_cast<double>(random.below(40));
      person.law = {1 - one - two, one, two};
      crowd.push_back({moments_of(values_of(person)), 1});
    }
    // The adversary knows some people, whoever it likes; the last is the one it is after.
    auto known = static_cast<std::size_t>(random.below(people.size() / 2));
    std::vector<Person> others(people.begin() + static_cast<std::ptrdiff_t>(known),
                               people.end() - 1);
    std::vector<double> law = law_of_sum(others);
    for (double delta1 : {0.001, 0.05}) {
      Terms terms;
      terms.s = 2;
      terms.delta1 = delta1;
      double share = static_cast<double>(known) / static_cast<double>(people.size());
      auto bound = independent_bound(worst_sums(crowd, share), terms, Mode::Sound);
      if (!bound) continue;
      for (std::size_t shift : {1, 2}) {
        ASSERT_LE(exact_delta(law, shift, bound->epsilon), bound->delta + 1e-12);
      }
      if (bound->delta < 1) ++telling;
    }
  }
  EXPECT_GT(telling, 300);  // bounds of 1 or more would pass any test
}

TEST(SumTheorems, RefuseWhatMakesNoSense) {
  Terms terms;
  EXPECT_FALSE(independent_bound(worst_sums(coins(100, 0.3), 1), terms, Mode::Sound));
  EXPECT_FALSE(independent_bound(worst_sums(coins(100, 0), 0), terms, Mode::Sound));
  EXPECT_FALSE(independent_bound(worst_sums(coins(100, 0), 0), terms, Mode::Paper));
  terms.s = 0;
  EXPECT_FALSE(independent_bound(worst_sums(coins(100, 0.3), 0), terms, Mode::Sound));
  terms.s = 1;
  terms.eps1 = 1;
  EXPECT_FALSE(independent_bound(worst_sums(coins(100, 0.3), 0), terms, Mode::Paper));
  EXPECT_FALSE(dependent_bound(worst_sums(coins(100, 0.3), 0), {0, 0, {}}, {}, Mode::Sound));
  EXPECT_FALSE(dependent_bound(worst_sums(coins(100, 0.3), 0), {1, 1, {}}, {}, Mode::Paper));
}

TEST(SumTheorems, OneNeighbourIsIndependence) {
  Sums sums = worst_sums(coins(10000, 0.3), 0);
  EXPECT_EQ(dependent(sums, {0, 1, {}}, {}, Mode::Sound).delta,
            independent(sums, {}, Mode::Sound).delta);
}

TEST(Crowd, WorstSumsHoldForEveryChoiceOfKnownPeople) {
  Rng random(3);
  for (int round = 0; round < 200; ++round) {
    Crowd crowd;
    for (int i = 0; i < 6; ++i) {
      std::vector<double> values;
      for (int j = 0; j < 4; ++j) values.push_back(static_cast<double>(random.below(9)));
      crowd.push_back({moments_of(values), 1});
    }
    Sums worst = worst_sums(crowd, 2.0 / 6);
    for (std::size_t a = 0; a < 6; ++a) {
      for (std::size_t b = a + 1; b < 6; ++b) {
        Crowd unknown;
        for (std::size_t i = 0; i < 6; ++i) {
          if (i != a && i != b) unknown.push_back(crowd[i]);
        }
        Sums sums = worst_sums(unknown, 0);
        EXPECT_LE(worst.variance, sums.variance + 1e-9);
        EXPECT_LE(worst.variance_of_others, sums.variance_of_others + 1e-9);
        EXPECT_GE(worst.absolute_third, sums.absolute_third - 1e-9);
        EXPECT_GE(worst.fourth, sums.fourth - 1e-9);
      }
    }
  }
}

}  // namespace
}  // namespace rankveil::bound

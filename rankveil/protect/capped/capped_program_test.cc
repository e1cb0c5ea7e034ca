#include "rankveil/protect/capped/capped_program.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/capped/linear_program.h"
#include "rankveil/protect/caps.h"

namespace rankveil {
namespace {

constexpr double no_limit = std::numeric_limits<double>::infinity();

CappedProblem problem_of(const std::vector<double>& shares, std::uint32_t l, double gamma,
                         std::vector<double> frequencies = {}) {
  if (frequencies.empty()) frequencies.assign(shares.size(), 1);
  return {shares, caps_of(shares, l, gamma), frequencies};
}

std::vector<double> dense(const Signal& signal, std::size_t values) {
  std::vector<double> p(values, 0);
  for (auto [value, probability] : signal) p[value] = probability;
  return p;
}

double weight_of(const CappedMechanism& made, const std::vector<double>& wanted) {
  for (std::size_t i = 0; i < made.signals.size(); ++i) {
    std::vector<double> p = dense(made.signals[i], wanted.size());
    double distance = 0;
    for (std::size_t x = 0; x < wanted.size(); ++x) {
      distance = std::max(distance, std::abs(p[x] - wanted[x]));
    }
    if (distance < 1e-9) return made.weights[i];
  }
  return 0;
}

TEST(CappedProgram, TestVectorsOfTheStudy) {
  CappedMechanism made = best_capped(problem_of({.6, .3, .1}, 2, 1));
  EXPECT_EQ(made.corners, 5U);
  EXPECT_NEAR(weight_of(made, {.6, .4, 0}), .75, 1e-6);
  EXPECT_NEAR(weight_of(made, {.6, 0, .4}), .25, 1e-6);
  EXPECT_NEAR(made.value, .52, 1e-6);

  made = best_capped(problem_of({.5, .2, .2, .1}, 3, 1));
  EXPECT_EQ(made.corners, 10U);
  EXPECT_NEAR(made.value, .388889, 1e-6);

  made = best_capped(problem_of({.9, .1}, 2, 1));
  EXPECT_NEAR(weight_of(made, {.9, .1}), 1, 1e-6);
  EXPECT_NEAR(made.value, .82, 1e-6);

  made = best_capped(problem_of({.9, .1}, 2, 2));
  EXPECT_NEAR(weight_of(made, {.95, .05}), .888889, 1e-6);
  EXPECT_NEAR(weight_of(made, {.5, .5}), .111111, 1e-6);
  EXPECT_NEAR(made.value, .86, 1e-6);

  made = best_capped(problem_of({.7, .2, .1}, 2, no_limit));
  EXPECT_NEAR(weight_of(made, {1, 0, 0}), .6, 1e-6);
  EXPECT_NEAR(weight_of(made, {.5, .5, 0}), .2, 1e-6);
  EXPECT_NEAR(weight_of(made, {0, .5, .5}), .2, 1e-6);
  EXPECT_NEAR(made.value, .80, 1e-6);

  made = best_capped(problem_of({.4, .3, .2, .1}, 2, 2, {4, 3, 2, 1}));
  EXPECT_NEAR(made.value, 1.5, 1e-6);
}

// All corners by trying every set of values at their cap with every value in between.
std::set<std::vector<long>> plain_corners(const std::vector<double>& caps) {
  std::set<std::vector<long>> corners;  // in units of 1e-9
  std::size_t values = caps.size();
  for (std::uint32_t set = 0; set < (1U << values); ++set) {
    std::vector<double> p(values, 0);
    double rest = 1;
    for (std::size_t x = 0; x < values; ++x) {
      if (((set >> x) & 1) != 0) p[x] = caps[x];
      rest -= p[x];
    }
    for (std::size_t x = 0; x < values; ++x) {
      bool between = rest > 1e-9 && rest < caps[x] - 1e-9 && ((set >> x) & 1) == 0;
      if (!between && std::abs(rest) > 1e-9) continue;
      std::vector<long> rounded;
      for (std::size_t y = 0; y < values; ++y) {
        rounded.push_back(std::lround((p[y] + (between && x == y ? rest : 0)) * 1e9));
      }
      corners.insert(rounded);
    }
  }
  return corners;
}

struct RandomProblem {
  CappedProblem problem;
  std::uint32_t l;
};

RandomProblem random_problem(std::uint64_t seed, std::size_t max_values = 7) {
  Rng rng(seed);
  std::vector<double> counts(1 + rng.below(max_values), 1);
  double rows = static_cast<double>(counts.size());
  for (std::uint64_t i = rng.below(60); i > 0; --i, ++rows) {
    double u = rng.uniform();
    ++counts[static_cast<std::size_t>(u * u * u * static_cast<double>(counts.size()))];
  }
  std::vector<double> frequencies;
  for (double& count : counts) {
    count /= rows;
    frequencies.push_back(static_cast<double>(rng.below(4)));
  }
  auto l = 2 + static_cast<std::uint32_t>(rng.below(3));
  double gammas[] = {1, l / (l - 1.0), 3, no_limit};
  return {problem_of(counts, l, gammas[rng.below(4)], frequencies), l};
}

TEST(CappedProgram, KnowsAllCorners) {
  for (std::uint64_t seed = 0; seed < some_of(1000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    const std::vector<double> caps = random_problem(seed).problem.caps;
    auto corners = corners_of(caps, 50'000);
    ASSERT_TRUE(corners);
    std::set<std::vector<long>> rounded;
    for (const Signal& corner : *corners) {
      std::vector<long> p;
      for (double probability : dense(corner, caps.size())) {
        p.push_back(std::lround(probability * 1e9));
      }
      EXPECT_TRUE(rounded.insert(p).second);
    }
    EXPECT_EQ(rounded, plain_corners(caps));
  }
}

double worth(const std::vector<long>& corner, const std::vector<double>& frequencies) {
  double sum = 0;
  for (std::size_t x = 0; x < corner.size(); ++x) {
    double p = static_cast<double>(corner[x]) * 1e-9;
    sum += frequencies[x] * p * p;
  }
  return sum;
}

// The mechanism makes up the shares; by its prices no corner, hence no mechanism, is worth more.
TEST(CappedProgram, PricesProveEveryOptimum) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CappedProblem problem = random_problem(seed).problem;
    CappedMechanism made = best_capped(problem);
    EXPECT_TRUE(made.proven());
    double value = 0;
    std::vector<double> mean(problem.shares.size(), 0);
    for (std::size_t i = 0; i < made.signals.size(); ++i) {
      for (auto [x, p] : made.signals[i]) {
        mean[x] += made.weights[i] * p;
        value += made.weights[i] * problem.frequencies[x] * p * p;
      }
    }
    double dual_value = 0;
    for (std::size_t x = 0; x < mean.size(); ++x) {
      EXPECT_NEAR(mean[x], problem.shares[x], 1e-12);
      dual_value += made.prices[x] * problem.shares[x];
    }
    EXPECT_NEAR(value, dual_value, 1e-9);
    double largest = 1;
    for (double price : made.prices) largest = std::max(largest, std::abs(price));
    for (const auto& corner : plain_corners(problem.caps)) {
      double price = 0;
      for (std::size_t x = 0; x < corner.size(); ++x) {
        price += made.prices[x] * static_cast<double>(corner[x]) * 1e-9;
      }
      // Plain corners are whole billionths.
      EXPECT_LE(worth(corner, problem.frequencies), price + 1e-8 * largest + 1e-7);
    }
  }
}

TEST(CappedProgram, PosteriorsKeepTheCaps) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CappedProblem problem = random_problem(seed).problem;
    CappedMechanism made = best_capped(problem);
    std::vector<double> sent(problem.shares.size(), 0);
    for (std::size_t i = 0; i < made.signals.size(); ++i) {
      for (auto [x, p] : made.signals[i]) sent[x] += made.weights[i] * p;
    }
    for (std::size_t i = 0; i < made.signals.size(); ++i) {
      double total = 0;
      std::map<std::uint32_t, double> joint;
      for (auto [x, p] : made.signals[i]) {
        double likelihood = made.weights[i] * p / sent[x];  // Pr(signal | x), as it is drawn
        joint[x] = problem.shares[x] * likelihood;
        total += joint[x];
      }
      for (auto [x, probability] : joint) {
        EXPECT_LE(probability / total, problem.caps[x] + 1e-12);
      }
    }
  }
}

TEST(CappedProgram, CornersOnDemandReachTheSameValue) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CappedProblem problem = random_problem(seed, 12).problem;
    CappedMechanism all = best_capped(problem);
    CappedMechanism on_demand = best_capped(problem, 0);
    EXPECT_TRUE(on_demand.proven());
    EXPECT_NEAR(all.value, on_demand.value, 1e-9);
  }
}

TEST(CappedProgram, LargeDomainsAreSolvedOnDemand) {
  Rng rng(3);
  std::vector<double> shares(120);
  double sum = 0;
  for (double& share : shares) sum += share = 1 + 40 * rng.uniform() * rng.uniform();
  shares[0] += sum;  // a common value
  sum *= 2;
  for (double& share : shares) share /= sum;
  std::vector<double> frequencies;
  for (std::size_t x = 0; x < shares.size(); ++x) {
    frequencies.push_back(1 + static_cast<double>(rng.below(5)));
  }
  CappedMechanism made = best_capped(problem_of(shares, 5, 1.25, frequencies));
  EXPECT_EQ(made.corners, 0U);
  EXPECT_TRUE(made.proven());
}

TEST(CappedProgram, FindsTheBestCorner) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    CappedProblem problem = random_problem(seed).problem;
    Rng rng(seed);
    std::vector<double> prices;
    for (std::size_t x = 0; x < problem.caps.size(); ++x) prices.push_back(rng.uniform() * 4 - 1);
    double best = -no_limit;
    for (const auto& corner : plain_corners(problem.caps)) {
      double value = worth(corner, problem.frequencies);
      for (std::size_t x = 0; x < corner.size(); ++x) {
        value -= prices[x] * static_cast<double>(corner[x]) * 1e-9;
      }
      best = std::max(best, value);
    }
    double found = 0;
    for (auto [x, p] : best_corner(problem.caps, problem.frequencies, prices)) {
      found += p * (problem.frequencies[x] * p - prices[x]);
    }
    EXPECT_NEAR(found, best, 1e-7);
  }
}

// The best flat sets for a uniform prior: how often each set of l values is used, with a value in
// it, so that each value is in 1/d of it; a set costs what its decoys are asked for. Another
// program, for the linear solver alone.
struct FlatSets {
  std::uint32_t l;
  std::vector<double> asked;
  std::vector<double> held;  // shares in the table, up to a factor
  double best;
  double uniform;     // all sets alike
  double unweighted;  // the table's shares left out: the same for all
};

// Members of the set, each with the asked values that are its decoys.
double cost_of(const FlatSets& sets, const std::vector<std::uint32_t>& members, bool weighted) {
  double all = 0;
  for (double held : sets.held) all += held;
  double cost = 0;
  for (std::uint32_t x : members) {
    for (std::uint32_t decoy : members) {
      if (decoy != x) cost += sets.asked[decoy] * (weighted ? sets.held[x] / all : 1);
    }
  }
  return cost;
}

std::vector<std::vector<std::uint32_t>> all_sets(const FlatSets& sets) {
  std::vector<std::vector<std::uint32_t>> made;
  for (std::uint32_t bits = 0; bits < (1U << sets.asked.size()); ++bits) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t x = 0; x < sets.asked.size(); ++x) {
      if (((bits >> x) & 1) != 0) members.push_back(x);
    }
    if (members.size() == sets.l) made.push_back(members);
  }
  return made;
}

TEST(LinearProgram, FlatSetsOfTheStudy) {
  const std::vector<FlatSets> vectors = {
      {2, {3, 2, 1, 0}, {4, 3, 2, 1}, .25, .333333, 1.5},
      {3, {4, 3, 2, 1, 0}, {5, 4, 3, 2, 1}, .675556, .733333, 4.0},
      {2, {5, 1, 1, 1, 1, 1}, {6, 5, 4, 3, 2, 1}, .198413, .261905, 1.666667}};
  for (const FlatSets& sets : vectors) {
    auto d = static_cast<double>(sets.asked.size());
    SCOPED_TRACE(testing::Message() << "d " << d);
    LinearProgram program(std::vector<double>(sets.asked.size(), 1 / d));
    auto all = all_sets(sets);
    double share = 1 / (static_cast<double>(all.size()) * sets.l);  // of each set, used alike
    double uniform = 0;
    for (const auto& members : all) {
      std::vector<LinearEntry> entries;
      for (std::uint32_t x : members) entries.emplace_back(x, 1);
      program.add_column(-cost_of(sets, members, true), entries);
      uniform += share * cost_of(sets, members, true);
    }
    auto solution = program.solve();
    ASSERT_TRUE(solution);
    EXPECT_NEAR(-solution->value, sets.best, 1e-6);
    EXPECT_NEAR(solution->value, solution->dual_value, 1e-9);
    EXPECT_NEAR(uniform, sets.uniform, 1e-6);
    double unweighted = 0;
    for (std::size_t i = 0; i < all.size(); ++i) {
      unweighted += solution->amounts[i] * cost_of(sets, all[i], false);
    }
    EXPECT_NEAR(unweighted, sets.unweighted, 1e-6);
  }
}

TEST(LinearProgram, TellsWhenThereIsNoSolution) {
  LinearProgram impossible({1, 2});
  std::vector<LinearEntry> column = {{0, 1}, {1, 1}};
  impossible.add_column(1, column);
  EXPECT_FALSE(impossible.solve());
  LinearProgram endless({0});
  std::vector<LinearEntry> up = {{0, 1}};
  std::vector<LinearEntry> down = {{0, -1}};
  endless.add_column(1, up);
  endless.add_column(1, down);
  EXPECT_FALSE(endless.solve());
}

TEST(LinearProgram, ContinuesWhenColumnsAreAdded) {
  LinearProgram program({1, 1});
  std::vector<LinearEntry> first = {{0, 1}};
  std::vector<LinearEntry> second = {{1, 1}};
  std::vector<LinearEntry> both = {{0, 1}, {1, 1}};
  program.add_column(1, first);
  program.add_column(1, second);
  EXPECT_NEAR(program.solve()->value, 2, 1e-12);
  program.add_column(5, both);
  auto solution = program.solve();
  EXPECT_NEAR(solution->value, 5, 1e-12);
  EXPECT_NEAR(solution->amounts[2], 1, 1e-12);
}

}  // namespace
}  // namespace rankveil

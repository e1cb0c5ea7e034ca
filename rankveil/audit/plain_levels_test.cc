// Levels held against plain versions of themselves: small tables, every vector, every draw and
// every way to hand out vectors enumerated.
#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>
#include <numeric>

#include "rankveil/audit/levels.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::audit {
namespace {

using rankveil::testing_support::coded_table;
using rankveil::testing_support::OwnTask;
using rankveil::testing_support::profile_of;
using rankveil::testing_support::random_workload;

constexpr std::uint32_t width = 2;

struct SmallCase {
  OwnTask own;
  std::vector<std::vector<int>> rows;  // public value, then private ones
  std::vector<std::uint32_t> domains;  // private
  mutable std::map<std::pair<std::uint32_t, std::uint32_t>, std::vector<double>> alone = {};

  SmallCase(const std::string& scheme, std::uint64_t seed) : own{Table{}} {
    Rng rng(seed);
    domains = {3 + static_cast<std::uint32_t>(rng.below(2)), 3};
    for (std::uint32_t i = 0; i < 10; ++i) {
      auto value = [&](std::uint32_t domain) {
        return std::min(static_cast<int>(rng.below(domain)), static_cast<int>(rng.below(domain)));
      };
      rows.push_back({static_cast<int>(i % 2), value(domains[0]), value(domains[1])});
    }
    own.table = coded_table(rows, 1, {2, domains[0], domains[1]});
    own.demand.scheme = scheme;
    own.demand.l = 2;
    own.key = SecretKey::from_seed(seed);
    own.workload = random_workload(rng, own.table.schema(), 3);
  }

  std::vector<double> profile(const Profiles& profiles, std::uint32_t row, std::uint32_t j) const {
    return profile_of(profiles, RowId{row}, PrivateId{j}, domains[j]);
  }
  bool alike(std::uint32_t a, std::uint32_t b) const { return rows[a][0] == rows[b][0]; }
  int value(std::uint32_t row, std::uint32_t j) const { return rows[row][1 + j]; }
};

// What a level comes to, from posteriors by value.
struct PlainFigures {
  double right = 0, gain = 0, candidates = 0;

  void add(const std::vector<double>& posterior, const std::vector<double>& prior, int truth) {
    double largest = *std::max_element(posterior.begin(), posterior.end());
    auto ties = std::count_if(posterior.begin(), posterior.end(),
                              [&](double p) { return p > largest - 1e-12; });
    if (posterior[static_cast<std::size_t>(truth)] > largest - 1e-12) {
      right += 1.0 / static_cast<double>(ties);
    }
    double entropy = 0;
    for (std::size_t x = 0; x < posterior.size(); ++x) {
      if (prior[x] < 1) gain = std::max(gain, (posterior[x] - prior[x]) / (1 - prior[x]));
      if (posterior[x] > 0) entropy -= posterior[x] * std::log(posterior[x]);
    }
    candidates += std::exp(entropy);
  }
};

using Weight = std::function<double(std::uint32_t row, std::uint32_t vector_of)>;

// Every row of the group stands for its vector.
PlainFigures by_weights(const SmallCase& small, std::uint32_t j, const Weight& weight) {
  PlainFigures figures;
  for (std::uint32_t row = 0; row < small.rows.size(); ++row) {
    std::vector<double> posterior(small.domains[j], 0), prior(small.domains[j], 0);
    double sum = 0, rows = 0;
    for (std::uint32_t other = 0; other < small.rows.size(); ++other) {
      if (!small.alike(row, other)) continue;
      auto value = static_cast<std::size_t>(small.value(other, j));
      double w = weight(row, other);
      posterior[value] += w;
      sum += w;
      ++prior[value];
      ++rows;
    }
    for (double& p : posterior) p /= sum;
    for (double& p : prior) p /= rows;
    figures.add(posterior, prior, small.value(row, j));
  }
  return figures;
}

// Pr(profile | value) by enumerating draws.
double random_weight(const std::vector<double>& profile, int own, std::uint32_t l) {
  std::uint32_t shown = 0;
  for (std::size_t v = 0; v < profile.size(); ++v) shown |= (profile[v] > 0 ? 1U : 0U) << v;
  double hits = 0, all = 0;
  for (std::uint32_t set = 0; set < 1U << profile.size(); ++set) {
    bool possible =
        std::popcount(set) == static_cast<int>(l) && (set >> static_cast<unsigned>(own) & 1U) != 0;
    all += possible ? 1 : 0;
    hits += possible && set == shown ? 1 : 0;
  }
  return hits / all;
}

// The truth once in l, otherwise one of the other answers, "no value" among them.
double rr_weight(const std::vector<double>& profile, int own, std::uint32_t l) {
  auto domain = static_cast<int>(profile.size());
  int said = domain;
  for (int v = 0; v < domain; ++v) {
    if (profile[static_cast<std::size_t>(v)] > 0) said = v;
  }
  return said == own ? 1.0 / l : (1 - 1.0 / l) / domain;
}

// What the scheme gives a row of this vector in a table of its own.
const std::vector<double>& alone(const SmallCase& small, std::uint32_t vector_of, std::uint32_t j) {
  auto [place, is_new] = small.alone.try_emplace({vector_of, j});
  if (is_new) {
    OwnTask own = small.own;
    own.table = coded_table({small.rows[vector_of]}, 1, {2, small.domains[0], small.domains[1]});
    Task task = own.task();
    task.threads = 1;
    place->second = small.profile(protect(task)->profiles, 0, j);
  }
  return place->second;
}

double plain_likelihood(const SmallCase& small, const Profiles& profiles, std::uint32_t row,
                        std::uint32_t vector_of, std::uint32_t j) {
  const std::string& scheme = small.own.demand.scheme;
  std::vector<double> profile = small.profile(profiles, row, j);
  int own = small.value(vector_of, j);
  if (scheme == "drop") return 1;
  if (scheme == "random") return random_weight(profile, own, small.own.demand.l);
  if (scheme == "rr") return rr_weight(profile, own, small.own.demand.l);
  if (scheme == "estt") return profile[static_cast<std::size_t>(own)];
  if (scheme == "pvst") return profile == small.profile(profiles, vector_of, j) ? 1 : 0;
  return profile == alone(small, vector_of, j) ? 1 : 0;  // pvsv, generalise
}

const Finding& find(const Judgement& judgement, const std::string& level,
                    const std::string& attribute) {
  for (const Finding& finding : judgement.findings) {
    if (finding.level == level && finding.attribute == attribute) return finding;
  }
  ADD_FAILURE() << level << " " << attribute;
  return judgement.findings.front();
}

void expect_same(const Finding& finding, const PlainFigures& plain, std::size_t rows) {
  EXPECT_NEAR(finding.right, plain.right, 1e-9) << finding.level;
  EXPECT_NEAR(finding.candidates * static_cast<double>(rows), plain.candidates, 1e-7)
      << finding.level;
}

class PlainLevels : public testing::TestWithParam<const char*> {};

TEST_P(PlainLevels, BayesianJointWeighsEveryVector) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SmallCase small(GetParam(), seed);
    auto made = protect(small.own.task());
    ASSERT_TRUE(made);
    auto judgement = judge_profiles(
        {small.own.table, made->profiles, Mechanism{small.own.demand, small.own.workload}}, {});
    ASSERT_TRUE(judgement);
    for (std::uint32_t j = 0; j < width; ++j) {
      PlainFigures plain = by_weights(small, j, [&](std::uint32_t row, std::uint32_t of) {
        return plain_likelihood(small, made->profiles, row, of, 0) *
               plain_likelihood(small, made->profiles, row, of, 1);
      });
      const Finding& finding = find(*judgement, "bayesian-joint", "b" + std::to_string(1 + j));
      expect_same(finding, plain, small.rows.size());
      EXPECT_NEAR(finding.gain, plain.gain, 1e-7);
    }
  }
}

TEST_P(PlainLevels, MechanismPublicWeighsEveryValue) {
  if (std::string(GetParam()) == "pvst") return;  // simulates whole vectors
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SmallCase small(GetParam(), seed);
    auto made = protect(small.own.task());
    ASSERT_TRUE(made);
    auto judgement = judge_profiles(
        {small.own.table, made->profiles, Mechanism{small.own.demand, small.own.workload}}, {});
    ASSERT_TRUE(judgement);
    for (std::uint32_t j = 0; j < width; ++j) {
      PlainFigures plain = by_weights(small, j, [&](std::uint32_t row, std::uint32_t of) {
        return plain_likelihood(small, made->profiles, row, of, j);
      });
      const Finding& finding = find(*judgement, "mechanism-public", "b" + std::to_string(1 + j));
      expect_same(finding, plain, small.rows.size());
      EXPECT_NEAR(finding.gain, plain.gain, 1e-7);
    }
  }
}

bool plain_fits(const SmallCase& small, const Profiles& profiles, std::uint32_t row,
                std::uint32_t of) {
  for (std::uint32_t j = 0; j < width; ++j) {
    std::vector<double> profile = small.profile(profiles, row, j);
    bool empty = std::all_of(profile.begin(), profile.end(), [](double p) { return p == 0; });
    if (!empty && profile[static_cast<std::size_t>(small.value(of, j))] == 0) return false;
  }
  return true;
}

// [row][vector of]: whether some way to hand out the group's vectors gives the row this one.
std::vector<std::vector<bool>> possible(const SmallCase& small, const Profiles& profiles) {
  std::vector<std::vector<bool>> used(small.rows.size(),
                                      std::vector<bool>(small.rows.size(), false));
  for (int group : {0, 1}) {
    std::vector<std::uint32_t> members;
    for (std::uint32_t row = 0; row < small.rows.size(); ++row) {
      if (small.rows[row][0] == group) members.push_back(row);
    }
    std::vector<std::uint32_t> order = members;
    do {
      bool fits = true;
      for (std::size_t i = 0; i < members.size(); ++i) {
        fits &= plain_fits(small, profiles, members[i], order[i]);
      }
      for (std::size_t i = 0; fits && i < members.size(); ++i) used[members[i]][order[i]] = true;
    } while (std::next_permutation(order.begin(), order.end()));
  }
  return used;
}

TEST_P(PlainLevels, JointKeepsWhatSomeWayToHandOutVectorsAllows) {
  if (std::string(GetParam()) == "rr") return;  // may hide own values: every vector fits
  for (std::uint64_t seed = 0; seed < 40; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    SmallCase small(GetParam(), seed);
    auto made = protect(small.own.task());
    ASSERT_TRUE(made);
    auto judgement = judge_profiles(
        {small.own.table, made->profiles, Mechanism{small.own.demand, small.own.workload}}, {});
    ASSERT_TRUE(judgement);
    auto used = possible(small, made->profiles);
    for (std::uint32_t j = 0; j < width; ++j) {
      std::string name = "b" + std::to_string(1 + j);
      PlainFigures joint = by_weights(
          small, j, [&](std::uint32_t row, std::uint32_t of) { return used[row][of] ? 1.0 : 0.0; });
      expect_same(find(*judgement, "joint", name), joint, small.rows.size());
    }
  }
}

INSTANTIATE_TEST_SUITE_P(Levels, PlainLevels,
                         testing::Values("drop", "random", "rr", "pvsv", "generalise", "pvst",
                                         "estt"));

// Profiles of many keys, counted by the value of the row: the law says how their frequencies
// compare. One attribute, one group.
class CountedLaw : public testing::TestWithParam<const char*> {};

TEST_P(CountedLaw, PosteriorsAreThoseOfManyDraws) {
  std::vector<std::vector<int>> rows;
  for (int value : {0, 0, 0, 0, 1, 1, 1, 2, 2, 3}) rows.push_back({value});
  OwnTask own{coded_table(rows, 0, {4})};
  own.demand = {.scheme = GetParam(), .l = 2, .min_group = 2, .levels = 255};
  std::map<std::vector<double>, std::vector<double>> seen;  // rows by value
  double expected = 0, variance = 0, right = 0;
  constexpr int keys = 400;
  for (int key = 0; key < keys; ++key) {
    own.key = SecretKey::from_seed(static_cast<std::uint64_t>(key));
    auto made = protect(own.task());
    ASSERT_TRUE(made);
    for (std::uint32_t row = 0; row < rows.size(); ++row) {
      auto& counts = seen[profile_of(made->profiles, RowId{row}, PrivateId{0}, 4)];
      counts.resize(4, 0);
      ++counts[static_cast<std::size_t>(rows[row][0])];
    }
  }
  // The best guess for every profile, by what was counted.
  for (const auto& [profile, counts] : seen) {
    expected += *std::max_element(counts.begin(), counts.end());
  }
  for (int key = 0; key < keys; ++key) {
    own.key = SecretKey::from_seed(static_cast<std::uint64_t>(keys + key));
    auto made = protect(own.task());
    auto judgement =
        judge_profiles({own.table, made->profiles, Mechanism{own.demand}}, {.threads = 1});
    ASSERT_TRUE(judgement);
    right += find(*judgement, "bayesian-joint", "b0").right;
  }
  double attempts = keys * 10.0;
  variance = expected / attempts * (1 - expected / attempts);
  EXPECT_NEAR(right / attempts, expected / attempts, 5 * std::sqrt(2 * variance / attempts));
}

INSTANTIATE_TEST_SUITE_P(Levels, CountedLaw,
                         testing::Values("random", "rr", "rr-mean", "capped", "swap-exact"));

// One row in 25 has a value, the others none: signals of no strength stay so, and fewer steps tell
// the same.
class RoundedLevels : public testing::TestWithParam<const char*> {};

TEST_P(RoundedLevels, TellTheSameOfRowsWithoutASignal) {
  std::vector<std::vector<int>> rows;
  for (int i = 0; i < 1000; ++i) rows.push_back({i % 25 == 0 ? 0 : -1});
  OwnTask own{coded_table(rows, 0, {2})};
  int silent = 0;
  for (std::uint64_t key = 0; key < some_of(10U); ++key) {
    SCOPED_TRACE(testing::Message() << "key " << key);
    own.key = SecretKey::from_seed(key);
    std::map<std::uint32_t, double> right;
    for (std::uint32_t levels : {15U, 30U}) {
      own.demand = {.scheme = GetParam(), .l = 2, .min_group = 2, .levels = levels};
      auto made = protect(own.task());
      auto judgement =
          judge_profiles({own.table, made->profiles, Mechanism{own.demand}}, {.threads = 1});
      ASSERT_TRUE(judgement);
      right[levels] = find(*judgement, "bayesian-joint", "b0").right;
      for (std::uint32_t row = 0; row < 1000; ++row) {
        silent += profile_of(made->profiles, RowId{row}, PrivateId{0}, 2) == std::vector{0.0, 0.0};
      }
    }
    EXPECT_NEAR(right[15], right[30], 1e-9);
  }
  EXPECT_EQ(silent > 0, GetParam() != std::string_view("ldp"));  // which always says some value
}

INSTANTIATE_TEST_SUITE_P(Levels, RoundedLevels, testing::Values("rr-mean", "capped", "ldp"));

}  // namespace
}  // namespace rankveil::audit

#include "rankveil/protect/cluster/clustering.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>
#include <string>

#include "rankveil/base/random.h"
#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/caps.h"

namespace rankveil {
namespace {

using Vectors = std::vector<std::vector<int>>;

// Values of attribute j are the coordinates 10 j, 10 j + 1, ...
VectorSet with_caps(const Vectors& vectors, std::uint32_t l, double gamma,
                    const std::vector<std::uint8_t>& spared = {}) {
  VectorSet set;
  set.attributes = static_cast<std::uint32_t>(vectors[0].size());
  std::vector<double> shares(10 * vectors[0].size(), 0);
  for (const auto& vector : vectors) {
    for (std::size_t j = 0; j < vector.size(); ++j) {
      std::size_t at = 10 * j + static_cast<std::size_t>(vector[j]);
      set.coordinates.push_back(static_cast<std::uint32_t>(at));
      shares[at] += 1.0 / static_cast<double>(vectors.size());
    }
  }
  set.caps = caps_of(shares, l, gamma, spared);
  return set;
}

SecretDraws draws_of(std::uint64_t seed) {
  return SecretDraws(KeyedStream(SecretKey::from_seed(seed), "test"));
}

using Multiset = std::multiset<std::vector<int>>;

std::multiset<Multiset> clusters_of(const Vectors& vectors, std::uint32_t l, double gamma,
                                    std::uint64_t seed) {
  std::multiset<Multiset> made;
  for (const Cluster& cluster :
       cluster_vectors(with_caps(vectors, l, gamma), {.l = l}, draws_of(seed))) {
    Multiset members;
    for (std::uint32_t i : cluster) members.insert(vectors[i]);
    made.insert(members);
  }
  return made;
}

constexpr double infinite = std::numeric_limits<double>::infinity();

TEST(Clustering, TestVectorsOfTheStudy) {
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    EXPECT_EQ(clusters_of({{0, 0}, {1, 1}, {0, 1}, {1, 0}}, 2, 2, seed),
              (std::multiset<Multiset>{{{0, 0}, {1, 1}}, {{0, 1}, {1, 0}}}));
    for (double gamma : {1.0, 2.0}) {
      EXPECT_EQ(clusters_of({{0}, {0}, {0}, {1}}, 2, gamma, seed),
                (std::multiset<Multiset>{{{0}, {0}, {0}, {1}}}));
    }
    EXPECT_EQ(clusters_of({{0}, {0}, {0}, {1}}, 2, infinite, seed),
              (std::multiset<Multiset>{{{0}, {1}}, {{0}, {0}}}));
    EXPECT_EQ(clusters_of({{0}, {1}, {2}, {0}, {1}, {2}}, 3, 1.5, seed),
              (std::multiset<Multiset>{{{0}, {1}, {2}}, {{0}, {1}, {2}}}));
  }
}

// The scheme of the study as it is written: everything is counted anew at every step.
class PlainClustering {
 public:
  PlainClustering(const VectorSet& set, const ClusterOptions& options, const SecretDraws& draws)
      : set_(set), options_(options), draws_(draws) {}

  std::vector<Cluster> run() {
    std::vector<std::uint32_t> left;
    for (std::uint32_t i = 0; i < set_.size(); ++i) left.push_back(i);
    for (std::size_t i = left.size(); i > 1; --i) std::swap(left[i - 1], left[draws_.below(i)]);
    std::vector<Cluster> done;
    std::vector<Cluster> loose;
    while (!left.empty()) {
      Cluster cluster = grow(left);
      if (is_done(cluster)) done.push_back(cluster);
      if (is_done(cluster)) continue;
      for (std::uint32_t vector : cluster) loose.push_back({vector});
    }
    loose = reinsert(done, loose);
    while (!loose.empty()) {
      Cluster cluster = loose.back();
      loose.pop_back();
      while (!is_done(cluster) && !(done.empty() && loose.empty())) take_in(cluster, done, loose);
      done.push_back(cluster);
    }
    return done;
  }

 private:
  double inverse(std::uint32_t at) const { return 1 / set_.caps[at]; }
  double need(const Cluster& cluster, std::uint32_t attribute) const {
    std::map<std::uint32_t, int> counts;
    double most = 0;
    for (std::uint32_t i : cluster) {
      std::uint32_t at = set_.vector(i)[attribute];
      most = std::max(most, ++counts[at] * inverse(at));
    }
    return most;
  }
  double need(const Cluster& cluster) const {
    double most = 0;
    for (std::uint32_t j = 0; j < set_.attributes; ++j) most = std::max(most, need(cluster, j));
    return most;
  }
  bool is_done(const Cluster& cluster) const {
    return cluster.size() >= options_.l &&
           need(cluster) <= static_cast<double>(cluster.size()) * (1 + 1e-12);
  }
  double pressure(const std::vector<std::uint32_t>& left, std::uint32_t at) const {
    int count = 0;
    for (std::uint32_t i : left) {
      for (std::uint32_t j = 0; j < set_.attributes; ++j) count += set_.vector(i)[j] == at ? 1 : 0;
    }
    return count * inverse(at);
  }
  std::vector<std::size_t> sample(std::size_t size) {
    std::size_t first = size <= options_.sample ? 0 : draws_.below(size);
    std::vector<std::size_t> places;
    for (std::size_t i = 0; i < std::min<std::size_t>(size, options_.sample); ++i) {
      places.push_back((first + i) % size);
    }
    return places;
  }

  Cluster grow(std::vector<std::uint32_t>& left) {
    Cluster cluster;
    do {
      std::size_t best = 0;
      std::pair<double, double> best_value{-infinite, 0};
      for (std::size_t place : sample(left.size())) {
        auto value = cluster.empty() ? seed_value(left, left[place])
                                     : addition_value(left, cluster, left[place]);
        if (value > best_value) {
          best_value = value;
          best = place;
        }
      }
      cluster.push_back(left[best]);
      left[best] = left.back();
      left.pop_back();
    } while (!is_done(cluster) && !left.empty() && cluster.size() < options_.limit);
    return cluster;
  }
  std::pair<double, double> seed_value(const std::vector<std::uint32_t>& left,
                                       std::uint32_t vector) const {
    double most = 0;
    for (std::uint32_t j = 0; j < set_.attributes; ++j) {
      most = std::max(most, pressure(left, set_.vector(vector)[j]));
    }
    return {most, 0};
  }
  std::pair<double, double> addition_value(const std::vector<std::uint32_t>& left, Cluster cluster,
                                           std::uint32_t vector) const {
    cluster.push_back(vector);
    auto room = static_cast<double>(std::max<std::size_t>(options_.l, cluster.size()));
    double excess = 0;
    double sum = 0;
    for (std::uint32_t j = 0; j < set_.attributes; ++j) {
      excess += std::max(0.0, need(cluster, j) - room);
      sum += pressure(left, set_.vector(vector)[j]);
    }
    return {-excess, sum};
  }

  std::vector<Cluster> reinsert(std::vector<Cluster>& done, const std::vector<Cluster>& loose) {
    std::vector<Cluster> alone;
    for (const Cluster& single : loose) {
      Cluster* best = nullptr;
      for (std::size_t place : sample(done.size())) {
        Cluster tried = done[place];
        tried.push_back(single[0]);
        if (is_done(tried) && (best == nullptr || tried.size() <= best->size())) {
          best = &done[place];
        }
      }
      if (best != nullptr) best->push_back(single[0]);
      if (best == nullptr) alone.push_back(single);
    }
    return alone;
  }

  void take_in(Cluster& cluster, std::vector<Cluster>& done, std::vector<Cluster>& loose) {
    std::size_t best = 0;
    std::pair<double, std::size_t> least{infinite, 0};
    for (std::size_t place : sample(done.size() + loose.size())) {
      Cluster tried = cluster;
      const Cluster& other = place < done.size() ? done[place] : loose[place - done.size()];
      tried.insert(tried.end(), other.begin(), other.end());
      double missing = need(tried) - static_cast<double>(tried.size());
      std::pair<double, std::size_t> value{std::max(0.0, missing), tried.size()};
      if (value < least) best = place;
      if (value < least) least = value;
    }
    std::vector<Cluster>& list = best < done.size() ? done : loose;
    std::size_t place = best < done.size() ? best : best - done.size();
    cluster.insert(cluster.end(), list[place].begin(), list[place].end());
    std::swap(list[place], list.back());
    list.pop_back();
  }

  const VectorSet& set_;
  ClusterOptions options_;
  SecretDraws draws_;
};

std::set<std::set<std::uint32_t>> as_sets(const std::vector<Cluster>& clusters) {
  std::set<std::set<std::uint32_t>> sets;
  for (const Cluster& cluster : clusters) sets.insert({cluster.begin(), cluster.end()});
  return sets;
}

struct RandomVectors {
  Vectors vectors;
  std::uint32_t l;
  double gamma;
  ClusterOptions options;
};

RandomVectors random_vectors(std::uint64_t seed) {
  Rng rng(seed);
  RandomVectors made;
  std::size_t attributes = 1 + rng.below(3);
  std::size_t domain = 2 + rng.below(5);
  for (std::size_t i = 1 + rng.below(30); i-- > 0;) {
    auto& vector = made.vectors.emplace_back();
    for (std::size_t j = 0; j < attributes; ++j) {
      double u = rng.uniform();
      vector.push_back(static_cast<int>(u * u * static_cast<double>(domain)));
    }
  }
  std::sort(made.vectors.begin(), made.vectors.end());
  made.l = 2 + static_cast<std::uint32_t>(rng.below(3));
  double gammas[] = {1, 1.2, made.l / (made.l - 1.0), 4, infinite};
  made.gamma = gammas[rng.below(5)];
  made.options = {made.l, 2 + static_cast<std::uint32_t>(rng.below(8)),
                  2 * made.l + static_cast<std::uint32_t>(rng.below(8))};
  return made;
}

TEST(Clustering, AgreesWithThePlainScheme) {
  for (std::uint64_t seed = 0; seed < some_of(1500U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomVectors random = random_vectors(seed);
    VectorSet set = with_caps(random.vectors, random.l, random.gamma);
    auto made = cluster_vectors(set, random.options, draws_of(seed));
    auto plain = PlainClustering(set, random.options, draws_of(seed)).run();
    ASSERT_EQ(as_sets(made), as_sets(plain));
  }
}

TEST(Clustering, EveryVectorIsInOneClusterThatKeepsItsCaps) {
  for (std::uint64_t seed = 0; seed < some_of(2000U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomVectors random = random_vectors(seed);
    VectorSet set = with_caps(random.vectors, random.l, random.gamma);
    auto made = cluster_vectors(set, {.l = random.l}, draws_of(seed));
    std::set<std::uint32_t> seen;
    for (const Cluster& cluster : made) {
      std::map<std::uint32_t, double> counts;
      for (std::uint32_t i : cluster) {
        EXPECT_TRUE(seen.insert(i).second);
        for (std::uint32_t j = 0; j < set.attributes; ++j) ++counts[set.vector(i)[j]];
      }
      if (cluster.size() == set.size()) continue;
      EXPECT_GE(cluster.size(), random.l);
      for (auto [at, count] : counts) {
        EXPECT_LE(count / static_cast<double>(cluster.size()), set.caps[at] + 1e-12);
      }
    }
    EXPECT_EQ(seen.size(), set.size());
  }
}

// With the commonest value of every attribute spared, clusters keep the caps of all others, and
// need fewer rows for it.
TEST(Clustering, SparedValuesMakeClustersSmallerAndLeaveTheCapsOfOthers) {
  double with_all = 0, with_spared = 0;
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    Rng rng(seed);
    Vectors vectors(100, std::vector<int>(3));
    for (auto& vector : vectors) {
      for (int& value : vector) value = rng.below(10) < 8 ? 0 : 1 + static_cast<int>(rng.below(4));
    }
    std::sort(vectors.begin(), vectors.end());
    std::vector<std::uint8_t> spared(30, 0);
    for (std::size_t j = 0; j < 3; ++j) spared[10 * j] = 1;
    VectorSet all = with_caps(vectors, 3, 1.5);
    VectorSet set = with_caps(vectors, 3, 1.5, spared);
    auto made = cluster_vectors(set, {.l = 3}, draws_of(seed));
    for (const Cluster& cluster : made) {
      std::map<std::uint32_t, double> counts;
      for (std::uint32_t i : cluster) {
        for (std::uint32_t j = 0; j < set.attributes; ++j) ++counts[set.vector(i)[j]];
      }
      EXPECT_GE(cluster.size(), 3U);
      for (auto [at, count] : counts) {
        if (spared[at] != 0) continue;
        EXPECT_LE(count / static_cast<double>(cluster.size()), all.caps[at] + 1e-12);
      }
    }
    with_spared += 100.0 / static_cast<double>(made.size());
    auto plain = cluster_vectors(all, {.l = 3}, draws_of(seed));
    with_all += 100.0 / static_cast<double>(plain.size());
  }
  EXPECT_LT(with_spared, 0.8 * with_all);
}

// The study's example: over all ways to give six vectors to six rows that fit the release, a member
// of the third cluster has either of its vectors equally often. Releases are weighed by how likely
// the secret order of equal vectors leads to them.
TEST(Clustering, MembersAreExchangeable) {
  const std::vector<std::string> vectors = {"00", "11", "02", "21", "10", "00"};
  const std::vector<std::size_t> cluster_of = {0, 0, 1, 1, 2, 2};  // of slots, and of rows seen
  std::vector<std::size_t> order = {0, 1, 2, 3, 4, 5};
  std::map<std::string, double> weight;  // of what row 4, in the third cluster, has
  double all = 0;
  do {  // row r sits in slot order[r]; equal vectors make some of these the same table
    bool fits = true;
    for (std::size_t row = 0; row < 6; ++row) fits &= cluster_of[order[row]] == cluster_of[row];
    ++all;
    if (fits) ++weight[vectors[order[4]]];
  } while (std::next_permutation(order.begin(), order.end()));
  EXPECT_EQ(all, 720);
  EXPECT_EQ(weight.size(), 2U);
  EXPECT_DOUBLE_EQ(weight["00"], weight["10"]);
}

}  // namespace
}  // namespace rankveil

#include "rankveil/protect/cluster/cluster.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>
#include <map>
#include <set>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/sensitive_sets.h"
#include "rankveil/protect/testing/plain_groups.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::expect_profile;
using testing_support::index_bytes;
using testing_support::OwnTask;
using testing_support::plain_cover;
using testing_support::plain_groups;
using testing_support::plain_shares;
using testing_support::plain_value;
using testing_support::PlainGroups;
using testing_support::PlainRows;
using testing_support::PlainVector;
using testing_support::private_vector;
using testing_support::random_task;
using testing_support::RandomTask;
using testing_support::with_private_values;

std::map<std::uint32_t, PlainRows> members_of(const RowClusters& clusters) {
  std::map<std::uint32_t, PlainRows> members;
  for (std::uint32_t row = 0; row < clusters.cluster_of.size(); ++row) {
    if (clusters.cluster_of[row] != Climb::no_group) {
      members[clusters.cluster_of[row]].push_back(row);
    }
  }
  return members;
}

// Missing is a value of its own.
std::map<int, double> shares_with_missing(const Task& task, const PlainRows& rows,
                                          std::uint32_t attribute) {
  std::map<int, double> shares;
  for (std::uint32_t row : rows) {
    shares[plain_value(task.table, row, attribute)] += 1 / static_cast<double>(rows.size());
  }
  return shares;
}

bool is_spared(const Task& task, std::uint32_t attribute, int value) {
  const Attribute& its = task.table.schema().attributes[attribute];
  for (const NotSensitive& one : task.demand.not_sensitive) {
    if (one.attribute != its.name || value < 0) continue;
    std::string text(its.domain.text(ValueId{static_cast<std::uint16_t>(value)}));
    if (std::find(one.values.begin(), one.values.end(), text) != one.values.end()) return true;
  }
  return false;
}

double cap_in_words(const Demand& demand, double prior) {
  double l = demand.l;
  double gamma = demand.gamma == 0 ? l / (l - 1) : demand.gamma;
  return prior <= 1 / l + 1e-12 ? 1 / l : 1 - (1 - prior) / gamma;
}

// The share of rows with one of some texts.
double share_of_set(const Table& table, const PlainRows& rows, const SensitiveSet& set) {
  AttributeId attribute = *table.schema().find(set.attribute);
  const Domain& domain = table.schema()[attribute].domain;
  double share = 0;
  for (std::uint32_t row : rows) {
    int value = plain_value(table, row, +attribute);
    if (value < 0) continue;
    std::string text(domain.text(ValueId{static_cast<std::uint16_t>(value)}));
    bool in = std::find(set.values.begin(), set.values.end(), text) != set.values.end();
    if (in) share += 1 / static_cast<double>(rows.size());
  }
  return share;
}

void check_caps(const Task& task, const PlainRows& group, const PlainRows& cluster) {
  const Schema& schema = task.table.schema();
  for (std::uint32_t i = schema.public_count(); i < schema.size(); ++i) {
    auto in_group = shares_with_missing(task, group, i);
    for (auto [value, share] : shares_with_missing(task, cluster, i)) {
      if (is_spared(task, i, value)) continue;
      EXPECT_LE(share, cap_in_words(task.demand, in_group.at(value)) + 1e-12);
    }
  }
  for (const SensitiveSet& set : task.demand.sensitive_sets) {
    double cap = cap_in_words(task.demand, share_of_set(task.table, group, set));
    EXPECT_LE(share_of_set(task.table, cluster, set), cap + 1e-12) << set.attribute;
  }
}

void check_group(const Task& task, const Protection& made,
                 const std::map<std::uint32_t, PlainRows>& clusters, const PlainRows& group) {
  std::size_t rows = 0;
  for (const auto& [number, cluster] : clusters) {
    if (std::find(group.begin(), group.end(), cluster[0]) == group.end()) continue;
    rows += cluster.size();
    for (std::uint32_t row : cluster) {
      EXPECT_NE(std::find(group.begin(), group.end(), row), group.end());
      expect_profile(made.profiles, row, plain_shares(task.table, cluster), 1e-12);
    }
    if (cluster.size() == group.size()) continue;
    EXPECT_GE(cluster.size(), task.demand.l);
    check_caps(task, group, cluster);
  }
  EXPECT_EQ(rows, group.size());
}

// One or two sets of two values or more, not of all.
std::vector<SensitiveSet> random_sets_of(const Schema& schema, Rng& rng) {
  std::vector<SensitiveSet> sets;
  for (std::uint64_t more = rng.below(3); more > 0; --more) {
    auto place = schema.public_count() + rng.below(schema.private_count());
    const Attribute& attribute = schema.attributes[place];
    SensitiveSet set{attribute.name, {}};
    std::uint64_t left_out = rng.below(attribute.domain.size());
    for (std::uint32_t v = 0; v < attribute.domain.size(); ++v) {
      bool in = v != left_out && rng.below(3) > 0;
      if (in)
        set.values.emplace_back(attribute.domain.text(ValueId{static_cast<std::uint16_t>(v)}));
    }
    if (set.values.size() > 1) sets.push_back(set);
  }
  return sets;
}

TEST(Cluster, ServesSharesOfClustersThatKeepTheirCaps) {
  for (std::uint64_t seed = 0; seed < some_of(1500U) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTask random = random_task(seed);
    random.own.demand.scheme = "cluster";
    double gammas[] = {0, 1, 3, std::numeric_limits<double>::infinity()};
    random.own.demand.gamma = gammas[seed % 4];
    if (seed % 3 == 0) {
      const Attribute& last = random.own.table.schema().attributes.back();
      random.own.demand.not_sensitive = {{last.name, {std::string(last.domain.text(ValueId{0}))}}};
    }
    Rng rng(seed + 9);
    random.own.demand.sensitive_sets = random_sets_of(random.own.table.schema(), rng);
    Task task = random.task();
    auto made = protect_cluster(task);
    ASSERT_TRUE(made);
    auto clusters = members_of(cluster_rows(task, climb(task)));
    PlainGroups groups = plain_groups(task);
    for (const auto& group : groups.groups) check_group(task, *made, clusters, group.rows);
    for (std::uint32_t row : groups.left) {
      PlainRows cover = plain_cover(task, groups, row);
      expect_profile(made->profiles, row, plain_shares(task.table, cover), 1e-12);
    }
    EXPECT_EQ(made->report.rows_without_signal, groups.left.size());
  }
}

// a, a, a, b with l = 2 is one cluster of four, unless a is not sensitive: then b hides behind one
// a.
TEST(Cluster, SparesDeclaredValuesAlone) {
  OwnTask own{coded_table({{0, 0}, {0, 0}, {0, 0}, {0, 1}}, 1, {1, 2})};
  own.demand.l = 2;
  own.demand.min_group = 2;
  EXPECT_EQ(cluster_rows(own.task(), climb(own.task())).count, 1U);
  const Attribute& attribute = own.table.schema().attributes[1];
  own.demand.not_sensitive = {{attribute.name, {std::string(attribute.domain.text(ValueId{0}))}}};
  EXPECT_EQ(cluster_rows(own.task(), climb(own.task())).count, 2U);
  own.demand.not_sensitive[0].values = {std::string(attribute.domain.text(ValueId{1}))};
  EXPECT_EQ(cluster_rows(own.task(), climb(own.task())).count, 1U);
  own.demand.not_sensitive[0].values = {"no value of it"};
  EXPECT_EQ(cluster_rows(own.task(), climb(own.task())).count, 1U);
}

// a, b, c, d, e, f: two clusters of three where each value counts alone. {a, b, c} are half of the
// group, so nobody may come to believe them with more than 2/3: no cluster holds all three.
TEST(Cluster, CapsSetsOfValuesAsItCapsValues) {
  std::size_t all_three = 0;
  for (std::uint64_t key = 0; key < 300; ++key) {
    OwnTask own{coded_table({{0, 0}, {0, 1}, {0, 2}, {0, 3}, {0, 4}, {0, 5}}, 1, {1, 6})};
    own.demand.scheme = "cluster";
    own.demand.min_group = 2;
    own.key = SecretKey::from_seed(key);
    const Attribute& attribute = own.table.schema().attributes[1];
    SensitiveSet set{attribute.name, {}};
    for (std::uint16_t v = 0; v < 3; ++v)
      set.values.emplace_back(attribute.domain.text(ValueId{v}));
    auto largest = [&] {
      double most = 0;
      for (const auto& [number, rows] : members_of(cluster_rows(own.task(), climb(own.task())))) {
        most = std::max(most, share_of_set(own.table, rows, set));
      }
      return most;
    };
    all_three += largest() > 0.99 ? 1 : 0;
    own.demand.sensitive_sets = {set};
    EXPECT_LE(largest(), 2.0 / 3 + 1e-12) << "key " << key;
    own.demand.scheme = "capped";  // caps no sets
    EXPECT_EQ(sets_capped_by(own.demand).size(), 0U);
  }
  EXPECT_GT(all_three, 10U);  // without the set, one draw in ten: 3! 3! 2 / 6!
}

// What a reader of the index works out, by nothing but the table's columns and the served profiles.
struct SetGains {
  double largest = 0;
  std::size_t above = 0;  // 1/3
};
SetGains read_off(const Table& table, const Profiles& served) {
  SetGains gains;
  std::map<int, PlainRows> groups;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    groups[plain_value(table, row, 0)].push_back(row);
  }
  for (const auto& [value, rows] : groups) {
    double before = 0;
    for (std::uint32_t row : rows) {
      int illness = plain_value(table, row, 1);
      before += illness >= 4 ? 1.0 / static_cast<double>(rows.size()) : 0;
    }
    for (std::uint32_t row : rows) {
      double after = 0;
      for (std::uint16_t v = 4; v < 10; ++v) {
        after += served.match(RowId{row}, PrivateId{0}, ValueId{v});
      }
      double gain = (after - before) / (1 - before);
      gains.largest = std::max(gains.largest, gain);
      gains.above += gain > 1.0 / 3 + 1e-9 ? 1 : 0;
    }
  }
  return gains;
}

// "Has any of six illnesses": a tenth of all people, each illness rare. By single values clusters
// may hold them side by side.
TEST(Cluster, WhoAsksForAnyIllnessGainsAThirdAtMost) {
  Rng rng(8);
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 4000; ++i) {
    int illness = static_cast<int>(rng.below(10) == 0 ? 4 + rng.below(6) : rng.below(4));
    codes.push_back({i % 8, illness, static_cast<int>(rng.below(5))});
  }
  OwnTask own{coded_table(codes, 1, {8, 10, 5})};
  own.demand.scheme = "cluster";
  auto plain = protect_cluster(own.task());
  ASSERT_TRUE(plain);
  SetGains alone = read_off(own.table, plain->profiles);
  EXPECT_GT(alone.largest, 0.5);
  EXPECT_GT(alone.above, 100U);
  const Attribute& illness = own.table.schema().attributes[1];
  SensitiveSet set{illness.name, {}};
  for (std::uint16_t v = 4; v < 10; ++v) set.values.emplace_back(illness.domain.text(ValueId{v}));
  own.demand.sensitive_sets = {set};
  auto capped = protect_cluster(own.task());
  ASSERT_TRUE(capped);
  EXPECT_LE(read_off(own.table, capped->profiles).largest, 1.0 / 3 + 1e-9);
}

// All vectors of a public group differ; two public groups.
OwnTask rows_with_distinct_vectors(std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 60; ++i) {
    int place = i / 2;
    codes.push_back({i % 2, place % 6, place / 6, place == 7 ? -1 : place * 7 % 5});
  }
  for (std::size_t i = codes.size(); i > 1; --i) std::swap(codes[i - 1], codes[rng.below(i)]);
  OwnTask own{coded_table(codes, 1, {2, 6, 5, 5})};
  own.demand.min_group = 3;
  own.key = SecretKey::from_seed(seed);
  return own;
}

// Whoever has which vector of a cluster: the file is the same, byte by byte.
TEST(Cluster, TheFileForgetsWhichMemberHasWhichVector) {
  for (std::uint64_t seed = 0; seed < 15; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    OwnTask own = rows_with_distinct_vectors(seed);
    Task task = own.task();
    std::string bytes = index_bytes(own.table, protect_cluster(task)->profiles, "cluster");
    RowClusters clusters = cluster_rows(task, climb(task));
    EXPECT_GT(clusters.count, 4U);
    Rng rng(seed + 1);
    std::vector<PlainVector> vectors;
    for (std::uint32_t row = 0; row < 60; ++row) vectors.push_back(private_vector(own.table, row));
    for (auto& [number, rows] : members_of(clusters)) {
      for (std::size_t i = rows.size(); i > 1; --i) {
        std::swap(vectors[rows[i - 1]], vectors[rows[rng.below(i)]]);
      }
    }
    OwnTask other{with_private_values(own.table, vectors), {}, own.demand, own.key};
    int moved = 0;
    for (std::uint32_t row = 0; row < 60; ++row) {
      moved += private_vector(own.table, row) != private_vector(other.table, row) ? 1 : 0;
    }
    EXPECT_GT(moved, 20);
    EXPECT_EQ(index_bytes(other.table, protect_cluster(other.task())->profiles, "cluster"), bytes);
  }
}

// Where several clusters hold a vector, a secret draw says which of its rows goes where. Then one
// file no longer fits one draw; but tables that differ by a permutation inside a cluster still give
// every release equally often.
TEST(Cluster, EqualVectorsGoToSlotsAtRandom) {
  // Vectors 0 0 1 2 with l = 2: two clusters, {0,1} and {0,2}, or others over the keys.
  std::vector<std::vector<int>> first = {{0, 0}, {0, 1}, {0, 0}, {0, 2}};
  std::vector<std::vector<int>> second = {{0, 1}, {0, 0}, {0, 0}, {0, 2}};  // rows 0 and 1 trade
  int together[2] = {0, 0};  // rows 0 and 1 are a cluster
  constexpr int keys = 4000;
  for (int key = 0; key < keys; ++key) {
    for (int i = 0; i < 2; ++i) {
      OwnTask own{coded_table(i == 0 ? first : second, 1, {1, 3})};
      own.demand.l = 2;
      own.demand.min_group = 2;
      own.key = SecretKey::from_seed(static_cast<std::uint64_t>(key));
      Task task = own.task();
      task.threads = 1;
      RowClusters clusters = cluster_rows(task, climb(task));
      ASSERT_EQ(clusters.count, 2U);
      together[i] += clusters.cluster_of[0] == clusters.cluster_of[1] ? 1 : 0;
    }
  }
  EXPECT_NEAR(together[0], keys / 2.0, 130);  // four standard deviations
  EXPECT_NEAR(together[1], keys / 2.0, 130);
}

TEST(Cluster, ClustersWithTheSameSharesAreOneGroup) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 300; ++i) codes.push_back({i % 4, i / 4 % 3});
  OwnTask own{coded_table(codes, 1, {4, 3})};
  auto made = protect_cluster(own.task());
  const auto& profiles = std::get<GroupedProfiles>(made->profiles.kinds());
  EXPECT_EQ(profiles.shares.groups(), 1U);
  EXPECT_EQ(profiles.shares.size(0), 3U);
  EXPECT_EQ(made->report.set_sizes, (std::vector<std::uint64_t>{0, 0, 0, 100}));
}

TEST(Cluster, RefusesACapBelowAShare) {
  OwnTask own = rows_with_distinct_vectors(1);
  own.demand.scheme = "cluster";
  own.demand.gamma = 0.5;
  auto made = protect(own.task());
  ASSERT_FALSE(made);
  EXPECT_EQ(made.error().code, ErrorCode::WrongUse);
}

}  // namespace
}  // namespace rankveil

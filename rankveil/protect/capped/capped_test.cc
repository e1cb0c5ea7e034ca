#include "rankveil/protect/capped/capped.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/testing/plain_groups.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::expect_profile;
using testing_support::OwnTask;
using testing_support::plain_cover;
using testing_support::plain_groups;
using testing_support::plain_shares;
using testing_support::plain_value;
using testing_support::PlainGroups;
using testing_support::PlainRows;
using testing_support::profile_of;
using testing_support::random_task;
using testing_support::RandomTask;

constexpr double half_a_level = 0.5 / 255;

// What the group knows about one attribute; missing is -1.
struct PlainAttribute {
  std::map<int, double> shares;
  std::map<int, double> caps;
};

PlainAttribute plain_attribute(const Task& task, const PlainRows& group, std::uint32_t attribute) {
  PlainAttribute made;
  for (std::uint32_t row : group) {
    made.shares[plain_value(task.table, row, attribute)] += 1 / static_cast<double>(group.size());
  }
  double l = task.demand.l;
  double gamma = task.demand.gamma == 0 ? l / (l - 1) : task.demand.gamma;
  for (auto [value, share] : made.shares) {
    made.caps[value] = share <= 1 / l + 1e-12 ? 1 / l : 1 - (1 - share) / gamma;
  }
  const Attribute& its = task.table.schema().attributes[attribute];
  for (const NotSensitive& one : task.demand.not_sensitive) {
    auto value = its.domain.find(one.values[0]);
    if (one.attribute == its.name && made.caps.contains(+*value)) made.caps[+*value] = 1;
  }
  return made;
}

// A signal has all its values at their cap but one; a missing value is not seen.
void check_signal(const PlainAttribute& known, const std::vector<double>& profile, int own) {
  double sum = 0;
  int between = 0;
  for (std::size_t v = 0; v < profile.size(); ++v) {
    int value = static_cast<int>(v);
    sum += profile[v];
    if (profile[v] == 0) continue;
    ASSERT_TRUE(known.caps.contains(value));
    EXPECT_LE(profile[v], known.caps.at(value) + half_a_level + 1e-12);
    between += profile[v] < known.caps.at(value) - half_a_level - 1e-12 ? 1 : 0;
  }
  double hidden = known.caps.contains(-1) ? known.caps.at(-1) : 0;
  double tolerance = half_a_level * static_cast<double>(profile.size());
  EXPECT_LE(between, 1);
  EXPECT_LE(sum, 1 + tolerance);
  EXPECT_GE(sum, 1 - hidden - tolerance);
  EXPECT_TRUE(own < 0 || profile[static_cast<std::size_t>(own)] > 0);
}

TEST(Capped, ServesCornersThatHoldTheOwnValue) {
  for (std::uint64_t seed = 0; seed < some_of(1000U) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTask random = random_task(seed);
    double gammas[] = {0, 1, 3, std::numeric_limits<double>::infinity()};
    random.own.demand.gamma = gammas[seed % 4];
    if (seed % 3 == 0) {
      const Attribute& last = random.own.table.schema().attributes.back();
      random.own.demand.not_sensitive = {{last.name, {std::string(last.domain.text(ValueId{0}))}}};
    }
    Task task = random.task();
    auto made = protect_capped(task);
    ASSERT_TRUE(made);
    EXPECT_EQ(made->report.solved, made->report.proven);
    EXPECT_LE(made->report.largest_rounding, half_a_level + 1e-12);
    PlainGroups groups = plain_groups(task);
    const Schema& schema = task.table.schema();
    for (const auto& group : groups.groups) {
      for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
        std::uint32_t attribute = schema.public_count() + j;
        PlainAttribute known = plain_attribute(task, group.rows, attribute);
        for (std::uint32_t row : group.rows) {
          std::uint32_t domain = schema.attributes[attribute].domain.size();
          check_signal(known, profile_of(made->profiles, RowId{row}, PrivateId{j}, domain),
                       plain_value(task.table, row, attribute));
        }
      }
    }
    for (std::uint32_t row : groups.left) {
      PlainRows cover = plain_cover(task, groups, row);
      expect_profile(made->profiles, row, plain_shares(task.table, cover), 1e-12);
    }
  }
}

// Shares .7, .2, .1 with gamma = infinity: the study gives the one best mechanism.
TEST(Capped, DrawsSignalsAsOftenAsTheProgramSays) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 10; ++i) codes.push_back({0, i < 7 ? 0 : i < 9 ? 1 : 2});
  OwnTask own{coded_table(codes, 1, {1, 3})};
  own.demand.l = 2;
  own.demand.min_group = 2;
  own.demand.gamma = std::numeric_limits<double>::infinity();
  constexpr int keys = 3000;
  std::map<std::vector<long>, double> seen[3];  // by own value: profile in percent
  for (int key = 0; key < keys; ++key) {
    own.key = SecretKey::from_seed(static_cast<std::uint64_t>(key));
    Task task = own.task();
    task.threads = 1;
    auto made = protect_capped(task);
    for (std::uint32_t row = 0; row < 10; ++row) {
      std::vector<long> percent;
      for (double p : profile_of(made->profiles, RowId{row}, PrivateId{0}, 3)) {
        percent.push_back(std::lround(p * 100));
      }
      ++seen[codes[row][1]][percent];
    }
  }
  const std::vector<long> sure = {100, 0, 0};
  const std::vector<long> first = {50, 50, 0};
  const std::vector<long> second = {0, 50, 50};
  auto expect_share = [](double count, double of, double share) {
    EXPECT_NEAR(count / of, share, 4 * std::sqrt(share * (1 - share) / of) + 1e-12);
  };
  expect_share(seen[0][sure], 7 * keys, .6 / .7);
  expect_share(seen[0][first], 7 * keys, .1 / .7);
  expect_share(seen[1][first], 2 * keys, .5);
  expect_share(seen[1][second], 2 * keys, .5);
  expect_share(seen[2][second], keys, 1);
}

// Over keys, the mean of what a group's rows show is what the group holds.
TEST(Capped, SignalsAreRightOnAverage) {
  Rng rng(4);
  OwnTask own{testing_support::random_table(rng, {40, 1, 2, 5, 0.1})};
  own.demand.min_group = 40;
  constexpr int keys = 400;
  std::vector<std::vector<double>> mean = plain_shares(own.table, {});
  for (int key = 0; key < keys; ++key) {
    own.key = SecretKey::from_seed(static_cast<std::uint64_t>(key));
    Task task = own.task();
    task.threads = 1;
    auto made = protect_capped(task);
    for (std::uint32_t j = 0; j < mean.size(); ++j) {
      for (std::uint32_t row = 0; row < 40; ++row) {
        auto domain = static_cast<std::uint32_t>(mean[j].size());
        auto profile = profile_of(made->profiles, RowId{row}, PrivateId{j}, domain);
        for (std::uint32_t v = 0; v < domain; ++v) mean[j][v] += profile[v] / (40 * keys);
      }
    }
  }
  PlainRows all;
  for (std::uint32_t row = 0; row < 40; ++row) all.push_back(row);
  auto shares = plain_shares(own.table, all);
  for (std::size_t j = 0; j < mean.size(); ++j) {
    for (std::size_t v = 0; v < mean[j].size(); ++v) {
      EXPECT_NEAR(mean[j][v], shares[j][v], half_a_level + 2 / std::sqrt(40.0 * keys));
    }
  }
}

TEST(Capped, FewLevelsAreReportedAsRounding) {
  Rng rng(6);
  OwnTask own{testing_support::random_table(rng, {300, 1, 2})};
  own.demand.levels = 4;
  auto made = protect_capped(own.task());
  EXPECT_GT(made->report.largest_rounding, 0.01);
  EXPECT_LE(made->report.largest_rounding, 0.125 + 1e-12);
}

// The best signals are (1, 0, 0), (.5, .5, 0) and (0, .5, .5): one half is served as 8/15.
TEST(Capped, StrengthsOfZeroStayZero) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < 10'000; ++i) codes.push_back({0, i % 10 < 7 ? 0 : i % 10 < 9 ? 1 : 2});
  OwnTask own{coded_table(codes, 1, {1, 3})};
  own.demand = {.scheme = "capped", .l = 2};
  own.demand.gamma = std::numeric_limits<double>::infinity();
  auto made = protect_capped(own.task());
  int without_the_first = 0;
  for (std::uint32_t row = 0; row < 10'000; ++row) {
    std::vector<double> served = profile_of(made->profiles, RowId{row}, PrivateId{0}, 3);
    if (served[2] <= 0.25) continue;
    ++without_the_first;
    EXPECT_EQ(served[0], 0);
  }
  EXPECT_GT(without_the_first, 0);
  EXPECT_NEAR(made->report.largest_rounding, 8.0 / 15 - 0.5, 1e-12);
}

TEST(Capped, RefusesACapBelowAShare) {
  OwnTask own{coded_table({{0, 0}, {0, 1}}, 1, {1, 2})};
  own.demand.scheme = "capped";
  own.demand.gamma = 0.5;
  EXPECT_FALSE(protect(own.task()));
}

}  // namespace
}  // namespace rankveil

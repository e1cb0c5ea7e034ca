#include "rankveil/protect/chance/ldp.h"

#include <fmt/core.h>
#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/base/testing/sanitized.h"
#include "rankveil/protect/chance/draw_name.h"
#include "rankveil/protect/testing/plain_groups.h"

namespace rankveil {
namespace {

using testing_support::coded_table;
using testing_support::expect_profile;
using testing_support::index_bytes;
using testing_support::OwnTask;
using testing_support::plain_cover;
using testing_support::plain_groups;
using testing_support::plain_value;
using testing_support::PlainGroups;
using testing_support::PlainRows;
using testing_support::PlainVector;
using testing_support::private_vector;
using testing_support::random_task;
using testing_support::RandomTask;
using testing_support::with_private_values;

ValueId value_of(std::uint32_t code) { return ValueId{static_cast<std::uint16_t>(code)}; }

TEST(Ldp, LikelihoodsDifferByAtMostEToTheEpsilon) {
  for (std::uint32_t domain : {1U, 2U, 3U, 10U, 100U}) {
    for (double epsilon : {0.01, 0.8, std::log(3.0), 4.0}) {
      LdpChannel channel(epsilon, domain);
      for (std::uint32_t said = 0; said < domain; ++said) {
        double least = 1.0 / domain;  // a missing value
        double most = least;
        for (std::uint32_t own = 0; own < domain; ++own) {
          double p = channel.probability(value_of(said), value_of(own));
          least = std::min(least, p);
          most = std::max(most, p);
        }
        EXPECT_LE(most / least, std::exp(epsilon) * (1 + 1e-12));
      }
    }
  }
}

TEST(Ldp, KeepsTheValueAsOftenAsItSays) {
  LdpChannel channel(std::log(3.0), 4);
  EXPECT_NEAR(channel.probability(value_of(2), value_of(2)), 3.0 / 6, 1e-12);
  EXPECT_NEAR(channel.probability(value_of(1), value_of(2)), 1.0 / 6, 1e-12);
  LdpChannel certain(5000, 4);
  EXPECT_EQ(certain.probability(value_of(2), value_of(2)), 1);
}

TEST(Ldp, AnswersFollowTheirProbabilities) {
  constexpr int draws = 40'000;
  LdpChannel channel(1, 5);
  KeyedStream stream(SecretKey::from_seed(3), "test");
  for (ValueId own : {value_of(0), value_of(3), missing_value}) {
    std::vector<double> seen(5, 0);
    for (int i = 0; i < draws; ++i) ++seen[+channel.say(stream, std::to_string(i), own)];
    double chi_square = 0;
    for (std::uint32_t said = 0; said < 5; ++said) {
      double expected = draws * channel.probability(value_of(said), own);
      chi_square += (seen[said] - expected) * (seen[said] - expected) / expected;
    }
    EXPECT_LT(chi_square, 23.5);  // 4 degrees, one in 10,000
  }
}

// Whoever holds releases with two budgets learns what both allow, and not the value itself.
TEST(Ldp, AnswersUnderTwoBudgetsAreIndependent) {
  constexpr std::uint32_t rows = 40'000, domain = 9;
  SecretKey key = SecretKey::from_seed(3);
  LdpChannel small(0.5, domain), large(1.5, domain);
  KeyedStream first = ldp_stream(key, "diet", small), second = ldp_stream(key, "diet", large);
  double differ = 0, large_is_true = 0, both_true = 0;
  for (std::uint32_t i = 0; i < rows; ++i) {
    ValueId own = value_of(i % domain);
    ValueId one = small.say(first, std::to_string(i), own);
    ValueId other = large.say(second, std::to_string(i), own);
    if (one == own && other == own) ++both_true;
    if (one == other) continue;
    ++differ;
    if (other == own) ++large_is_true;
  }
  double p = small.probability(value_of(0), value_of(0));
  double q = large.probability(value_of(0), value_of(0));
  EXPECT_NEAR(both_true / rows, p * q, 0.01);
  EXPECT_NEAR(large_is_true / differ, (1 - p) * q * rows / differ, 0.02);
  EXPECT_LT(large_is_true / differ, 0.5);
}

// Everything once more with the channel as a matrix.
class PlainLdp {
 public:
  PlainLdp(const Task& task, std::uint32_t attribute)
      : task_(task),
        attribute_(attribute),
        d_(task.table.schema().attributes[attribute].domain.size()) {
    double epsilon = task.demand.epsilon;
    for (const AttributeBudget& own : task.demand.budgets) {
      bool mine = own.attribute == task.table.schema().attributes[attribute].name;
      if (mine) epsilon = own.epsilon;
    }
    double e = std::exp(epsilon);
    double all = e + static_cast<double>(d_) - 1;
    keep_ = e / all;
    other_ = 1 / all;
    const std::string& name = task.table.schema().attributes[attribute].name;
    KeyedStream stream(task.key, "ldp answer", fmt::format("{}\n{}\n{}", name, epsilon, d_));
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      said_.push_back(task.takes_part(RowId{row}) ? say(stream, row) : -1);
    }
  }

  int said(std::uint32_t row) const { return said_[row]; }

  std::vector<double> shares(const PlainRows& rows, const std::vector<double>& before) const {
    std::vector<double> pi = before;
    double change = 1;
    for (int step = 0; step < 300 && change >= 1e-7; ++step) {
      std::vector<double> next(d_, 0);
      for (std::size_t x = 0; x < d_; ++x) next[x] = 20 * before[x];
      for (std::uint32_t row : rows) {
        if (said_[row] < 0) continue;
        std::vector<double> p = posterior(pi, said_[row]);
        for (std::size_t x = 0; x < d_; ++x) next[x] += p[x];
      }
      double all = 0;
      for (double share : next) all += share;
      change = 0;
      for (std::size_t x = 0; x < d_; ++x) {
        next[x] /= all;
        change = std::max(change, std::abs(next[x] - pi[x]));
      }
      pi = next;
    }
    return pi;
  }

  std::vector<double> posterior(const std::vector<double>& pi, int answer) const {
    if (answer < 0) return pi;
    std::vector<double> p;
    double all = 0;
    for (std::size_t x = 0; x < d_; ++x) {
      p.push_back(pi[x] * (static_cast<int>(x) == answer ? keep_ : other_));
      all += p.back();
    }
    for (double& share : p) share /= all;
    return p;
  }

  std::vector<double> overall() const {
    PlainRows all;
    for (std::uint32_t row = 0; row < said_.size(); ++row) all.push_back(row);
    return shares(all, std::vector<double>(d_, 1.0 / static_cast<double>(d_)));
  }

 private:
  int say(const KeyedStream& stream, std::uint32_t row) const {
    std::string name = task_.table.names().text(RowId{row});
    int own = plain_value(task_.table, row, attribute_);
    name += own < 0 ? "\n" : "\nv" + std::to_string(own);
    if (own >= 0 && stream.uniform(name, 0) < keep_ - other_) return own;
    return static_cast<int>(stream.below(d_, name, 1));
  }

  const Task& task_;
  std::uint32_t attribute_;
  std::size_t d_;
  double keep_;
  double other_;
  std::vector<int> said_;
};

TEST(Ldp, AgreesWithThePlainScheme) {
  for (std::uint64_t seed = 0; seed < some_of(300U) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTask random = random_task(seed);
    random.own.demand.epsilon = 0.2 + 0.3 * static_cast<double>(seed % 6);
    if (seed % 4 == 3) {
      const auto& last = random.own.table.schema().attributes.back();
      random.own.demand.budgets = {{last.name, 1.9 - random.own.demand.epsilon}};
    }
    Task task = random.task();
    auto made = protect_ldp(task);
    ASSERT_TRUE(made);
    EXPECT_LE(made->report.largest_rounding, 0.5 / 255 + 1e-12);
    PlainGroups groups = plain_groups(task);
    std::vector<std::vector<std::vector<double>>> wanted(task.table.rows());
    for (std::uint32_t j = 0; j < task.private_count(); ++j) {
      PlainLdp plain(task, task.table.schema().public_count() + j);
      std::vector<double> overall = plain.overall();
      for (const auto& group : groups.groups) {
        std::vector<double> pi = plain.shares(group.rows, overall);
        for (std::uint32_t row : group.rows) {
          wanted[row].push_back(plain.posterior(pi, plain.said(row)));
        }
      }
      for (std::uint32_t row : groups.left) {
        std::vector<double> pi = plain.shares(plain_cover(task, groups, row), overall);
        wanted[row].push_back(plain.posterior(pi, plain.said(row)));
      }
    }
    for (std::uint32_t row = 0; row < wanted.size(); ++row) {
      expect_profile(made->profiles, row, wanted[row], 0.5 / 255 + 1e-6);
    }
  }
}

// The file is a function of what rows say: values that say the same leave no trace, not even in
// the shares.
TEST(Ldp, TheFileIsMadeOfAnswersAlone) {
  int changed = 0;
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTask random = random_task(seed + 900);
    random.own.demand.epsilon = 0.5;
    Task task = random.task();
    const Schema& schema = task.table.schema();
    std::vector<PlainVector> vectors;
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      vectors.push_back(private_vector(task.table, row));
      for (std::uint32_t j = 0; j < schema.private_count(); ++j) {
        const Attribute& attribute = schema.attributes[schema.public_count() + j];
        LdpChannel channel(0.5, attribute.domain.size());
        KeyedStream stream = ldp_stream(task.key, attribute.name, channel);
        std::string name = task.table.names().text(RowId{row});
        ValueId own = task.table.value(RowId{row}, AttributeId{schema.public_count() + j});
        ValueId other = own == missing_value || +own > 0 ? value_of(0) : missing_value;
        auto said = [&](ValueId value) {
          return channel.say(stream, draw_name(name, attribute.domain, value), value);
        };
        if (said(own) != said(other)) continue;
        vectors[row][j] = other == missing_value ? -1 : 0;
        ++changed;
      }
    }
    RandomTask other = random;
    other.own.table = with_private_values(random.own.table, vectors);
    EXPECT_EQ(index_bytes(task.table, protect_ldp(task)->profiles, "ldp"),
              index_bytes(other.own.table, protect_ldp(other.task())->profiles, "ldp"));
  }
  EXPECT_GT(changed, 20);
}

TEST(Ldp, EstimatesSharesFromManyAnswers) {
  LdpChannel channel(1, 3);
  std::vector<double> shares = {.6, .3, .1};
  std::vector<double> said;
  for (double share : shares) {
    said.push_back(1e6 * (share * channel.extra() + channel.even()));
  }
  std::vector<double> even(3, 1.0 / 3);
  std::vector<double> many = estimated_shares(channel, said, even, 20);
  for (std::size_t x = 0; x < 3; ++x) EXPECT_NEAR(many[x], shares[x], 1e-3);
  // Answers that mean nothing change nothing.
  std::vector<double> none = estimated_shares(LdpChannel(0, 3), said, shares, 20);
  for (std::size_t x = 0; x < 3; ++x) EXPECT_NEAR(none[x], shares[x], 1e-9);
}

TEST(Ldp, SaysItsTotal) {
  OwnTask own{coded_table({{0, 0, 1}, {0, 1, 0}}, 1, {1, 2, 2})};
  own.demand.epsilon = 2;
  auto made = protect_ldp(own.task());
  ASSERT_TRUE(made);
  ASSERT_EQ(made->report.notes.size(), 1U);
  EXPECT_EQ(made->report.notes[0], "The total epsilon is 4: 2 for each of 2 attributes.");
}

}  // namespace
}  // namespace rankveil

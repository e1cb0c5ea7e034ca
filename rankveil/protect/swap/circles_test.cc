#include "rankveil/protect/swap/circles.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/testing/sanitized.h"
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
using testing_support::PlainGroups;
using testing_support::PlainRows;
using testing_support::PlainVector;
using testing_support::private_vector;
using testing_support::random_task;
using testing_support::RandomTask;
using testing_support::with_private_values;

// DO of the study, word for word: the vector each row of the group shows.
std::map<std::uint32_t, PlainVector> plain_swap(const Task& task, const PlainRows& group) {
  std::map<std::uint32_t, PlainVector> shown;
  std::vector<std::pair<std::uint64_t, std::uint32_t>> moved;
  KeyedStream coin(task.key, "swap coin");
  KeyedStream order(task.key, "swap order");
  for (std::uint32_t row : group) {
    std::string id = task.table.names().text(RowId{row});
    shown[row] = private_vector(task.table, row);
    if (coin.uniform(id) >= 1.0 / task.demand.l) moved.emplace_back(order.number(id), row);
  }
  std::sort(moved.begin(), moved.end());
  for (std::size_t i = 0; i < moved.size(); ++i) {
    shown[moved[i].second] =
        private_vector(task.table, moved[(i + moved.size() - 1) % moved.size()].second);
  }
  return shown;
}

void check_group(const Task& task, const Profiles& made, const PlainRows& group) {
  auto shares = plain_shares(task.table, group);
  double keep = 1.0 / task.demand.l;
  for (const auto& [row, shown] : plain_swap(task, group)) {
    auto wanted = shares;
    for (std::size_t j = 0; j < wanted.size(); ++j) {
      for (double& strength : wanted[j]) strength *= 1 - keep;
      if (shown[j] >= 0) wanted[j][static_cast<std::size_t>(shown[j])] += keep;
    }
    expect_profile(made, row, wanted, 1e-12);
  }
}

TEST(Circles, AgreesWithThePlainScheme) {
  for (std::uint64_t seed = 0; seed < some_of(2000U) && !testing::Test::HasFailure(); ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    RandomTask random = random_task(seed);
    Task task = random.task();
    auto made = protect_circles(task, climb(task));
    ASSERT_TRUE(made);
    PlainGroups groups = plain_groups(task);
    for (const auto& group : groups.groups) check_group(task, made->profiles, group.rows);
    for (std::uint32_t row : groups.left) {
      PlainRows cover = plain_cover(task, groups, row);
      expect_profile(made->profiles, row, plain_shares(task.table, cover), 1e-12);
    }
    EXPECT_EQ(made->report.rows_without_signal, groups.left.size());
  }
}

// One public group of `rows` rows with different vectors.
OwnTask distinct_rows(int rows, std::uint32_t l) {
  std::vector<std::vector<int>> codes;
  for (int i = 0; i < rows; ++i) codes.push_back({0, i});
  OwnTask own{coded_table(codes, 1, {1, static_cast<std::uint32_t>(rows)})};
  own.demand.l = l;
  own.demand.min_group = 1;
  return own;
}

double chi_square(const std::vector<double>& seen, const std::vector<double>& expected) {
  double sum = 0;
  for (std::size_t i = 0; i < seen.size(); ++i) {
    sum += (seen[i] - expected[i]) * (seen[i] - expected[i]) / expected[i];
  }
  return sum;
}

// Pr(row 0 shows the vector of row i), over all coins and all cycles.
std::vector<double> enumerate_swap(std::uint32_t n, double p) {
  std::vector<double> shows(n, 0);
  for (std::uint32_t coins = 0; coins < (1U << n); ++coins) {
    std::vector<std::uint32_t> moved;
    double chance = 1;
    for (std::uint32_t row = 0; row < n; ++row) {
      bool moves = ((coins >> row) & 1) != 0;
      if (moves) moved.push_back(row);
      chance *= moves ? 1 - p : p;
    }
    if ((coins & 1) == 0) {
      shows[0] += chance;
      continue;
    }
    double orders = 0;
    std::vector<double> before(n, 0);
    do {
      std::size_t at =
          static_cast<std::size_t>(std::find(moved.begin(), moved.end(), 0U) - moved.begin());
      ++before[moved[(at + moved.size() - 1) % moved.size()]];
      ++orders;
    } while (std::next_permutation(moved.begin(), moved.end()));
    for (std::uint32_t i = 0; i < n; ++i) shows[i] += chance * before[i] / orders;
  }
  return shows;
}

struct SwapVector {
  std::uint32_t n;
  std::uint32_t l;
  double own;
  double other;
};

TEST(Circles, PosteriorsByExactEnumerationAreThoseOfTheStudy) {
  for (auto [n, l, own, other] :
       {SwapVector{5, 2, .531250, .117188}, SwapVector{6, 3, .336077, .132785},
        SwapVector{6, 4, .250732, .149854}}) {
    std::vector<double> shows = enumerate_swap(n, 1.0 / l);
    EXPECT_NEAR(shows[0], own, 1e-6);
    for (std::uint32_t i = 1; i < n; ++i) EXPECT_NEAR(shows[i], other, 1e-6);
  }
}

TEST(Circles, PosteriorsByExactEnumerationFollowTheTheorem) {
  for (std::uint32_t n = 1; n <= 7; ++n) {
    for (std::uint32_t l = 2; l <= 4; ++l) {
      double p = 1.0 / l;
      std::vector<double> shows = enumerate_swap(n, p);
      double own = n == 1 ? 1 : p + std::pow(p, n - 1) * (1 - p);
      EXPECT_NEAR(shows[0], own, 1e-12);
      for (std::uint32_t i = 1; i < n; ++i) EXPECT_NEAR(shows[i], (1 - own) / (n - 1), 1e-12);
    }
  }
}

// Over many keys the vector that a row shows follows the enumeration: its own as often as it
// should, and every other alike.
TEST(Circles, KeyedSwapsFollowTheEnumeration) {
  constexpr std::uint32_t n = 6;
  constexpr int keys = 8000;
  OwnTask own = distinct_rows(n, 3);
  std::vector<std::vector<double>> seen(n, std::vector<double>(n, 0));
  for (int key = 0; key < keys; ++key) {
    own.key = SecretKey::from_seed(static_cast<std::uint64_t>(key) + 1000);
    Task task = own.task();
    task.threads = 1;
    auto shown = swapped_rows(task, climb(task));
    for (std::uint32_t row = 0; row < n; ++row) ++seen[row][+shown[row]];
  }
  for (std::uint32_t row = 0; row < n; ++row) {
    std::vector<double> expected = enumerate_swap(n, 1.0 / 3);
    std::swap(expected[0], expected[row]);
    for (double& count : expected) count *= keys;
    EXPECT_LT(chi_square(seen[row], expected), 25.7) << row;  // 5 degrees, one in 10,000
  }
}

// In a large group: how many rows keep their vector, and how far along the row order others travel.
TEST(Circles, CoinsAndCyclesAreUniform) {
  constexpr int n = 64;
  constexpr int keys = 600;
  OwnTask own = distinct_rows(n, 4);
  double kept = 0;
  std::vector<double> distance(n - 1, 0);
  for (int key = 0; key < keys; ++key) {
    own.key = SecretKey::from_seed(static_cast<std::uint64_t>(key) + 70'000);
    Task task = own.task();
    task.threads = 1;
    auto shown = swapped_rows(task, climb(task));
    for (int row = 0; row < n; ++row) {
      int from = static_cast<int>(+shown[static_cast<std::size_t>(row)]);
      if (from == row) ++kept;
      if (from != row) ++distance[static_cast<std::size_t>((from - row + n) % n - 1)];
    }
  }
  double moved = n * keys - kept;
  EXPECT_LT(std::abs(kept / (n * keys) - 0.25), 4 * std::sqrt(0.25 * 0.75 / (n * keys)));
  std::vector<double> even(n - 1, moved / (n - 1));
  EXPECT_LT(chi_square(distance, even), 110.0);  // 62 degrees, one in 10,000
}

TEST(Circles, MovedRowsFormOneCycle) {
  for (std::uint64_t seed = 0; seed < some_of(200U); ++seed) {
    OwnTask own = distinct_rows(30, 2);
    own.key = SecretKey::from_seed(seed);
    auto shown = swapped_rows(own.task(), climb(own.task()));
    std::uint32_t start = 0;
    std::uint32_t moved = 0;
    for (std::uint32_t row = 0; row < 30; ++row) {
      if (+shown[row] != row) start = row;
      moved += +shown[row] != row ? 1 : 0;
    }
    std::uint32_t length = 0;
    for (std::uint32_t at = start; moved > 0;) {
      at = +shown[at];
      ++length;
      if (at == start) break;
    }
    EXPECT_EQ(length, moved);
  }
}

TEST(Circles, PrivateValuesDecideNothingButWhatIsShownAndCounted) {
  for (std::uint64_t seed = 0; seed < some_of(300U); ++seed) {
    RandomTask random = random_task(seed);
    RandomTask other = random;
    std::vector<PlainVector> vectors;
    for (std::uint32_t row = 0; row < random.own.table.rows(); ++row) {
      vectors.push_back(PlainVector(random.own.table.schema().private_count(), 0));
    }
    other.own.table = with_private_values(random.own.table, vectors);
    Task task = random.task();
    Task changed = other.task();
    EXPECT_EQ(swapped_rows(task, climb(task)), swapped_rows(changed, climb(changed)));
  }
}

// Rows trade their vectors so that all show what they showed before: the file is the same. So
// nothing in it depends on who has which vector but what is shown.
TEST(Circles, TheFileHoldsShownVectorsAndGroupSharesOnly) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    RandomTask random = random_task(seed + 50);
    Task task = random.task();
    RandomTask other = random;
    other.own.key = SecretKey::from_seed(seed + 12345);
    auto shown = swapped_rows(task, climb(task));
    auto shown_by_other = swapped_rows(other.task(), climb(other.task()));
    std::vector<PlainVector> vectors(task.table.rows());
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      vectors[+shown_by_other[row]] = private_vector(task.table, +shown[row]);
    }
    other.own.table = with_private_values(random.own.table, vectors);
    EXPECT_EQ(index_bytes(task.table, protect_circles(task, climb(task))->profiles, "swap"),
              index_bytes(other.own.table,
                          protect_circles(other.task(), climb(other.task()))->profiles, "swap"));
  }
}

TEST(Circles, RowsWithoutASignalCountNowhere) {
  // Two rows stand alone; the other group is large enough.
  std::vector<std::vector<int>> codes(8, {0, 1});
  codes.push_back({1, 0});
  codes.push_back({1, 0});
  OwnTask own{coded_table(codes, 1, {2, 3})};
  own.demand.min_group = 4;
  std::string before =
      index_bytes(own.table, protect_circles(own.task(), climb(own.task()))->profiles, "swap");
  codes[8] = {1, 2};
  codes[9] = {1, -1};
  OwnTask other{coded_table(codes, 1, {2, 3})};
  other.demand.min_group = 4;
  EXPECT_EQ(index_bytes(other.table, protect_circles(other.task(), climb(other.task()))->profiles,
                        "swap"),
            before);
}

}  // namespace
}  // namespace rankveil

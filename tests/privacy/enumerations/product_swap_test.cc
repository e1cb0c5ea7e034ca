// The product's swap as a whole, on tables too large to enumerate: what T9 and T10 say of it, over
// many keys.
#include <gtest/gtest.h>

#include <array>
#include <cmath>

#include "rankveil/base/random.h"
#include "rankveil/protect/groups/group_sizes.h"
#include "rankveil/protect/swap/fitted/coins.h"
#include "rankveil/protect/swap/fitted/fitted_swap.h"
#include "rankveil/protect/swap/swap.h"
#include "rankveil/protect/testing/protect_tables.h"

namespace rankveil::enumerations {
namespace {

using testing_support::coded_table;
using testing_support::OwnTask;

constexpr int rows_of_people = 600;
constexpr double p = 1.0 / 3;

// How likely the first private value is, by the public one; and the second, by the first.
constexpr std::array<std::array<double, 3>, 3> first_given_public = {
    {{.8, .15, .05}, {.1, .8, .1}, {.05, .15, .8}}};
constexpr std::array<std::array<double, 3>, 3> second_given_first = {
    {{.85, .1, .05}, {.05, .85, .1}, {.1, .05, .85}}};

int drawn(const std::array<double, 3>& shares, Rng& rng) {
  double left = rng.uniform();
  for (int value = 0; value < 2; ++value) {
    left -= shares[static_cast<std::size_t>(value)];
    if (left < 0) return value;
  }
  return 2;
}

// One public column, two private ones that depend on each other.
OwnTask people(std::uint64_t seed) {
  Rng rng(seed);
  std::vector<std::vector<int>> codes;
  for (int row = 0; row < rows_of_people; ++row) {
    auto open = rng.below(3);
    int first = drawn(first_given_public[open], rng);
    int second = drawn(second_given_first[static_cast<std::size_t>(first)], rng);
    codes.push_back({static_cast<int>(open), first, second});
  }
  OwnTask own{coded_table(codes, 1, {3, 3, 3})};
  own.demand.l = 3;
  own.key = SecretKey::from_seed(seed + 1);
  return own;
}

// Nobody is so alike that no model is needed: all rows are exchanged by the model.
GroupSizes no_classes() {
  GroupSizes sizes;
  sizes.exact_class = 1'000'000;
  return sizes;
}

// What one block shows, and who kept.
struct ShownBlock {
  std::uint32_t attribute;
  std::vector<bool> kept;  // per row
  bool last;
};

std::vector<ShownBlock> blocks_of(const Task& task, const fitted::FittedSwap& swap) {
  std::vector<ShownBlock> blocks;
  for (const fitted::Block& block : swap.blocks()) {
    ShownBlock& made = blocks.emplace_back(ShownBlock{+block.attributes.front(), {}, false});
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      made.kept.push_back(
          keeps(task.key, block.name, task.table.names().text(RowId{row}), task.demand.l, 0));
    }
  }
  blocks.back().last = true;
  return blocks;
}

TEST(ProductSwap, WhoKeepsShowsTheirOwnAndEveryColumnShowsTheValuesItHas) {
  GroupSizes::Hook sizes(no_classes());
  for (std::uint64_t seed = 0; seed < 5; ++seed) {
    OwnTask own = people(seed);
    Task task = own.task();
    fitted::FittedSwap swap(task);
    swap.run();
    for (const ShownBlock& block : blocks_of(task, swap)) {
      const Column& truth = task.private_column(PrivateId{block.attribute});
      std::array<int, 3> more = {0, 0, 0};
      for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
        std::uint32_t shown = swap.shown()[block.attribute][row];
        std::uint32_t has = +truth.value(RowId{row});
        EXPECT_TRUE(!block.kept[row] || shown == has) << row;
        ++more[shown];
        --more[has];
      }
      EXPECT_EQ(more, (std::array<int, 3>{0, 0, 0}));
    }
  }
}

// Sums of a figure over rows that kept and rows that moved.
struct KeptAndMoved {
  double kept = 0;
  double moved = 0;
  double rows_kept = 0;
  double rows_moved = 0;

  void add(bool keeps, double figure) {
    (keeps ? kept : moved) += figure;
    ++(keeps ? rows_kept : rows_moved);
  }
  double difference() const { return kept / rows_kept - moved / rows_moved; }
};

double fit_to(int condition, int value, const std::array<std::array<double, 3>, 3>& law) {
  return std::log(law[static_cast<std::size_t>(condition)][static_cast<std::size_t>(value)]);
}

struct Fits {
  KeptAndMoved to_public;      // the first private column
  KeptAndMoved blindly;        // the same, were the moved values dealt out at random
  KeptAndMoved last_to_first;  // the block shown last, to what the other shows
  double kept = 0;
  double coins = 0;
};

void add_key(std::uint64_t seed, Fits& fits) {
  OwnTask own = people(seed);
  Task task = own.task();
  fitted::FittedSwap swap(task);
  swap.run();
  Rng rng(seed);
  const Column& open = task.table.column(AttributeId{0});
  for (const ShownBlock& block : blocks_of(task, swap)) {
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      bool kept = block.kept[row];
      fits.kept += kept ? 1 : 0;
      ++fits.coins;
      int first = swap.shown()[0][row];
      if (block.attribute == 0) {
        int is = +open.value(RowId{row});
        fits.to_public.add(kept, fit_to(is, first, first_given_public));
        auto anybody = static_cast<std::uint32_t>(rng.below(task.table.rows()));
        int dealt = kept ? first : +task.private_column(PrivateId{0}).value(RowId{anybody});
        fits.blindly.add(kept, fit_to(is, dealt, first_given_public));
      }
      if (block.last && block.attribute == 1) {
        fits.last_to_first.add(kept, fit_to(first, swap.shown()[1][row], second_given_first));
      }
    }
  }
}

// Whoever knows people as well as the model does sees no difference. Were values dealt out at
// random, rows that keep would fit better by more than half a unit.
TEST(ProductSwap, RowsThatKeepFitNoBetterThanRowsThatMoved) {
  GroupSizes::Hook sizes(no_classes());
  Fits fits;
  for (std::uint64_t seed = 0; seed < 200; ++seed) add_key(seed, fits);
  EXPECT_NEAR(fits.kept / fits.coins, p, 4 * std::sqrt(p * (1 - p) / fits.coins));
  EXPECT_GT(fits.blindly.difference(), 0.5);
  EXPECT_LT(std::abs(fits.to_public.difference()), 0.05);
  EXPECT_GT(fits.last_to_first.rows_kept, 5000);
  EXPECT_LT(std::abs(fits.last_to_first.difference()), 0.06);
}

// M(x) = p [x is shown] + (1 - p) base(x), and base depends on public values alone.
TEST(ProductSwap, AProfileIsTheCoinAndSharesThatPublicValuesDecide) {
  GroupSizes::Hook sizes(no_classes());
  OwnTask own = people(3);
  Task task = own.task();
  fitted::FittedSwap swap(task);
  swap.run();
  auto made = protect_swap(task);
  ASSERT_TRUE(made);
  const Column& open = task.table.column(AttributeId{0});
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    std::array<std::vector<double>, 3> base_of;
    for (std::uint32_t row = 0; row < task.table.rows(); ++row) {
      auto base = testing_support::profile_of(made->profiles, RowId{row}, PrivateId{j}, 3);
      base[swap.shown()[j][row]] -= p;
      EXPECT_NEAR(base[0] + base[1] + base[2], 1 - p, 1e-12);
      std::vector<double>& same = base_of[+open.value(RowId{row})];
      if (same.empty()) same = base;
      for (std::size_t v = 0; v < 3; ++v) EXPECT_NEAR(base[v], same[v], 1e-12);
    }
  }
}

}  // namespace
}  // namespace rankveil::enumerations

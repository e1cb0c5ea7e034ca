// T10: blocks that are swapped one after another, each by what public columns and earlier blocks
// show. docs/concepts/swap.md has the statement and its proof.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "tests/privacy/enumerations/two_blocks.h"

namespace rankveil::enumerations {
namespace {

constexpr double third = 1.0 / 3;
using World = Beliefs::World;

Beliefs::Event second_keeps(std::size_t row) {
  return [row](const World& world) { return keeps(world.second, row); };
}

Beliefs::Event second_moves(std::size_t row) {
  return [row](const World& world) { return !keeps(world.second, row); };
}

Beliefs::Event both_move(std::size_t row) {
  return
      [row](const World& world) { return !keeps(world.first, row) && !keeps(world.second, row); };
}

Beliefs::Event truths_are(std::size_t i, std::size_t j) {
  return [=](const World& world) { return world.truth1 == i && world.truth2 == j; };
}

TwoBlocks some_blocks(std::uint64_t seed) {
  Rng rng(seed);
  switch (seed % 3) {
    case 0:
      return {{0, 1, 2}, {0, 1, 2}, random_joint_model(rng, 3, 3)};
    case 1:
      return {{0, 0, 1, 1}, {0, 1, 1, 1}, random_joint_model(rng, 4, 2)};
    default:
      return {{0, 0, 1}, {0, 1, 2}, random_joint_model(rng, 3, 3)};
  }
}

template <typename Check>
void for_all_shown(const TwoBlocks& people, const TwoBlocks::SecondLaws& laws, const Check& check) {
  for (std::size_t z1 = 0; z1 < people.firsts().size(); ++z1) {
    for (std::size_t z2 = 0; z2 < people.seconds().size(); ++z2) {
      check(people.see(laws, third, z1, z2), z1);
    }
  }
}

// The mean, over what is shown, of how far it moves the belief in a coin of block 2.
double second_coin_shows(const TwoBlocks& people, const TwoBlocks::SecondLaws& laws) {
  double mean = 0;
  for_all_shown(people, laws, [&](const Beliefs& beliefs, std::size_t) {
    for (std::size_t row = 0; row < people.rows(); ++row) {
      double shift = std::abs(beliefs.of(second_keeps(row)) - third);
      mean += beliefs.shown() * shift / static_cast<double>(people.rows());
    }
  });
  return mean;
}

TEST(Blocks, TheCoinsOfTheLastBlockAreHiddenFromWhoSeesAll) {
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    TwoBlocks people = some_blocks(seed);
    EXPECT_LT(second_coin_shows(people, people.exact_second(third)), 1e-12) << seed;
  }
}

// Why a block's model must see what earlier blocks show. Row by row is what can be computed: it is
// off where the multiset ties a handful of rows together.
TEST(Blocks, ALawThatDoesNotSeeTheFirstBlockShowsCoinsOfTheSecond) {
  double blind = 0;
  double row_by_row = 0;
  for (std::uint64_t seed = 0; seed < 6; ++seed) {
    TwoBlocks people = some_blocks(seed);
    blind += second_coin_shows(people, people.public_second()) / 6;
    row_by_row += second_coin_shows(people, people.row_by_row_second(third)) / 6;
  }
  EXPECT_GT(blind, 0.01);
  EXPECT_GT(row_by_row, 0.001);
  EXPECT_LT(row_by_row, blind);
}

// (ii), for every event about the truth of both blocks at once: what is believed is a mixture of
// what is believed by who was told that the row moved in block 2, with 1 - p, and some law, with p.
TEST(Blocks, ABlockAddsAtMostPToWhatIsBelievedByWhoWasToldThatTheRowMovedInIt) {
  TwoBlocks people = some_blocks(0);
  for_all_shown(people, people.exact_second(third), [&](const Beliefs& beliefs, std::size_t) {
    double rest = 0;
    for (std::size_t i = 0; i < people.firsts().size(); ++i) {
      for (std::size_t j = 0; j < people.seconds().size(); ++j) {
        double told = beliefs.of(truths_are(i, j), second_moves(0));
        double added = beliefs.of(truths_are(i, j)) - (1 - third) * told;
        EXPECT_GE(added, -1e-12);
        rest += added;
      }
    }
    EXPECT_NEAR(rest, third, 1e-12);
  });
}

// (iii): on average over what block 2 shows, who was told believes what was believed before it.
TEST(Blocks, WhoWasToldThatTheRowMovedBelievesOnAverageWhatTheBlocksBeforeTold) {
  for (std::uint64_t seed = 0; seed < 3; ++seed) {
    TwoBlocks people = some_blocks(seed);
    std::vector<JointLaw> told(people.firsts().size(),
                               JointLaw(people.firsts().size(), Law(people.seconds().size(), 0)));
    for_all_shown(people, people.exact_second(third), [&](const Beliefs& beliefs, std::size_t z1) {
      for (std::size_t i = 0; i < people.firsts().size(); ++i) {
        for (std::size_t j = 0; j < people.seconds().size(); ++j) {
          told[z1][i][j] += beliefs.shown() * beliefs.of(truths_are(i, j), second_moves(0));
        }
      }
    });
    for (std::size_t z1 = 0; z1 < told.size(); ++z1) {
      JointLaw before = people.after_first(third, z1);
      for (std::size_t i = 0; i < before.size(); ++i) {
        for (std::size_t j = 0; j < before[i].size(); ++j) {
          EXPECT_NEAR(told[z1][i][j], before[i][j], 1e-12);
        }
      }
    }
  }
}

// Two rows whose second value is a copy of the first: with what is shown twice alike.
Beliefs two_copies_agree() {
  TwoBlocks people({0, 1}, {0, 1}, copies(2));
  return people.see(people.exact_second(third), third, 0, 0);
}

// The study's sketch says: at most 1 - (1 - p)^2 over who was told that the row moved in both.
TEST(Blocks, TheSketchOfTheStudyIsWrongWhereTwoRowsAreTied) {
  Beliefs beliefs = two_copies_agree();
  auto is_own = [](const World& world) { return world.truth1 == 0; };
  double after = beliefs.of(is_own);
  double told = beliefs.of(is_own, both_move(0));
  EXPECT_NEAR(after, 73.0 / 81, 1e-12);
  EXPECT_NEAR(told, 46.0 / 60, 1e-12);
  EXPECT_NEAR((after - told) / (1 - told), 109.0 / 189, 1e-12);
  EXPECT_GT(109.0 / 189, 1 - (1 - third) * (1 - third));
}

// On average over what is shown both coins are what they are.
TEST(Blocks, BothCoinsTogetherAreHiddenOnAverage) {
  TwoBlocks people = some_blocks(1);
  double moved = 0;
  for_all_shown(people, people.exact_second(third), [&](const Beliefs& beliefs, std::size_t) {
    moved += beliefs.shown() * beliefs.of(both_move(0));
  });
  EXPECT_NEAR(moved, (1 - third) * (1 - third), 1e-12);
}

double first_kept_where_copies_agree(int rows) {
  Arrangement values;
  for (int value = 0; value < rows; ++value) values.push_back(value);
  TwoBlocks people(values, values, copies(values.size()));
  return people.see(people.exact_second(third), third, 0, 0).of([](const World& world) {
    return keeps(world.first, 0);
  });
}

// Only the last coin is hidden from who sees all: what a later block shows speaks of earlier coins.
TEST(Blocks, CopiesThatAgreeSpeakOfTheFirstCoin) {
  double two = first_kept_where_copies_agree(2);
  double three = first_kept_where_copies_agree(3);
  double four = first_kept_where_copies_agree(4);
  EXPECT_GT(two, third + 0.03);
  EXPECT_GT(three, two);
  EXPECT_GT(four, three);
  EXPECT_LT(four, 1 - (1 - third) * (1 - third));  // where it goes with many rows
}

// Knowing a row's second value opens its first where the two hang together.
TEST(Blocks, WhoKnowsOneBlockMayLearnOfAnother) {
  TwoBlocks people = some_blocks(0);
  double largest = 0;
  for_all_shown(people, people.exact_second(third), [&](const Beliefs& beliefs, std::size_t) {
    for (int value = 0; value < 3; ++value) {
      auto known = [&](const World& world) { return people.firsts()[world.truth1][0] == value; };
      largest = std::max(largest, beliefs.of(second_keeps(0), known) - third);
    }
  });
  EXPECT_GT(largest, 0.02);
}

// Where the blocks do not hang together, all coins of all blocks are hidden from who sees all.
TEST(Blocks, IndependentBlocksHideAllCoinsTogether) {
  Rng rng(5);
  Model first = random_model(rng, 3, 3);
  Model second = random_model(rng, 3, 3);
  JointModel model(3, Model(3, std::vector<double>(3)));
  for (std::size_t row = 0; row < 3; ++row) {
    for (std::size_t v = 0; v < 3; ++v) {
      for (std::size_t w = 0; w < 3; ++w) model[row][v][w] = first[row][v] * second[row][w];
    }
  }
  TwoBlocks people({0, 1, 2}, {0, 1, 2}, model);
  for_all_shown(people, people.exact_second(third), [&](const Beliefs& beliefs, std::size_t) {
    EXPECT_NEAR(beliefs.of(both_move(0)), (1 - third) * (1 - third), 1e-12);
  });
}

}  // namespace
}  // namespace rankveil::enumerations

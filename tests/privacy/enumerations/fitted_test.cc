// T9: the rearrangement that fits what public values say about each row.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <functional>

#include "tests/privacy/enumerations/one_block.h"

namespace rankveil::enumerations {
namespace {

struct People {
  std::vector<Arrangement> all;
  Model model;
  Law law;
  double p;

  std::size_t rows() const { return all.front().size(); }
};

People some_people(std::uint64_t seed) {
  static const std::vector<Arrangement> multisets = {{0, 1, 2},    {0, 0, 1},    {0, 1, 2, 3},
                                                     {0, 0, 1, 1}, {0, 1, 1, 2}, {0, 0, 1, 1, 2}};
  Rng rng(seed);
  const Arrangement& values = multisets[seed % multisets.size()];
  People people{arrangements(values), {}, {}, 1.0 / static_cast<double>(2 + seed % 3)};
  people.model = random_model(rng, values.size(), 4);
  people.law = law_of_people(people.all, people.model);
  return people;
}

using Mechanism = std::function<Kernel(const People&, Coins)>;

Kernel drawn(const People& people, Coins coins) {
  return exact_draw(people.all, people.law, coins);
}

Kernel exchanged(const People& people, Coins coins) {
  return power(one_exchange(people.all, people.model, coins, 0b0101), 3);
}

Kernel cycled(const People& people, Coins coins) { return random_cycle(people.all, coins); }

OneBlock seen_by_who_knows(const People& people, const Mechanism& mechanism) {
  auto kernels =
      for_all_coins(people.rows(), [&](Coins coins) { return mechanism(people, coins); });
  return OneBlock(people.all, people.law, people.p, kernels);
}

// Calls `check` for each table and each sound mechanism.
void for_sound_mechanisms(const std::function<void(const People&, const Mechanism&)>& check) {
  for (std::uint64_t seed = 0; seed < 12; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    People people = some_people(seed);
    check(people, drawn);
    check(people, exchanged);
    people.model = even_model(people.rows(), 4);
    people.law = law_of_people(people.all, people.model);
    check(people, cycled);
  }
}

TEST(Fitted, WhatIsShownHasTheLawOfWhatIsTrue) {
  for_sound_mechanisms([](const People& people, const Mechanism& mechanism) {
    OneBlock seen = seen_by_who_knows(people, mechanism);
    for (std::size_t z = 0; z < seen.size(); ++z) EXPECT_NEAR(seen.shown(z), people.law[z], 1e-12);
  });
}

TEST(Fitted, NothingShownTellsOfAnySetOfCoins) {
  for_sound_mechanisms([](const People& people, const Mechanism& mechanism) {
    EXPECT_LT(seen_by_who_knows(people, mechanism).coins_show(), 1e-12);
  });
}

// (iii): p for what is shown, and for the rest the mean of the reversed kernel over all other
// coins.
double by_the_theorem(const People& people, const Kernels& back, std::size_t row, int value,
                      std::size_t z) {
  double moved = 0;
  for (Coins coins = 0; coins < back.size(); ++coins) {
    if (keeps(coins, row)) continue;
    for (std::size_t truth = 0; truth < people.all.size(); ++truth) {
      if (people.all[truth][row] != value) continue;
      moved += chance(coins, people.rows(), people.p) * back[coins][z][truth];
    }
  }
  return (people.all[z][row] == value ? people.p : 0) + moved;
}

TEST(Fitted, BeliefIsTheCoinAndTheReversedKernel) {
  for_sound_mechanisms([](const People& people, const Mechanism& mechanism) {
    OneBlock seen = seen_by_who_knows(people, mechanism);
    auto back = for_all_coins(
        people.rows(), [&](Coins coins) { return reversed(mechanism(people, coins), people.law); });
    for (std::size_t z = 0; z < seen.size(); ++z) {
      for (int value = 0; value < 4; ++value) {
        EXPECT_NEAR(seen.belief(0, value, z), by_the_theorem(people, back, 0, value, z), 1e-12);
      }
    }
  });
}

TEST(Fitted, ExchangesRunTheSameBackwards) {
  People people = some_people(3);
  Kernel kernel = exchanged(people, 0b0010);
  Kernel back = reversed(kernel, people.law);
  for (std::size_t i = 0; i < kernel.size(); ++i) {
    for (std::size_t j = 0; j < kernel.size(); ++j) EXPECT_NEAR(kernel[i][j], back[i][j], 1e-12);
  }
}

double gain(double after, double before) {
  return before > 1 - 1e-9 ? 0 : (after - before) / (1 - before);
}

TEST(Fitted, TheGainOverWhoWasToldThatTheRowMovedIsAtMostP) {
  for_sound_mechanisms([](const People& people, const Mechanism& mechanism) {
    OneBlock seen = seen_by_who_knows(people, mechanism);
    double largest = 0;
    for (std::size_t z = 0; z < seen.size(); ++z) {
      for (std::size_t row = 0; row < seen.rows(); ++row) {
        for (int value = 0; value < 4; ++value) {
          double told = seen.if_moved(row, value, z);
          largest = std::max(largest, gain(seen.belief(row, value, z), told));
        }
      }
    }
    EXPECT_NEAR(largest, people.p, 1e-9);  // and what is shown reaches it
  });
}

TEST(Fitted, WhoWasToldThatTheRowMovedBelievesOnAverageWhatWasBelievedBefore) {
  for_sound_mechanisms([](const People& people, const Mechanism& mechanism) {
    OneBlock seen = seen_by_who_knows(people, mechanism);
    for (int value = 0; value < 4; ++value) {
      double mean = 0;
      for (std::size_t z = 0; z < seen.size(); ++z) {
        mean += seen.shown(z) * seen.if_moved(0, value, z);
      }
      EXPECT_NEAR(mean, seen.before(0, value), 1e-12);
    }
  });
}

// Why the promise is over R and not over what was believed before.
TEST(Fitted, TheGainOverWhatWasBelievedBeforeCanBeLarger) {
  People people{arrangements({0, 1, 2, 3}), {}, {}, 1.0 / 3};
  const double never = 1e-6;
  for (double own : {.5, .5, never, never}) {
    double other = (1 - own) / 3;
    people.model.push_back({own, other, other, other});
  }
  people.law = law_of_people(people.all, people.model);
  OneBlock seen = seen_by_who_knows(people, drawn);
  double after = seen.belief(0, 0, 0);
  EXPECT_NEAR(gain(after, seen.if_moved(0, 0, 0)), 1.0 / 3, 1e-6);
  EXPECT_NEAR(gain(after, seen.before(0, 0)), .555555, 1e-6);
}

TEST(Fitted, AnotherModelShowsCoins) {
  People people = some_people(2);
  Rng rng(99);
  Model wrong = random_model(rng, people.rows(), 4);
  auto by_wrong = [&](const People& who, Coins coins) {
    return exact_draw(who.all, law_of_people(who.all, wrong), coins);
  };
  EXPECT_GT(seen_by_who_knows(people, by_wrong).coins_show(), 0.01);
}

TEST(Fitted, ALawThatIsTemperedShowsCoins) {
  People people = some_people(2);
  auto tempered = [](const People& who, Coins coins) {
    Law law = who.law;
    for (double& share : law) share = std::pow(share, 0.6);
    return exact_draw(who.all, law, coins);
  };
  EXPECT_GT(seen_by_who_knows(people, tempered).coins_show(), 0.005);
}

// From the truth any number of exchanges hides coins; from a random start it takes many.
TEST(Fitted, ARandomStartShowsCoinsUntilItIsForgotten) {
  People people = some_people(2);
  auto after = [](unsigned steps) {
    return [steps](const People& who, Coins coins) {
      Kernel walk = power(one_exchange(who.all, who.model, coins, 0b0101), steps);
      return times(even_start(who.all, coins), walk);
    };
  };
  EXPECT_GT(seen_by_who_knows(people, after(1)).coins_show(), 0.01);
  EXPECT_LT(seen_by_who_knows(people, after(4096)).coins_show(), 1e-9);
}

}  // namespace
}  // namespace rankveil::enumerations

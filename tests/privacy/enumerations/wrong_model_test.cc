// What somebody sees whose model of people is not the one that the mechanism drew from.
//
//   odds(row kept) = p / (1 - p) x R'(row gets back what it shows) / R(row gets back what it shows)
//
// given all other coins and all that is shown; R by the mechanism's law, R' by his own.
#include <gtest/gtest.h>

#include "tests/privacy/enumerations/one_block.h"

namespace rankveil::enumerations {
namespace {

struct TwoModels {
  std::vector<Arrangement> all;
  Law ours;
  Law his;
  double p;
};

TwoModels random_case(std::uint64_t seed) {
  Rng rng(seed);
  Arrangement values = seed % 2 == 0 ? Arrangement{0, 1, 2} : Arrangement{0, 0, 1, 2};
  TwoModels made{arrangements(values), {}, {}, 1.0 / static_cast<double>(2 + seed % 3)};
  made.ours = law_of_people(made.all, random_model(rng, values.size(), 3));
  made.his = law_of_people(made.all, random_model(rng, values.size(), 3));
  return made;
}

// The probability that the row gets back what `z` shows, when those without a coin are rearranged.
double gets_back(const TwoModels& some, const Law& law, Coins coins, std::size_t row,
                 std::size_t z) {
  const std::vector<double> drawn = exact_draw(some.all, law, coins)[z];
  double same = 0;
  for (std::size_t to = 0; to < some.all.size(); ++to) {
    if (some.all[to][row] == some.all[z][row]) same += drawn[to];
  }
  return same;
}

OneBlock seen_by_him(const TwoModels& some) {
  auto kernels = for_all_coins(some.all.front().size(),
                               [&](Coins coins) { return exact_draw(some.all, some.ours, coins); });
  return OneBlock(some.all, some.his, some.p, kernels);
}

TEST(WrongModel, OddsAreThoseOfTheFormula) {
  for (std::uint64_t seed = 0; seed < 20; ++seed) {
    SCOPED_TRACE(testing::Message() << "seed " << seed);
    TwoModels some = random_case(seed);
    OneBlock seen = seen_by_him(some);
    for (std::size_t z = 0; z < seen.size(); ++z) {
      for (Coins others = 0; others < coin_sets(seen.rows()); others += 2) {  // row 0 has no coin
        double back =
            gets_back(some, some.his, others, 0, z) / gets_back(some, some.ours, others, 0, z);
        double odds = seen.coins(others | 1, z) / seen.coins(others, z);
        EXPECT_NEAR(odds / (some.p / (1 - some.p) * back), 1, 1e-9);
      }
    }
  }
}

// Even groups of m rows cannot be seen through further than p m / (p m + 1 - p).
TEST(WrongModel, EvenGroupsHaveACap) {
  for (std::uint64_t seed = 0; seed < 10; ++seed) {
    TwoModels some = random_case(2 * seed);
    some.ours.assign(some.all.size(), 1.0 / static_cast<double>(some.all.size()));
    OneBlock seen = seen_by_him(some);
    double most = some.p * 3 / (some.p * 3 + 1 - some.p);
    // Other rows that keep leave a smaller circle; with no coin of theirs the cap is that of m = 3.
    for (std::size_t z = 0; z < seen.size(); ++z) {
      double kept = seen.coins(1, z);
      EXPECT_LE(kept / (kept + seen.coins(0, z)), most + 1e-12);
    }
  }
}

}  // namespace
}  // namespace rankveil::enumerations

// The product's exchanges against T9: its own proposals and acceptances, put together to the kernel
// of one try, leave the law of its scores as it was, and hide every coin.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "rankveil/protect/swap/fitted/exchange.h"
#include "tests/privacy/enumerations/one_block.h"

namespace rankveil::enumerations {
namespace {

using fitted::Places;
using fitted::Tokens;

// Scores of all rows: a table's worth of places, two prediction groups.
struct ScoredRows {
  std::vector<Arrangement> all;
  std::vector<std::vector<std::int16_t>> scores;  // [row][value]

  std::size_t rows() const { return scores.size(); }

  Model model() const {
    Model made;
    for (const auto& row : scores) {
      made.emplace_back();
      for (std::int16_t score : row) made.back().push_back(std::exp(score / 1024.0));
    }
    return made;
  }
};

ScoredRows random_scores(std::uint64_t seed) {
  static const std::vector<Arrangement> multisets = {
      {0, 1, 2}, {0, 0, 1, 2}, {0, 1, 2, 3}, {0, 0, 1, 1, 2}};
  Rng rng(seed);
  ScoredRows made{arrangements(multisets[seed % multisets.size()]), {}};
  for (std::size_t row = 0; row < made.all.front().size(); ++row) {
    made.scores.emplace_back();
    for (int value = 0; value < 4; ++value) {
      made.scores.back().push_back(
          static_cast<std::int16_t>(static_cast<int>(rng.below(4000)) - 2000));
    }
  }
  return made;
}

std::vector<std::size_t> moving_rows(std::size_t rows, Coins coins) {
  std::vector<std::size_t> moving;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!keeps(coins, row)) moving.push_back(row);
  }
  return moving;
}

// The rows that move, as the product has them: the first half is one prediction group.
Places places_of(const ScoredRows& some, const std::vector<std::size_t>& moving) {
  Places places;
  places.width = 4;
  auto size = static_cast<std::uint32_t>(moving.size());
  std::uint32_t half = size / 2;
  if (half > 0) places.groups.push_back({0, half});
  places.groups.push_back({half, size - half});
  for (std::uint32_t i = 0; i < size; ++i) {
    const auto& row = some.scores[moving[i]];
    places.scores.insert(places.scores.end(), row.begin(), row.end());
    places.group_of.push_back(half > 0 && i >= half ? 1 : 0);
  }
  return places;
}

Tokens tokens_of(const Arrangement& held, const std::vector<std::size_t>& moving) {
  Tokens tokens;
  for (std::size_t row : moving) {
    tokens.owner.push_back(static_cast<std::uint32_t>(tokens.owner.size()));
    tokens.values.push_back(static_cast<std::uint16_t>(held[row]));
  }
  return tokens;
}

double accepted(std::int32_t change) {
  if (change >= 0) return 1;
  return static_cast<double>(fitted::acceptance(static_cast<std::uint32_t>(-change))) * 0x1p-64;
}

// A word that `scaled` takes to `number` of `below`.
std::uint64_t word_for(std::uint32_t number, std::uint32_t below) {
  return static_cast<std::uint64_t>(((static_cast<unsigned __int128>(2 * number + 1) << 64) / 2) /
                                    below);
}

// Adds the tries from one place, nearby or anywhere, to what becomes of `held`.
void add_tries(const Places& places, const std::vector<std::size_t>& moving,
               const std::vector<Arrangement>& all, const Arrangement& held, std::uint32_t i,
               bool nearby, std::vector<double>& becomes) {
  std::uint32_t among = nearby ? places.groups[places.group_of[i]].size : places.size();
  double share = 0.5 / places.size() / std::max(1U, among - 1);
  Tokens tokens = tokens_of(held, moving);
  for (std::uint32_t partner = 0; partner < std::max(1U, among - 1); ++partner) {
    std::uint64_t word = word_for(partner, std::max(1U, among - 1));
    auto proposal = fitted::propose(places, i, nearby ? ~std::uint64_t{0} : 0, word, 0);
    Arrangement after = held;
    std::swap(after[moving[i]], after[moving[proposal.k]]);
    double accept = proposal.skips ? 0 : accepted(fitted::gain(places, tokens, i, proposal.k));
    becomes[place_of(all, after)] += share * accept;
    becomes[place_of(all, held)] += share * (1 - accept);
  }
}

Kernel one_try(const ScoredRows& some, Coins coins) {
  const auto moving = moving_rows(some.rows(), coins);
  Kernel kernel(some.all.size(), std::vector<double>(some.all.size(), 0));
  for (std::size_t from = 0; from < some.all.size(); ++from) {
    if (moving.empty()) {
      kernel[from][from] = 1;
      continue;
    }
    Places places = places_of(some, moving);
    for (std::uint32_t i = 0; i < moving.size(); ++i) {
      for (bool nearby : {false, true}) {
        add_tries(places, moving, some.all, some.all[from], i, nearby, kernel[from]);
      }
    }
  }
  return kernel;
}

TEST(ProductExchange, EveryTryIsOneOfTheKernel) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    ScoredRows some = random_scores(seed);
    Kernel kernel = one_try(some, 0b01);
    for (const auto& from : kernel) {
      double sum = 0;
      for (double share : from) sum += share;
      EXPECT_NEAR(sum, 1, 1e-12);
    }
  }
}

TEST(ProductExchange, IsBalancedInDetail) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    ScoredRows some = random_scores(seed);
    Law law = law_of_people(some.all, some.model());
    for (Coins coins = 0; coins < coin_sets(some.rows()); ++coins) {
      Kernel kernel = one_try(some, coins);
      for (std::size_t i = 0; i < law.size(); ++i) {
        for (std::size_t j = 0; j < law.size(); ++j) {
          EXPECT_NEAR(law[i] * kernel[i][j], law[j] * kernel[j][i], 1e-15) << seed;
        }
      }
    }
  }
}

// T9 for what the product does: 240 tries, started at the truth.
TEST(ProductExchange, HidesEveryCoinAfterAnyNumberOfTries) {
  for (std::uint64_t seed = 0; seed < 8; ++seed) {
    ScoredRows some = random_scores(seed);
    Law law = law_of_people(some.all, some.model());
    for (unsigned tries : {1U, 7U, 240U}) {
      auto kernels = for_all_coins(some.rows(),
                                   [&](Coins coins) { return power(one_try(some, coins), tries); });
      OneBlock seen(some.all, law, 1.0 / 3, kernels);
      EXPECT_LT(seen.coins_show(), 1e-11) << seed << ", " << tries;
    }
  }
}

TEST(ProductExchange, ForgetsWhereItStartedAndComesToTheExactDraw) {
  ScoredRows some = random_scores(2);
  Law law = law_of_people(some.all, some.model());
  Kernel long_walk = power(one_try(some, 0b0001), 20'000);
  Kernel drawn = exact_draw(some.all, law, 0b0001);
  for (std::size_t i = 0; i < law.size(); ++i) {
    for (std::size_t j = 0; j < law.size(); ++j) EXPECT_NEAR(long_walk[i][j], drawn[i][j], 1e-9);
  }
}

}  // namespace
}  // namespace rankveil::enumerations

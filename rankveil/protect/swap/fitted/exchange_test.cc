#include "rankveil/protect/swap/fitted/exchange.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <cmath>

#include "rankveil/base/random.h"
#include "rankveil/protect/swap/fitted/word_source.h"
#include "rankveil/protect/testing/exact_draw.h"

namespace rankveil::fitted {
namespace {

using testing::ElementsAre;

const std::vector<std::vector<double>> study_rows = {
    {.7, .2, .1}, {.2, .5, .3}, {.1, .3, .6}, {.5, .3, .2}};

Places study_places(std::uint32_t count) {
  Places places;
  places.width = 3;
  for (std::uint32_t i = 0; i < count; ++i) {
    for (double q : study_rows[i]) {
      places.scores.push_back(static_cast<std::int16_t>(std::lround(1024 * std::log(q))));
    }
    places.group_of.push_back(i / 2);
  }
  for (std::uint32_t i = 0; i < count; i += 2)
    places.groups.push_back({i, std::min(2U, count - i)});
  return places;
}

Tokens tokens_with(std::vector<std::uint16_t> values) {
  Tokens tokens{std::move(values), {}};
  for (std::uint32_t i = 0; i < tokens.values.size(); ++i) tokens.owner.push_back(i);
  return tokens;
}

TEST(Acceptance, IsTheExponentialInWholeNumbers) {
  // exact floors of the study; the product may be lower by a few units
  EXPECT_LE(18428738468430479223U - acceptance(1), 4U);
  EXPECT_LE(6786177901268885274U - acceptance(1024), 4U);
  EXPECT_LE(139746582999237088U - acceptance(5000), 4U);
  for (std::uint32_t worse = 1; worse < 40 * 1024; worse += 7) {
    double wanted = std::exp(-worse / 1024.0);
    EXPECT_NEAR(static_cast<double>(acceptance(worse)) * 0x1p-64, wanted, 1e-15 + 1e-12 * wanted);
  }
}

TEST(Acceptance, IsThatOfTheStudyForTwoRows) {
  Places places = study_places(3);
  Tokens tokens = tokens_with({0, 1, 2});
  EXPECT_NEAR(std::exp(gain(places, tokens, 0, 2) / 1024.0), .023809524, 5e-5);
  EXPECT_GE(gain(places, tokens_with({2, 1, 0}), 0, 2), 0);
}

// Vector F: the whole numbers, the first proposals and what became of them.
TEST(Exchange, IsThatOfTheStudyWordForWord) {
  Places places = study_places(4);
  EXPECT_THAT(places.scores, ElementsAre(-365, -1648, -2358, -1648, -710, -1233, -2358, -1233, -523,
                                         -710, -1233, -1648));
  struct Step {
    std::uint32_t i, k;
    std::int32_t gain;
  };
  const std::vector<Step> steps = {{2, 0, -3828}, {0, 1, -2221}, {1, 0, -2221}, {2, 3, -2773},
                                   {0, 1, -2221}, {3, 1, -1461}, {0, 3, 0},     {3, 2, -2773},
                                   {2, 3, -2773}, {0, 3, 0}};
  Tokens tokens = tokens_with({0, 1, 2, 0});
  Rng words(42);
  Rng looking = words;
  for (const Step& step : steps) {
    std::uint32_t i = scaled(looking(), 4);
    std::uint64_t where = looking();
    std::uint64_t partner = looking();
    Proposal proposal = propose(places, i, where, partner, looking());
    EXPECT_EQ(proposal.i, step.i);
    EXPECT_EQ(proposal.k, step.k);
    EXPECT_EQ(gain(places, tokens, proposal.i, proposal.k), step.gain);
    plain_exchange(places, 1, words, tokens);
  }
  EXPECT_THAT(tokens.owner, ElementsAre(0, 1, 2, 3));

  Rng again(42);
  Tokens after = tokens_with({0, 1, 2, 0});
  ExchangeCounts counts = plain_exchange(places, 1000, again, after);
  EXPECT_THAT(after.owner, ElementsAre(1, 0, 2, 3));
  EXPECT_EQ(counts.accepted, 355U);
}

TEST(Exchange, LeavesTheLawOfTheStudy) {
  Places places = study_places(4);
  Tokens tokens = tokens_with({0, 1, 2, 0});
  Rng words(7);
  std::vector<double> holds(3, 0);
  constexpr int samples = 400'000;
  for (int s = 0; s < samples; ++s) {
    plain_exchange(places, 4, words, tokens);
    ++holds[tokens.values[0]];
  }
  EXPECT_NEAR(holds[0] / samples, .893340217, .004);
  EXPECT_NEAR(holds[1] / samples, .076960772, .004);
  EXPECT_NEAR(holds[2] / samples, .029699011, .003);
  std::vector<double> law = exact_law_of_place(places, tokens_with({0, 1, 2, 0}), 0);
  EXPECT_NEAR(law[0], .893340217, 5e-4);  // scores are rounded to 1/1024
  EXPECT_NEAR(law[2], .029699011, 5e-4);
}

struct ExchangeCase {
  Places places;
  Tokens tokens;
};

ExchangeCase random_case(std::uint64_t seed) {
  Rng rng(seed);
  ExchangeCase made;
  auto size = static_cast<std::uint32_t>(2 + rng.below(300));
  made.places.slots = 1 + static_cast<std::uint32_t>(rng.below(3));
  auto values = 1 + static_cast<std::uint32_t>(rng.below(6));
  made.places.width = values * made.places.slots;
  std::uint32_t begin = 0;
  while (begin < size) {
    auto count = std::min(size - begin, static_cast<std::uint32_t>(1 + rng.below(40)));
    made.places.group_of.insert(made.places.group_of.end(), count,
                                static_cast<std::uint32_t>(made.places.groups.size()));
    made.places.groups.push_back({begin, count});
    begin += count;
  }
  for (std::uint32_t i = 0; i < size; ++i) {
    made.tokens.owner.push_back(i);
    for (std::uint32_t s = 0; s < made.places.slots; ++s) {
      made.tokens.values.push_back(static_cast<std::uint16_t>(s * values + rng.below(values)));
    }
    for (std::uint32_t w = 0; w < made.places.width; ++w) {
      made.places.scores.push_back(static_cast<std::int16_t>(rng.below(4000)) - 2000);
    }
  }
  return made;
}

TEST(Exchange, LooksAheadWithoutChangingWhatComesOut) {
  SecretKey key = SecretKey::from_seed(1);
  for (std::uint64_t seed = 0; seed < 50; ++seed) {
    ExchangeCase fast = random_case(seed);
    Tokens plain = fast.tokens;
    WordSource words(key, "test", "exchange", 100'000);
    WordSource same_words(key, "test", "exchange", 64);
    for (std::uint64_t tries : {1000U, 1U, 63U, 777U}) {
      auto fast_counts = exchange(fast.places, tries, words, fast.tokens);
      auto plain_counts = plain_exchange(fast.places, tries, same_words, plain);
      EXPECT_EQ(fast_counts.accepted, plain_counts.accepted) << seed;
      EXPECT_EQ(fast_counts.tried, tries);
      EXPECT_EQ(fast.tokens, plain) << seed;
    }
  }
}

}  // namespace
}  // namespace rankveil::fitted

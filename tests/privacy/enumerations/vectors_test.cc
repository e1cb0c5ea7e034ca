// The test vectors of the study: A, B, C and E. D and F are about whole numbers, and stand with the
// code that has them.
#include <gtest/gtest.h>

#include "tests/privacy/enumerations/one_block.h"

namespace rankveil::enumerations {
namespace {

const Model model_a = {{.7, .2, .1}, {.2, .5, .3}, {.1, .3, .6}};
constexpr double to = 1e-8;  // the vectors have nine digits

OneBlock drawn_by(const Arrangement& values, const Model& ours, const Model& his, double p) {
  auto all = arrangements(values);
  Law law = law_of_people(all, ours);
  auto kernels =
      for_all_coins(values.size(), [&](Coins coins) { return exact_draw(all, law, coins); });
  return OneBlock(all, law_of_people(all, his), p, kernels);
}

std::size_t place(const Arrangement& shown) { return place_of(arrangements(shown), shown); }

std::vector<double> beliefs(const OneBlock& seen, std::size_t row, std::size_t z) {
  return {seen.belief(row, 0, z), seen.belief(row, 1, z), seen.belief(row, 2, z)};
}

std::vector<double> told(const OneBlock& seen, std::size_t row, std::size_t z) {
  return {seen.if_moved(row, 0, z), seen.if_moved(row, 1, z), seen.if_moved(row, 2, z)};
}

void expect_all(const std::vector<double>& made, const std::vector<double>& wanted) {
  ASSERT_EQ(made.size(), wanted.size());
  for (std::size_t i = 0; i < made.size(); ++i) EXPECT_NEAR(made[i], wanted[i], to) << i;
}

// What rows that hold 0, 1, 2 show.
TEST(Vectors, AOfTheTruth) {
  auto all = arrangements({0, 1, 2});
  Law law(all.size(), 0);
  for (Coins coins = 0; coins < coin_sets(3); ++coins) {
    Kernel drawn = exact_draw(all, law_of_people(all, model_a), coins);
    for (std::size_t z = 0; z < law.size(); ++z) law[z] += chance(coins, 3, 1.0 / 3) * drawn[0][z];
  }
  expect_all(law, {.849035625, .093636017, .037841533, .005661713, .005661713, .008163400});
}

TEST(Vectors, A) {
  OneBlock seen = drawn_by({0, 1, 2}, model_a, model_a, 1.0 / 3);
  std::size_t z = place({0, 1, 2});
  expect_all(beliefs(seen, 0, z), {.942671642, .043503245, .013825112});
  expect_all(told(seen, 0, z), {.914007464, .065254868, .020737668});
  expect_all({seen.before(0, 0), seen.before(0, 1), seen.before(0, 2)},
             {.869426752, .095541401, .035031847});
  expect_all({seen.belief(1, 1, z), seen.if_moved(1, 1, z), seen.before(1, 1)},
             {.857199025, .785798537, .684713376});
  expect_all({seen.belief(2, 2, z), seen.if_moved(2, 2, z), seen.before(2, 2)},
             {.886877158, .830315737, .745222930});
  expect_all(beliefs(seen, 0, place({1, 0, 2})), {.390561393, .569429171, .040009436});
}

TEST(Vectors, B) {
  const Model model = {{.5, .3, .2}, {.5, .3, .2}, {.2, .2, .6}, {.1, .6, .3}};
  OneBlock seen = drawn_by({0, 0, 1, 2}, model, model, 0.5);
  std::size_t z = place({0, 0, 1, 2});
  expect_all(beliefs(seen, 0, z), {.918442859, .055695800, .025861340});
  expect_all(beliefs(seen, 1, z), {.918442859, .055695800, .025861340});
  expect_all({seen.if_moved(0, 0, z), seen.before(0, 0)}, {.836885719, .799299883});
  expect_all(beliefs(seen, 2, z), {.116316691, .700401849, .183281459});
  expect_all(told(seen, 2, z), {.232633383, .400803699, .366562919});
  expect_all({seen.belief(3, 2, z), seen.if_moved(3, 2, z), seen.before(3, 2)},
             {.764995860, .529991720, .192532089});
}

TEST(Vectors, C) {
  const double rare = 1e-6;
  const double rest = (1 - rare) / 3;
  const Model model = {{.5, .5 / 3, .5 / 3, .5 / 3},
                       {.5, .5 / 3, .5 / 3, .5 / 3},
                       {rare, rest, rest, rest},
                       {rare, rest, rest, rest}};
  OneBlock seen = drawn_by({0, 1, 2, 3}, model, model, 1.0 / 3);
  std::size_t z = place({0, 1, 2, 3});
  expect_all({seen.belief(0, 0, z), seen.if_moved(0, 0, z), seen.before(0, 0)},
             {.777777333, .666666000, .499999500});
}

TEST(Vectors, E) {
  const Model his = {{.9, .05, .05}, {.1, .6, .3}, {.05, .25, .7}};
  OneBlock seen = drawn_by({0, 1, 2}, model_a, his, 1.0 / 3);
  std::size_t z = place({0, 1, 2});
  expect_all({seen.kept(0, z), seen.kept(1, z), seen.kept(2, z)},
             {.350998777, .363047084, .350860773});
}

// "R'/R over all rows": the row gets back what it shows when all rows are rearranged.
TEST(Vectors, EGetsBackMoreOftenByHisLaw) {
  const Model his = {{.9, .05, .05}, {.1, .6, .3}, {.05, .25, .7}};
  OneBlock by_ours = drawn_by({0, 1, 2}, model_a, model_a, 1.0 / 3);
  OneBlock by_his = drawn_by({0, 1, 2}, his, his, 1.0 / 3);
  std::vector<double> ratios;
  for (int row = 0; row < 3; ++row) {
    auto at = static_cast<std::size_t>(row);
    ratios.push_back(by_his.before(at, row) / by_ours.before(at, row));
  }
  expect_all(ratios, {1.132390262, 1.224854169, 1.131331161});
}

}  // namespace
}  // namespace rankveil::enumerations

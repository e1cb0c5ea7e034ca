// Tables so small that everything about them can be written down.
//
// A table has a few rows and, for one private column, a multiset of values. An `Arrangement` says
// who has which. A `Law` gives each arrangement of the multiset its probability. Coins are the bits
// of a number: where the bit of a row is set, the row keeps its value.
//
//   std::vector<Arrangement> all = arrangements({0, 1, 2});       // 012, 021, ... 210
//   Law prior = law_of_people(all, {{.7, .2, .1}, {.2, .5, .3}, {.1, .3, .6}});
#pragma once

#include <cstddef>
#include <cstdint>
#include <vector>

#include "rankveil/base/random.h"

namespace rankveil::enumerations {

using Arrangement = std::vector<int>;  // [row]: its value
using Law = std::vector<double>;       // [arrangement]: its probability

// What public values say about each row. [row][value], positive where it can be.
using Model = std::vector<std::vector<double>>;

using Coins = std::uint32_t;

// All orders of `values`, smallest first, equal ones once.
std::vector<Arrangement> arrangements(Arrangement values);

// The place of `arrangement` in such a list.
std::size_t place_of(const std::vector<Arrangement>& all, const Arrangement& arrangement);

// In proportion to the product of what the model says of each row: independent people, of whom the
// values are known that they have together.
Law law_of_people(const std::vector<Arrangement>& all, const Model& model);

// The factors whose product `law_of_people` takes, not scaled.
double weight(const Arrangement& arrangement, const Model& model);

bool keeps(Coins coins, std::size_t row);
Coins coin_sets(std::size_t rows);  // how many there are

// The probability of these coins where each row keeps its value with p.
double chance(Coins coins, std::size_t rows, double p);

Model random_model(Rng& rng, std::size_t rows, std::size_t values);
Model even_model(std::size_t rows, std::size_t values);

void scale_to_one(Law& law);

}  // namespace rankveil::enumerations

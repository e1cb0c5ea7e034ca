// How the rows that move trade their values: for given coins, with which probability each
// arrangement becomes each other. Rows that keep their value have it before and after.
//
// `Kernel[from][to]`. A swap is sound (T9) where each of its kernels leaves the law of people as it
// was: if the true arrangement is drawn from it, so is the one that is shown.
#pragma once

#include <functional>

#include "tests/privacy/enumerations/arrangements.h"

namespace rankveil::enumerations {

using Kernel = std::vector<std::vector<double>>;

// The rows that move get what the law says of them, given what the others keep.
Kernel exact_draw(const std::vector<Arrangement>& all, const Law& law, Coins coins);

// They stand in a circle, each order alike, and each passes its value to the next.
Kernel random_cycle(const std::vector<Arrangement>& all, Coins coins);

// They take what is there in any order, each alike, whatever they had.
Kernel even_start(const std::vector<Arrangement>& all, Coins coins);

// One exchange: two rows that move are picked (half of the time any two, half of the time two whose
// bits in `local` are equal) and trade with probability min(1, weight after / weight before).
Kernel one_exchange(const std::vector<Arrangement>& all, const Model& model, Coins coins,
                    Coins local);

Kernel times(const Kernel& first, const Kernel& second);
Kernel power(Kernel kernel, unsigned steps);

// The kernel run backwards, for a law that it leaves as it was: from what is shown to the truth.
Kernel reversed(const Kernel& kernel, const Law& law);

// One kernel for each set of coins.
using Kernels = std::vector<Kernel>;
Kernels for_all_coins(std::size_t rows, const std::function<Kernel(Coins)>& make);

// How far `kernel` takes `law` from itself, at most over all arrangements.
double moved_by(const Kernel& kernel, const Law& law);

}  // namespace rankveil::enumerations

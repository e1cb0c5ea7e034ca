#include "tests/privacy/enumerations/rearrangement.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace rankveil::enumerations {

namespace {

Kernel empty_kernel(std::size_t size) { return Kernel(size, std::vector<double>(size, 0)); }

bool keeps_the_same(const Arrangement& a, const Arrangement& b, Coins coins) {
  for (std::size_t row = 0; row < a.size(); ++row) {
    if (keeps(coins, row) && a[row] != b[row]) return false;
  }
  return true;
}

std::vector<std::size_t> movers(std::size_t rows, Coins coins) {
  std::vector<std::size_t> moving;
  for (std::size_t row = 0; row < rows; ++row) {
    if (!keeps(coins, row)) moving.push_back(row);
  }
  return moving;
}

using Order = std::vector<std::size_t>;

// The mean over all orders of the movers of what `place` makes of an arrangement.
template <typename Place>
Kernel over_all_orders(const std::vector<Arrangement>& all, Coins coins, const Place& place) {
  Kernel kernel = empty_kernel(all.size());
  const Order moving = movers(all.front().size(), coins);
  for (std::size_t from = 0; from < all.size(); ++from) {
    Order order = moving;
    double orders = 0;
    do {
      ++kernel[from][place_of(all, place(all[from], moving, order))];
      ++orders;
    } while (std::ranges::next_permutation(order).found);
    for (double& share : kernel[from]) share /= orders;
  }
  return kernel;
}

Arrangement passed_along(Arrangement shown, const Order&, const Order& circle) {
  const Arrangement before = shown;
  for (std::size_t i = 0; i < circle.size(); ++i) {
    shown[circle[(i + 1) % circle.size()]] = before[circle[i]];
  }
  return shown;
}

Arrangement dealt_out(Arrangement shown, const Order& moving, const Order& order) {
  const Arrangement before = shown;
  for (std::size_t i = 0; i < moving.size(); ++i) shown[moving[i]] = before[order[i]];
  return shown;
}

// How likely these two are picked for an exchange.
double pick(const Order& moving, std::size_t one, std::size_t other, Coins local) {
  auto others = static_cast<double>(moving.size()) - 1;
  auto like = [&](std::size_t row) { return keeps(local, row) == keeps(local, one); };
  auto near = static_cast<double>(std::ranges::count_if(moving, like)) - 1;
  double far_pick = 0.5 / others;
  double near_pick = like(other) ? 0.5 / near : 0;
  return 2 * (far_pick + near_pick) / (others + 1);  // either may be the first of the two
}

}  // namespace

Kernel exact_draw(const std::vector<Arrangement>& all, const Law& law, Coins coins) {
  Kernel kernel = empty_kernel(all.size());
  for (std::size_t from = 0; from < all.size(); ++from) {
    for (std::size_t to = 0; to < all.size(); ++to) {
      if (keeps_the_same(all[from], all[to], coins)) kernel[from][to] = law[to];
    }
    scale_to_one(kernel[from]);
  }
  return kernel;
}

Kernel random_cycle(const std::vector<Arrangement>& all, Coins coins) {
  return over_all_orders(all, coins, passed_along);
}

Kernel even_start(const std::vector<Arrangement>& all, Coins coins) {
  return over_all_orders(all, coins, dealt_out);
}

Kernel one_exchange(const std::vector<Arrangement>& all, const Model& model, Coins coins,
                    Coins local) {
  Kernel kernel = empty_kernel(all.size());
  const Order moving = movers(all.front().size(), coins);
  for (std::size_t from = 0; from < all.size(); ++from) {
    kernel[from][from] = 1;
    for (std::size_t i = 0; i < moving.size(); ++i) {
      for (std::size_t k = i + 1; k < moving.size(); ++k) {
        Arrangement after = all[from];
        std::swap(after[moving[i]], after[moving[k]]);
        double accept = std::min(1.0, weight(after, model) / weight(all[from], model));
        double share = pick(moving, moving[i], moving[k], local) * accept;
        kernel[from][from] -= share;
        kernel[from][place_of(all, after)] += share;
      }
    }
  }
  return kernel;
}

Kernel times(const Kernel& first, const Kernel& second) {
  Kernel product = empty_kernel(first.size());
  for (std::size_t i = 0; i < first.size(); ++i) {
    for (std::size_t j = 0; j < first.size(); ++j) {
      for (std::size_t k = 0; k < first.size(); ++k) product[i][k] += first[i][j] * second[j][k];
    }
  }
  return product;
}

Kernel power(Kernel kernel, unsigned steps) {
  Kernel result = empty_kernel(kernel.size());
  for (std::size_t i = 0; i < kernel.size(); ++i) result[i][i] = 1;
  for (; steps > 0; steps /= 2) {
    if (steps % 2 == 1) result = times(result, kernel);
    kernel = times(kernel, kernel);
  }
  return result;
}

Kernel reversed(const Kernel& kernel, const Law& law) {
  Kernel back = empty_kernel(kernel.size());
  for (std::size_t from = 0; from < kernel.size(); ++from) {
    for (std::size_t to = 0; to < kernel.size(); ++to) {
      back[to][from] = law[from] * kernel[from][to] / law[to];
    }
  }
  return back;
}

Kernels for_all_coins(std::size_t rows, const std::function<Kernel(Coins)>& make) {
  Kernels kernels;
  for (Coins coins = 0; coins < coin_sets(rows); ++coins) kernels.push_back(make(coins));
  return kernels;
}

double moved_by(const Kernel& kernel, const Law& law) {
  double largest = 0;
  for (std::size_t to = 0; to < law.size(); ++to) {
    double arrives = 0;
    for (std::size_t from = 0; from < law.size(); ++from) arrives += law[from] * kernel[from][to];
    largest = std::max(largest, std::abs(arrives - law[to]));
  }
  return largest;
}

}  // namespace rankveil::enumerations

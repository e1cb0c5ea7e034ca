#include "rankveil/base/fit/descent.h"

#include <deque>

namespace rankveil::fit {

namespace {

constexpr std::size_t steps_remembered = 20;
constexpr int max_halvings = 30;

double product(const Numbers& a, const Numbers& b) {
  double sums[4] = {0, 0, 0, 0};
  std::size_t i = 0;
  for (; i + 4 <= a.size(); i += 4) {
    for (std::size_t p = 0; p < 4; ++p) sums[p] += a[i + p] * b[i + p];
  }
  for (; i < a.size(); ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

void add_times(Numbers& to, double factor, const Numbers& more) {
  for (std::size_t i = 0; i < to.size(); ++i) to[i] += factor * more[i];
}

Numbers difference(const Numbers& a, const Numbers& b) {
  Numbers made(a.size());
  for (std::size_t i = 0; i < a.size(); ++i) made[i] = a[i] - b[i];
  return made;
}

// A step that was taken, and how the gradient changed along it.
struct Step {
  Numbers moved;
  Numbers turned;
  double product;
};

// What the steps so far say of the curvature, on top of the guess.
class Memory {
 public:
  void add(Numbers moved, Numbers turned) {
    double along = product(moved, turned);
    if (along <= 0) return;
    steps_.push_back({std::move(moved), std::move(turned), along});
    if (steps_.size() > steps_remembered) steps_.pop_front();
  }

  Numbers direction(const Slope& slope, const Numbers& gradient) const {
    Numbers way = gradient;
    std::vector<double> parts(steps_.size());
    for (std::size_t i = steps_.size(); i-- > 0;) {
      parts[i] = product(steps_[i].moved, way) / steps_[i].product;
      add_times(way, -parts[i], steps_[i].turned);
    }
    slope.divide(way);
    for (std::size_t i = 0; i < steps_.size(); ++i) {
      double part = product(steps_[i].turned, way) / steps_[i].product;
      add_times(way, parts[i] - part, steps_[i].moved);
    }
    for (double& number : way) number = -number;
    return way;
  }

 private:
  std::deque<Step> steps_;
};

}  // namespace

double descend(const Slope& slope, Numbers& at, double enough, std::uint32_t max_steps) {
  Memory memory;
  Numbers gradient;
  Numbers next_gradient;
  double value = slope.look(at, gradient);
  int small_gains = 0;
  for (std::uint32_t step = 0; step < max_steps && small_gains < 2; ++step) {
    Numbers way = memory.direction(slope, gradient);
    double falls = product(way, gradient);
    if (falls >= 0) break;
    double length = 1;
    Numbers next;
    double next_value = value;
    for (int i = 0; i < max_halvings; ++i, length /= 2) {
      next = at;
      add_times(next, length, way);
      next_value = slope.look(next, next_gradient);
      if (next_value <= value + 1e-4 * length * falls) break;
    }
    if (!(next_value < value)) break;
    small_gains = value - next_value < enough ? small_gains + 1 : 0;
    memory.add(difference(next, at), difference(next_gradient, gradient));
    at = std::move(next);
    std::swap(gradient, next_gradient);
    value = next_value;
  }
  return value;
}

}  // namespace rankveil::fit

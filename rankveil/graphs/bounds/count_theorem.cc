#include "rankveil/graphs/bounds/count_theorem.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <vector>

#include "rankveil/graphs/bounds/bisect.h"

namespace rankveil::bound {

namespace {

constexpr std::uint64_t most_people = 100'000'000;  // the sound form has a number for each

Status check(const Count& count) {
  if (!(count.p > 0 && count.p < 1)) {
    return wrong_use(fmt::format("p is {}; it is a probability between 0 and 1", count.p));
  }
  if (count.k < 1 || count.k > count.n) {
    return wrong_use(fmt::format("k is {}; it is at least 1 and at most n = {}", count.k, count.n));
  }
  if (count.n > most_people) {
    return wrong_use(
        fmt::format("n is {}; at most {} people can be counted", count.n, most_people));
  }
  return {};
}

double log_binomial(double n, double k) {
  int sign = 0;
  return ::lgamma_r(n + 1, &sign) - ::lgamma_r(k + 1, &sign) - ::lgamma_r(n - k + 1, &sign);
}

double log_mass(const Count& count, std::uint64_t successes) {
  double n = static_cast<double>(count.n);
  double a = static_cast<double>(successes);
  return log_binomial(n, a) + a * std::log(count.p) + (n - a) * std::log1p(-count.p);
}

// The probabilities of k, ..., n, given at least k.
std::vector<double> masses(const Count& count) {
  std::vector<double> all(count.n - count.k + 1);
  double highest = -std::numeric_limits<double>::infinity();
  for (std::size_t i = 0; i < all.size(); ++i) {
    all[i] = log_mass(count, count.k + i);
    highest = std::max(highest, all[i]);
  }
  double sum = 0;
  for (double& mass : all) sum += mass = std::exp(mass - highest);
  for (double& mass : all) mass /= sum;
  return all;
}

// How much of one law is not covered by e^epsilon times the same law shifted by one, the worse of
// both directions.
double exact_delta(const std::vector<double>& mass, double epsilon) {
  double factor = std::exp(epsilon);
  double up = mass.front();
  double down = mass.back();
  for (std::size_t i = 1; i < mass.size(); ++i) {
    up += std::max(0.0, mass[i] - factor * mass[i - 1]);
    down += std::max(0.0, mass[i - 1] - factor * mass[i]);
  }
  return std::max(up, down);
}

Guarantee sound(double epsilon, double delta) {
  Guarantee guarantee{epsilon, delta, Mode::Sound};
  guarantee.assumptions.emplace_back(
      "people are in the count independently, each with probability p; nobody knows anything about "
      "any of them");
  guarantee.assumptions.emplace_back("counts below k are not published");
  warn_of_size(guarantee);
  return guarantee;
}

Guarantee printed(double epsilon, double delta) {
  Guarantee guarantee{epsilon, delta, Mode::Paper};
  guarantee.assumptions.emplace_back(
      "people are in the count independently, each with probability p; nobody knows anything about "
      "any of them");
  guarantee.warnings.emplace_back(
      "the printed proof overlooks that the smallest published count has no counterpart in the "
      "other data set: the true delta can be larger (see sound mode)");
  warn_of_size(guarantee);
  return guarantee;
}

Result<Guarantee> sound_epsilon(const Count& count, double delta) {
  std::vector<double> mass = masses(count);
  double least = std::max(mass.front(), mass.back());
  if (delta < least) {
    return wrong_use(fmt::format(
        "delta is {}, but a count of {} alone has probability {:.6g} and cannot occur in the other "
        "data set; no epsilon exists below that delta",
        delta, mass.front() >= mass.back() ? count.k : count.n, least));
  }
  auto enough = [&](double epsilon) { return exact_delta(mass, epsilon) <= delta; };
  if (enough(0)) return sound(0, delta);
  double high = 1;
  while (!enough(high)) {
    high *= 2;
    if (high > 700) return wrong_use(fmt::format("delta is {}; epsilon would be above 700", delta));
  }
  return sound(least_argument(0, high, enough), delta);
}

double hoeffding(double distance, double n) { return std::exp(-2 * distance * distance / n); }

Result<Guarantee> paper_epsilon(const Count& count, double delta) {
  double n = static_cast<double>(count.n);
  double k = static_cast<double>(count.k);
  double p = count.p;
  double q = 1 - p;
  double least = std::exp(log_mass(count, count.k)) + std::exp(log_mass(count, 0));
  if (delta < least) {
    return wrong_use(
        fmt::format("delta is {}; the theorem needs at least {:.6g} here", delta, least));
  }
  double a = delta + hoeffding(n * p - k + 1, n);
  if (a >= 1) {
    return wrong_use(
        fmt::format("delta is {}; with k = {} it is too large for the theorem to say "
                    "anything",
                    delta, count.k));
  }
  double mu = std::sqrt(-(n / 2) * std::log(a));
  // The tail that A takes off begins below k, at k - 1.
  if (n * p - mu <= k - 1 || n * q - mu <= 0) {
    return wrong_use(fmt::format(
        "n = {}, p = {}, k = {}, delta = {}: the theorem needs more people, or a larger delta",
        count.n, p, count.k, delta));
  }
  double e1 = std::log(((n + 1) / (n * p - mu) - 1) * p / q);
  double e2 = std::log(((n + 1) / (n * q - mu) - 1) * q / p);
  return printed(std::max(e1, e2), delta);
}

Result<Guarantee> paper_delta(const Count& count, double epsilon) {
  double n = static_cast<double>(count.n);
  double k = static_cast<double>(count.k);
  double p = count.p;
  double q = 1 - p;
  double least = std::log1p(1 / (n * std::min(p, q)));
  if (epsilon < least) {
    return wrong_use(
        fmt::format("epsilon is {}; the theorem needs at least {:.6g} here", epsilon, least));
  }
  double factor = std::exp(epsilon);
  double low = p * (n + 1) / (factor * q + p);
  double high = (factor * n * p - q) / (factor * p + q);
  double d1 = hoeffding(n * p - low, n) - hoeffding(n * p - k + 1, n);
  double d2 = hoeffding(high - n * p, n);
  return printed(epsilon, std::max(d1, d2));
}

}  // namespace

Result<Guarantee> count_epsilon(const Count& count, double delta, Mode mode) {
  if (auto fine = check(count); !fine) return fine.error();
  if (!(delta > 0 && delta < 1)) {
    return wrong_use(fmt::format("delta is {}; it is a probability between 0 and 1", delta));
  }
  return mode == Mode::Sound ? sound_epsilon(count, delta) : paper_epsilon(count, delta);
}

Result<Guarantee> count_delta(const Count& count, double epsilon, Mode mode) {
  if (auto fine = check(count); !fine) return fine.error();
  if (!(epsilon >= 0 && epsilon <= 700)) {
    return wrong_use(fmt::format("epsilon is {}; it lies between 0 and 700", epsilon));
  }
  if (mode == Mode::Paper) return paper_delta(count, epsilon);
  return sound(epsilon, exact_delta(masses(count), epsilon));
}

}  // namespace rankveil::bound

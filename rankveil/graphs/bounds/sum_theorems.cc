#include "rankveil/graphs/bounds/sum_theorems.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "rankveil/graphs/bounds/normal.h"
#include "rankveil/graphs/bounds/tail_constant.h"

namespace rankveil::bound {

namespace {

constexpr double berry_esseen = 0.5591;  // for summands that differ from each other
constexpr double printed_constant = 1.1182;
constexpr double pi = std::numbers::pi;

Status check(const Sums& sums, const Terms& terms) {
  if (!(sums.people > 1)) {
    return wrong_use(
        fmt::format("{:.6g} people are unknown; a bound needs more than one, so let less be known",
                    sums.people));
  }
  if (!(terms.s > 0)) {
    return wrong_use(
        fmt::format("s is {}; it is how far one person moves the sum, above 0", terms.s));
  }
  if (terms.delta1 && !(*terms.delta1 > 0 && *terms.delta1 < 1)) {
    return wrong_use(fmt::format("delta1 is {}; it lies between 0 and 1", *terms.delta1));
  }
  if (terms.epsilon && !(*terms.epsilon >= 0 && *terms.epsilon <= 700)) {
    return wrong_use(fmt::format("epsilon is {}; it lies between 0 and 700", *terms.epsilon));
  }
  return {};
}

Status check_paper(const Terms& terms) {
  if (terms.k < 1) return wrong_use("k is 0; it is at least 1");
  if (terms.eps1 && !(*terms.eps1 > 0 && *terms.eps1 < 1)) {
    return wrong_use(fmt::format("eps1 is {}; it lies between 0 and 1", *terms.eps1));
  }
  return {};
}

Status check_spread(double variance) {
  if (variance > 0 && std::isfinite(variance)) return {};
  return wrong_use(fmt::format(
      "the variance of the sum is {}: data that is known for certain hides nobody; let less be "
      "known, or tell people apart by less",
      variance));
}

double delta1_of(const Sums& sums, const Terms& terms) {
  return terms.delta1.value_or(1 / std::sqrt(sums.people));
}

// c' s / sigma with both conditions of the paper.
double printed_epsilon(const Sums& sums, const Terms& terms, double sigma) {
  if (terms.epsilon) return *terms.epsilon;
  double k = static_cast<double>(terms.k);
  double crowd = terms.eps1 ? crowd_constant(k, terms.s, *terms.eps1)
                            : crowd_constant_of_itself(k, terms.s, sigma);
  return std::max(tail_constant(delta1_of(sums, terms)), crowd) * terms.s / sigma;
}

Result<Guarantee> printed_independent(const Sums& sums, const Terms& terms) {
  if (auto fine = check_paper(terms); !fine) return fine.error();
  if (auto fine = check_spread(sums.variance); !fine) return fine.error();
  double sigma = std::sqrt(sums.variance);
  double below = terms.denominator_outside ? sums.variance * sigma : sums.variance_3_2;
  if (!(below > 0)) {
    return wrong_use(fmt::format("the sum of variance^(3/2) is {}; give one above 0", below));
  }
  double growth = std::exp(std::sqrt(terms.s * terms.s * std::log(sums.people) / sums.variance));
  Guarantee guarantee{printed_epsilon(sums, terms, sigma), 0, Mode::Paper};
  guarantee.delta = printed_constant * sums.third / below * (1 + growth) + delta1_of(sums, terms);
  guarantee.assumptions.emplace_back("people's data is independent");
  guarantee.warnings.emplace_back(
      "the printed formula takes third moments with their sign, so that skews cancel: the true "
      "delta can be larger (see sound mode)");
  if (sums.third < 0) {
    guarantee.warnings.push_back(
        fmt::format("the third moments add up to {:.4g}; below 0 the printed formula rewards skew",
                    sums.third));
  }
  warn_of_size(guarantee);
  return guarantee;
}

struct Shift {
  double epsilon;
  double delta;
};

// What a shift by r standard deviations costs a normal variable.
Shift normal_shift(double r, double delta1, const Terms& terms) {
  if (terms.epsilon) return {*terms.epsilon, shifted_normal_delta(*terms.epsilon, r)};
  if (terms.by_tail) {
    return {std::max(0.0, r * normal_tail_inverse(delta1) + r * r / 2), delta1};
  }
  return {shifted_normal_epsilon(delta1, r), delta1};
}

// Replace the sum by a normal variable, shift that, and replace it back.
Guarantee by_normal(const Shift& shift, double distance, const Terms& terms) {
  double sides = terms.half_lines ? 1 : 2;
  return {shift.epsilon, shift.delta + (1 + std::exp(shift.epsilon)) * sides * distance,
          Mode::Sound};
}

void add_sound_assumptions(Guarantee& guarantee, const Terms& terms) {
  guarantee.assumptions.push_back(
      fmt::format("changing one person moves the sum by at most {:.6g}", terms.s));
  guarantee.assumptions.emplace_back(
      terms.half_lines ? "outputs are judged as \"at most\" or \"at least\" a number"
                       : "outputs are judged as intervals; other sets of outputs are not covered");
}

Result<Guarantee> sound_independent(const Sums& sums, const Terms& terms) {
  if (auto fine = check_spread(sums.variance_of_others); !fine) return fine.error();
  double sigma = std::sqrt(sums.variance_of_others);
  double distance = berry_esseen * sums.absolute_third / (sigma * sigma * sigma);
  Guarantee guarantee =
      by_normal(normal_shift(terms.s / sigma, delta1_of(sums, terms), terms), distance, terms);
  guarantee.assumptions.emplace_back("people's data is independent");
  add_sound_assumptions(guarantee, terms);
  warn_of_size(guarantee);
  return guarantee;
}

Result<Guarantee> printed_dependent(const Sums& sums, const Dependence& dependence,
                                    const Terms& terms, double sigma) {
  if (auto fine = check_paper(terms); !fine) return fine.error();
  double share = dependence.share;
  if (!(share >= 0 && share < 1)) {
    return wrong_use(fmt::format("lambda1 is {}; it lies between 0 and 1, without 1", share));
  }
  double inside =
      share * share * sums.raw_third / (sigma * sigma * sigma) +
      share * share * share * std::sqrt(26 / pi) * std::sqrt(sums.raw_fourth) / (sigma * sigma);
  if (!(inside >= 0)) {
    return wrong_use(fmt::format(
        "the third moments add up to {}; the printed formula takes the root of a negative number",
        sums.raw_third));
  }
  Guarantee guarantee{printed_epsilon(sums, terms, sigma), 0, Mode::Paper};
  guarantee.delta =
      2 * std::pow(2 / pi, 0.25) * std::sqrt(inside) * (1 + std::exp(guarantee.epsilon)) +
      delta1_of(sums, terms);
  guarantee.assumptions.emplace_back("everybody depends on a share lambda1 of all people at most");
  guarantee.warnings.emplace_back(
      "the printed formula counts dependence as a share below 1 where the proof needs a number of "
      "people: delta is far too small (see sound mode)");
  warn_of_size(guarantee);
  return guarantee;
}

Result<Guarantee> sound_dependent(const Sums& sums, const Dependence& dependence,
                                  const Terms& terms, double sigma) {
  if (dependence.neighbourhood < 1) {
    return wrong_use("a neighbourhood of 0 people; it counts oneself, so it is at least 1");
  }
  double distance = distance_from_normal(sums, dependence.neighbourhood, sigma).kolmogorov;
  Guarantee guarantee =
      by_normal(normal_shift(terms.s / sigma, delta1_of(sums, terms), terms), distance, terms);
  if (dependence.neighbourhood == 1 && !dependence.sigma) {
    auto independent = sound_independent(sums, terms);
    if (independent && independent->delta < guarantee.delta) return independent;
  }
  guarantee.assumptions.push_back(
      fmt::format("everybody's data depends on that of {} people at most, oneself included",
                  dependence.neighbourhood));
  guarantee.assumptions.emplace_back("changing one person leaves the law of all others alone");
  add_sound_assumptions(guarantee, terms);
  warn_of_size(guarantee);
  return guarantee;
}

}  // namespace

Result<Guarantee> independent_bound(const Sums& sums, const Terms& terms, Mode mode) {
  if (auto fine = check(sums, terms); !fine) return fine.error();
  return mode == Mode::Paper ? printed_independent(sums, terms) : sound_independent(sums, terms);
}

NormalDistance distance_from_normal(const Sums& sums, std::uint64_t neighbourhood, double sigma) {
  double d = static_cast<double>(neighbourhood);
  NormalDistance distance;
  distance.wasserstein =
      d * d * sums.absolute_third / (sigma * sigma * sigma) +
      std::sqrt(28 / pi) * d * std::sqrt(d) * std::sqrt(sums.fourth) / (sigma * sigma);
  distance.kolmogorov = std::min(1.0, std::pow(2 / pi, 0.25) * std::sqrt(distance.wasserstein));
  return distance;
}

Result<Guarantee> dependent_bound(const Sums& sums, const Dependence& dependence,
                                  const Terms& terms, Mode mode) {
  if (auto fine = check(sums, terms); !fine) return fine.error();
  double sigma = dependence.sigma.value_or(std::sqrt(std::max(0.0, sums.variance)));
  if (auto fine = check_spread(sigma * sigma); !fine) return fine.error();
  return mode == Mode::Paper ? printed_dependent(sums, dependence, terms, sigma)
                             : sound_dependent(sums, dependence, terms, sigma);
}

}  // namespace rankveil::bound

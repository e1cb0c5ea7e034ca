#include "rankveil/audit/verdict.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <utility>

#include "rankveil/audit/check.h"
#include "rankveil/base/format.h"
#include "rankveil/promise/binomial.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::audit {

namespace {

constexpr double error_rate = 0.05;
constexpr double found_with = 0.95;
// Posteriors are sums of doubles, and right guesses sums of parts of one.
constexpr double rounding = 1e-6;

std::uint64_t whole_right(const Finding& finding) {
  return static_cast<std::uint64_t>(std::floor(finding.right + rounding));
}

void set(Finding& finding, Verdict verdict, std::string reason) {
  finding.verdict = verdict;
  finding.reason = std::move(reason);
}

bool is_prior(const Finding& finding) { return finding.level.starts_with("prior"); }

std::string too_few(const Finding& finding, std::uint64_t comparisons) {
  std::string sentence = fmt::format("{} are too few to find even a leak of {:.0f}%",
                                     counted(finding.attempts, "attempt"), 100 * decidable_leak);
  auto needed = attempts_needed(finding, comparisons);
  return needed ? fmt::format("{}; {} would do", sentence, grouped(*needed)) : sentence;
}

void judge_unbroken(Finding& finding, const Judging& judging) {
  if (finding.method == profiles_method) {
    return set(finding, Verdict::Kept,
               fmt::format("the largest gain is {:.3g}; {:.3g} is allowed", finding.gain,
                           allowed_gain(finding.promise)));
  }
  if (judging.blind) {
    return set(finding, Verdict::Undecidable,
               "the control found nothing where there was something to find");
  }
  auto leak = smallest_leak(finding, judging.comparisons);
  if (!leak || *leak > decidable_leak) {
    return set(finding, Verdict::Undecidable, too_few(finding, judging.comparisons));
  }
  set(finding, Verdict::Kept,
      fmt::format("{:.1f}% are guessed right; up to {:.1f}% are allowed", 100 * finding.rate,
                  100 * allowed_rate(finding.promise, finding.prior)));
}

}  // namespace

double allowed_gain(const Promise& promise) {
  switch (promise.kind) {
    case PromiseKind::None:
      return 1;
    case PromiseKind::GuessAtMost:  // a larger gain needs a larger posterior
    case PromiseKind::GainAtMost:
      return promise.bound;
    case PromiseKind::LikelihoodRatio:  // odds times e^bound; the most is gained where odds are
                                        // best
      return -std::expm1(-promise.bound);
  }
  return 1;
}

double allowed_rate(const Promise& promise, double prior) {
  switch (promise.kind) {
    case PromiseKind::None:
      return 1;
    case PromiseKind::GuessAtMost:
      return std::max(promise.bound, prior);
    case PromiseKind::GainAtMost:
      return prior + (1 - prior) * promise.bound;
    case PromiseKind::LikelihoodRatio:  // in e^-epsilon, which does not overflow
      return prior > 0 ? prior / (prior + (1 - prior) * std::exp(-promise.bound)) : 0;
  }
  return 1;
}

std::uint64_t critical_right(const Finding& finding, std::uint64_t comparisons) {
  double allowed = std::clamp(allowed_rate(finding.promise, finding.prior), 0.0, 1.0);
  double alpha = error_rate / static_cast<double>(std::max<std::uint64_t>(comparisons, 1));
  return critical_count(finding.attempts, allowed, alpha);
}

std::optional<double> smallest_leak(const Finding& finding, std::uint64_t comparisons) {
  double allowed = std::clamp(allowed_rate(finding.promise, finding.prior), 0.0, 1.0);
  auto rate = rate_that_reaches(finding.attempts, critical_right(finding, comparisons), found_with);
  if (!rate || allowed >= 1) return std::nullopt;
  return std::max(0.0, (*rate - allowed) / (1 - allowed));
}

namespace {

std::uint64_t two_digits(std::uint64_t count) {
  std::uint64_t unit = 1;
  while (count / unit >= 100) unit *= 10;
  return (count + unit - 1) / unit * unit;
}

}  // namespace

std::optional<std::uint64_t> attempts_needed(const Finding& finding, std::uint64_t comparisons) {
  constexpr std::uint64_t most = 1'000'000'000;
  Finding shape;
  shape.promise = finding.promise;
  shape.prior = finding.prior;
  auto do_find = [&](std::uint64_t attempts) {
    shape.attempts = attempts;
    auto leak = smallest_leak(shape, comparisons);
    return leak && *leak <= decidable_leak;
  };
  std::uint64_t low = 0, high = 1;
  while (!do_find(high)) {
    if (high > most) return std::nullopt;
    low = std::exchange(high, 2 * high);
  }
  while (high - low > 1) {
    std::uint64_t middle = low + (high - low) / 2;
    (do_find(middle) ? high : low) = middle;
  }
  std::uint64_t needed = two_digits(high);  // more by a little may do less: counts are whole
  while (!do_find(needed)) needed = two_digits(needed + 1);
  return needed;
}

namespace {

bool guesses_too_well(const Finding& finding, const Judging& judging) {
  return whole_right(finding) >= critical_right(finding, judging.comparisons);
}

void set_guessed_too_well(Finding& finding) {
  set(finding, Verdict::Broken,
      fmt::format("{:.1f}% are guessed right; up to {:.1f}% are allowed", 100 * finding.rate,
                  100 * allowed_rate(finding.promise, finding.prior)));
}

void judge_by_coins(Finding& finding, const Judging& judging) {
  CoinVerdict coins = judge_coins(*finding.coins);
  std::string text = coins_text(*finding.coins);
  if (coins == CoinVerdict::Shown) return set(finding, Verdict::Broken, std::move(text));
  if (guesses_too_well(finding, judging)) return set_guessed_too_well(finding);
  bool hidden = coins == CoinVerdict::Hidden;
  set(finding, hidden ? Verdict::Kept : Verdict::Undecidable,
      hidden
          ? text
          : fmt::format("{} are too few to tell: {}", counted(finding.coins->pairs, "pair"), text));
}

}  // namespace

namespace {

void judge_promised(Finding& finding, const Judging& judging) {
  if (!finding.evidence.empty()) return set(finding, Verdict::Broken, finding.evidence);
  if (finding.method == check_method) {
    return set(finding, Verdict::Kept,
               fmt::format("{} looked at, and nothing spoke against it",
                           counted(finding.attempts, "case")));
  }
  if (finding.coins) return judge_by_coins(finding, judging);
  double most = allowed_gain(finding.promise);
  if (finding.gain > most + rounding) {
    return set(finding, Verdict::Broken,
               fmt::format("the largest gain is {:.3g}; {:.3g} is allowed", finding.gain, most));
  }
  if (guesses_too_well(finding, judging)) return set_guessed_too_well(finding);
  judge_unbroken(finding, judging);
}

}  // namespace

void judge(Finding& finding, const Judging& judging) {
  if (finding.promise.kind == PromiseKind::None || is_prior(finding)) {
    return set(finding, Verdict::NotPromised,
               is_prior(finding) ? "what public values alone tell; nothing can promise less"
                                 : "no promise covers this level");
  }
  judge_promised(finding, judging);
  if (finding.verdict == Verdict::Broken || finding.method == profiles_method) return;
  std::string why = not_tested_because(judging.effects, finding.attribute);
  if (!why.empty()) set(finding, Verdict::NotTested, std::move(why));
}

void fill_rate(Finding& finding) {
  auto attempts = static_cast<double>(finding.attempts);
  finding.rate = finding.attempts == 0 ? 0 : finding.right / attempts;
  auto interval = utility::wilson_95(finding.right, attempts);
  finding.low = interval.low;
  finding.high = interval.high;
}

}  // namespace rankveil::audit

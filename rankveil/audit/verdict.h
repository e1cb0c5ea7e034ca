// From the figures of a finding to its verdict: one rule for every method and level, so that
// anybody who holds a report can apply it again.
//
// A promise is broken when
//   - the largest gain is above what is promised (posteriors are exact, so one row is enough), or
//   - more guesses are right than chance explains if the promise were true: so many that it happens
//     with probability 0.05 / comparisons at most (exact binomial). With as many tests as findings,
//     an audit of a defense that keeps its promise raises an alarm with probability 0.05 at most.
//   - or the finding carries other evidence, with its own error rate.
// Where a finding has figures about coins, its largest gain is a calibrated belief, off by chance,
// and the first rule is another: broken when coins are shown (coin_figures.h), kept when they are
// hidden, undecidable when there are too few pairs to tell.
// It is undecidable when nothing broke it and the attack could not have told: there were too few
// attempts to find even a leak of `decidable_leak`, or the control says that the audit is blind.
// Where profiles were read there is nothing to be blind to, and a largest gain says it all.
#pragma once

#include <cstdint>
#include <span>

#include "rankveil/audit/effect/effect.h"
#include "rankveil/audit/finding.h"

namespace rankveil::audit {

inline constexpr const char* profiles_method = "profiles";
inline constexpr const char* recovered_method = "recovered";  // profiles, by all attacks together
inline constexpr double decidable_leak = 0.25;

// Nothing that is not broken is called anything else than not tested where what was asked was not
// seen to act.
struct Judging {
  std::uint64_t comparisons = 1;  // findings with a promise
  bool blind = false;             // the control found nothing where something was to be found
  std::span<const Effect> effects = {};  // of wishes, where the target was asked
};

// The largest gain a promise allows about any row: 1 for none.
double allowed_gain(const Promise& promise);
// The rate of right guesses a promise allows, given the rate of guesses from public values alone.
double allowed_rate(const Promise& promise, double prior);

// From so many right guesses on the promise is broken; more than the attempts: never.
std::uint64_t critical_right(const Finding& finding, std::uint64_t comparisons);

// The smallest leak that `critical_right` finds with probability 0.95. A leak of s: a share s of
// the victims is guessed right for certain, all others as often as the promise allows. Nothing: not
// even s = 1 is found.
std::optional<double> smallest_leak(const Finding& finding, std::uint64_t comparisons);

// How many attempts would do to find a leak of `decidable_leak`, all else as in the finding,
// rounded up to two digits. About 370 / (1 - allowed rate) where most guesses are right anyway and
// there are 200 comparisons: only victims about whom something is left to leak can tell. Nothing:
// no number does, because all guesses may be right.
std::optional<std::uint64_t> attempts_needed(const Finding& finding, std::uint64_t comparisons);

// Fills verdict and reason; all other fields are read.
void judge(Finding& finding, const Judging& judging);

// Fills rate, low and high from right and attempts.
void fill_rate(Finding& finding);

}  // namespace rankveil::audit

// Checks: what holds of every defense that does what it says, and is looked at without trusting
// that it does.
//
// Levels that know the mechanism (levels.h) believe what the defense says about itself. A defense
// whose code does something else passes them. So an audit asks, beside them:
//
//   fits      could the declared scheme have made these profiles at all?
//   repeats   is the same question answered the same way twice, and does a further release leave
//             alone what rows show?
//   ties      does the order of rows with equal public values follow a private one?
//   adding    what do rows show together that are alike in a public column, as one person's are?
//   trained   how often is an insider right who knows half of the rows and learns from them?
//   planted   how often is somebody right who planted rows of their own among those that hide
//   others?
//
// The first three give evidence, and no rate of right guesses: method `check_method`. The other two
// are adversaries and guess.
//
// False alarms  `fits` and `repeats` look for what a sound defense never does: none. `ties` errs in
//               at most 1% of audits. `trained` and `planted` are tests like those of attacks, and
//               share their 5% an audit (verdict.h).
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/promise/promise.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

inline constexpr const char* check_method = "check";
inline constexpr const char* insider_method = "insider";
inline constexpr const char* planting_method = "planting";

// The names of all checks, as findings call their level.
std::span<const std::string_view> check_names();
bool is_check_name(std::string_view name);
// The weakest adversary who profits from what a check finds: a promise that holds against it is
// broken. REQUIRES: a name of check_names().
AdversaryLevel check_level(std::string_view name);
std::string_view check_meaning(std::string_view name);  // "knows half of the rows, ..."

// A finding of `fits`, `repeats` or `ties`. `evidence`: a sentence; empty when all is well.
Finding check_finding(std::string_view check, std::string attribute, std::uint64_t looked_at,
                      std::string evidence);

// A bet on one value of one row, made without looking at the truth.
struct Bet {
  double gain = 0;   // that the adversary expects: (belief - prior) / (1 - prior)
  double prior = 0;  // the share of like rows that have the value
  bool won = false;
};

// What bets on one attribute come to. Only those are made that promise at least half of what the
// best twentieth of them does: a leak about some rows is not drowned by all others, and who chooses
// by belief alone cannot win more often than beliefs allow. The finding's prior is the mean of
// theirs, and its gain what is sure: bets as good are luck only once in a million times.
Finding bets_finding(std::string_view check, const char* method, std::string attribute,
                     std::vector<Bet> bets);

// The gain that so many right answers to so many bets prove: fewer would be as good only once in a
// million times. `prior` is the mean chance of each bet before.
double sure_gain(std::uint64_t bets, std::uint64_t right, double prior);

std::string private_name(const Table& table, std::uint32_t attribute);

}  // namespace rankveil::audit

// The levels that have a model of people, for schemes that show values beside the shares of a
// group: `population`, who looks for rows that kept their own (coin_judge.h), `acquaintance` and
// `acquaintance-3`, who know one or three private attributes of the victim, and `share`, who looks
// at shares alone (share_judge.h); and what the insider of `trained` finds.
//
// Of an exchange that is fitted to people (`swap`), the same judgement stands for
// `mechanism-public` and `bayesian-joint`, with rows left out in place of other people: R knows how
// often each value is shown. `intersecting` sees in which other releases a row shows the same.
//
// Acquaintances of a fitted exchange learn from a release that they make themselves. Of the table's
// own people the same rows take part in it; of another population, all do. It differs for rows of
// one person, which share no coins there, and where the served domains are smaller than the
// table's: an audit knows neither persons nor declared domains.
//
// Findings are about each private attribute, and about all. Their gain is the largest, over what
// their level believed before: R' under a coin, else the model of people; their prior is how often
// that guesses right. Levels that look for coins carry figures about them, by which they are judged
// (verdict.h); all carry counts of gains.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/audit/levels.h"
#include "rankveil/audit/people/coin_judge.h"

namespace rankveil::audit {

// How a scheme exchanges what rows show; nothing: it tosses no coins.
std::optional<Exchange> exchange_of(std::string_view scheme);
// Whether the profiles are of a scheme that does, and were read.
bool tosses_coins(const Observed& observed);

struct LevelFindings {
  std::string level;
  std::vector<Finding> attributes;  // [private attribute]; without promises and verdicts
  Finding all;
};

struct CoinFindings {
  std::vector<LevelFindings> levels;
  Finding insider;               // level `trained`, about all
  std::vector<GainCounts> sets;  // of Observed::sensitive_sets
  bool rows_left_out = false;
  Effort effort = {};

  const LevelFindings* of(std::string_view level) const;
};

struct CoinOptions {
  bool acquaintances = true;  // takes about as long again
  bool shares = true;
  bool table_levels = true;  // those that learn from the table itself, and intersecting
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
  Progress progress = {};
};

// Nothing: fewer than 200 rows show something, or are there to learn from.
// REQUIRES: tosses_coins.
std::optional<CoinFindings> judge_coin_levels(const Observed& observed, const CoinOptions& options);

}  // namespace rankveil::audit

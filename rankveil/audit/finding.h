// What an audit says: one finding for each attribute, method and level.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

#include "rankveil/audit/people/coin_figures.h"
#include "rankveil/audit/people/gain_counts.h"
#include "rankveil/base/json.h"
#include "rankveil/promise/promise.h"

namespace rankveil::audit {

enum class Verdict {
  Kept,         // the promise covers this level, and nothing here breaks it
  Broken,       // it does, and is broken
  Undecidable,  // too few attempts to tell
  NotPromised,  // no promise covers this level; the figures are for information
  NotTested,    // a promise covers it, and what was asked was not seen to act (effect/effect.h)
};
// "kept", "broken", "undecidable", "not-promised", "not-tested"
std::string_view verdict_name(Verdict verdict);
std::optional<Verdict> verdict_from_name(std::string_view name);

struct Finding {
  std::string attribute = {};
  std::string method =
      {};  // how profiles were had: "profiles" (read), "recovered" (by all attacks), or an attack
  std::string level = {};      // "prior", "prior-public", "ignorant", ..., "joint-balanced", ...
  std::uint64_t attempts = 0;  // victims; those never seen in an answer count, too
  std::uint64_t hidden = 0;    // of these, never seen
  std::uint64_t proven = 0;    // attempts whose (true) value the answers prove, or the profiles
                               // where public values do not
  double right = 0;  // expected number of right guesses: ties between guesses count in part
  double rate = 0, low = 0, high = 0;  // right / attempts with its 95% interval (Wilson)
  double prior = 0;                    // the rate of a guess from public values alone
  double gain = 0;                     // largest (posterior - prior) / (1 - prior)
  double certain = 0;                  // share of attempts with a posterior above 0.999
  double certain_before = 0;           // the same by what was believed before the release
  double candidates = 0;               // mean of exp(entropy)
  double queries = 0, inserts = 0;     // a victim, on average
  // What is known of coins, for levels that look for them; the verdict then rests on these.
  std::optional<CoinFigures> coins = {};
  std::optional<GainCounts> gains = {};  // case by case, at levels with a model of people
  std::string evidence = {};  // beyond these figures, in sentences: what else breaks the promise
  Promise promise = {};
  Verdict verdict = Verdict::NotPromised;
  std::string reason = {};  // a sentence: what the verdict rests on
};

std::string name_of(const Finding& finding);  // "religion, q-in as joint"

Json to_json(const Finding& finding);
Result<Finding> finding_from_json(const Json& json);

}  // namespace rankveil::audit

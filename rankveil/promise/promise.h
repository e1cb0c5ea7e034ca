// What a protection promises, and against whom: the words that schemes, audits and help share.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>

namespace rankveil {

// What an adversary knows beside the answers, from weakest to strongest. The last four stand beside
// each other: another release, another table, or knowledge of one person.
enum class AdversaryLevel {
  Prior,           // no ranking at all: the most frequent value, overall or among like rows
  Ignorant,        // takes all values of a profile for equally likely
  Knowledgeable,   // drops values that no row with these public values has
  MechanismAware,  // knows scheme, parameters and workload, and weighs values by how likely they
                   // lead to this profile
  Joint,           // knows every private vector of a group, and which rows they may belong to
  BayesianJoint,   // weighs those vectors by how likely they lead to all profiles of the row
  Population,      // the same with another sample of the population in place of the table
  Intersecting,    // holds two or more releases
  Informed,        // already believes something about one person
};

std::span<const AdversaryLevel> adversary_levels();
std::string_view level_name(AdversaryLevel level);     // "bayesian-joint"
std::string_view level_meaning(AdversaryLevel level);  // a phrase for help
std::optional<AdversaryLevel> level_from_name(std::string_view name);

enum class PromiseKind {
  None,             // nothing is promised
  GuessAtMost,      // no value is guessed right more often than 1/l: the papers' promise
  GainAtMost,       // (posterior - prior) / (1 - prior) <= 1/l
  LikelihoodRatio,  // any two private vectors are at most e^epsilon apart in likelihood
};

struct Promise {
  PromiseKind kind = PromiseKind::None;
  double bound = 0;  // 1/l, or epsilon of all attributes together
  // About every value but those that their owner declared not sensitive.
  bool spares_declared = false;
  // Of each column or block of columns, over R: what one would believe if told that the row does
  // not show its own. Else over the shares of the row's group.
  bool over_moved = false;

  // "a gain of at most 0.333", "a likelihood ratio of at most e^2", "nothing"
  std::string text() const;
};

}  // namespace rankveil

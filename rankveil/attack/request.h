// What an attack is asked, and what it reports.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/attack/counted_target.h"
#include "rankveil/attack/engine.h"
#include "rankveil/attack/target.h"
#include "rankveil/ranking/profiles.h"

namespace rankveil::attack {

// One victim, some or all of its private attributes.
struct Request {
  const Knowledge& knowledge;
  Target& target;
  std::uint32_t victim = 0;
  std::vector<PrivateId> attributes = {};  // in this order; empty: all
  // Shares of values in the population, [private attribute][value]; empty: all alike. They decide
  // what is asked first and what soft evidence weighs, never a proof.
  std::vector<std::vector<double>> priors = {};
  // Values that the victim is known to match beforehand, by private attribute; may be empty.
  std::vector<std::optional<ValueId>> known = {};
  Budget budget = {};  // for all attributes together
};

enum class Outcome {
  Resolved,      // every value is matched or excluded
  Open,          // the method found no more to ask
  Hidden,        // so, and the victim was never seen in an answer
  OutOfBudget,   // stopped early
  Inconsistent,  // the answers contradict what is believed; nothing is proven
};

// What was found out about one private attribute. Verdicts are proofs; soft evidence is not.
struct Finding {
  PrivateId attribute{};
  Outcome outcome = Outcome::Open;
  std::vector<Verdict> verdicts = {};    // by value
  std::vector<Strength> strengths = {};  // by value
  // By value, log odds for values that are open; 0 for all others.
  std::vector<double> soft = {};
  std::uint64_t queries = 0;
  std::uint64_t inserts = 0;

  std::vector<ValueId> matched() const;
  // Matched and open values. Nothing matched and nothing open: the victim matches nothing, which
  // tells nothing, so all values are candidates.
  std::vector<ValueId> candidates() const;
};

struct Report {
  std::vector<Finding> findings;  // one per attribute asked for, in that order
  bool seen = false;              // the victim was in some answer
  std::uint64_t queries = 0;
  std::uint64_t inserts = 0;
};

}  // namespace rankveil::attack

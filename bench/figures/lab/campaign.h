// Attacks on many rows of a ranking, protected or not: how often the four methods guess right.
//
//   auto held = hold(table, workload, contender("pvsv"), seed, threads);
//   std::vector<Tally> tallies = attack_all(**held, {.k = 100});
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "bench/figures/lab/trial.h"
#include "rankveil/attack/index_target.h"
#include "rankveil/base/keys/keyed.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::figures {

// The name of the contender that serves the private values as they are.
inline constexpr const char* unprotected = "unprotected";

// A ranking under attack, what an attacker holds for certain about it, and what becomes of rows
// that are inserted. Not to be moved: its parts refer to each other.
struct Stronghold {
  Stronghold(const Table& rows, const Workload& queries, const Contender& contender,
             std::uint64_t seed, std::uint32_t threads);
  Stronghold(const Stronghold&) = delete;
  Stronghold& operator=(const Stronghold&) = delete;

  const Table& table;
  const Workload& workload;
  Contender contender;
  SecretKey key;
  Task task;
  std::optional<Profiles> profiles;
  std::optional<Index> index;
  attack::Belief belief;
  attack::MakeProfile make_profile;
};

// `table` and `workload` must outlive it.
Result<std::unique_ptr<Stronghold>> hold(const Table& table, const Workload& workload,
                                         const Contender& contender, std::uint64_t seed,
                                         std::uint32_t threads);

// The papers' four methods, as they call them and as attack/method.h does.
struct PaperMethod {
  const char* label;
  const char* name;
};
inline constexpr PaperMethod paper_methods[] = {
    {"Q-Point", "q-point"}, {"Q-IN", "q-in"}, {"Q&I-Point", "qi-point"}, {"Q&I-IN", "qi-in"}};

struct CampaignOptions {
  std::uint32_t k = 100;
  std::uint32_t victims = 250;           // of each method
  std::uint64_t queries_a_victim = 600;  // the budget for all its attributes
  std::uint64_t seed = 1;                // which rows are attacked
  std::uint32_t threads = 0;             // each takes whole victims
};

// What came of one method. An attempt is one attribute of one victim; victims without a value
// there are no attempts. Hidden victims are: a guess about them is any value.
struct Tally {
  std::string method;
  std::uint64_t victims = 0;
  std::uint64_t hidden = 0;  // victims that no answer ever showed
  std::uint64_t attempts = 0;
  // Attempts that end with a single value, proven by the answers.
  std::uint64_t proven = 0;
  // Proofs that are wrong; always 0 unless the belief is.
  std::uint64_t wrong = 0;
  // Expected number of right guesses among the values left, all alike; where profiles are graded,
  // among those proven to match, by how strongly they do.
  double right = 0;
  std::uint64_t queries = 0;
  std::uint64_t inserts = 0;

  double rate() const { return attempts == 0 ? 0 : right / static_cast<double>(attempts); }
  double proven_share() const;
  double hidden_share() const;
  double queries_a_victim() const;
  double inserts_a_victim() const;
  utility::Interval interval() const {
    return utility::wilson_95(right, static_cast<double>(attempts));
  }
};

Result<Tally> attack_with(const Stronghold& held, const PaperMethod& method,
                          const CampaignOptions& options);
// One per method, in their order; each has victims of its own.
Result<std::vector<Tally>> attack_all(const Stronghold& held, const CampaignOptions& options);

}  // namespace rankveil::figures

#include "rankveil/audit/recovered_profiles.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <optional>

namespace rankveil::audit {

namespace {

constexpr double exactly = 1e-9;

using Bounds = std::vector<attack::Strength>;  // by value

// One victim in all campaigns.
using Attempts = std::vector<const Attacked*>;

Bounds joined(const Attempts& attempts, std::uint32_t attribute) {
  Bounds bounds = attempts.front()->attributes[attribute].strengths;
  for (const Attacked* attacked : attempts) {
    const Bounds& more = attacked->attributes[attribute].strengths;
    for (std::size_t v = 0; v < bounds.size(); ++v) {
      bounds[v].low = std::max(bounds[v].low, more[v].low);
      bounds[v].high = std::min(bounds[v].high, more[v].high);
    }
  }
  return bounds;
}

// Strengths add up to 1 at most: what others surely have is not left for this one.
void narrow(Bounds& bounds) {
  double least = 0;
  for (const attack::Strength& one : bounds) least += one.low;
  for (attack::Strength& one : bounds) one.high = std::min(one.high, 1 - (least - one.low));
}

// The strength of every value in whole steps; nothing: some are open.
std::optional<std::vector<std::uint32_t>> steps_of(const Bounds& bounds, std::uint32_t levels) {
  std::vector<std::uint32_t> steps;
  for (const attack::Strength& one : bounds) {
    double step = std::round(one.low * levels);
    bool exact = std::abs(one.high - one.low) < exactly &&
                 std::abs(step - one.low * levels) < exactly * levels;
    if (!exact) return std::nullopt;
    steps.push_back(static_cast<std::uint32_t>(step));
  }
  return steps;
}

bool fits(const Strengths& strengths, const Bounds& bounds) {
  for (std::uint32_t v = 0; v < bounds.size(); ++v) {
    double strength = strength_of(strengths, v);
    if (strength < bounds[v].low - exactly || strength > bounds[v].high + exactly) return false;
  }
  return true;
}

// Leaves the one possible profile that fits, if there is just one. False: none does.
bool settle(const std::vector<const Strengths*>& possible, Bounds& bounds) {
  const Strengths* only = nullptr;
  for (const Strengths* one : possible) {
    if (!fits(*one, bounds)) continue;
    if (only != nullptr) return true;
    only = one;
  }
  if (only == nullptr) return possible.empty();
  for (std::uint32_t v = 0; v < bounds.size(); ++v) {
    bounds[v].low = bounds[v].high = strength_of(*only, v);
  }
  return true;
}

class Recovery {
 public:
  Recovery(const Arena& arena, std::vector<std::uint32_t> domains, const PossibleProfiles& possible)
      : possible_(possible),
        graded_(arena.knowledge.belief.kind == attack::ProfileKind::Graded),
        levels_(graded_ ? std::max(arena.knowledge.belief.levels, 1U) : 1),
        domains_(std::move(domains)),
        profiles_(arena.knowledge.rows(), domains_, levels_) {
    sight_.attacked.assign(arena.knowledge.rows(), 0);
    sight_.known.assign(domains_.size(), sight_.attacked);
  }

  void add(const Attempts& attempts) {
    std::uint32_t victim = attempts.front()->victim;
    sight_.attacked[victim] = 1;
    auto is = [&](bool Attacked::*what) {
      return std::any_of(attempts.begin(), attempts.end(),
                         [&](const Attacked* attacked) { return attacked->*what; });
    };
    hidden_ += is(&Attacked::seen) ? 0 : 1;
    if (is(&Attacked::contradicted)) {
      ++contradicted_;
      return;
    }
    std::uint32_t known = 0;
    bool possible = true;
    for (std::uint32_t j = 0; j < domains_.size(); ++j) {
      known += take(attempts, j, possible) ? 1 : 0;
    }
    impossible_ += possible ? 0 : 1;
    wholly_ += known == domains_.size() ? 1 : 0;
    partly_ += known > 0 && known < domains_.size() ? 1 : 0;
  }

  RecoveredProfiles finish() && {
    return {std::move(profiles_), std::move(sight_), wholly_, partly_, hidden_,
            contradicted_,        impossible_};
  }

 private:
  bool take(const Attempts& attempts, std::uint32_t j, bool& possible) {
    Bounds bounds = joined(attempts, j);
    RowId row{attempts.front()->victim};
    if (graded_) narrow(bounds);
    if (!settle(possible_.of(j, row), bounds)) possible = false;
    auto steps = steps_of(bounds, levels_);
    if (!steps) return false;
    for (std::uint32_t v = 0; v < steps->size(); ++v) {
      ValueId value{static_cast<std::uint16_t>(v)};
      if ((*steps)[v] > 0) profiles_.set(row, PrivateId{j}, value, (*steps)[v]);
    }
    sight_.known[j][+row] = 1;
    return true;
  }

  const PossibleProfiles& possible_;
  bool graded_;
  std::uint32_t levels_;
  std::vector<std::uint32_t> domains_;
  LevelProfiles profiles_;
  Sight sight_;
  std::uint64_t wholly_ = 0, partly_ = 0, hidden_ = 0;
  std::uint64_t contradicted_ = 0, impossible_ = 0;
};

}  // namespace

RecoveredProfiles recovered_profiles(std::span<const Campaign> campaigns, const Arena& arena,
                                     const PossibleProfiles& possible) {
  assert(!campaigns.empty() && "without an attack nothing is recovered");
  Recovery recovery(arena, arena.knowledge.schema.private_domain_sizes(), possible);
  for (std::size_t i = 0; i < campaigns.front().victims.size(); ++i) {
    Attempts attempts;
    for (const Campaign& campaign : campaigns) {
      attempts.push_back(&campaign.victims[i]);
      assert(attempts.back()->victim == attempts.front()->victim &&
             "campaigns against different victims say nothing together");
    }
    recovery.add(attempts);
  }
  return std::move(recovery).finish();
}

}  // namespace rankveil::audit

// From what attacks recovered of victims to profiles that levels read (levels.h).
//
//   RecoveredProfiles recovered = recovered_profiles(campaigns, arena);
//   Observed observed{.table = truth, .profiles = recovered.profiles, .sight = &recovered.sight};
//
// Verdicts of attacks are proofs, so those of several attacks on one victim hold together: what one
// leaves open another may settle. The profile of an attribute is recovered when the strength of
// every value is known exactly, or when of all profiles that the declared scheme can make only one
// fits. Of other attributes nothing is taken, and nothing at all of a victim whose answers
// contradict what is believed about the defense.
//
// Sets of values are recovered where answers tell the victim from other rows. Strengths are when
// they come in whole steps (Belief::levels): esvt, estt. Posteriors and shares (swap, cluster,
// capped, ldp, rr-mean) are not: answers tell the order of rows, and such strengths lie too close
// together for it.
#pragma once

#include <cstdint>
#include <span>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/levels.h"
#include "rankveil/audit/possible_profiles.h"
#include "rankveil/ranking/profiles.h"

namespace rankveil::audit {

struct RecoveredProfiles {
  Profiles profiles;  // rows of which nothing is known match nothing
  Sight sight;
  std::uint64_t wholly = 0;  // victims whose profile is known in all attributes
  std::uint64_t partly = 0;  // in some
  std::uint64_t hidden = 0;  // never seen in an answer; the scheme may still settle their profile

  // Victims that speak against what was believed, or against the declared scheme, which is about
  // all rows: then what was recovered of the others rests on nothing.
  std::uint64_t contradicted = 0;  // by answers that fit no ranking of the believed kind
  std::uint64_t impossible = 0;    // by proofs that no profile of the scheme fits
};

// `possible`: by the declared scheme. REQUIRES: at least one campaign, and all of them against the
// same victims, in one order.
RecoveredProfiles recovered_profiles(std::span<const Campaign> campaigns, const Arena& arena,
                                     const PossibleProfiles& possible = {});

}  // namespace rankveil::audit

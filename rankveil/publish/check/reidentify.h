// What adversaries who know something about a person learn from a publication.
//
// Victims are the true positives that are published, one after the other. An adversary with
//   quasi        the victim's exact quasi-identifiers
//   membership   those, and that the victim is among the published
//   scores       the victim's exact ranking values
// tries to place the victim in its group. He has placed it when no other group fits what he knows
// and, where he does not know that the victim is published, no row outside of the group does
// either. Whom he has placed he takes for a random member, and learns what the group shows.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/publish/check/column_guess.h"
#include "rankveil/publish/check/verify.h"

namespace rankveil::publish {

struct Reidentification {
  std::string adversary;
  std::uint64_t victims = 0;
  std::uint64_t placed = 0;
  double low = 0, high = 0;   // of the share that is placed: its 95% interval (Wilson)
  std::uint64_t unique = 0;   // placed, and no other member has the same of what he knows
  double company = 0;         // members of the group, on average over those placed: 0 for none
  std::uint64_t tested = 0;   // sensitive values of placed victims that their groups may show
  std::uint64_t learned = 0;  // of those, certain: the group shows one value only
  double largest = 0;         // share of the commonest value that a placed victim's group shows
  std::vector<ColumnGuess> columns = {};  // what he guesses, by sensitive column
};

// `verification` is what verify() found, with the members of every group. Without quasi-identifiers
// in the publication, adversaries that need them are left out.
std::vector<Reidentification> reidentify(const Publication& publication, const Truth& truth,
                                         const Verification& verification);

Json to_json(const Reidentification& result);

}  // namespace rankveil::publish

#include "rankveil/attack/ties.h"

#include <algorithm>
#include <functional>

namespace rankveil::attack {

Ties::Place& Ties::place_for(Chain& chain, std::uint32_t slot) {
  if (slot >= chain.places.size()) chain.places.resize(slot + 1);
  return chain.places[slot];
}

std::uint32_t Ties::add_chain(std::span<const ScoredRow> returned) {
  Chain chain;
  std::uint32_t position = 0;
  for (const ScoredRow& row : returned) {
    // Scores that rise contradict what is known; such an answer tells nothing of ties.
    if (!chain.group_scores.empty() && row.score > chain.group_scores.back()) break;
    if (chain.group_scores.empty() || row.score < chain.group_scores.back()) {
      chain.group_scores.push_back(row.score);
    }
    place_for(chain, row.slot) = {static_cast<std::uint32_t>(chain.group_scores.size() - 1),
                                  ++position};
  }
  chains_.push_back(std::move(chain));
  return chains() - 1;
}

void Ties::add_missing(std::uint32_t chain_number, ScoredRow row) {
  Chain& chain = chains_[chain_number];
  const auto& scores = chain.group_scores;
  auto group = std::lower_bound(scores.begin(), scores.end(), row.score, std::greater<>());
  if (group == scores.end() || *group != row.score) return;
  Place& place = place_for(chain, row.slot);
  if (place.position == 0) {
    place = {static_cast<std::uint32_t>(group - scores.begin()), not_returned};
  }
}

bool Ties::before(std::uint32_t first, std::uint32_t second) const {
  for (std::uint32_t chain = 0; chain < chains(); ++chain) {
    Place a = place(chain, first);
    Place b = place(chain, second);
    if (a.position == 0 || b.position == 0 || a.group != b.group) continue;
    if (a.position < b.position) return true;
  }
  return false;
}

}  // namespace rankveil::attack

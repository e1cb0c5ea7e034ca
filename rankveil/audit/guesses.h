// From what attacks recovered to findings: adversaries who guess among the candidates that are
// left.
//
// Levels     ignorant: by how strongly the row matches each candidate, as far as the answers tell.
//            knowledgeable: the same among candidates that the row's public group supports.
// Gain       of a proven value 1, unless public values made it certain before. Where the answers
//            only narrow sets of full matches down, that of a uniform guess. Nowhere else: what a
//            guess at graded strengths is worth shows in the rate.
// Spared     values that are declared not sensitive (Priors) are no guess, no gain and no proof.
// Wrong      proofs say that something believed about the defense does not hold. Then an attack's
//            proofs about that attribute are guesses like others: their gain is what luck does not
//            explain (sure_gain), and nothing is taken from sets.
#pragma once

#include <vector>

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/finding.h"
#include "rankveil/audit/priors.h"

namespace rankveil::audit {

// Attribute by attribute, and "all" of them together; without promises and verdicts.
std::vector<Finding> findings_of(const Campaign& campaign, const Arena& arena, const Table& truth,
                                 const Priors& priors);

// The guesses of somebody who sees no ranking: levels "prior" and "prior-public", method "none".
std::vector<Finding> baselines(std::span<const std::uint32_t> victims, const Table& truth,
                               const Priors& priors);

// What the proofs of one attack about one attribute are worth.
struct Proofs {
  std::uint64_t right = 0;  // of values that public values had not made certain
  std::uint64_t wrong = 0;
  double gain = 0;
};
Proofs proofs_of(const Campaign& campaign, PrivateId attribute, const Table& truth,
                 const Priors& priors);

// Values that were proven and are wrong, of all attributes.
std::uint64_t proven_wrong(const Campaign& campaign, const Table& truth);

// Whether this value of a victim was proven, is true, and was not certain before.
bool is_laid_open(const Recovered& recovered, std::uint32_t victim, PrivateId attribute,
                  const Table& truth, const Priors& priors);

}  // namespace rankveil::audit

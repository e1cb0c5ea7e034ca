// A ranking outside of this process as an arena, and what kind of defense it seems to have.
#pragma once

#include <memory>
#include <span>

#include "rankveil/attack/targets/live_target.h"
#include "rankveil/audit/arena.h"

namespace rankveil::audit {

// Every fresh target is the same one, restarted; so it is used by one thread. `knowledge.belief` is
// what the caller believes about the defense. The arena keeps the target, which was opened for
// `asked`: attributes of it that `truth` leaves out are never asked for.
Arena live_arena(const std::shared_ptr<attack::LiveTarget>& target, attack::Knowledge knowledge,
                 const Table& truth, const Schema& asked);

// The strongest belief about the defense that a few victims do not contradict: unprotected, what
// the declared scheme (null: none) is known to do, sets, or graded matches. Proofs rest on it, and
// the owner has the truth to try it on. Costs the queries of a short attack on each victim.
Result<attack::Belief> guess_belief(const Arena& arena, const Table& truth,
                                    std::span<const std::uint32_t> victims,
                                    const Mechanism* declared = nullptr);

}  // namespace rankveil::audit

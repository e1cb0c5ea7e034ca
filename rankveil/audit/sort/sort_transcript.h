// What somebody has to do to an order to prove one private value: the rows to insert, if any, the
// lists to ask for, and of each list the rows that the proof needs.
#pragma once

#include <optional>

#include "rankveil/audit/recorded.h"
#include "rankveil/audit/sort/sort_attack.h"
#include "rankveil/audit/transcript.h"

namespace rankveil::audit {

// As few lists and marks as prove the claim, done once more from scratch. Nothing: they prove it no
// more.
Result<std::optional<Transcript>> order_transcript(const SortArena& arena, const Table& truth,
                                                   const SortCampaign& campaign,
                                                   const Claim& claim);

// Does the steps again and looks whether they prove the value.
Result<Replayed> replay_order(const SortArena& arena, const Table& truth,
                              const Transcript& transcript);

}  // namespace rankveil::audit

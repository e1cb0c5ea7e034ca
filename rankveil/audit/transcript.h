// The shortest transcript: what somebody has to do to a ranking to prove one private value, in
// words that can be done again.
#pragma once

#include <optional>
#include <span>

#include "rankveil/audit/arena.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/campaign.h"
#include "rankveil/audit/recorded.h"

namespace rankveil::audit {

// Attacks the victim once more, one attribute only, and leaves out what the proof does not need.
// Nothing: the attack does not prove the value this time.
Result<std::optional<Transcript>> make_transcript(const Arena& arena, const Table& truth,
                                                  const Claim& claim, const attack::Method& method,
                                                  const CampaignOptions& options);

// The transcript with rows and values as numbers. `names`: what rows are called. Refuses names that
// the schema, or the table, does not have.
struct Replayable {
  Claim claim;
  std::vector<RecordedStep> steps;
};
Result<Replayable> replayable(const Transcript& transcript, const Schema& schema,
                              const RowNames& names);

struct Replayed {
  bool still_leaks = false;  // the answers of now prove the value again
  std::uint64_t same = 0;    // queries with the same answer as then
  std::uint64_t queries = 0;
  // By step: what another answer than then says of the victim; empty where nothing changed.
  std::vector<std::string> changes = {};
};
// Does the steps to a fresh target of the arena.
Result<Replayed> replay(const Arena& arena, const Transcript& transcript, const RowNames& names);

}  // namespace rankveil::audit

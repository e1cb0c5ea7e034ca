// What was asked of a target and what it answered, and what follows from that alone.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/attack/target.h"
#include "rankveil/ranking/profiles.h"

namespace rankveil::audit {

struct RecordedStep {
  bool is_insert = false;
  Query query = {};                        // asked
  std::vector<std::uint32_t> answer = {};  // rows, best first
  std::vector<ValueId> values = {};        // inserted
};

// Passes everything on and keeps a record.
class RecordingTarget : public attack::Target {
 public:
  // `target` must outlive this.
  explicit RecordingTarget(attack::Target& target) : target_(target) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override;
  Result<std::uint32_t> insert(std::span<const ValueId> values) override;
  bool takes_inserts() const override { return target_.takes_inserts(); }
  bool takes_sets() const override { return target_.takes_sets(); }

  const std::vector<RecordedStep>& steps() const { return steps_; }

 private:
  attack::Target& target_;
  std::vector<RecordedStep> steps_;
};

// One private value of one row.
struct Claim {
  std::uint32_t victim = 0;
  PrivateId attribute{};
  ValueId value{};
};

// Whether the answers prove that the victim matches the value and no other: the engine of the
// attacks reads them in order, and nothing else. REQUIRES: rows inserted are numbered in order.
bool proves(const attack::Knowledge& knowledge, const Claim& claim,
            std::span<const RecordedStep> steps);

// The same steps done to another target; answers are those it gives.
Result<std::vector<RecordedStep>> perform(attack::Target& target,
                                          std::span<const RecordedStep> steps);

// The steps that are needed for the proof: without any one of them it fails. With `drop_inserts`
// rows may go, too; answers are then read as if such rows had not been returned.
std::vector<RecordedStep> shortest(const attack::Knowledge& knowledge, const Claim& claim,
                                   std::vector<RecordedStep> steps, bool drop_inserts);

}  // namespace rankveil::audit

#include "rankveil/audit/live_arena.h"

#include "rankveil/audit/campaign.h"
#include "rankveil/audit/guesses.h"

namespace rankveil::audit {

namespace {

// A target that somebody else keeps.
class BorrowedTarget : public attack::Target {
 public:
  explicit BorrowedTarget(std::shared_ptr<attack::LiveTarget> target)
      : target_(std::move(target)) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override {
    return target_->query(query);
  }
  Result<std::uint32_t> insert(std::span<const ValueId> values) override {
    return target_->insert(values);
  }
  bool takes_inserts() const override { return target_->takes_inserts(); }
  bool takes_sets() const override { return target_->takes_sets(); }

 private:
  std::shared_ptr<attack::LiveTarget> target_;
};

bool contradicts(const Campaign& campaign, const Table& truth) {
  for (const Attacked& attacked : campaign.victims) {
    if (attacked.contradicted) return true;
  }
  return proven_wrong(campaign, truth) > 0;
}

}  // namespace

Arena live_arena(const std::shared_ptr<attack::LiveTarget>& target, attack::Knowledge knowledge,
                 const Table& truth) {
  Arena arena;
  arena.complete = complete_attributes(truth);
  arena.knowledge = std::move(knowledge);
  arena.takes_inserts = target->takes_inserts();
  arena.takes_sets = target->takes_sets();
  arena.threads = 1;
  arena.fresh = [target]() -> Result<std::unique_ptr<attack::Target>> {
    if (auto restarted = target->restart(); !restarted) return restarted.error();
    return std::unique_ptr<attack::Target>(new BorrowedTarget(target));
  };
  return arena;
}

Result<attack::Belief> guess_belief(const Arena& arena, const Table& truth,
                                    std::span<const std::uint32_t> victims) {
  Arena trial = arena;
  attack::Belief sets{.kind = attack::ProfileKind::Sets};
  for (const attack::Belief& belief : {unprotected_belief(truth), sets}) {
    trial.knowledge.belief = belief;
    auto campaign = run_campaign(trial, *attack::find_method("q-point"), victims, {});
    if (!campaign) return campaign.error();
    if (!contradicts(*campaign, truth)) return trial.knowledge.belief;
  }
  return attack::Belief{.kind = attack::ProfileKind::Graded};
}

}  // namespace rankveil::audit

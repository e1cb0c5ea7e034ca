// A target with a meter: counts what goes through it and refuses what is over budget.
#pragma once

#include <cstdint>

#include "rankveil/attack/target.h"

namespace rankveil::attack {

struct Budget {
  std::uint64_t queries = UINT64_MAX;
  std::uint64_t inserts = UINT64_MAX;
};

class CountedTarget : public Target {
 public:
  // `target` must outlive this.
  CountedTarget(Target& target, Budget budget) : target_(target), budget_(budget) {}

  Result<std::vector<std::uint32_t>> query(const Query& query) override;
  Result<std::uint32_t> insert(std::span<const ValueId> values) override;
  // False also when the budget has no insert left.
  bool takes_inserts() const override;
  bool takes_sets() const override { return target_.takes_sets(); }

  std::uint64_t queries() const { return queries_; }
  std::uint64_t inserts() const { return inserts_; }
  // Whether something was refused for want of budget.
  bool over_budget() const { return over_budget_; }

 private:
  Target& target_;
  Budget budget_;
  std::uint64_t queries_ = 0;
  std::uint64_t inserts_ = 0;
  bool over_budget_ = false;
};

}  // namespace rankveil::attack

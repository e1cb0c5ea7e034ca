#include "rankveil/attack/counted_target.h"

#include <fmt/core.h>

namespace rankveil::attack {

namespace {

Error spent(const char* what, std::uint64_t budget) {
  return wrong_use(fmt::format("the budget of {} {} is spent; allow more", budget, what));
}

}  // namespace

Result<std::vector<std::uint32_t>> CountedTarget::query(const Query& query) {
  if (queries_ >= budget_.queries) {
    over_budget_ = true;
    return spent("queries", budget_.queries);
  }
  ++queries_;
  return target_.query(query);
}

Result<std::uint32_t> CountedTarget::insert(std::span<const ValueId> values) {
  if (inserts_ >= budget_.inserts) {
    over_budget_ = true;
    return spent("inserts", budget_.inserts);
  }
  ++inserts_;
  return target_.insert(values);
}

bool CountedTarget::takes_inserts() const {
  return target_.takes_inserts() && inserts_ < budget_.inserts;
}

}  // namespace rankveil::attack

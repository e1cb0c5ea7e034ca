// How much every private attribute may show under ldp.
#pragma once

#include <cstddef>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/demand.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/schema.h"

namespace rankveil {

// The largest total that counts as a promise.
inline constexpr double largest_total_epsilon = 8;

// What the private columns of a policy ask for, in an order that is not the file's: equal budgets
// are equal lists.
std::vector<AttributeBudget> budgets_of(const Policy& policy);

// What the demand's scheme makes of them: none where it knows no budget.
std::vector<AttributeBudget> budgets_used(const Demand& demand);

// {"smokes": 0.5}, and back; nothing where it is something else.
Json to_json(const std::vector<AttributeBudget>& budgets);
std::optional<std::vector<AttributeBudget>> budgets_from_json(const Json& json);
// "0.5 (smokes), 1 (drinks)"
std::string to_text(const std::vector<AttributeBudget>& budgets);

// An attribute has the budget that is given for it; else demand.epsilon; else ln 3 (a value is
// three times as likely to be said by those who have it), less where the total would exceed the
// largest.
class LdpBudgets {
 public:
  LdpBudgets(const Schema& schema, const Demand& demand);

  double of(PrivateId attribute) const { return epsilons_[+attribute]; }
  double total() const;
  std::vector<AttributeBudget> by_name(const Schema& schema) const;
  std::string to_text() const;  // "1.1 for each of 3 attributes"
  // What attributes without a budget of their own may have, so that the total is the largest.
  double largest_for_others() const;

 private:
  std::vector<double> epsilons_;      // [private attribute]
  std::vector<AttributeBudget> own_;  // in the order of the schema
  double given_ = 0;                  // their sum
  std::size_t others_ = 0;            // attributes without their own
  double other_ = 0;                  // the budget of each
};

// Refuses budgets that are no numbers above 0, and totals above the largest unless
// demand.any_epsilon says so.
Status check_ldp(const Schema& schema, const Demand& demand);

}  // namespace rankveil

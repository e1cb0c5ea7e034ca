#include "rankveil/protect/chance/ldp_budgets.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/format.h"
#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/scheme_options.h"

namespace rankveil {

std::vector<AttributeBudget> budgets_of(const Policy& policy) {
  std::vector<AttributeBudget> budgets;
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role == Role::Private && column.epsilon) {
      budgets.push_back({column.name, *column.epsilon});
    }
  }
  std::ranges::sort(budgets, {}, &AttributeBudget::attribute);
  return budgets;
}

std::vector<AttributeBudget> budgets_used(const Demand& demand) {
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme == nullptr || !scheme->has_budgets()) return {};
  return demand.budgets;
}

Json to_json(const std::vector<AttributeBudget>& budgets) {
  Json::Object json;
  for (const AttributeBudget& one : budgets) json.emplace_back(one.attribute, one.epsilon);
  return json;
}

std::optional<std::vector<AttributeBudget>> budgets_from_json(const Json& json) {
  std::vector<std::pair<std::string, double>> numbers;
  if (!read_json(json, numbers)) return std::nullopt;
  std::vector<AttributeBudget> budgets;
  for (const auto& [attribute, epsilon] : numbers) budgets.push_back({attribute, epsilon});
  return budgets;
}

std::string to_text(const std::vector<AttributeBudget>& budgets) {
  std::vector<std::string> parts;
  for (const AttributeBudget& one : budgets) {
    parts.push_back(fmt::format("{} ({})", one.epsilon, one.attribute));
  }
  return listed(parts);
}

LdpBudgets::LdpBudgets(const Schema& schema, const Demand& demand)
    : epsilons_(schema.private_count(), -1) {
  for (std::size_t j = 0; j < epsilons_.size(); ++j) {
    const std::string& name = schema.attributes[schema.public_count() + j].name;
    auto own = std::ranges::find(demand.budgets, name, &AttributeBudget::attribute);
    if (own == demand.budgets.end()) continue;
    epsilons_[j] = own->epsilon;
    given_ += own->epsilon;
    own_.push_back(*own);
  }
  others_ = epsilons_.size() - own_.size();
  other_ = demand.epsilon;
  if (other_ == 0) {
    double left = largest_total_epsilon - given_;
    double share = left / static_cast<double>(std::max<std::size_t>(1, others_));
    other_ = left > 0 ? std::min(std::log(3.0), share) : std::log(3.0);
  }
  std::ranges::replace(epsilons_, -1, other_);
}

double LdpBudgets::total() const {
  return std::accumulate(epsilons_.begin(), epsilons_.end(), 0.0);
}

std::vector<AttributeBudget> LdpBudgets::by_name(const Schema& schema) const {
  std::vector<AttributeBudget> budgets;
  for (std::size_t j = 0; j < epsilons_.size(); ++j) {
    budgets.push_back({schema.attributes[schema.public_count() + j].name, epsilons_[j]});
  }
  return budgets;
}

std::string LdpBudgets::to_text() const {
  std::string others = fmt::format("{:.4g} for each of {} ", other_, others_);
  if (own_.empty()) return others + (others_ == 1 ? "attribute" : "attributes");
  if (others_ == 0) return rankveil::to_text(own_);
  return rankveil::to_text(own_) + ", " + others + (others_ == 1 ? "other" : "others");
}

double LdpBudgets::largest_for_others() const {
  return others_ == 0 ? 0 : (largest_total_epsilon - given_) / static_cast<double>(others_);
}

Status check_ldp(const Schema& schema, const Demand& demand) {
  auto sound = find_scheme_option("epsilon")->check(demand);
  if (!sound) return sound;
  for (const AttributeBudget& own : demand.budgets) {
    if (own.epsilon > 0) continue;
    return wrong_use(
        fmt::format("the epsilon of {} is {}; it must be above 0", own.attribute, own.epsilon));
  }
  LdpBudgets budgets(schema, demand);
  if (demand.any_epsilon || budgets.total() <= largest_total_epsilon * (1 + 1e-9)) return {};
  double largest = std::floor(budgets.largest_for_others() * 1e4) / 1e4;
  std::string way_out = "lower the epsilon of some columns";
  if (largest > 0) way_out = fmt::format("the largest --epsilon that works is {}", largest);
  return wrong_use(
      fmt::format("budgets of {} are {:.4g} in total, and above {} nothing is promised; {}, or "
                  "pass --any-epsilon",
                  budgets.to_text(), budgets.total(), largest_total_epsilon, way_out));
}

}  // namespace rankveil

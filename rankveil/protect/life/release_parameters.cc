#include "rankveil/protect/life/release_parameters.h"

#include <fmt/core.h>

#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/option_names.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/sensitive_sets.h"

namespace rankveil {

Json release_parameters(const Demand& demand, const SecretKey& key) {
  Json parameters;
  parameters.set("scheme", demand.scheme).set("l", demand.l);
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme != nullptr) {
    for (std::string_view option : scheme->options) {
      parameters.set(std::string(option), option_text(demand, option));
    }
  }
  auto spared = spared_by(demand);
  if (!spared.empty()) parameters.set("not_sensitive", to_json(spared));
  auto sets = sets_capped_by(demand);
  if (!sets.empty()) parameters.set("sensitive_sets", to_json(sets));
  auto budgets = budgets_used(demand);
  if (!budgets.empty()) parameters.set("epsilons", to_json(budgets));
  return parameters.set("key", key.fingerprint());
}

std::optional<Demand> demand_from_parameters(const Json& parameters) {
  const Json* name = parameters.find("scheme");
  const Json* l = parameters.find("l");
  if (name == nullptr || name->as_text() == nullptr || l == nullptr || l->as_integer() == nullptr) {
    return std::nullopt;
  }
  const Scheme* scheme = find_scheme(*name->as_text());
  if (scheme == nullptr) return std::nullopt;
  Demand demand{.scheme = *name->as_text(), .l = static_cast<std::uint32_t>(*l->as_integer())};
  demand.any_epsilon = true;  // what was released was allowed
  for (std::string_view option : scheme->options) {
    const Json* text = parameters.find(option);
    if (text == nullptr || text->as_text() == nullptr) return std::nullopt;
    if (!set_option(demand, option, *text->as_text())) return std::nullopt;
  }
  if (const Json* declared = parameters.find("not_sensitive")) {
    auto spared = not_sensitive_from_json(*declared);
    if (!spared) return std::nullopt;
    demand.not_sensitive = *std::move(spared);
  }
  if (const Json* declared = parameters.find("sensitive_sets")) {
    auto sets = sensitive_sets_from_json(*declared);
    if (!sets) return std::nullopt;
    demand.sensitive_sets = *std::move(sets);
  }
  if (const Json* given = parameters.find("epsilons")) {
    auto budgets = budgets_from_json(*given);
    if (!budgets) return std::nullopt;
    demand.budgets = *std::move(budgets);
  }
  return demand;
}

namespace {

std::string raw_parameter(const Json& parameters, const std::string& name) {
  const Json* value = parameters.find(name);
  return value == nullptr ? "" : value->dump(-1);
}

std::string parameter_text(const Json& parameters, const std::string& name) {
  const Json* value = parameters.find(name);
  if (value == nullptr) return "not given";
  if (name == "not_sensitive") {
    if (auto values = not_sensitive_from_json(*value)) return to_text(*values);
  }
  if (name == "sensitive_sets") {
    if (auto sets = sensitive_sets_from_json(*value)) return to_text(*sets);
  }
  if (name == "epsilons") {
    if (auto budgets = budgets_from_json(*value)) return to_text(*budgets);
  }
  bool is_default = name == "epsilon" && value->as_text() != nullptr && *value->as_text() == "0";
  if (is_default) return "not given";
  return value->as_text() != nullptr ? *value->as_text() : value->dump(-1);
}

// As it is called in a policy.
std::string parameter_name(const std::string& name) {
  return name == "epsilons" ? "epsilon" : name;
}

}  // namespace

std::optional<std::uint32_t> smaller_l(const Json& before, const Json& now) {
  auto was = demand_from_parameters(before), is = demand_from_parameters(now);
  bool can = was && is && find_scheme(was->scheme)->fits_model && was->l < is->l;
  if (!can) return std::nullopt;
  Json same;
  for (const auto& [name, value] : *now.as_object()) {
    same.set(name, name == "l" ? Json(was->l) : value);
  }
  return same.dump(-1) == before.dump(-1) ? std::optional(was->l) : std::nullopt;
}

Status check_parameters(const Json& before, const Json& now) {
  if (before.dump(-1) == now.dump(-1)) return {};
  std::vector<std::string> names;
  for (const auto& [name, value] : *now.as_object()) names.push_back(name);
  for (const char* given : {"not_sensitive", "sensitive_sets", "epsilons"}) {
    if (before.find(given) != nullptr) names.emplace_back(given);
  }
  for (const std::string& name : names) {
    if (raw_parameter(before, name) == raw_parameter(now, name)) continue;
    return wrong_use(fmt::format(
        "rows cannot keep what they show: {} was {} in the last build and is {} now; keep it, or "
        "start over with --new-release, which gives whoever holds both releases more to go by",
        parameter_name(name), parameter_text(before, name), parameter_text(now, name)));
  }
  return wrong_use("the last build was made by another version; start over with --new-release");
}

}  // namespace rankveil

// What flags (or a request) change about a policy file for one run.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::api {

struct PolicyOverrides {
  template <typename Value>
  using ByColumn = std::vector<std::pair<std::string, Value>>;

  ByColumn<Role> roles;  // may name columns the policy does not
  ByColumn<double> weights;
  ByColumn<double> epsilons;  // private columns only
  ByColumn<std::vector<std::string>> domains;
  ByColumn<Binning> bins;
  std::optional<std::uint32_t> l;
  std::optional<std::uint32_t> k;
  std::optional<std::string> scheme;

  bool empty() const;
};

// The forms people type. Each refuses what it cannot read, as wrong use.
Status add_role(PolicyOverrides& overrides, std::string_view text);     // city=private
Status add_weight(PolicyOverrides& overrides, std::string_view text);   // city=2.5
Status add_epsilon(PolicyOverrides& overrides, std::string_view text);  // smokes=0.5
Status add_domain(PolicyOverrides& overrides, std::string_view text);   // city=Paris|Rome
Status add_bins(PolicyOverrides& overrides, std::string_view text);     // age=edges:18,25,35
                                                                        // age=width:8
                                                                        // age=quantiles:4
// "city=2.5" as a name and a positive number.
Result<std::pair<std::string, double>> parse_weight(std::string_view text);

// Later entries win. Refuses a weight, an epsilon, a domain or bins for a column that neither the
// policy nor a role names, an epsilon of one that is not private, a second id, and a role that a
// key of the policy cannot have of its column (a private person). A column that is no longer
// private loses what only private ones have.
Status apply(const PolicyOverrides& overrides, Policy& policy);

}  // namespace rankveil::api

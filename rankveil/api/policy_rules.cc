#include "rankveil/api/policy_rules.h"

#include <fmt/core.h>

namespace rankveil::api {

namespace {

bool comes_from_the_data(const Binning& bins) {
  return std::holds_alternative<EqualWidth>(bins) || std::holds_alternative<Quantiles>(bins);
}

bool is_declared(const ColumnPolicy& column) {
  return !column.domain.empty() || std::holds_alternative<BinEdges>(column.bins);
}

}  // namespace

Status check_policy(const Policy& policy, const Scheme& scheme) {
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role != Role::Private) continue;
    if (comes_from_the_data(column.bins)) {
      return bad_input(fmt::format(
          "{} is private and its bins come from the data, so one row could move them for all; "
          "write "
          "their edges into the policy, such as bins = {{ edges = [10, 20] }} (inspect shows the "
          "bins there are now)",
          column.name));
    }
    if (scheme.promise == PromiseKind::LikelihoodRatio && !is_declared(column)) {
      return bad_input(fmt::format(
          "{} promises something about the whole file, and the values of {} come from the data; "
          "declare its domain in the policy",
          scheme.name, column.name));
    }
    if (policy.established && policy.established->column == column.name) {
      return bad_input(fmt::format(
          "established goes by {}, which is private: whether a row shows anything would tell its "
          "value; choose a column that may be known",
          column.name));
    }
  }
  return {};
}

std::vector<std::uint8_t> declared_domains(const Policy& policy, const Schema& schema) {
  std::vector<std::uint8_t> declared;
  for (const Attribute& attribute : schema.attributes) {
    if (!attribute.is_private()) continue;
    const ColumnPolicy* column = policy.find(attribute.name);
    declared.push_back(column != nullptr && is_declared(*column) ? 1 : 0);
  }
  return declared;
}

std::vector<std::string> ignored_columns(const Policy& policy) {
  std::vector<std::string> names;
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role == Role::Ignored) names.push_back(column.name);
  }
  return names;
}

}  // namespace rankveil::api

#include "rankveil/api/policy_overrides.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>

#include "rankveil/base/text/closest.h"

namespace rankveil::api {

namespace {

using Parts = std::pair<std::string, std::string>;

Result<Parts> split(std::string_view text, char mark, std::string_view form) {
  auto place = text.find(mark);
  if (place == std::string_view::npos || place == 0 || place + 1 == text.size()) {
    return wrong_use(fmt::format("\"{}\" cannot be read; write {}", text, form));
  }
  return Parts(text.substr(0, place), text.substr(place + 1));
}

std::vector<std::string> split_all(std::string_view text, char mark) {
  std::vector<std::string> parts(1);
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '\\' && i + 1 < text.size()) {
      parts.back() += text[++i];
    } else if (text[i] == mark) {
      parts.emplace_back();
    } else {
      parts.back() += text[i];
    }
  }
  return parts;
}

std::optional<double> number(std::string_view text) {
  double value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size()) return std::nullopt;
  if (!std::isfinite(value)) return std::nullopt;
  return value;
}

constexpr std::string_view bins_form = "age=edges:18,25,35 or age=width:8 or age=quantiles:4";

Result<Binning> parse_edges(std::string_view text) {
  BinEdges bins;
  for (const std::string& part : split_all(text, ',')) {
    auto edge = number(part);
    if (!edge) return wrong_use(fmt::format("edge \"{}\" is no number", part));
    if (!bins.edges.empty() && !(bins.edges.back() < *edge)) {
      return wrong_use(
          fmt::format("edges must ascend, but {} follows {}", *edge, bins.edges.back()));
    }
    bins.edges.push_back(*edge);
  }
  return Binning(bins);
}

Result<std::uint32_t> parse_bin_count(std::string_view text) {
  auto count = number(text);
  if (!count || *count < 2 || *count > 65535 || *count != std::floor(*count)) {
    return wrong_use(fmt::format("\"{}\" is no number of bins; use 2 to 65535", text));
  }
  return static_cast<std::uint32_t>(*count);
}

Result<Binning> parse_bins(std::string_view text) {
  auto parts = split(text, ':', bins_form);
  if (!parts) return parts.error();
  const auto& [kind, rest] = *parts;
  if (kind == "edges") return parse_edges(rest);
  if (kind != "width" && kind != "quantiles") {
    return wrong_use(fmt::format("there are no bins of kind \"{}\"; write {}", kind, bins_form));
  }
  auto count = parse_bin_count(rest);
  if (!count) return count.error();
  if (kind == "width") return Binning(EqualWidth{*count});
  return Binning(Quantiles{*count});
}

ColumnPolicy* find_column(Policy& policy, const std::string& name) {
  auto found = std::find_if(policy.columns.begin(), policy.columns.end(),
                            [&](const ColumnPolicy& column) { return column.name == name; });
  return found == policy.columns.end() ? nullptr : &*found;
}

// A list of one says nothing.
void take_out(std::vector<std::vector<std::string>>& lists, const std::string& name) {
  for (auto& columns : lists) std::erase(columns, name);
  std::erase_if(lists, [](const auto& columns) { return columns.size() < 2; });
}

void take_out_of_known(Policy& policy, const std::string& name) {
  for (ColumnPolicy& column : policy.columns) std::erase(column.known_from, name);
}

void set_role(Policy& policy, const std::string& name, Role role) {
  ColumnPolicy* column = find_column(policy, name);
  if (column == nullptr) {
    policy.columns.push_back({.name = name});
    column = &policy.columns.back();
  }
  column->role = role;
  if (role != Role::Public) take_out_of_known(policy, name);
  if (role != Role::Private) {  // only those protect values
    column->not_sensitive.clear();
    column->epsilon.reset();
    column->sensitive_sets.clear();
    column->known_from.clear();
    column->renamed.clear();
    take_out(policy.together, name);  // only private columns have coins
    take_out(policy.apart, name);
  }
  if (role != Role::Id) return;
  column->domain.clear();  // an id has neither
  column->bins = {};
}

Error unknown_column(const Policy& policy, const std::string& name) {
  std::vector<std::string> names;
  for (const ColumnPolicy& column : policy.columns) names.push_back(column.name);
  if (auto near = closest(name, names)) {
    return wrong_use(fmt::format("the policy has no column \"{}\"; did you mean {}?", name, *near));
  }
  return wrong_use(fmt::format(
      "the policy has no column \"{}\"; add it with --role {}=public or --role {}=private", name,
      name, name));
}

template <typename Value, typename Set>
Status set_each(Policy& policy, const PolicyOverrides::ByColumn<Value>& values, Set set) {
  for (const auto& [name, value] : values) {
    ColumnPolicy* column = find_column(policy, name);
    if (column == nullptr) return unknown_column(policy, name);
    set(*column, value);
  }
  return {};
}

Status set_epsilons(Policy& policy, const PolicyOverrides::ByColumn<double>& epsilons) {
  for (const auto& [name, epsilon] : epsilons) {
    ColumnPolicy* column = find_column(policy, name);
    if (column == nullptr) return unknown_column(policy, name);
    if (column->role != Role::Private) {
      return wrong_use(
          fmt::format("{} is {}, and only private columns have an epsilon; leave it out, or add "
                      "--role {}=private",
                      name, role_name(column->role), name));
    }
    column->epsilon = epsilon;
  }
  return {};
}

Status check_one_id(const Policy& policy) {
  const ColumnPolicy* first = nullptr;
  for (const ColumnPolicy& column : policy.columns) {
    if (column.role != Role::Id) continue;
    if (first != nullptr) {
      return wrong_use(fmt::format("{} and {} are both the id; add --role {}=ignored", first->name,
                                   column.name, first->name));
    }
    first = &column;
  }
  return {};
}

}  // namespace

bool PolicyOverrides::empty() const {
  return roles.empty() && weights.empty() && epsilons.empty() && domains.empty() && bins.empty() &&
         !l && !k && !scheme;
}

Status add_role(PolicyOverrides& overrides, std::string_view text) {
  auto parts = split(text, '=', "column=role, such as city=public");
  if (!parts) return parts.error();
  auto role = role_from_name(parts->second);
  if (!role) {
    return wrong_use(
        fmt::format("there is no role \"{}\"; use id, public, private or ignored", parts->second));
  }
  overrides.roles.emplace_back(parts->first, *role);
  return {};
}

Result<std::pair<std::string, double>> parse_weight(std::string_view text) {
  auto parts = split(text, '=', "column=number, such as city=2");
  if (!parts) return parts.error();
  auto weight = number(parts->second);
  if (!weight || *weight < 0.000001 || *weight > 1'000'000) {
    return wrong_use(
        fmt::format("weight {} of {} does not work; use a number from 0.000001 to "
                    "1000000",
                    parts->second, parts->first));
  }
  return std::pair(parts->first, *weight);
}

Status add_weight(PolicyOverrides& overrides, std::string_view text) {
  auto weight = parse_weight(text);
  if (!weight) return weight.error();
  overrides.weights.push_back(std::move(*weight));
  return {};
}

Status add_epsilon(PolicyOverrides& overrides, std::string_view text) {
  auto parts = split(text, '=', "column=number, such as smokes=0.5");
  if (!parts) return parts.error();
  auto epsilon = number(parts->second);
  if (!epsilon || !(*epsilon > 0) || *epsilon > largest_epsilon) {
    return wrong_use(fmt::format("epsilon {} of {} does not work; use a number above 0, at most {}",
                                 parts->second, parts->first, largest_epsilon));
  }
  overrides.epsilons.emplace_back(parts->first, *epsilon);
  return {};
}

Status add_domain(PolicyOverrides& overrides, std::string_view text) {
  auto parts = split(text, '=', "column=value|value, such as city=Paris|Rome");
  if (!parts) return parts.error();
  overrides.domains.emplace_back(parts->first, split_all(parts->second, '|'));
  return {};
}

Status add_bins(PolicyOverrides& overrides, std::string_view text) {
  auto parts = split(text, '=', bins_form);
  if (!parts) return parts.error();
  auto bins = parse_bins(parts->second);
  if (!bins) return bins.error();
  overrides.bins.emplace_back(parts->first, *bins);
  return {};
}

Status apply(const PolicyOverrides& overrides, Policy& policy) {
  for (const auto& [name, role] : overrides.roles) set_role(policy, name, role);
  auto done = set_each(policy, overrides.weights,
                       [](ColumnPolicy& column, double weight) { column.weight = weight; });
  if (!done) return done;
  done = set_epsilons(policy, overrides.epsilons);
  if (!done) return done;
  // A declared domain and bins exclude each other: the flag replaces whichever the file has.
  done = set_each(policy, overrides.domains, [](ColumnPolicy& column, const auto& domain) {
    column.domain = domain;
    column.bins = {};
  });
  if (!done) return done;
  done = set_each(policy, overrides.bins, [](ColumnPolicy& column, const Binning& bins) {
    column.bins = bins;
    column.domain.clear();
  });
  if (!done) return done;
  policy.l = overrides.l.value_or(policy.l);
  policy.k = overrides.k.value_or(policy.k);
  policy.scheme = overrides.scheme.value_or(policy.scheme);
  policy.names_scheme = policy.names_scheme || overrides.scheme.has_value();
  if (auto problem = column_use_problem(policy); !problem.empty()) return wrong_use(problem);
  return check_one_id(policy);
}

}  // namespace rankveil::api

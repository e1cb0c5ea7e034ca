#include "rankveil/table/policy/policy.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <tuple>
#include <utility>

#include "rankveil/table/domain.h"
#include "rankveil/table/ids.h"
#include "rankveil/table/policy/policy_nodes.h"
#include "rankveil/table/policy/policy_people.h"
#include "rankveil/table/policy/policy_values.h"
#include "rankveil/table/toml/toml.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil {
namespace {

constexpr double smallest_weight = 1e-6, largest_weight = 1e6;

constexpr std::array<std::pair<Role, std::string_view>, 5> role_names = {{
    {Role::Id, "id"},
    {Role::Public, "public"},
    {Role::Private, "private"},
    {Role::Ignored, "ignored"},
    {Role::Undecided, "?"},
}};

using Keys = std::vector<std::string_view>;

// Reads the nodes of one document.
class Reader : private PolicyNodes {
 public:
  explicit Reader(std::string_view source) : PolicyNodes(source) {}

  Result<Policy> policy(const Toml& root) const;

 private:
  Result<ColumnPolicy> column(const TomlMember& section) const;
  Status fill(ColumnPolicy& column, const Toml& table) const;
  Result<std::vector<ColumnPolicy>> columns(const Toml& node) const;
  Result<Role> role(const Toml& node, const std::string& what) const;
  Result<double> weight(const Toml& node, const std::string& what) const;
  Result<double> epsilon(const Toml& node, const ColumnPolicy& column) const;
  Result<std::vector<std::string>> domain(const Toml& node, const std::string& what) const;
  Result<Binning> bins(const Toml& node, const std::string& what) const;
  Result<BinEdges> edges(const Toml& node, const std::string& what) const;
  Status one_id(const std::vector<ColumnPolicy>& columns) const;
  Result<std::vector<std::vector<std::string>>> ladder(const Toml& node) const;
  Result<std::vector<std::string>> rung(const Toml& node) const;
  Result<EstablishedRule> established(const Toml& node) const;
  Status check_ladder(const Policy& policy) const;
};

Result<Role> Reader::role(const Toml& node, const std::string& what) const {
  const auto* name = node.as_text();
  auto role = name == nullptr ? std::nullopt : role_from_name(*name);
  if (role) return *role;
  std::string given = name == nullptr ? "" : ", not " + toml_quoted(*name);
  return error(node, fmt::format("the role of {} must be \"id\", \"public\", \"private\", "
                                 "\"ignored\" or \"?\"{}",
                                 what, given));
}

Result<double> Reader::weight(const Toml& node, const std::string& what) const {
  auto number = node.as_number();
  if (number && *number >= smallest_weight && *number <= largest_weight) return *number;
  return error(node,
               fmt::format("the weight of {} must be a number from 0.000001 to 1000000", what));
}

Result<double> Reader::epsilon(const Toml& node, const ColumnPolicy& column) const {
  std::string what = "column " + toml_quoted(column.name);
  if (column.role != Role::Private) {
    return error(node, fmt::format("{} is {}, and only private columns have an epsilon; leave it "
                                   "out",
                                   what, role_name(column.role)));
  }
  auto number = node.as_number();
  if (number && *number > 0 && *number <= largest_epsilon) return *number;
  return error(node, fmt::format("the epsilon of {} must be a number above 0, at most {}; leave it "
                                 "out for what columns have by default",
                                 what, largest_epsilon));
}

Result<std::vector<std::string>> Reader::domain(const Toml& node, const std::string& what) const {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty() || list->size() > largest_domain) {
    return error(node, fmt::format("the domain of {} must be a list of 1 to {} values; leave it "
                                   "out to take the values of the data",
                                   what, largest_domain));
  }
  return values(node, "the domain of " + what);
}

Result<BinEdges> Reader::edges(const Toml& node, const std::string& what) const {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty() || list->size() >= largest_domain) {
    return error(node, fmt::format("the edges of {} must be a list of 1 to {} numbers", what,
                                   largest_domain - 1));
  }
  BinEdges bins;
  for (const Toml& item : *list) {
    auto edge = item.as_number();
    if (!edge || !std::isfinite(*edge)) {
      return error(item, fmt::format("the edges of {} must be finite numbers", what));
    }
    if (!bins.edges.empty() && *edge <= bins.edges.back()) {
      return error(item, fmt::format("the edges of {} must ascend, but {} comes after {}", what,
                                     *edge, bins.edges.back()));
    }
    bins.edges.push_back(*edge);
  }
  return bins;
}

Result<Binning> Reader::bins(const Toml& node, const std::string& what) const {
  const Keys known = {"edges", "equal_width", "quantiles"};
  const auto* table = node.as_table();
  if (table == nullptr || table->size() != 1) {
    return error(node, fmt::format("the bins of {} must be one of {{ edges = [18, 25] }}, {{ "
                                   "equal_width = 8 }} and {{ quantiles = 4 }}",
                                   what));
  }
  if (auto fine = only(node, known, "in the bins of " + what); !fine) return fine.error();
  const std::string& key = table->front().key;
  const Toml& value = table->front().value;
  if (key == "edges") {
    auto given = edges(value, what);
    return given ? Result<Binning>(std::move(*given)) : given.error();
  }
  auto count = whole(value, fmt::format("{} of {}", key, what), 2, largest_domain);
  if (!count) return count.error();
  Binning bins;
  if (key == "quantiles") {
    bins.emplace<Quantiles>(Quantiles{*count});
  } else {
    bins.emplace<EqualWidth>(EqualWidth{*count});
  }
  return bins;
}

Status Reader::fill(ColumnPolicy& column, const Toml& table) const {
  std::string what = "column " + toml_quoted(column.name);
  const Keys known = {"role",           "weight",  "domain",     "bins", "not_sensitive", "epsilon",
                      "sensitive_sets", "renamed", "known_from", "same", "missing"};
  if (auto fine = only(table, known, "in " + what); !fine) return fine;
  const auto role_of = [&](const Toml& node) { return role(node, what); };
  const auto weight_of = [&](const Toml& node) { return weight(node, what); };
  const auto domain_of = [&](const Toml& node) { return domain(node, what); };
  const auto bins_of = [&](const Toml& node) { return bins(node, what); };
  if (auto done = take(table, "role", column.role, role_of); !done) return done;
  if (auto done = take(table, "weight", column.weight, weight_of); !done) return done;
  if (auto done = take(table, "domain", column.domain, domain_of); !done) return done;
  if (auto done = take(table, "bins", column.bins, bins_of); !done) return done;
  const auto epsilon_of = [&](const Toml& node) { return epsilon(node, column); };
  if (auto done = take(table, "epsilon", column.epsilon, epsilon_of); !done) return done;
  return read_value_keys(*this, table, column);
}

Result<ColumnPolicy> Reader::column(const TomlMember& section) const {
  const auto& [name, line, node] = section;
  if (name.empty()) return toml_error(source(), line, "a column needs a name");
  std::string what = "column " + toml_quoted(name);
  if (node.find("role") == nullptr) {
    return toml_error(source(), line, what + " needs a role, such as role = \"public\"");
  }
  ColumnPolicy column{.name = name};
  if (auto done = fill(column, node); !done) return done.error();
  bool has_bins = !std::holds_alternative<std::monostate>(column.bins);
  if (has_bins && !column.domain.empty()) {
    return toml_error(source(), line,
                      what + " has a domain and bins; bins make their own domain, so keep one");
  }
  if (column.role == Role::Id && (has_bins || !column.domain.empty())) {
    return toml_error(source(), line, what + " is the id, which has neither domain nor bins");
  }
  return column;
}

Status Reader::one_id(const std::vector<ColumnPolicy>& columns) const {
  const ColumnPolicy* first = nullptr;
  for (const ColumnPolicy& column : columns) {
    if (column.role != Role::Id) continue;
    if (first != nullptr) {
      return bad_input(fmt::format("{}: columns {} and {} are both the id; keep one of them",
                                   source(), toml_quoted(first->name), toml_quoted(column.name)));
    }
    first = &column;
  }
  return {};
}

Result<std::vector<ColumnPolicy>> Reader::columns(const Toml& node) const {
  const auto* table = node.as_table();
  if (table == nullptr) {
    return error(node, "columns are written as sections such as [column.city]");
  }
  std::vector<ColumnPolicy> columns;
  for (const TomlMember& section : *table) {
    auto read = column(section);
    if (!read) return read.error();
    columns.push_back(std::move(*read));
  }
  if (auto fine = one_id(columns); !fine) return fine.error();
  return columns;
}

Result<std::vector<std::string>> Reader::rung(const Toml& node) const {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty()) {
    return error(node, "a rung of the ladder must be a list of public columns in quotes");
  }
  std::vector<std::string> columns;
  for (const Toml& item : *list) {
    auto name = text(item, "a column of the ladder");
    if (!name) return name.error();
    if (std::find(columns.begin(), columns.end(), *name) != columns.end()) {
      return error(item, fmt::format("{} stands twice in one rung", toml_quoted(*name)));
    }
    columns.push_back(std::move(*name));
  }
  return columns;
}

Result<std::vector<std::vector<std::string>>> Reader::ladder(const Toml& node) const {
  const auto* list = node.as_array();
  if (list == nullptr) {
    return error(node,
                 "the ladder must be a list of lists, such as [[\"city\", \"age\"], "
                 "[\"city\"]]");
  }
  std::vector<std::vector<std::string>> rungs;
  for (const Toml& item : *list) {
    auto columns = rung(item);
    if (!columns) return columns.error();
    rungs.push_back(std::move(*columns));
  }
  return rungs;
}

Result<EstablishedRule> Reader::established(const Toml& node) const {
  const Toml* is = node.find("is");
  const Toml* before = node.find("before");
  if (node.find("column") == nullptr || (is == nullptr) == (before == nullptr)) {
    return error(node,
                 "established must be { column = \"joined\", before = \"2026-01-01\" } or "
                 "{ column = \"checked\", is = \"yes\" }");
  }
  if (auto fine = only(node, {"column", "is", "before"}, "in established"); !fine) {
    return fine.error();
  }
  EstablishedRule rule;
  auto column = text(*node.find("column"), "the column of established");
  if (!column) return column.error();
  rule.column = std::move(*column);
  const Toml& limit = is != nullptr ? *is : *before;
  auto value = value_text(limit);
  if (!value || value->empty()) {
    return error(limit, "established takes a value or a date in quotes");
  }
  (is != nullptr ? rule.is : rule.before) = std::move(*value);
  return rule;
}

// Roles may still change by flags; a name that is no column at all cannot become one.
Status Reader::check_ladder(const Policy& policy) const {
  for (const auto& columns : policy.ladder) {
    for (const std::string& name : columns) {
      if (policy.find(name) == nullptr) {
        return bad_input(
            fmt::format("{}: the ladder names a column {}, which has no section; give "
                        "it one with a role",
                        source(), toml_quoted(name)));
      }
    }
  }
  for (std::size_t i = 1; i < policy.ladder.size(); ++i) {
    const auto& finer = policy.ladder[i - 1];
    const auto& rung = policy.ladder[i];
    bool coarser = rung.size() < finer.size() &&
                   std::all_of(rung.begin(), rung.end(), [&](const std::string& name) {
                     return std::find(finer.begin(), finer.end(), name) != finer.end();
                   });
    if (!coarser) {
      return bad_input(
          fmt::format("{}: every rung of the ladder must leave out columns of the one "
                      "before it, and name no others; rung {} does not",
                      source(), i + 1));
    }
  }
  return {};
}

Result<Policy> Reader::policy(const Toml& root) const {
  Keys known = {"l", "scheme", "k", "ladder", "established", "missing"};
  known.insert(known.end(), people_keys.begin(), people_keys.end());
  known.emplace_back("column");
  if (auto fine = only(root, known, "here"); !fine) return fine.error();
  constexpr std::uint32_t any = UINT32_MAX;
  const auto l_of = [&](const Toml& node) { return whole(node, "l", 2, largest_domain); };
  const auto scheme_of = [&](const Toml& node) { return text(node, "scheme"); };
  const auto k_of = [&](const Toml& node) { return whole(node, "k", 1, any); };
  const auto ladder_of = [&](const Toml& node) { return ladder(node); };
  const auto established_of = [&](const Toml& node) { return established(node); };
  const auto columns_of = [&](const Toml& node) { return columns(node); };
  Policy policy;
  if (auto done = take(root, "l", policy.l, l_of); !done) return done.error();
  if (auto done = take(root, "scheme", policy.scheme, scheme_of); !done) return done.error();
  policy.names_scheme = root.find("scheme") != nullptr;
  if (auto done = take(root, "k", policy.k, k_of); !done) return done.error();
  if (auto done = take(root, "ladder", policy.ladder, ladder_of); !done) return done.error();
  if (auto done = take(root, "established", policy.established, established_of); !done) {
    return done.error();
  }
  const auto missing_of = [&](const Toml& node) { return missing_words(*this, node, "here"); };
  if (auto done = take(root, "missing", policy.missing, missing_of); !done) return done.error();
  if (auto done = take(root, "column", policy.columns, columns_of); !done) return done.error();
  if (auto fine = check_ladder(policy); !fine) return fine.error();
  if (auto done = read_people_keys(*this, root, policy); !done) return done.error();
  return policy;
}

}  // namespace

std::string_view role_name(Role role) { return role_names[static_cast<std::size_t>(role)].second; }

std::optional<Role> role_from_name(std::string_view name) {
  for (const auto& [role, known] : role_names) {
    if (name == known) return role;
  }
  return std::nullopt;
}

bool EstablishedRule::accepts(std::string_view value) const {
  if (value.empty()) return false;
  return is ? value == *is : natural_order(value, *before);
}

bool Policy::operator==(const Policy& other) const {
  auto said = [](const Policy& one) {
    return std::tie(one.l, one.scheme, one.k, one.ladder, one.established, one.together, one.apart,
                    one.ids, one.ids_tell, one.person, one.time, one.consent, one.population,
                    one.batch_after_days, one.withdraw_after_days, one.missing, one.columns);
  };
  return said(*this) == said(other);
}

const ColumnPolicy* Policy::find(std::string_view column) const {
  for (const ColumnPolicy& candidate : columns) {
    if (candidate.name == column) return &candidate;
  }
  return nullptr;
}

std::vector<std::string> Policy::undecided() const {
  std::vector<std::string> names;
  for (const ColumnPolicy& column : columns) {
    if (column.role == Role::Undecided) names.push_back(column.name);
  }
  return names;
}

Policy policy_for_others(Policy policy) {
  for (ColumnPolicy& column : policy.columns) {
    column.not_sensitive.clear();
    column.sensitive_sets.clear();
    column.renamed.clear();
  }
  policy.established.reset();
  policy.person.clear();
  policy.time.clear();
  policy.consent.clear();
  return policy;
}

Result<Policy> parse_policy(std::string_view text, std::string_view source) {
  auto root = parse_toml(text, source, "a policy");
  if (!root) return root.error();
  return Reader(source).policy(*root);
}

}  // namespace rankveil

#include "rankveil/table/policy/policy_values.h"

#include <fmt/core.h>

#include <algorithm>
#include <set>

#include "rankveil/table/toml/toml_text.h"

namespace rankveil {
namespace {

using Values = std::vector<std::string>;

std::string called(const ColumnPolicy& column) { return "column " + toml_quoted(column.name); }

bool has_value(const Values& domain, const std::string& value) {
  return std::find(domain.begin(), domain.end(), value) != domain.end();
}

std::string lacking(const ColumnPolicy& column, const std::string& value, std::string_view key) {
  // Without a hint at what is meant: it would show a value of a private column.
  return fmt::format("{} has no value {}, which its {} names; correct it, or add it to the domain",
                     column.name, toml_quoted(value), key);
}

Status check_private(const PolicyNodes& nodes, const Toml& node, const ColumnPolicy& column,
                     std::string_view key) {
  if (column.role == Role::Private) return {};
  return nodes.error(node, fmt::format("{} is {}, and only private columns protect values; leave "
                                       "out its {}",
                                       called(column), role_name(column.role), key));
}

Result<Values> not_sensitive(const PolicyNodes& nodes, const Toml& node,
                             const std::string& column) {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty()) {
    return nodes.error(node, fmt::format("not_sensitive of {} must be a list of values, such as "
                                         "[\"no\", \"unknown\"]; leave it out to protect every "
                                         "value",
                                         column));
  }
  return nodes.values(node, "not_sensitive of " + column);
}

Result<std::vector<Values>> sensitive_sets(const PolicyNodes& nodes, const Toml& node,
                                           const std::string& column) {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty()) {
    return nodes.error(node, fmt::format("sensitive_sets of {} must be a list of lists of values, "
                                         "such as [[\"cancer\", \"hiv\"]]",
                                         column));
  }
  std::vector<Values> sets;
  std::set<std::set<std::string>> seen;
  for (const Toml& item : *list) {
    if (item.as_array() == nullptr || item.as_array()->size() < 2) {
      return nodes.error(item, fmt::format("a sensitive set of {} must be a list of two values or "
                                           "more; single values are protected anyway",
                                           column));
    }
    auto values = nodes.values(item, "a sensitive set of " + column);
    if (!values) return values.error();
    if (!seen.emplace(values->begin(), values->end()).second) {
      return nodes.error(item, "the same set stands twice in sensitive_sets of " + column);
    }
    sets.push_back(std::move(*values));
  }
  return sets;
}

Result<Values> known_from(const PolicyNodes& nodes, const Toml& node, const ColumnPolicy& column) {
  if (auto fine = check_private(nodes, node, column, "known_from"); !fine) return fine.error();
  const auto* list = node.as_array();
  if (list == nullptr || list->empty()) {
    return nodes.error(node, fmt::format("known_from of {} must be a list of public columns, such "
                                         "as [\"city\", \"age\"]; leave it out where none tells it",
                                         called(column)));
  }
  return nodes.names(node, "known_from of " + called(column));
}

using Renamed = std::vector<std::pair<std::string, std::string>>;

// What the list alone can tell about one more pair.
std::string pair_problem(const Renamed& before, const std::string& old, const std::string& now) {
  if (old.empty() || now.empty()) return "a missing value has no name to change";
  if (old == now) return fmt::format("{} is renamed to itself; leave it out", toml_quoted(old));
  for (const auto& [other_old, other_now] : before) {
    if (other_now == now) {
      return fmt::format(
          "{} and {} both become {}, which merges two values; rows with merged values are released "
          "anew only with --new-release",
          toml_quoted(other_old), toml_quoted(old), toml_quoted(now));
    }
    if (other_now == old || other_old == now) {
      return fmt::format("{} is both an old name and a new one; rename in two builds",
                         toml_quoted(other_now == old ? old : now));
    }
  }
  return "";
}

Result<Renamed> renamed(const PolicyNodes& nodes, const Toml& node, const ColumnPolicy& column) {
  const auto* table = node.as_table();
  if (table == nullptr || table->empty()) {
    return nodes.error(node, fmt::format("renamed of {} must be a section such as "
                                         "[column.{}.renamed] with lines \"old\" = \"new\"",
                                         called(column), toml_key(column.name)));
  }
  Renamed pairs;
  for (const TomlMember& member : *table) {
    auto now = value_text(member.value);
    if (!now) {
      return toml_error(nodes.source(), member.line,
                        fmt::format("the new name of {} in {} takes text; put it in quotes",
                                    toml_quoted(member.key), called(column)));
    }
    auto problem = pair_problem(pairs, member.key, *now);
    if (!problem.empty()) {
      return toml_error(nodes.source(), member.line,
                        fmt::format("in renamed of {}, {}", called(column), problem));
    }
    pairs.emplace_back(member.key, std::move(*now));
  }
  return pairs;
}

Result<std::vector<Values>> same_values(const PolicyNodes& nodes, const Toml& node,
                                        const std::string& column) {
  const auto* list = node.as_array();
  if (list == nullptr || list->empty()) {
    return nodes.error(node, fmt::format("same of {} must be a list of lists of values, such as "
                                         "[[\"DSL\", \"dsl\"]]",
                                         column));
  }
  std::vector<Values> lists;
  std::set<std::string> seen;
  for (const Toml& item : *list) {
    if (item.as_array() == nullptr || item.as_array()->size() < 2) {
      return nodes.error(item, fmt::format("a list in same of {} must have two values or more; "
                                           "they are read as the first",
                                           column));
    }
    auto values = nodes.values(item, "a list in same of " + column);
    if (!values) return values.error();
    for (const std::string& value : *values) {
      if (seen.insert(value).second) continue;
      return nodes.error(item, fmt::format("{} stands in two lists of same of {}; join them",
                                           toml_quoted(value), column));
    }
    lists.push_back(std::move(*values));
  }
  return lists;
}

// What a key says must be about a private column, and agree with a domain that is declared.
template <typename Problem>
Status check_key(const PolicyNodes& nodes, const Toml& section, const ColumnPolicy& column,
                 std::string_view key, Problem problem_with) {
  const Toml* node = section.find(key);
  if (node == nullptr) return {};
  if (auto fine = check_private(nodes, *node, column, key); !fine) return fine;
  if (column.domain.empty()) return {};
  std::string problem = problem_with(column, column.domain);
  return problem.empty() ? Status{} : nodes.error(*node, problem);
}

Status check_new_names(const PolicyNodes& nodes, const Toml& section, const ColumnPolicy& column) {
  if (column.domain.empty()) return {};
  for (const auto& [old, now] : column.renamed) {
    if (has_value(column.domain, now)) continue;
    return nodes.error(*section.find("renamed"), lacking(column, now, "renamed"));
  }
  return {};
}

}  // namespace

std::string not_sensitive_problem(const ColumnPolicy& column, const Values& domain) {
  for (const std::string& value : column.not_sensitive) {
    if (!has_value(domain, value)) return lacking(column, value, "not_sensitive");
  }
  if (column.not_sensitive.size() < domain.size()) return {};
  return fmt::format(
      "not_sensitive of {} names all of its values, so there is nothing to protect; leave some "
      "out, or make the column public",
      column.name);
}

std::string sensitive_sets_problem(const ColumnPolicy& column, const Values& domain) {
  for (const Values& set : column.sensitive_sets) {
    for (const std::string& value : set) {
      if (!has_value(domain, value)) return lacking(column, value, "sensitive_sets");
    }
    if (set.size() < domain.size()) continue;
    return fmt::format(
        "a sensitive set of {} has all of its values, so everybody knows that one of them holds; "
        "leave some out",
        column.name);
  }
  return {};
}

std::string renamed_problem(const ColumnPolicy& column, const Values& domain) {
  for (const auto& [old, now] : column.renamed) {
    if (!has_value(domain, old)) continue;
    return fmt::format(
        "{} still has the value {}, which its renamed calls an old name of {}; a value keeps its "
        "name, or gives it up in all rows and in the domain",
        column.name, toml_quoted(old), toml_quoted(now));
  }
  return {};
}

Result<Values> missing_words(const PolicyNodes& nodes, const Toml& node, const std::string& where) {
  if (node.as_array() == nullptr) {
    return nodes.error(
        node, fmt::format("missing {} must be a list of texts, such as [\"?\", \"n/a\"]", where));
  }
  return nodes.values(node, "missing " + where);
}

Status read_value_keys(const PolicyNodes& nodes, const Toml& section, ColumnPolicy& column) {
  std::string what = called(column);
  const auto same_of = [&](const Toml& node) { return same_values(nodes, node, what); };
  const auto missing_of = [&](const Toml& node) {
    return missing_words(nodes, node, "of " + what);
  };
  const auto spared_of = [&](const Toml& node) { return not_sensitive(nodes, node, what); };
  const auto sets_of = [&](const Toml& node) { return sensitive_sets(nodes, node, what); };
  const auto known_of = [&](const Toml& node) { return known_from(nodes, node, column); };
  const auto renamed_of = [&](const Toml& node) { return renamed(nodes, node, column); };
  auto done = take(section, "not_sensitive", column.not_sensitive, spared_of);
  if (done) done = take(section, "sensitive_sets", column.sensitive_sets, sets_of);
  if (done) done = take(section, "known_from", column.known_from, known_of);
  if (done) done = take(section, "renamed", column.renamed, renamed_of);
  if (done) done = take(section, "same", column.same, same_of);
  if (done) done = take(section, "missing", column.missing, missing_of);
  if (done) done = check_key(nodes, section, column, "not_sensitive", not_sensitive_problem);
  if (done) done = check_key(nodes, section, column, "sensitive_sets", sensitive_sets_problem);
  if (done) done = check_key(nodes, section, column, "renamed", renamed_problem);
  return done ? check_new_names(nodes, section, column) : done;
}

}  // namespace rankveil

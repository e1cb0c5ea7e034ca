#include "rankveil/table/policy/policy_people.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>

#include "rankveil/base/text/closest.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil {
namespace {

constexpr std::uint32_t max_days = 3650;
constexpr std::size_t longest_population = 64;
constexpr std::array<std::pair<IdForm, std::string_view>, 3> id_form_names = {{
    {IdForm::Plain, "plain"},
    {IdForm::Keyed, "keyed"},
    {IdForm::None, "none"},
}};

// ---- What keys say of columns. The same sentence where a line is known and where flags did it
// ----

std::string no_section(const Policy& policy, std::string_view key, const std::string& name) {
  std::vector<std::string> names;
  for (const ColumnPolicy& column : policy.columns) names.push_back(column.name);
  auto near = closest(name, names);
  return fmt::format(
      "{} names a column {}, which has no section; {}", key, toml_quoted(name),
      near ? "did you mean " + toml_quoted(*near) + "?" : std::string("give it one with a role"));
}

std::string coin_problem(const Policy& policy, const std::string& name, std::string_view key,
                         std::string_view what) {
  const ColumnPolicy* column = policy.find(name);
  if (column == nullptr) return no_section(policy, key, name);
  if (column->role == Role::Private) return "";
  return fmt::format(
      "{} names {}, which is {}; it {} private columns, as only those have coins, so leave it out",
      key, toml_quoted(name), role_name(column->role), what);
}

std::string joined_problem(const Policy& policy, const std::string& name) {
  return coin_problem(policy, name, "together", "joins");
}

std::string apart_problem(const Policy& policy, const std::string& name) {
  return coin_problem(policy, name, "apart", "lists");
}

std::string person_problem(const Policy& policy, const std::string& name) {
  const ColumnPolicy* column = policy.find(name);
  if (column == nullptr || column->role == Role::Public || column->role == Role::Ignored) return "";
  if (column->role == Role::Private) {
    return fmt::format(
        "person goes by {}, which is private: rows that change together would tell who shares a "
        "value; choose a column that may be known",
        toml_quoted(name));
  }
  return fmt::format(
      "person goes by {}, which is the id and different in every row, so each row is its own "
      "person "
      "anyway; leave person out",
      toml_quoted(name));
}

std::string time_problem(const Policy& policy, const std::string& name) {
  if (policy.person.empty()) {
    return fmt::format(
        "time puts the rows of a person in order by {}, and the policy has no person; add person = "
        "\"COLUMN\", or leave time out",
        toml_quoted(name));
  }
  const ColumnPolicy* column = policy.find(name);
  if (column == nullptr || column->role != Role::Private) return "";
  return fmt::format(
      "time goes by {}, which is private: the order of a person's rows would tell its values; "
      "choose "
      "a column that may be known",
      toml_quoted(name));
}

std::string consent_problem(const Policy& policy, const std::string& name) {
  const ColumnPolicy* column = policy.find(name);
  if (column == nullptr || column->role != Role::Private) return "";
  return fmt::format(
      "consent goes by {}, which is private: what a row shows tells what was chosen; choose a "
      "column "
      "that may be known",
      toml_quoted(name));
}

std::string fit_on_problem(const Policy& policy, const std::string& name) {
  const ColumnPolicy* column = policy.find(name);
  if (column == nullptr) return no_section(policy, "fit_on", name);
  if (column->role == Role::Public || column->role == Role::Ignored) return "";
  return fmt::format(
      "fit_on names {}, whose role is {}; it lists columns that a later file will show in public, "
      "so "
      "give it the role \"ignored\" until then, or leave it out",
      toml_quoted(name), toml_quoted(role_name(column->role)));
}

std::string known_from_problem(const Policy& policy, const std::string& name) {
  const ColumnPolicy* column = policy.find(name);
  if (column == nullptr) return no_section(policy, "known_from", name);
  if (column->role == Role::Public) return "";
  return fmt::format(
      "known_from names {}, whose role is {}; it lists public columns that tell a private one, so "
      "leave it out",
      toml_quoted(name), toml_quoted(role_name(column->role)));
}

using ColumnProblem = std::string (*)(const Policy&, const std::string&);

std::string first_problem(const Policy& policy, const std::vector<std::string>& names,
                          ColumnProblem problem_of) {
  for (const std::string& name : names) {
    std::string problem = name.empty() ? "" : problem_of(policy, name);
    if (!problem.empty()) return problem;
  }
  return "";
}

// ---- Reading ----

class PeopleReader {
 public:
  PeopleReader(const PolicyNodes& nodes, Policy& policy) : nodes_(nodes), policy_(policy) {}

  Status read(const Toml& root);

 private:
  Result<std::string> column(const Toml& node, const std::string& key, ColumnProblem problem) const;
  Result<std::vector<std::vector<std::string>>> together(const Toml& node) const;
  Result<std::vector<std::vector<std::string>>> apart(const Toml& node) const;
  Result<std::vector<std::string>> some_private(const Toml& node, std::string_view key,
                                                ColumnProblem problem_of) const;
  Status check_once(const Toml& item, const std::vector<std::vector<std::string>>& lists,
                    const std::vector<std::string>& columns) const;
  Result<IdForm> ids(const Toml& node) const;
  Result<PopulationRule> population(const Toml& node) const;
  Result<std::string> population_name(const Toml& node) const;
  Result<std::vector<std::string>> fit_on(const Toml& node) const;
  Result<std::uint32_t> days(const Toml& node, std::string_view key) const;

  const PolicyNodes& nodes_;
  Policy& policy_;
};

Result<std::string> PeopleReader::column(const Toml& node, const std::string& key,
                                         ColumnProblem problem_of) const {
  auto name = nodes_.text(node, "the column of " + key);
  if (!name) return name.error();
  std::string problem = problem_of(policy_, *name);
  if (!problem.empty()) return nodes_.error(node, problem);
  return name;
}

Result<std::vector<std::string>> PeopleReader::some_private(const Toml& node, std::string_view key,
                                                            ColumnProblem problem_of) const {
  if (node.as_array() == nullptr || node.as_array()->size() < 2) {
    return nodes_.error(
        node, fmt::format("a list of {} must name two private columns or more, in quotes", key));
  }
  auto columns = nodes_.names(node, fmt::format("one list of {}", key));
  if (!columns) return columns.error();
  for (std::size_t i = 0; i < columns->size(); ++i) {
    std::string problem = problem_of(policy_, (*columns)[i]);
    if (!problem.empty()) return nodes_.error((*node.as_array())[i], problem);
  }
  return columns;
}

// REQUIRES: the item lists these columns.
Status PeopleReader::check_once(const Toml& item,
                                const std::vector<std::vector<std::string>>& lists,
                                const std::vector<std::string>& columns) const {
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (const auto& other : lists) {
      if (std::find(other.begin(), other.end(), columns[i]) == other.end()) continue;
      return nodes_.error((*item.as_array())[i],
                          fmt::format("{} stands in two lists of together; a column has one coin, "
                                      "so join the lists, or keep it in one",
                                      toml_quoted(columns[i])));
    }
  }
  return {};
}

Result<std::vector<std::vector<std::string>>> PeopleReader::together(const Toml& node) const {
  if (node.as_array() == nullptr) {
    return nodes_.error(node,
                        "together must be a list of lists of private columns, such as [[\"race\", "
                        "\"birth_country\"]]");
  }
  std::vector<std::vector<std::string>> lists;
  for (const Toml& item : *node.as_array()) {
    auto columns = some_private(item, "together", joined_problem);
    if (!columns) return columns.error();
    if (auto once = check_once(item, lists, *columns); !once) return once.error();
    lists.push_back(std::move(*columns));
  }
  return lists;
}

Result<std::vector<std::vector<std::string>>> PeopleReader::apart(const Toml& node) const {
  if (node.as_array() == nullptr) {
    return nodes_.error(
        node, "apart must be a list of lists of private columns, such as [[\"pay\", \"grade\"]]");
  }
  std::vector<std::vector<std::string>> lists;
  for (const Toml& item : *node.as_array()) {
    auto columns = some_private(item, "apart", apart_problem);
    if (!columns) return columns.error();
    lists.push_back(std::move(*columns));
  }
  return lists;
}

Result<IdForm> PeopleReader::ids(const Toml& node) const {
  const auto* name = node.as_text();
  auto form = name == nullptr ? std::nullopt : id_form_from_name(*name);
  if (form) return *form;
  return nodes_.error(node, fmt::format("ids must be \"plain\", \"keyed\" or \"none\"{}",
                                        name == nullptr ? "" : ", not " + toml_quoted(*name)));
}

Result<std::string> PeopleReader::population_name(const Toml& node) const {
  auto name = nodes_.text(node, "the name of population");
  if (!name) return name.error();
  constexpr std::string_view allowed =
      "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_.";
  bool plain = name->size() <= longest_population && name->front() != '.' &&
               name->find_first_not_of(allowed) == std::string::npos;
  if (plain) return name;
  return nodes_.error(node,
                      fmt::format("{} cannot name a population, as a file is named by it; use "
                                  "up to {} letters, digits, '-', '_' and '.', no '.' first",
                                  toml_quoted(*name), longest_population));
}

Result<std::vector<std::string>> PeopleReader::fit_on(const Toml& node) const {
  if (node.as_array() == nullptr) {
    return nodes_.error(node, "fit_on must be a list of columns in quotes, such as [\"city\"]");
  }
  auto columns = nodes_.names(node, "fit_on");
  if (!columns) return columns.error();
  for (std::size_t i = 0; i < columns->size(); ++i) {
    std::string problem = fit_on_problem(policy_, (*columns)[i]);
    if (!problem.empty()) return nodes_.error((*node.as_array())[i], problem);
  }
  return columns;
}

Result<PopulationRule> PeopleReader::population(const Toml& node) const {
  if (node.as_table() == nullptr) {
    return nodes_.error(node,
                        "population must be a section such as [population] with a line name = "
                        "\"patients\"");
  }
  if (auto fine = nodes_.only(node, {"name", "fit_on", "ledger"}, "in [population]"); !fine) {
    return fine.error();
  }
  PopulationRule rule;
  const auto name_of = [&](const Toml& item) { return population_name(item); };
  const auto fit_of = [&](const Toml& item) { return fit_on(item); };
  const auto path_of = [&](const Toml& item) {
    return nodes_.text(item, "the ledger of population");
  };
  auto done = take(node, "name", rule.name, name_of);
  if (done) done = take(node, "fit_on", rule.fit_on, fit_of);
  if (done) done = take(node, "ledger", rule.ledger, path_of);
  if (!done) return done.error();
  return rule;
}

Result<std::uint32_t> PeopleReader::days(const Toml& node, std::string_view key) const {
  const auto* text = node.as_text();
  std::uint32_t count = 0;
  if (text != nullptr && text->ends_with('d')) {
    const char* last = text->data() + text->size() - 1;
    auto [end, problem] = std::from_chars(text->data(), last, count);
    if (problem != std::errc() || end != last) count = 0;
  }
  if (count >= 1 && count <= max_days) return count;
  return nodes_.error(
      node, fmt::format("{} must be days in quotes, from \"1d\" to \"{}d\"{}", key, max_days,
                        text == nullptr ? "" : ", not " + toml_quoted(*text)));
}

Status PeopleReader::read(const Toml& root) {
  const auto together_of = [&](const Toml& node) { return together(node); };
  const auto apart_of = [&](const Toml& node) { return apart(node); };
  const auto ids_of = [&](const Toml& node) { return ids(node); };
  const auto tell_of = [&](const Toml& node) { return nodes_.truth(node, "ids_tell"); };
  const auto person_of = [&](const Toml& node) { return column(node, "person", person_problem); };
  const auto time_of = [&](const Toml& node) { return column(node, "time", time_problem); };
  const auto consent_of = [&](const Toml& node) {
    return column(node, "consent", consent_problem);
  };
  const auto population_of = [&](const Toml& node) { return population(node); };
  const auto batch_of = [&](const Toml& node) { return days(node, "batch_after"); };
  const auto withdraw_of = [&](const Toml& node) { return days(node, "withdraw_after"); };
  auto done = take(root, "together", policy_.together, together_of);
  if (done) done = take(root, "apart", policy_.apart, apart_of);
  if (done) done = take(root, "ids", policy_.ids, ids_of);
  if (done) done = take(root, "ids_tell", policy_.ids_tell, tell_of);
  if (done) done = take(root, "person", policy_.person, person_of);
  if (done) done = take(root, "time", policy_.time, time_of);
  if (done) done = take(root, "consent", policy_.consent, consent_of);
  if (done) done = take(root, "population", policy_.population, population_of);
  if (done) done = take(root, "batch_after", policy_.batch_after_days, batch_of);
  if (done) done = take(root, "withdraw_after", policy_.withdraw_after_days, withdraw_of);
  return done;
}

}  // namespace

std::string_view id_form_name(IdForm form) {
  return id_form_names[static_cast<std::size_t>(form)].second;
}

std::optional<IdForm> id_form_from_name(std::string_view name) {
  for (const auto& [form, known] : id_form_names) {
    if (name == known) return form;
  }
  return std::nullopt;
}

std::string column_use_problem(const Policy& policy) {
  std::string problem;
  for (const auto& columns : policy.together) {
    if (problem.empty()) problem = first_problem(policy, columns, joined_problem);
  }
  for (const auto& columns : policy.apart) {
    if (problem.empty()) problem = first_problem(policy, columns, apart_problem);
  }
  if (problem.empty()) problem = first_problem(policy, {policy.person}, person_problem);
  if (problem.empty()) problem = first_problem(policy, {policy.time}, time_problem);
  if (problem.empty()) problem = first_problem(policy, {policy.consent}, consent_problem);
  for (const ColumnPolicy& column : policy.columns) {
    if (problem.empty()) problem = first_problem(policy, column.known_from, known_from_problem);
  }
  return problem.empty() ? first_problem(policy, policy.population.fit_on, fit_on_problem)
                         : problem;
}

Status read_people_keys(const PolicyNodes& nodes, const Toml& root, Policy& policy) {
  return PeopleReader(nodes, policy).read(root);
}

}  // namespace rankveil

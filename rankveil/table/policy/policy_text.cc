// Writing a policy as TOML. Reading is in policy.cc.
#include <fmt/core.h>

#include <algorithm>

#include "rankveil/table/policy/policy.h"
#include "rankveil/table/toml/toml_text.h"

namespace rankveil {
namespace {

// "[a, b, c]", broken into lines of about a hundred characters.
std::string list_of(const std::vector<std::string>& items) {
  constexpr std::size_t widest = 96;
  std::string list = "[";
  std::size_t width = 10;  // the key before it
  for (std::size_t i = 0; i < items.size(); ++i) {
    if (i > 0) list += ",";
    bool full = width + items[i].size() > widest;
    if (full) width = 0;
    list += full ? "\n  " : i > 0 ? " " : "";
    list += items[i];
    width += items[i].size() + 2;
  }
  return list + "]";
}

// Shortest digits that read back as the same number. TOML takes whole numbers for real ones.
std::string number_text(double number) { return fmt::format("{}", number + 0.0); }

struct BinsText {
  std::string operator()(std::monostate) const { return ""; }
  std::string operator()(const BinEdges& bins) const {
    std::vector<std::string> numbers;
    std::transform(bins.edges.begin(), bins.edges.end(), std::back_inserter(numbers), number_text);
    return fmt::format("bins = {{ edges = {} }}\n", list_of(numbers));
  }
  std::string operator()(const EqualWidth& bins) const {
    return fmt::format("bins = {{ equal_width = {} }}\n", bins.bins);
  }
  std::string operator()(const Quantiles& bins) const {
    return fmt::format("bins = {{ quantiles = {} }}\n", bins.bins);
  }
};

std::string comment_lines(std::string_view comment) {
  std::string lines;
  while (!comment.empty()) {
    std::string_view line = comment.substr(0, comment.find('\n'));
    lines += fmt::format("# {}\n", toml_comment_text(line));
    comment.remove_prefix(std::min(comment.size(), line.size() + 1));
  }
  return lines;
}

std::vector<std::string> all_quoted(const std::vector<std::string>& names) {
  std::vector<std::string> quoted;
  std::transform(names.begin(), names.end(), std::back_inserter(quoted), toml_quoted);
  return quoted;
}

std::string list_of_lists(const std::vector<std::vector<std::string>>& lists) {
  std::vector<std::string> texts;
  for (const auto& list : lists) texts.push_back(list_of(all_quoted(list)));
  return list_of(texts);
}

// What stands behind the keys of a column's section.
std::string value_keys(const ColumnPolicy& column) {
  std::string text;
  if (!column.same.empty()) text += fmt::format("same = {}\n", list_of_lists(column.same));
  if (column.missing) text += fmt::format("missing = {}\n", list_of(all_quoted(*column.missing)));
  if (!column.not_sensitive.empty()) {
    text += fmt::format("not_sensitive = {}\n", list_of(all_quoted(column.not_sensitive)));
  }
  if (!column.sensitive_sets.empty()) {
    text += fmt::format("sensitive_sets = {}\n", list_of_lists(column.sensitive_sets));
  }
  if (!column.known_from.empty()) {
    text += fmt::format("known_from = {}\n", list_of(all_quoted(column.known_from)));
  }
  if (column.renamed.empty()) return text;
  text += fmt::format("[column.{}.renamed]\n", toml_key(column.name));
  for (const auto& [old, now] : column.renamed) {
    text += fmt::format("{} = {}\n", toml_quoted(old), toml_quoted(now));
  }
  return text;
}

std::string section(const ColumnPolicy& column) {
  std::string text = fmt::format("[column.{}]\nrole = {}\n", toml_key(column.name),
                                 toml_quoted(role_name(column.role)));
  if (column.weight != 1) text += fmt::format("weight = {}\n", number_text(column.weight));
  if (!column.domain.empty()) {
    text += fmt::format("domain = {}\n", list_of(all_quoted(column.domain)));
  }
  text += std::visit(BinsText{}, column.bins);
  if (column.epsilon) text += fmt::format("epsilon = {}\n", number_text(*column.epsilon));
  return text + value_keys(column);
}

std::string cover_text(const Policy& policy) {
  std::string text;
  if (!policy.ladder.empty()) {
    text += "# coarser public columns, for rows whose own public group is small\n";
    text += fmt::format("ladder = {}\n", list_of_lists(policy.ladder));
  }
  if (policy.established) {
    const EstablishedRule& rule = *policy.established;
    text += "# only these rows serve others as cover\n";
    text += fmt::format("established = {{ column = {}, {} = {} }}\n", toml_quoted(rule.column),
                        rule.is ? "is" : "before", toml_quoted(rule.is ? *rule.is : *rule.before));
  }
  return text;
}

std::string column_key(std::string_view key, const std::string& column) {
  return column.empty() ? "" : fmt::format("{} = {}\n", key, toml_quoted(column));
}

std::string people_text(const Policy& policy) {
  std::string text = column_key("person", policy.person);
  text += column_key("time", policy.time);
  text += column_key("consent", policy.consent);
  if (!policy.together.empty()) {
    text += "# private columns that say nearly the same share a coin\n";
    text += fmt::format("together = {}\n", list_of_lists(policy.together));
  }
  if (policy.ids != IdForm::Plain) {
    text += fmt::format("ids = {}\n", toml_quoted(id_form_name(policy.ids)));
  }
  if (policy.ids_tell) text += "ids_tell = true\n";
  return text;
}

std::string waiting_text(const Policy& policy) {
  std::string text;
  if (policy.batch_after_days)
    text += fmt::format("batch_after = \"{}d\"\n", *policy.batch_after_days);
  if (policy.withdraw_after_days != Policy{}.withdraw_after_days) {
    text += fmt::format("withdraw_after = \"{}d\"\n", policy.withdraw_after_days);
  }
  return text;
}

std::string missing_text(const Policy& policy) {
  if (policy.missing.empty()) return "";
  return fmt::format("# what the table writes where there is no value\nmissing = {}\n",
                     list_of(all_quoted(policy.missing)));
}

// The scheme of a ranking elsewhere is a claim about what protects it, so it is written only where
// the policy names one.
std::string scheme_text(const Policy& policy) {
  if (policy.names_scheme || policy.scheme != Policy{}.scheme) {
    return fmt::format("scheme = {}\n", toml_quoted(policy.scheme));
  }
  return fmt::format(
      "# how rankveil protect hides private values; of a ranking elsewhere, what protects it, if "
      "so\n"
      "# scheme = {}\n",
      toml_quoted(policy.scheme));
}

std::string population_text(const PopulationRule& population) {
  if (population == PopulationRule{}) return "";
  std::string text = fmt::format("\n[population]\nname = {}\n", toml_quoted(population.name));
  if (!population.fit_on.empty()) {
    text += fmt::format("fit_on = {}\n", list_of(all_quoted(population.fit_on)));
  }
  return text + column_key("ledger", population.ledger);
}

}  // namespace

std::string to_toml(const Policy& policy, const std::vector<std::string>& comments) {
  std::string text = fmt::format(
      "# the promise: nobody gains more than 1/l, or l values stay possible, as the scheme has it\n"
      "l = {}\n"
      "{}"
      "# rows a query returns unless it says otherwise\n"
      "k = {}\n",
      policy.l, scheme_text(policy), policy.k);
  text += missing_text(policy) + cover_text(policy) + people_text(policy) + waiting_text(policy);
  text += population_text(policy.population);
  for (std::size_t i = 0; i < policy.columns.size(); ++i) {
    text += "\n";
    if (i < comments.size()) text += comment_lines(comments[i]);
    text += section(policy.columns[i]);
  }
  return text;
}

}  // namespace rankveil

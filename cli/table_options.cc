#include "cli/table_options.h"

#include <utility>

#include "rankveil/protect/scheme.h"

namespace rankveil::cli {

namespace {

void add_encoding(Options& options, api::TableInput& input) {
  options.text("--encoding", "NAME",
               "how a CSV file is written: utf-8 (the default), latin-1 or utf-16",
               input.source.encoding);
}

}  // namespace

void add_column_options(Options& options, const std::string& name, const std::string& help,
                        api::TableInput& input) {
  options.positional(name, help, input.source.path, Need::Optional);
  options.section("Source");
  options.text("--sql", "SELECT", "rank the rows of this query, over files or a DuckDB file",
               input.source.sql);
  options.text("--table", "NAME", "the table of a DuckDB file", input.source.table);
  add_encoding(options, input);
  options.number("--threads", "N", "cores to read with; 0 takes all", input.threads, 0, 1024);
  add_policy_options(options, input);
}

void add_policy_options(Options& options, api::TableInput& input) {
  options.section("Policy");
  options.text("--policy", "FILE", "what each column may be used for (TOML)", input.policy_path);
  options.flag("--accept-draft", "leave out columns whose role is still \"?\"", input.accept_draft);
  auto& overrides = input.overrides;
  using Text = const std::string&;
  options.each("--role", "COLUMN=ROLE", "id, public, private, ignored or ?",
               [&](Text text) { return add_role(overrides, text); });
  options.each("--weight", "COLUMN=NUMBER", "how much a match counts",
               [&](Text text) { return add_weight(overrides, text); });
  options.each("--domain", "COLUMN=A|B|C", "the values there are, in order",
               [&](Text text) { return add_domain(overrides, text); });
  options.each("--bins", "COLUMN=HOW",
               "numbers to categories: edges:18,25,35, width:8 or quantiles:4",
               [&](Text text) { return add_bins(overrides, text); });
}

void add_table_options(Options& options, const std::string& name, const std::string& help,
                       api::TableInput& input) {
  add_column_options(options, name, help, input);
  auto& overrides = input.overrides;
  options.number("--l", "N", "the promise: gain at most 1/l, or l possible values, by scheme",
                 overrides.l, 2, 65535);
  options.number("--k", "N", "rows a query returns unless it says otherwise", overrides.k, 1);
  add_scheme_name(options, "how private values are protected", overrides.scheme);
}

void add_scheme_name(Options& options, const std::string& help,
                     std::optional<std::string>& target) {
  options.text("--scheme", "NAME", help, target);
  std::vector<std::string> names;
  for (const Scheme& scheme : schemes()) names.emplace_back(scheme.name);
  options.choices("--scheme", names);
}

void add_truth_options(Options& options, api::TableInput& input, const std::string& help) {
  options.text("--table", "FILE", help, input.source.path);
  options.text("--sql", "SELECT", "the table is what this query gives, over files or a DuckDB file",
               input.source.sql);
  options.text("--duckdb-table", "NAME", "the table of a DuckDB file", input.source.table);
  add_encoding(options, input);
}

Status check_table_options(const api::TableInput& input) {
  const auto& source = input.source;
  if (source.path.empty() && source.sql.empty()) {
    return wrong_use("a table is needed: a file, or --sql with a SELECT");
  }
  if (!source.table.empty() && !source.sql.empty()) {
    return wrong_use("--table and --sql exclude each other");
  }
  return {};
}

}  // namespace rankveil::cli

// The options of every command that reads a table.
#pragma once

#include <optional>
#include <string>

#include "cli/options.h"
#include "rankveil/api/table_input.h"

namespace rankveil::cli {

// What a TABLE may be.
inline constexpr const char* table_files =
    ".csv, .tsv, .parquet, .json or .ndjson (also .gz), a DuckDB file, or - for standard input";

// Declares the positional TABLE (or `name`), --sql, --table, --policy and all that overrides it.
void add_table_options(Options& options, const std::string& name, const std::string& help,
                       api::TableInput& input);

// The same without --l, --k and --scheme, for commands to which only the columns matter.
void add_column_options(Options& options, const std::string& name, const std::string& help,
                        api::TableInput& input);

// --policy and all that overrides the roles, weights, domains and bins of columns.
void add_policy_options(Options& options, api::TableInput& input);

// --scheme, with the names there are.
void add_scheme_name(Options& options, const std::string& help, std::optional<std::string>& target);

// --table, --sql and --duckdb-table, for commands whose argument is something else.
void add_truth_options(Options& options, api::TableInput& input, const std::string& help);

// Refuses when there is no table at all.
Status check_table_options(const api::TableInput& input);

}  // namespace rankveil::cli

// The options of commands that rank a table by its numbers.
#pragma once

#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "cli/options.h"
#include "rankveil/api/publish.h"

namespace rankveil::cli {

// Declares --sql, --table, --rank-by, --score, --missing and --threads.
void add_ranking_options(Options& options, api::RankingInput& input);

// A real number: "0.7". Targets must outlive the parse.
void add_decimal(Options& options, const std::string& names, const std::string& value,
                 const std::string& help, double& target);
void add_decimal(Options& options, const std::string& names, const std::string& value,
                 const std::string& help, std::optional<double>& target);

// "age,team"; names may not hold commas. The option may be given again.
void add_names(Options& options, const std::string& names, const std::string& value,
               const std::string& help, std::vector<std::string>& target);

// --hierarchy team=teams.csv, several times.
void add_hierarchies(Options& options,
                     std::vector<std::pair<std::string, std::string>>& hierarchies);

// --l-diversity, --entropy-l-diversity, --t-closeness.
void add_diversity(Options& options, publish::Diversity& diversity);

// --ties include|cut.
void add_ties(Options& options, std::optional<publish::Ties>& target);

}  // namespace rankveil::cli

// The options that commands about graphs share.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "cli/options.h"
#include "rankveil/connect/source.h"
#include "rankveil/graphs/operations/graph_technique.h"

namespace rankveil::cli {

// Declares the positional EDGES, --sql and --table.
void add_graph_source(Options& options, connect::Source& source);
// Refuses when there is no graph at all.
Status check_graph_source(const connect::Source& source);

// Declares what the techniques can be told, but not which one.
void add_technique_options(Options& options, api::GraphTechnique& technique);

// An option whose value is a real number.
void add_real(Options& options, const std::string& name, const std::string& value,
              const std::string& help, double& target);
// "ca,be", "3,6,9", "0.1,0.5": an option whose value is a list.
void add_list(Options& options, const std::string& name, const std::string& value,
              const std::string& help, std::vector<std::string>& target);
void add_list(Options& options, const std::string& name, const std::string& value,
              const std::string& help, std::vector<std::uint32_t>& target);
void add_list(Options& options, const std::string& name, const std::string& value,
              const std::string& help, std::vector<double>& target);

}  // namespace rankveil::cli

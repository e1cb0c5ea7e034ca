// The texts of --help.
#pragma once

#include <string>

#include "cli/options.h"

namespace rankveil::cli {

// What rankveil says without a command: where to start, what there is.
std::string overview();
std::string graph_overview();

// Two columns within 80 characters, and the examples at the end.
std::string help_text(const Options& options, const std::string& summary);

// "  --name  text", the text wrapped under itself.
std::string help_line(const std::string& name, const std::string& text);

}  // namespace rankveil::cli

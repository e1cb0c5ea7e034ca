// Every command there is: its name, what it does in a line, and what declares its options.
#pragma once

#include <functional>
#include <span>
#include <string>
#include <vector>

#include "cli/commands.h"

namespace rankveil::cli {

struct Command {
  const char* name;  // "query", "graph attack"
  const char* summary;
  Run (*set_up)(Options&);  // none: a family of commands
};

// In the order of the overview.
std::span<const Command> commands();
// The family `graph`: names are "graph attack" and the like.
std::span<const Command> graph_commands();
// What a build without graphs (RANKVEIL_GRAPHS=OFF) has not: "bound", "graph". Else empty.
std::span<const char* const> commands_left_out();
// Options of rankveil itself, as the overview shows them: names and text.
std::span<const OptionHelp> global_options();

// Calls `take` with each command that runs (of families, their members) and all its options.
void for_each_command(const std::function<void(const Command&, const Options&)>& take);

// The names of those: "query", "graph attack".
std::vector<std::string> command_names();

}  // namespace rankveil::cli

#include "cli/command_table.h"

#include <array>

namespace rankveil::cli {

namespace {

constexpr std::array all_commands = {
    Command{"generate", "Make up a table of people, or of numbers to rank", set_up_generate},
    Command{"inspect", "Say what there is to know about a table or an index", set_up_inspect},
    Command{"index", "Turn a table into an unprotected index, to compare with", set_up_index},
    Command{"keygen", "Make the secret key that protection stands on", set_up_keygen},
    Command{"protect", "Turn a table into an index that keeps a promise", set_up_protect},
    Command{"doctor", "Say whether key, ledger, index and table belong together", set_up_doctor},
    Command{"query", "Rank the rows of an index", set_up_query},
    Command{"ids", "Say who the rows of an index with keyed names are", set_up_ids},
    Command{"profiles", "List what an index serves about each row", set_up_profiles},
#if RANKVEIL_GRAPHS
    Command{"bound", "Say what k-anonymity is worth against background knowledge", set_up_bound},
#endif
    Command{"publish", "Publish the top of a ranking as anonymous ranges", set_up_publish},
    Command{"check-publication", "Recount what was published against its table",
            set_up_check_publication},
    Command{"measure", "Say how far an index is from the true ranking", set_up_measure},
    Command{"compare", "Try all schemes on a table, and say which to take", set_up_compare},
    Command{"probe", "See whether a service's answers depend on hidden fields", set_up_probe},
    Command{"audit", "Attack a ranking, and say what it gives away", set_up_audit},
    Command{"replay", "Repeat the steps by which an audit proved a value", set_up_replay},
    Command{"verify", "Compute the numbers of an audit's report again", set_up_verify},
#if RANKVEIL_GRAPHS
    Command{"graph", "Release a friendship graph, and see who is identified in it", nullptr},
#endif
    Command{"schema", "Print what JSON and TOML files look like, as a JSON Schema", set_up_schema},
    Command{"completions", "Print what completes command lines in a shell", set_up_completions},
    Command{"man", "Print a manual page, or write all of them", set_up_man},
};

#if RANKVEIL_GRAPHS
constexpr std::array<const char*, 0> all_left_out = {};

constexpr std::array all_graph_commands = {
    Command{"graph inspect", "Say what there is to know about a graph", set_up_graph_inspect},
    Command{"graph anonymize", "Release a graph so that users hide among k",
            set_up_graph_anonymize},
    Command{"graph attack", "Say how many users of a release are identified", set_up_graph_attack},
    Command{"graph evaluate", "Hold techniques against attacks, side by side",
            set_up_graph_evaluate},
    Command{"graph generate", "Make up a graph", set_up_graph_generate},
};
#else
constexpr std::array all_left_out = {"bound", "graph"};

constexpr std::array<Command, 0> all_graph_commands = {};
#endif

}  // namespace

std::span<const Command> commands() { return all_commands; }

std::span<const Command> graph_commands() { return all_graph_commands; }

std::span<const char* const> commands_left_out() { return all_left_out; }

std::span<const OptionHelp> global_options() {
  static const std::array options = {
      OptionHelp{.section = "Options",
                 .names = "-h, --help",
                 .text = "print this help and exit",
                 .spellings = {"-h", "--help"}},
      OptionHelp{.section = "Options",
                 .names = "-V, --version",
                 .text = "print versions and instruction sets and exit; also with --json",
                 .spellings = {"-V", "--version"}},
  };
  return options;
}

void for_each_command(const std::function<void(const Command&, const Options&)>& take) {
  for (auto table : {commands(), graph_commands()}) {
    for (const Command& command : table) {
      if (command.set_up == nullptr) continue;
      Options options(command.name);
      Run owner = command.set_up(options);  // of what the options write to
      options.declare_help();
      take(command, options);
    }
  }
}

std::vector<std::string> command_names() {
  std::vector<std::string> names;
  for (auto table : {commands(), graph_commands()}) {
    for (const Command& command : table) {
      if (command.set_up != nullptr) names.emplace_back(command.name);
    }
  }
  return names;
}

}  // namespace rankveil::cli

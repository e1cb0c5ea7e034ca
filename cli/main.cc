// The rankveil command: a table of subcommands, and what they share.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <vector>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "rankveil/api/version.h"
#include "rankveil/base/closest.h"
#include "rankveil/base/temporary_files.h"

namespace rankveil::cli {
namespace {

struct Command {
  const char* name;
  const char* summary;
  Run (*set_up)(Options&);  // none: a family of commands
};

constexpr std::array commands = {
    Command{"generate", "Make up a table of people, or of numbers to rank", set_up_generate},
    Command{"inspect", "Say what there is to know about a table or an index", set_up_inspect},
    Command{"index", "Turn a table into an unprotected index, to compare with", set_up_index},
    Command{"keygen", "Make the secret key that protection stands on", set_up_keygen},
    Command{"protect", "Turn a table into an index that keeps a promise", set_up_protect},
    Command{"query", "Rank the rows of an index", set_up_query},
    Command{"ids", "Say who the rows of an index with keyed names are", set_up_ids},
    Command{"profiles", "List what an index serves about each row", set_up_profiles},
    Command{"bound", "Say what k-anonymity is worth against background knowledge", set_up_bound},
    Command{"publish", "Publish the top of a ranking as anonymous ranges", set_up_publish},
    Command{"check-publication", "Recount what was published against its table",
            set_up_check_publication},
    Command{"measure", "Say how far an index is from the true ranking", set_up_measure},
    Command{"compare", "Try all schemes on a table, and say which to take", set_up_compare},
    Command{"probe", "See whether a service's answers depend on hidden fields", set_up_probe},
    Command{"audit", "Attack a ranking, and say what it gives away", set_up_audit},
    Command{"replay", "Repeat the steps by which an audit proved a value", set_up_replay},
    Command{"verify", "Compute the numbers of an audit's report again", set_up_verify},
    Command{"graph", "Release a friendship graph, and see who is identified in it", nullptr},
};

constexpr std::array graph_commands = {
    Command{"graph inspect", "Say what there is to know about a graph", set_up_graph_inspect},
    Command{"graph anonymize", "Release a graph so that users hide among k",
            set_up_graph_anonymize},
    Command{"graph attack", "Say how many users of a release are identified", set_up_graph_attack},
    Command{"graph evaluate", "Hold techniques against attacks, side by side",
            set_up_graph_evaluate},
    Command{"graph generate", "Make up a graph", set_up_graph_generate},
};

std::string overview() {
  std::string text =
      "Rankveil ranks rows by private attributes.\n\n"
      "Usage: rankveil COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands) text += help_line(command.name, command.summary);
  return text + "\nOptions:\n" + help_line("-h, --help", "print this help and exit") +
         help_line("--version", "print versions and instruction sets and exit; also with --json") +
         "\nExample:\n"
         "  rankveil generate people -o people.csv\n"
         "  rankveil keygen people.key\n"
         "  rankveil protect people.csv --policy people.toml --key people.key -o people.rankveil\n"
         "  rankveil query people.rankveil --where city=Paris\n"
         "\nrankveil COMMAND --help tells more about each.\n";
}

int refuse_command(const std::string& name) {
  std::vector<std::string> names;
  names.reserve(commands.size());
  for (const Command& command : commands) names.emplace_back(command.name);
  auto near = closest(name, names);
  say_error(fmt::format("there is no command \"{}\"; {}", name,
                        near ? "did you mean " + *near + "?" : "see rankveil --help"));
  return exit_code(ErrorCode::WrongUse);
}

int run_command(const Command& command, const std::vector<std::string>& arguments) {
  Options options(command.name);
  Run run = command.set_up(options);
  Status parsed = options.parse(arguments);
  if (!parsed) return fail(parsed.error());
  if (options.help_wanted()) {
    print(help_text(options, command.summary));
    return exit_ok;
  }
  return run();
}

std::string graph_overview() {
  std::string text =
      "Rankveil releases friendship graphs and attacks them.\n\n"
      "Usage: rankveil graph COMMAND [options]\n\nCommands:\n";
  for (const Command& command : graph_commands) text += help_line(command.name, command.summary);
  return text +
         "\nExample:\n"
         "  rankveil graph generate chung-lu -o friends.csv\n"
         "  rankveil graph anonymize friends.csv -k 6 -o sets.ndjson\n"
         "  rankveil graph evaluate friends.csv --html friends.html\n"
         "\nrankveil graph COMMAND --help tells more about each.\n";
}

int run_graph(std::vector<std::string> arguments) {
  std::string name = arguments.empty() ? "" : arguments.front();
  if (name == "-h" || name == "--help" || name == "help") {
    print(graph_overview());
    return exit_ok;
  }
  std::vector<std::string> names;
  for (const Command& command : graph_commands) {
    names.emplace_back(std::string(command.name).substr(6));
    if (name != names.back()) continue;
    arguments.erase(arguments.begin());
    return run_command(command, arguments);
  }
  auto near = closest(name, names);
  say_error(name.empty() ? std::string("graph needs a command; see rankveil graph --help")
                         : fmt::format("there is no command \"graph {}\"; {}", name,
                                       near ? "did you mean graph " + *near + "?"
                                            : "see rankveil graph --help"));
  return exit_code(ErrorCode::WrongUse);
}

int show_version(const std::vector<std::string>& arguments) {
  api::VersionInfo info = api::version();
  bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  print(json ? to_json(info).dump() + "\n" : to_text(info));
  for (const std::string& warning : info.warnings) say_warning(warning);
  return exit_ok;
}

int dispatch(std::vector<std::string> arguments) {
  if (arguments.empty()) {
    std::string text = overview();
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_code(ErrorCode::WrongUse);
  }
  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "--version") return show_version(arguments);
  if (name == "-h" || name == "--help" || name == "help") {
    print(overview());
    return exit_ok;
  }
  for (const Command& command : commands) {
    if (name != command.name) continue;
    return command.set_up == nullptr ? run_graph(arguments) : run_command(command, arguments);
  }
  return refuse_command(name);
}

}  // namespace
}  // namespace rankveil::cli

namespace {

// An exception that nobody caught, on any thread: memory that is not there, or that the command may
// not have (ulimit -v).
void end_without_memory() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    rankveil::remove_temporaries();
    rankveil::cli::say_error(
        "there is not enough memory for this; give it more, or fewer rows or columns");
    // Libraries that end in good order may ask for memory again, and wait for it forever.
    std::_Exit(rankveil::cli::exit_out_of_memory);
  } catch (...) {
    std::abort();
  }
}

// Told to stop (Ctrl-C): no half written file stays behind. Whoever waits for us sees the signal,
// and a shell calls that 128 and its number: 130.
void stop(int signal) {
  rankveil::remove_temporaries();
  std::signal(signal, SIG_DFL);
  std::raise(signal);
}

}  // namespace

int main(int argc, char** argv) {
  std::set_terminate(end_without_memory);
  for (int signal : {SIGINT, SIGTERM, SIGHUP}) {
    // Whoever started us may want us to ignore it (nohup).
    if (std::signal(signal, stop) == SIG_IGN) std::signal(signal, SIG_IGN);
  }
  // A reader that has enough (| head) and a file beyond its limit (ulimit -f) show up as failed
  // writes, not as signals.
  for (int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);
  int code = rankveil::cli::dispatch(std::vector<std::string>(argv + 1, argv + argc));
  int output = rankveil::cli::finish_output();
  return code == rankveil::cli::exit_ok ? output : code;
}

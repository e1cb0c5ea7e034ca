// The rankveil command: a table of subcommands, and what they share.
#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <new>
#include <string>
#include <system_error>
#include <vector>

#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "cli/help.h"
#include "cli/terminal.h"
#include "rankveil/api/version.h"
#include "rankveil/base/files/temporary_files.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/connect/database.h"

namespace rankveil::cli {
namespace {

int refuse_command(const std::string& name) {
  std::vector<std::string> names;
  for (const Command& command : commands()) names.emplace_back(command.name);
  return fail(wrong_use(fmt::format("there is no command \"{}\"; {}", name,
                                    did_you_mean(name, names, "see rankveil --help"))));
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

int run_graph(std::vector<std::string> arguments) {
  std::string name = arguments.empty() ? "" : arguments.front();
  if (name == "-h" || name == "--help" || name == "help") {
    print(graph_overview());
    return exit_ok;
  }
  std::vector<std::string> names;
  for (const Command& command : graph_commands()) {
    names.emplace_back(std::string(command.name).substr(6));
    if (name != names.back()) continue;
    arguments.erase(arguments.begin());
    return run_command(command, arguments);
  }
  auto near = closest(name, names);
  return fail(wrong_use(
      name.empty()
          ? std::string("graph needs a command; see rankveil graph --help")
          : fmt::format("there is no command \"graph {}\"; {}", name,
                        near ? "did you mean graph " + *near + "?" : "see rankveil graph --help")));
}

int show_version(const std::vector<std::string>& arguments) {
  api::VersionInfo info = api::version();
  bool json = std::find(arguments.begin(), arguments.end(), "--json") != arguments.end();
  print(json ? to_json(info).dump() + "\n" : to_text(info));
  for (const std::string& warning : info.warnings) say_warning(warning);
  return exit_ok;
}

int dispatch(std::vector<std::string> arguments) {
  if (std::ranges::find(arguments, "--json") != arguments.end()) errors_as_json();
  // Before any command can repeat it in a message. "--target=postgres://..." is of two parts.
  for (const std::string& argument : arguments) {
    const std::size_t sign = argument.starts_with("--") ? argument.find('=') : std::string::npos;
    auto fine =
        connect::refuse_password(sign == std::string::npos ? argument : argument.substr(sign + 1));
    if (!fine) return fail(fine.error());
  }
  if (arguments.empty()) {
    std::string text = overview();
    std::fwrite(text.data(), 1, text.size(), stderr);
    return exit_code(ErrorCode::WrongUse);
  }
  std::string name = arguments.front();
  arguments.erase(arguments.begin());
  if (name == "help" && !arguments.empty()) {  // "help query" is "query --help"
    arguments.emplace_back("--help");
    return dispatch(arguments);
  }
  if (name == "-V" || name == "--version") return show_version(arguments);
  if (name == "-h" || name == "--help" || name == "help") {
    print(overview());
    return exit_ok;
  }
  for (const Command& command : commands()) {
    if (name != command.name) continue;
    return command.set_up == nullptr ? run_graph(arguments) : run_command(command, arguments);
  }
  return refuse_command(name);
}

}  // namespace
}  // namespace rankveil::cli

namespace {

void say_no_memory_and_exit() {
  rankveil::remove_temporaries();
  rankveil::cli::say_error(
      "there is not enough memory for this; give it more, or fewer rows or columns");
  // Libraries that end in good order may ask for memory again, and wait for it forever.
  std::_Exit(rankveil::cli::exit_out_of_memory);
}

// An exception that nobody caught, on any thread: memory that is not there, or that the command may
// not have (ulimit -v). A thread without room for its stack says it in other words.
void end_without_memory() {
  try {
    std::rethrow_exception(std::current_exception());
  } catch (const std::bad_alloc&) {
    say_no_memory_and_exit();
  } catch (const std::system_error& error) {
    if (error.code() == std::errc::resource_unavailable_try_again) say_no_memory_and_exit();
    std::abort();
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

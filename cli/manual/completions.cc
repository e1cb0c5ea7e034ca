// rankveil completions: what completes command lines in bash, zsh and fish.
#include "cli/manual/completions.h"

#include <fmt/core.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <array>
#include <memory>

#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "cli/terminal.h"

namespace rankveil::cli {

namespace {

constexpr std::array<std::string_view, 3> shells = {"bash", "zsh", "fish"};

bool is_option(const OptionHelp& line) { return !line.spellings.empty(); }

// What a value is, as far as a shell can help with it.
enum class ValueKind { None, Choice, File, Other };

ValueKind kind_of(const OptionHelp& option) {
  if (option.value.empty()) return ValueKind::None;
  if (!option.choices.empty()) return ValueKind::Choice;
  bool file = option.value == "FILE" || option.value == "FOLDER" || option.value == "EDGES";
  return file ? ValueKind::File : ValueKind::Other;
}

// The values of the argument that is no option. None: it is a file.
std::vector<std::string> argument_choices(const Options& options) {
  for (const OptionHelp& line : options.help()) {
    if (line.section == "Arguments" && !line.choices.empty()) return line.choices;
  }
  return {};
}

std::vector<std::string> names_in_overview() {
  std::vector<std::string> names = {"help"};
  for (const Command& command : commands()) names.emplace_back(command.name);
  return names;
}

// "attack" of "graph attack".
std::string_view last_word(std::string_view name) { return name.substr(name.rfind(' ') + 1); }

std::vector<std::string> graph_words() {
  std::vector<std::string> words;
  for (const Command& command : graph_commands()) words.emplace_back(last_word(command.name));
  return words;
}

std::vector<std::string> all_spellings(std::span<const OptionHelp> options) {
  std::vector<std::string> all;
  for (const OptionHelp& option : options) {
    all.insert(all.end(), option.spellings.begin(), option.spellings.end());
  }
  return all;
}

std::string replaced(std::string_view text, char what, std::string_view with) {
  std::string result;
  for (char c : text) result += c == what ? std::string(with) : std::string(1, c);
  return result;
}

// ---- bash ----

constexpr std::string_view bash_frame = R"(
_rankveil() {
  local word=${COMP_WORDS[COMP_CWORD]} before=${COMP_WORDS[COMP_CWORD - 1]}
  local first=1 command= offered
  [[ ${COMP_WORDS[1]} == help ]] && first=2
  (( COMP_CWORD > first )) && command=${COMP_WORDS[first]}
  if [[ $command == graph ]] && (( COMP_CWORD > first + 1 )); then
    command="graph ${COMP_WORDS[first + 1]}"
  fi
  COMPREPLY=()
  offered=$(_rankveil_values "$command" "$before")
  if [[ -z $offered ]]; then
    if [[ $word == -* || -z $command || $command == graph ]]; then
      offered=$(_rankveil_words "$command")
    else
      offered=$(_rankveil_arguments "$command")
    fi
  fi
  case $offered in
    FILES)
      compopt -o filenames 2>/dev/null
      mapfile -t COMPREPLY < <(compgen -f -- "$word")
      ;;
    ANYTHING) ;;
    *) mapfile -t COMPREPLY < <(compgen -W "$offered" -- "$word") ;;
  esac
}
complete -F _rankveil rankveil
)";

std::string bash_values(const Command& command, const Options& options) {
  std::string lines;
  for (const OptionHelp& option : options.help()) {
    ValueKind kind = kind_of(option);
    if (!is_option(option) || kind == ValueKind::None) continue;
    std::vector<std::string> patterns;
    for (const std::string& spelling : option.spellings) {
      patterns.push_back(fmt::format("'{} {}'", command.name, spelling));
    }
    lines +=
        fmt::format("    {}) echo '{}' ;;\n", fmt::join(patterns, " | "),
                    kind == ValueKind::Choice ? fmt::format("{}", fmt::join(option.choices, " "))
                    : kind == ValueKind::File ? "FILES"
                                              : "ANYTHING");
  }
  return lines;
}

std::string bash_script() {
  std::string words, values, arguments;
  words = fmt::format(
      "    '') echo '{} {}' ;;\n    graph) echo '{}' ;;\n", fmt::join(names_in_overview(), " "),
      fmt::join(all_spellings(global_options()), " "), fmt::join(graph_words(), " "));
  for_each_command([&](const Command& command, const Options& options) {
    words += fmt::format("    '{}') echo '{}' ;;\n", command.name,
                         fmt::join(all_spellings(options.help()), " "));
    values += bash_values(command, options);
    auto choices = argument_choices(options);
    if (!choices.empty()) {
      arguments += fmt::format("    '{}') echo '{}' ;;\n", command.name, fmt::join(choices, " "));
    }
  });
  std::string text =
      "# Completes command lines of rankveil in bash. Made by: rankveil completions bash\n";
  text += "\n# The options of a command; the commands where there is none yet.\n";
  text += "_rankveil_words() {\n  case $1 in\n" + words + "  esac\n}\n";
  text +=
      "\n# What follows an option: words, FILES, ANYTHING, or nothing where it takes no value.\n";
  text += "_rankveil_values() {\n  case \"$1 $2\" in\n" + values + "  esac\n}\n";
  text +=
      "\n_rankveil_arguments() {\n  case $1 in\n" + arguments + "    *) echo FILES ;;\n  esac\n}\n";
  return text + std::string(bash_frame);
}

// ---- zsh ----

constexpr std::string_view zsh_frame = R"(
_rankveil() {
  local at=2
  [[ $words[2] == help ]] && at=3
  if (( CURRENT == at )); then
    _rankveil_commands
    return
  fi
  local command=$words[at]
  if [[ $command == graph ]]; then
    if (( CURRENT == at + 1 )); then
      _rankveil_graph_commands
      return
    fi
    command="graph $words[at + 1]"
    (( at++ ))
  fi
  shift $(( at - 1 )) words
  (( CURRENT -= at - 1 ))
  _rankveil_options "$command"
}
if [[ $funcstack[1] == _rankveil ]]; then
  _rankveil "$@"
else
  compdef _rankveil rankveil
fi
)";

std::string in_quotes(std::string_view text) { return "'" + replaced(text, '\'', "'\\''") + "'"; }

std::string zsh_explanation(std::string_view text) {
  return replaced(replaced(replaced(text, '\\', "\\\\"), '[', "\\["), ']', "\\]");
}

std::string zsh_action(const OptionHelp& option) {
  switch (kind_of(option)) {
    case ValueKind::None:
      return "";
    case ValueKind::Choice:
      return fmt::format(":{}:({})", option.value, fmt::join(option.choices, " "));
    case ValueKind::File:
      return fmt::format(":{}:_files", option.value);
    case ValueKind::Other:
      return fmt::format(":{}: ", replaced(option.value, ':', "\\:"));
  }
  return "";
}

std::string zsh_option(const OptionHelp& option) {
  std::string others = fmt::format("({})", fmt::join(option.spellings, " "));
  std::string front = option.repeats ? "*" : option.spellings.size() > 1 ? others : "";
  std::string specs;
  for (const std::string& spelling : option.spellings) {
    specs += " \\\n        " + in_quotes(front + spelling + "[" + zsh_explanation(option.text) +
                                         "]" + zsh_action(option));
  }
  return specs;
}

std::string zsh_list(const std::string& function, std::span<const Command> table) {
  std::string text = "\n" + function + "() {\n  local -a commands=(\n";
  for (const Command& command : table) {
    text +=
        "    " + in_quotes(fmt::format("{}:{}", last_word(command.name), command.summary)) + "\n";
  }
  return text + "  )\n  _describe command commands\n";
}

std::string zsh_script() {
  std::string text =
      "#compdef rankveil\n"
      "# Completes command lines of rankveil in zsh. Made by: rankveil completions zsh\n";
  text += zsh_list("_rankveil_commands", commands()) + "  _arguments";
  for (const OptionHelp& option : global_options()) text += zsh_option(option);
  text += "\n}\n" + zsh_list("_rankveil_graph_commands", graph_commands()) + "}\n";
  text += "\n_rankveil_options() {\n  case $1 in\n";
  for_each_command([&](const Command& command, const Options& options) {
    text += fmt::format("    '{}')\n      _arguments", command.name);
    for (const OptionHelp& option : options.help()) {
      if (is_option(option)) text += zsh_option(option);
    }
    auto choices = argument_choices(options);
    text += " \\\n        " +
            (choices.empty() ? std::string("'*:file:_files'")
                             : in_quotes(fmt::format("1:which:({})", fmt::join(choices, " "))));
    text += "\n      ;;\n";
  });
  return text + "  esac\n}\n" + std::string(zsh_frame);
}

// ---- fish ----

constexpr std::string_view fish_frame = R"(
# Whether the line so far is of this command: one word or two; none: no command was named.
function __rankveil_at
  set -l words (commandline -opc)
  set -e words[1]
  test "$words[1]" = help; and set -e words[1]
  for word in $argv
    test "$words[1]" = "$word"; or return 1
    set -e words[1]
  end
  test (count $argv) -gt 0; or test (count $words) -eq 0
end

# Whether a command of the family is still to be named.
function __rankveil_family
  set -l words (commandline -opc)
  set -e words[1]
  test "$words[1]" = help; and set -e words[1]
  test (count $words) -eq 1; and test "$words[1]" = $argv[1]
end

complete -c rankveil -f
)";

std::string fish_word(std::string_view text) {
  return "'" + replaced(replaced(text, '\\', "\\\\"), '\'', "\\'") + "'";
}

std::string fish_option(const std::string& condition, const OptionHelp& option) {
  std::string line = "complete -c rankveil -n " + fish_word(condition);
  for (const std::string& spelling : option.spellings) {
    line += spelling.starts_with("--") ? " -l " + spelling.substr(2) : " -s " + spelling.substr(1);
  }
  switch (kind_of(option)) {
    case ValueKind::None:
      break;
    case ValueKind::Choice:
      line += " -x -a " + fish_word(fmt::format("{}", fmt::join(option.choices, " ")));
      break;
    case ValueKind::File:
      line += " -r -F";
      break;
    case ValueKind::Other:
      line += " -x";
      break;
  }
  return line + " -d " + fish_word(option.text) + "\n";
}

std::string fish_commands(const std::string& condition, std::span<const Command> table) {
  std::string lines;
  for (const Command& command : table) {
    lines += fmt::format("complete -c rankveil -n {} -a {} -d {}\n", fish_word(condition),
                         last_word(command.name), fish_word(command.summary));
  }
  return lines;
}

std::string fish_script() {
  std::string text =
      "# Completes command lines of rankveil in fish. Made by: rankveil completions fish\n";
  text += fish_frame;
  text += fish_commands("__rankveil_at", commands());
  text += "complete -c rankveil -n __rankveil_at -a help -d 'Tell more about a command'\n";
  for (const OptionHelp& option : global_options()) text += fish_option("__rankveil_at", option);
  text += fish_commands("__rankveil_family graph", graph_commands());
  for_each_command([&](const Command& command, const Options& options) {
    std::string at = fmt::format("__rankveil_at {}", command.name);
    for (const OptionHelp& option : options.help()) {
      if (is_option(option)) text += fish_option(at, option);
    }
    auto choices = argument_choices(options);
    text += "complete -c rankveil -n " + fish_word(at);
    text += choices.empty() ? " -F\n"
                            : " -a " + fish_word(fmt::format("{}", fmt::join(choices, " "))) + "\n";
  });
  return text;
}

}  // namespace

std::span<const std::string_view> known_shells() { return shells; }

Result<std::string> completions_for(std::string_view shell) {
  if (shell == "bash") return bash_script();
  if (shell == "zsh") return zsh_script();
  if (shell == "fish") return fish_script();
  return wrong_use(fmt::format("there are completions for {}, not for \"{}\"",
                               fmt::join(known_shells(), ", "), shell));
}

Run set_up_completions(Options& options) {
  auto shell = std::make_shared<std::string>();
  options.positional("SHELL", "bash, zsh or fish", *shell);
  options.choices("SHELL", {shells.begin(), shells.end()});
  options.example("source <(rankveil completions bash)");
  options.example("rankveil completions zsh >~/.zfunc/_rankveil");
  options.example("rankveil completions fish >~/.config/fish/completions/rankveil.fish");
  return [shell] {
    auto script = completions_for(*shell);
    if (!script) return fail(script.error());
    print(*script);
    return exit_ok;
  };
}

}  // namespace rankveil::cli

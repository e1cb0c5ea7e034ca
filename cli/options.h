// What a subcommand can be told: declared once, parsed, checked and shown by --help.
//
//   struct Told { std::string table; std::uint32_t top = 3; bool json = false; };
//   options.positional("TABLE", "a table", told.table);
//   options.number("--top", "N", "values shown of each attribute", told.top);
//   options.flag("--json", "print JSON", told.json);
//
// Targets must outlive the parse. Their values when declared are the defaults.
#pragma once

#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::cli {

enum class Need { Optional, Required };

// One line of --help.
struct OptionHelp {
  std::string section;
  std::string names;  // "-k, --top N"
  std::string text;
  std::vector<std::string> spellings = {};  // "-k", "--top"; none: no option
  std::string value = {};                   // "N"; empty: the option takes none
  std::vector<std::string> choices = {};    // the values there are; none: any
  bool repeats = false;
};

// "a,b" as {"a", "b"}; what is empty is passed over.
std::vector<std::string> words_of(const std::string& text);

class Options {
 public:
  // Takes one text and says what is wrong with it.
  using Take = std::function<Status(const std::string& text)>;

  explicit Options(std::string command);
  ~Options();
  Options(const Options&) = delete;
  Options& operator=(const Options&) = delete;

  // Names as "-k,--top"; `value` is what help calls the value.
  void positional(const std::string& name, const std::string& help, std::string& target,
                  Need need = Need::Required);
  void flag(const std::string& names, const std::string& help, bool& target);
  void text(const std::string& names, const std::string& value, const std::string& help,
            std::string& target, Need need = Need::Optional);
  void text(const std::string& names, const std::string& value, const std::string& help,
            std::optional<std::string>& target);
  void number(const std::string& names, const std::string& value, const std::string& help,
              std::uint32_t& target, std::uint32_t least = 0, std::uint32_t most = UINT32_MAX);
  void number(const std::string& names, const std::string& value, const std::string& help,
              std::uint64_t& target);  // up to 2^63 - 1, as reports can say it
  void number(const std::string& names, const std::string& value, const std::string& help,
              std::optional<std::uint64_t>& target);
  void number(const std::string& names, const std::string& value, const std::string& help,
              std::optional<std::uint32_t>& target, std::uint32_t least,
              std::uint32_t most = UINT32_MAX);
  // The text goes to `take`.
  void once(const std::string& names, const std::string& value, const std::string& help, Take take);
  // May be given several times; each text goes to `take`.
  void each(const std::string& names, const std::string& value, const std::string& help, Take take);

  // Names that are no options: whoever gives one is told `sentence`.
  void refuse(const std::vector<std::string>& names, const std::string& sentence);

  // The values that `name` takes, for those who complete command lines; it still takes others.
  void choices(const std::string& name, const std::vector<std::string>& values);

  // The heading of the options declared from here on.
  void section(const std::string& title) { section_ = title; }
  // A line of help that is no option, in a section of its own.
  void topic(const std::string& title, const std::string& name, const std::string& text) {
    help_.push_back({title, name, text});
  }
  // Command lines that end the help, one a line.
  void example(const std::string& line) { examples_.push_back(line); }

  // Declares -h, --help behind all others. parse() does, too.
  void declare_help();
  // Reads the arguments behind the subcommand's name. Every refusal is wrong use.
  Status parse(const std::vector<std::string>& arguments);
  bool help_wanted() const { return help_wanted_; }
  // After parse(): the options under this heading that were given, by their long names.
  std::vector<std::string> given_in(const std::string& section) const;

  const std::string& command() const { return command_; }
  const std::vector<std::string>& positionals() const { return positionals_; }
  const std::vector<OptionHelp>& help() const { return help_; }
  const std::vector<std::string>& examples() const { return examples_; }

 private:
  struct Parser;
  void add(const std::string& names, const std::string& value, const std::string& help, Take take,
           Need need, bool repeats);
  std::vector<std::string> flag_names() const;
  Status unexpected(const std::string& argument) const;
  Status check_refused(const std::vector<std::string>& arguments) const;

  std::string command_;
  std::unique_ptr<Parser> parser_;
  std::string section_ = "Options";
  std::vector<std::string> positionals_;
  std::vector<OptionHelp> help_;
  std::vector<std::string> examples_;
  std::vector<std::string> names_;                            // every --name there is
  std::vector<std::pair<std::string, std::string>> refused_;  // names and what is said about them
  Status refusal_;                                            // the first that a Take gave
  bool help_declared_ = false;
  bool help_wanted_ = false;
};

}  // namespace rankveil::cli

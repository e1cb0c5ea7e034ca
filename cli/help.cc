#include "cli/help.h"

#include <algorithm>
#include <sstream>

#include "cli/command_table.h"

namespace rankveil::cli {

namespace {

constexpr std::size_t text_column = 28;
constexpr std::size_t page_width = 80;

std::vector<std::string> sections_of(const Options& options) {
  std::vector<std::string> sections = {"Arguments"};
  for (const OptionHelp& option : options.help()) {
    if (std::find(sections.begin(), sections.end(), option.section) == sections.end()) {
      sections.push_back(option.section);
    }
  }
  return sections;
}

std::string section_text(const Options& options, const std::string& section) {
  std::string text;
  for (const OptionHelp& option : options.help()) {
    if (option.section == section) text += help_line(option.names, option.text);
  }
  return text.empty() ? "" : "\n" + section + ":\n" + text;
}

}  // namespace

std::string overview() {
  std::string text =
      "Rankveil ranks rows by private attributes, and says what a ranking gives away.\n\n"
      "Where to start:\n";
  text += help_line("a table of your own", "rankveil inspect my.csv --write-policy my.toml");
  text += help_line("a service of your own", "rankveil probe URL --field NAME");
  text += help_line("people who do not exist", "rankveil generate people -o people.csv");
  text += "\nUsage: rankveil COMMAND [options]\n\nCommands:\n";
  for (const Command& command : commands()) text += help_line(command.name, command.summary);
  if (!commands_left_out().empty()) {
    text += "\nNot in this build (it was made with RANKVEIL_GRAPHS=OFF):";
    for (const char* name : commands_left_out()) text += std::string(" ") + name;
    text += "\n";
  }
  text += "\nOptions:\n";
  for (const OptionHelp& option : global_options()) text += help_line(option.names, option.text);
  return text +
         "\nExample:\n"
         "  rankveil generate people -o people.csv\n"
         "  rankveil keygen people.key\n"
         "  rankveil protect people.csv --policy people.toml --key people.key -o people.rankveil\n"
         "  rankveil query people.rankveil --prefer city=Paris\n"
         "\nrankveil help COMMAND tells more about each.\n";
}

std::string graph_overview() {
  std::string text =
      "Rankveil releases friendship graphs and attacks them.\n\n"
      "Usage: rankveil graph COMMAND [options]\n\nCommands:\n";
  for (const Command& command : graph_commands()) text += help_line(command.name, command.summary);
  return text +
         "\nExample:\n"
         "  rankveil graph generate chung-lu -o friends.csv\n"
         "  rankveil graph anonymize friends.csv -k 6 -o sets.ndjson\n"
         "  rankveil graph evaluate friends.csv --html friends.html\n"
         "\nrankveil help graph COMMAND tells more about each.\n";
}

std::string help_line(const std::string& name, const std::string& text) {
  std::string page = "  " + name;
  std::size_t column = page.size();
  auto new_line = [&] {
    page += "\n" + std::string(text_column, ' ');
    column = text_column;
  };
  if (column + 2 > text_column) {
    new_line();
  } else {
    page.append(text_column - column, ' ');
    column = text_column;
  }
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    bool first = column == text_column;
    if (!first && column + 1 + word.size() > page_width) new_line(), first = true;
    page += (first ? "" : " ") + word;
    column += word.size() + (first ? 0 : 1);
  }
  return page + "\n";
}

std::string help_text(const Options& options, const std::string& summary) {
  std::string text = summary + "\n\nUsage: rankveil " + options.command();
  for (const std::string& positional : options.positionals()) text += " " + positional;
  text += " [options]\n";
  for (const std::string& section : sections_of(options)) text += section_text(options, section);
  text += options.examples().size() > 1 ? "\nExamples:\n" : "\nExample:\n";
  for (const std::string& example : options.examples()) text += "  " + example + "\n";
  return text;
}

}  // namespace rankveil::cli

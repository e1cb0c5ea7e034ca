// rankveil man: the help of commands as manual pages.
#include "cli/manual/man_page.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <memory>

#include "cli/command_table.h"
#include "cli/exit_codes.h"
#include "cli/terminal.h"
#include "rankveil/api/version.h"
#include "rankveil/base/file.h"
#include "rankveil/base/text/closest.h"

namespace rankveil::cli {

namespace {

// Text that troff shows as it is: '-' is a minus that can be searched and pasted, and no line
// begins a request.
std::string roff(std::string_view text) {
  std::string safe;
  if (text.starts_with(".") || text.starts_with("'")) safe = "\\&";
  for (char c : text) {
    if (c == '\\') {
      safe += "\\e";
    } else if (c == '-') {
      safe += "\\-";
    } else if (c == '~') {
      safe += "\\(ti";
    } else if (c == '^') {
      safe += "\\(ha";
    } else {
      safe += c;
    }
  }
  return safe;
}

std::string upper_case(std::string text) {
  std::ranges::transform(text, text.begin(), [](char c) {
    return c >= 'a' && c <= 'z' ? static_cast<char>(c - 32) : c;
  });
  return text;
}

std::string title_of(std::string name) {
  std::ranges::replace(name, ' ', '-');
  return name;
}

std::string man_heading(const std::string& title, const std::string& summary) {
  return fmt::format(".TH \"{}\" 1 \"\" \"rankveil {}\" \"Rankveil\"\n.SH NAME\n{} \\- {}\n",
                     upper_case(roff(title)), api::version().version, roff(title), roff(summary));
}

std::string entry(const std::string& name, const std::string& text) {
  return fmt::format(".TP\n\\fB{}\\fR\n{}\n", roff(name), roff(text));
}

std::string sections(const Options& options) {
  std::vector<std::string> titles = {"Arguments"};
  for (const OptionHelp& line : options.help()) {
    if (std::ranges::find(titles, line.section) == titles.end()) titles.push_back(line.section);
  }
  std::string text;
  for (const std::string& title : titles) {
    std::string entries;
    for (const OptionHelp& line : options.help()) {
      if (line.section == title) entries += entry(line.names, line.text);
    }
    if (!entries.empty()) text += ".SH " + upper_case(roff(title)) + "\n" + entries;
  }
  return text;
}

std::string examples(const std::vector<std::string>& lines) {
  std::string text = ".SH EXAMPLES\n.nf\n";
  for (const std::string& line : lines) text += roff(line) + "\n";
  return text + ".fi\n";
}

std::string exit_status() {
  return ".SH EXIT STATUS\n" + entry("0", "It worked.") +
         entry("1", "It worked, and found what it was to watch for, or a gate failed.") +
         entry("2", "Wrong use.") + entry("3", "Bad input, or what could not be tested.") +
         entry("4", "A file cannot be opened, read or written.") + entry("130", "Ctrl-C.");
}

std::string page_of(const Command& command, const Options& options) {
  std::string title = title_of(std::string("rankveil ") + command.name);
  std::string text = man_heading(title, command.summary);
  text += ".SH SYNOPSIS\n.B rankveil " + roff(command.name) + "\n";
  for (const std::string& positional : options.positionals()) {
    text += "\\fI" + roff(positional) + "\\fR\n";
  }
  text += "[options]\n" + sections(options) + examples(options.examples()) + exit_status();
  return text + ".SH SEE ALSO\n.BR rankveil (1)\n";
}

std::string overview_page() {
  std::string text =
      man_heading("rankveil", "rank rows by private attributes, and say what a ranking gives away");
  text += ".SH SYNOPSIS\n.B rankveil\n\\fICOMMAND\\fR\n[options]\n.SH COMMANDS\n";
  for (auto table : {commands(), graph_commands()}) {
    for (const Command& command : table) text += entry(command.name, command.summary);
  }
  text += ".SH OPTIONS\n";
  for (const OptionHelp& option : global_options()) text += entry(option.names, option.text);
  text += examples({"rankveil generate people -o people.csv", "rankveil keygen people.key",
                    "rankveil protect people.csv --policy people.toml --key people.key -o "
                    "people.rankveil",
                    "rankveil query people.rankveil --prefer city=Paris"});
  text += exit_status() + ".SH SEE ALSO\n";
  for_each_command([&](const Command& command, const Options&) {
    text += ".BR " + roff(title_of(std::string("rankveil ") + command.name)) + " (1)\n";
  });
  return text;
}

struct ManOptions {
  std::string command;
  std::string folder;
};

Result<std::string> page_named(const std::string& command) {
  std::string file = title_of(command.empty() ? "rankveil" : "rankveil " + command) + ".1";
  for (ManPage& page : man_pages()) {
    if (page.file == file) return std::move(page.text);
  }
  return wrong_use(fmt::format("there is no page about \"{}\"; {}", command,
                               did_you_mean(command, command_names(), "see rankveil --help")));
}

Status write_pages(const std::string& folder) {
  for (const ManPage& page : man_pages()) {
    std::string path = (std::filesystem::path(folder) / page.file).string();
    if (auto written = write_text(path, page.text); !written) return written;
  }
  return {};
}

int run_man(const ManOptions& told) {
  if (!told.folder.empty()) {
    if (!told.command.empty()) {
      return fail(wrong_use("--all writes the pages of all commands; leave the command out"));
    }
    auto written = write_pages(told.folder);
    return written ? exit_ok : fail(written.error());
  }
  auto page = page_named(told.command);
  if (!page) return fail(page.error());
  print(*page);
  return exit_ok;
}

}  // namespace

std::vector<ManPage> man_pages() {
  std::vector<ManPage> pages = {{"rankveil.1", overview_page()}};
  for_each_command([&](const Command& command, const Options& options) {
    std::string title = title_of(std::string("rankveil ") + command.name);
    pages.push_back({title + ".1", page_of(command, options)});
  });
  return pages;
}

Run set_up_man(Options& options) {
  auto told = std::make_shared<ManOptions>();
  options.positional("COMMAND", "such as query or \"graph attack\" (default: rankveil itself)",
                     told->command, Need::Optional);
  options.text("--all", "FOLDER", "write every page there, as rankveil*.1", told->folder);
  options.example("rankveil man query | man -l -");
  return [told] { return run_man(*told); };
}

}  // namespace rankveil::cli

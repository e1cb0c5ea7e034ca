#include "cli/options.h"

#include <fmt/core.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <charconv>
#include <utility>

#include "rankveil/base/text/closest.h"

namespace rankveil::cli {

struct Options::Parser {
  struct Declared {
    std::string section;
    std::string name;
    const CLI::Option* option;
  };
  CLI::App app;
  std::vector<Declared> declared = {};  // all but positionals
};

namespace {

// "-k,--top" as help shows it: "-k, --top N".
std::string shown(const std::string& names, const std::string& value) {
  std::string text;
  for (char c : names) text += c == ',' ? std::string(", ") : std::string(1, c);
  return value.empty() ? text : text + " " + value;
}

// The long one of "-k,--top".
std::string long_name(const std::string& names) { return names.substr(names.rfind(',') + 1); }

// "-k" and "--top" of "-k,--top".
std::vector<std::string> spellings_of(const std::string& names) {
  std::vector<std::string> spellings(1);
  for (char c : names) {
    if (c == ',') {
      spellings.emplace_back();
    } else {
      spellings.back() += c;
    }
  }
  return spellings;
}

// Reports are JSON, whose whole numbers have a sign here: a larger one would come out as another.
constexpr std::uint64_t largest_in_reports = INT64_MAX;

template <typename Number>
Status take_number(const std::string& name, const std::string& text, Number least, Number most,
                   Number& target) {
  Number number{};
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), number);
  bool whole = problem == std::errc() && end == text.data() + text.size();
  if (!whole || number < least || number > most) {
    return wrong_use(fmt::format("{} must be a whole number from {} to {}, not \"{}\"", name, least,
                                 most, text));
  }
  target = number;
  return {};
}

std::string with_default(const std::string& help, std::uint64_t value) {
  bool said = help.find("(default") != std::string::npos;
  return said ? help : fmt::format("{} (default {})", help, value);
}

}  // namespace

std::vector<std::string> words_of(const std::string& text) {
  std::vector<std::string> words;
  for (std::size_t at = 0; at <= text.size();) {
    std::size_t end = std::min(text.find(',', at), text.size());
    if (end > at) words.push_back(text.substr(at, end - at));
    at = end + 1;
  }
  return words;
}

Options::Options(std::string command)
    : command_(std::move(command)), parser_(std::make_unique<Parser>()) {
  parser_->app.set_help_flag();  // ours comes below, with the rest of the help
}

Options::~Options() = default;

void Options::add(const std::string& names, const std::string& value, const std::string& help,
                  Take take, Need need, bool repeats) {
  CLI::callback_t take_all = [this, take = std::move(take)](const std::vector<std::string>& texts) {
    for (const std::string& text : texts) {
      if (!refusal_) break;
      refusal_ = take(text);
    }
    return true;
  };
  CLI::Option* option = parser_->app.add_option(names, take_all);
  option->required(need == Need::Required);
  if (repeats) option->take_all();
  std::string text = help;
  if (repeats) text += "; may be repeated";
  if (need == Need::Required && names.starts_with("-")) text += " (required)";
  bool is_positional = !names.starts_with("-");
  OptionHelp line{.section = is_positional ? "Arguments" : section_,
                  .names = shown(names, value),
                  .text = text,
                  .value = value,
                  .repeats = repeats};
  if (!is_positional) line.spellings = spellings_of(names);
  help_.push_back(std::move(line));
  if (is_positional) return;
  names_.push_back(long_name(names));
  parser_->declared.push_back({section_, names_.back(), option});
}

void Options::positional(const std::string& name, const std::string& help, std::string& target,
                         Need need) {
  positionals_.push_back(need == Need::Required ? name : "[" + name + "]");
  auto take = [&target, name](const std::string& text) {
    if (text.empty()) return Status(wrong_use(name + " is empty"));
    target = text;
    return Status{};
  };
  add(name, "", help, take, need, false);
}

void Options::flag(const std::string& names, const std::string& help, bool& target) {
  const CLI::Option* option = parser_->app.add_flag_callback(names, [&target] { target = true; });
  help_.push_back({.section = section_,
                   .names = shown(names, ""),
                   .text = help,
                   .spellings = spellings_of(names)});
  names_.push_back(long_name(names));
  parser_->declared.push_back({section_, names_.back(), option});
}

void Options::text(const std::string& names, const std::string& value, const std::string& help,
                   std::string& target, Need need) {
  std::string name = long_name(names);
  auto take = [&target, name](const std::string& text) {
    if (text.empty()) return Status(wrong_use(name + " is empty"));
    target = text;
    return Status{};
  };
  add(names, value, help, take, need, false);
}

void Options::text(const std::string& names, const std::string& value, const std::string& help,
                   std::optional<std::string>& target) {
  auto take = [&target](const std::string& text) {
    target = text;
    return Status{};
  };
  add(names, value, help, take, Need::Optional, false);
}

void Options::number(const std::string& names, const std::string& value, const std::string& help,
                     std::uint32_t& target, std::uint32_t least, std::uint32_t most) {
  std::string name = shown(names, "");
  auto take = [=, &target](const std::string& text) {
    return take_number(name, text, least, most, target);
  };
  add(names, value, with_default(help, target), take, Need::Optional, false);
}

void Options::number(const std::string& names, const std::string& value, const std::string& help,
                     std::uint64_t& target) {
  std::string name = shown(names, "");
  auto take = [=, &target](const std::string& text) {
    return take_number(name, text, std::uint64_t{0}, largest_in_reports, target);
  };
  add(names, value, with_default(help, target), take, Need::Optional, false);
}

void Options::number(const std::string& names, const std::string& value, const std::string& help,
                     std::optional<std::uint64_t>& target) {
  std::string name = shown(names, "");
  auto take = [=, &target](const std::string& text) {
    return take_number(name, text, std::uint64_t{0}, largest_in_reports, target.emplace());
  };
  add(names, value, help, take, Need::Optional, false);
}

void Options::number(const std::string& names, const std::string& value, const std::string& help,
                     std::optional<std::uint32_t>& target, std::uint32_t least,
                     std::uint32_t most) {
  std::string name = shown(names, "");
  auto take = [=, &target](const std::string& text) {
    return take_number(name, text, least, most, target.emplace());
  };
  add(names, value, help, take, Need::Optional, false);
}

namespace {

// Refusals begin with the option's name.
Options::Take named(const std::string& name, Options::Take take) {
  return [take = std::move(take), name](const std::string& text) {
    Status taken = take(text);
    if (taken) return taken;
    return Status(Error{taken.error().code, name + ": " + taken.error().message});
  };
}

}  // namespace

void Options::each(const std::string& names, const std::string& value, const std::string& help,
                   Take take) {
  add(names, value, help, named(long_name(names), std::move(take)), Need::Optional, true);
}

void Options::once(const std::string& names, const std::string& value, const std::string& help,
                   Take take) {
  add(names, value, help, named(long_name(names), std::move(take)), Need::Optional, false);
}

void Options::refuse(const std::vector<std::string>& names, const std::string& sentence) {
  for (const std::string& name : names) refused_.emplace_back(name, sentence);
}

Status Options::check_refused(const std::vector<std::string>& arguments) const {
  for (const std::string& argument : arguments) {
    for (const auto& [name, sentence] : refused_) {
      if (argument.substr(0, argument.find('=')) == name) return wrong_use(sentence);
    }
  }
  return {};
}

void Options::choices(const std::string& name, const std::vector<std::string>& values) {
  for (OptionHelp& line : help_) {
    bool option = std::ranges::find(line.spellings, name) != line.spellings.end();
    if (option || line.names == name) line.choices = values;
  }
}

std::vector<std::string> Options::given_in(const std::string& section) const {
  std::vector<std::string> names;
  for (const Parser::Declared& one : parser_->declared) {
    if (one.section == section && one.option->count() > 0) names.push_back(one.name);
  }
  return names;
}

namespace {

// What people call an option that has another name here.
std::optional<std::string> known_as(const std::string& argument,
                                    const std::vector<std::string>& names) {
  if (argument != "--gate" || std::ranges::find(names, "--fail-on") == names.end()) {
    return std::nullopt;
  }
  return "--fail-on";
}

}  // namespace

Status Options::unexpected(const std::string& argument) const {
  auto near = known_as(argument, names_);
  if (!near && argument.starts_with("--")) near = closest(argument, names_);
  return wrong_use(
      fmt::format("\"{}\" was not expected; {}", argument,
                  near ? "did you mean " + *near + "?" : "see rankveil " + command_ + " --help"));
}

void Options::declare_help() {
  if (help_declared_) return;
  help_declared_ = true;
  section("Options");
  flag("-h,--help", "print this help and exit", help_wanted_);
}

Status Options::parse(const std::vector<std::string>& arguments) {
  declare_help();
  for (const std::string& argument : arguments) {
    // Help is given whatever else is wrong with the line.
    if (argument == "-h" || argument == "--help") help_wanted_ = true;
  }
  if (help_wanted_) return {};
  if (Status checked = check_refused(arguments); !checked) return checked;
  std::vector<std::string> reversed(arguments.rbegin(), arguments.rend());
  try {
    parser_->app.parse(reversed);
  } catch (const CLI::ExtrasError&) {
    return unexpected(parser_->app.remaining().front());
  } catch (const CLI::RequiredError& error) {
    // A misspelt option leaves the one that was meant missing.
    for (const std::string& extra : parser_->app.remaining()) {
      if (extra.starts_with("-")) return unexpected(extra);
    }
    return wrong_use(fmt::format("{}; see rankveil {} --help", error.what(), command_));
  } catch (const CLI::ArgumentMismatch& error) {
    std::string message = error.what();
    return wrong_use(message.substr(0, message.find(':')) + " takes exactly one value");
  } catch (const CLI::ParseError& error) {
    return wrong_use(fmt::format("{}; see rankveil {} --help", error.what(), command_));
  }
  return refusal_;
}

}  // namespace rankveil::cli

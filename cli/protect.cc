// rankveil protect: from a table to an index that keeps a promise.
#include "rankveil/api/protect.h"

#include <fmt/core.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <utility>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/protect_summary.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "rankveil/base/format.h"
#include "rankveil/protect/scheme.h"
#include "rankveil/protect/scheme_options.h"

namespace rankveil::cli {

namespace {

struct ProtectOptions {
  api::ProtectRequest request;
  // Flags of single schemes that were given, and the options that they set.
  std::vector<std::pair<std::string, std::string>> scheme_options;
  std::optional<std::uint32_t> l_of_guess;  // what --max-guess means
  bool strict = false;
  bool json = false;
};

void talk_about(const api::ProtectResult& result) {
  for (const std::string& warning : result.warnings) say_warning(warning);
  for (const std::string& note : result.report.notes) say_note(note);
  if (result.dry_run) {
    say_note(fmt::format("a dry run of {}: nothing was written, and {} and {} are as they were",
                         format_seconds(result.read_seconds + result.protect_seconds),
                         printable(result.output), printable(result.ledger)));
    return;
  }
  say_note(fmt::format("read in {}, protected in {}, written in {}, {} of memory",
                       format_seconds(result.read_seconds), format_seconds(result.protect_seconds),
                       format_seconds(result.write_seconds), format_bytes(result.peak_memory)));
  say_note(
      fmt::format("{} is yours alone: every build of these people needs it, and nobody should be "
                  "served it",
                  printable(result.ledger)));
}

// ---- Flags ----

Result<double> number_of(const std::string& text) {
  if (text == "inf") return std::numeric_limits<double>::infinity();
  double value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool sound = problem == std::errc() && end == text.data() + text.size() && value > 0;
  if (!sound) return wrong_use(fmt::format("it takes a positive number, not \"{}\"", text));
  return value;
}

Status take_max_guess(const std::string& text, ProtectOptions& told) {
  auto guess = number_of(text);
  if (!guess) return guess.error();
  if (*guess > 0.5 || *guess < 1.0 / 65535) {
    return wrong_use(fmt::format("it takes a probability up to 0.5, not {}", text));
  }
  // 0.333333 means a third.
  told.l_of_guess = static_cast<std::uint32_t>(std::ceil(1 / *guess - 1e-4));
  return {};
}

template <typename Number>
Status take_whole(const std::string& text, std::uint64_t least, std::uint64_t most,
                  Number& target) {
  std::uint64_t value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  bool sound =
      problem == std::errc() && end == text.data() + text.size() && value >= least && value <= most;
  if (!sound) {
    return wrong_use(
        fmt::format("it takes a whole number from {} to {}, not \"{}\"", least, most, text));
  }
  target = static_cast<Number>(value);
  return {};
}

// "30" or "30d"
Result<std::uint32_t> days_of(std::string text) {
  if (text.ends_with("d")) text.pop_back();
  std::uint32_t days = 0;
  if (auto taken = take_whole(text, 0, 100'000, days); !taken) return taken.error();
  return days;
}

Status take_withdraw_after(const std::string& text, ProtectOptions& told) {
  api::ProtectRequest::Days days{.never = text == "never"};
  if (!days.never) {
    auto given = days_of(text);
    if (!given) return given.error();
    days.days = *given;
  }
  told.request.withdraw_after = days;
  return {};
}

Status take_batch_after(const std::string& text, ProtectOptions& told) {
  auto days = days_of(text);
  if (!days) return days.error();
  told.request.batch_after = *days;
  return {};
}

void add_scheme_options(Options& options, ProtectOptions& told) {
  options.section("Schemes' own options");
  for (const SchemeOption& option : scheme_options()) {
    std::string name(option.name);
    options.once("--" + name, std::string(option.value), std::string(option.help),
                 [&told, &option, name](const std::string& text) {
                   told.scheme_options.emplace_back(name, name);
                   return option.set(told.request.demand, text);
                 });
  }
  options.each("--epsilon-of", "COLUMN=NUMBER", "ldp: the budget of one column",
               [&told](const std::string& text) {
                 told.scheme_options.emplace_back("epsilon-of", "epsilon");
                 return add_epsilon(told.request.input.overrides, text);
               });
  options.flag("--any-epsilon", "ldp: also budgets that promise nothing",
               told.request.demand.any_epsilon);
  options.refuse(
      {"--bitmaps"},
      "strengths are served in steps of 1/levels and rounded no further; leave --bitmaps "
      "out");
}

Status check_own_options(const ProtectOptions& told, const std::string& name) {
  const Scheme* scheme = find_scheme(name);
  if (scheme == nullptr) return {};
  for (const auto& [flag, option] : told.scheme_options) {
    if (scheme->reads(option)) continue;
    return wrong_use(fmt::format("{} has no use for --{}; leave it out", name, flag));
  }
  return {};
}

void add_scheme_list(Options& options) {
  for (const Scheme& scheme : schemes()) {
    std::string text(scheme.summary);
    if (scheme.broken_by) {
      text += fmt::format(" (broken by {})", level_name(*scheme.broken_by));
    }
    options.topic("Schemes", std::string(scheme.name), text);
  }
}

int run(ProtectOptions& told) {
  if (auto checked = check_table_options(told.request.input); !checked) {
    return fail(checked.error());
  }
  auto& l = told.request.input.overrides.l;
  if (l && told.l_of_guess) {
    return fail(wrong_use("--l and --max-guess say the same thing; give one of them"));
  }
  if (told.l_of_guess) l = told.l_of_guess;
  if (told.request.demand.any_epsilon) told.scheme_options.emplace_back("any-epsilon", "epsilon");
  // Before columns are looked at: what one of them lacks is no help to who has the wrong scheme.
  if (const auto& scheme = told.request.input.overrides.scheme) {
    if (auto used = check_own_options(told, *scheme); !used) return fail(used.error());
  }
  auto policy = load_policy(told.request.input);
  if (policy) {
    if (auto used = check_own_options(told, policy->scheme); !used) return fail(used.error());
  }
  auto result = with_bar(told.request.input.progress, [&] { return api::protect(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : protect_summary(*result));
  talk_about(*result);
  return told.strict && result->coverage.covers_few() ? exit_finding : exit_ok;
}

}  // namespace

Run set_up_protect(Options& options) {
  auto told = std::make_shared<ProtectOptions>();
  add_table_options(options, "TABLE", table_files, told->request.input);
  options.once("--max-guess", "P", "the same as --l: 0.34 means l = 3",
               [&told = *told](const std::string& text) { return take_max_guess(text, told); });
  options.section("Protection");
  options.text("--key", "FILE", "the secret key (see rankveil keygen)", told->request.key_path);
  options.text("--workload", "FILE", "queries to stay good at: .csv, .parquet or .ndjson, or -",
               told->request.workload);
  options.flag("--allow-partial", "leave out attributes with fewer than l values",
               told->request.allow_partial);
  options.flag("--release-changed", "let rows whose private values changed show something again",
               told->request.release_changed);
  options.once(
      "--withdraw-after", "DAYS",
      "how long rows that changed wait for ten to leave together (30); never: they keep "
      "what they show",
      [&told = *told](const std::string& text) { return take_withdraw_after(text, told); });
  options.once("--batch-after", "DAYS",
               "release newcomers after so many days though they are fewer than 100, who hide each "
               "other less",
               [&told = *told](const std::string& text) { return take_batch_after(text, told); });
  options.text("--ids-from", "FILE", "people have new ids: a CSV with the columns old and new",
               told->request.ids_from);
  options.flag("--people-changed", "new ids are other people, and who is not there has left",
               told->request.people_changed);
  options.flag("--forget-gone",
               "keep nothing of who left; who comes back is then shown a second time",
               told->request.forget_gone);
  options.flag("--new-release", "protect every row anew, whatever it showed before",
               told->request.new_release);
  options.flag("--new-key", "the same because the key was lost, leaked or rotated; says the price",
               told->request.new_key);
  options.section("Output");
  options.text("-o,--output", "FILE",
               "the index; rows show in it what they show in every other one of this key",
               told->request.output, Need::Required);
  options.flag("--dry-run", "do everything but write: say what would be written",
               told->request.dry_run);
  options.flag("--strict",
               "exit with 1 where the promise is not about more than a fifth of the rows that show "
               "something",
               told->strict);
  options.flag("--json", "print JSON", told->json);
  add_scheme_options(options, *told);
  add_scheme_list(options);
  options.example(
      "rankveil protect people.csv --policy people.toml --key people.key -o people.rankveil");
  options.example(
      "rankveil protect people.csv --policy people.toml --key people.key --scheme estt --l 2 "
      "--workload people-workload.csv -o people.rankveil");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

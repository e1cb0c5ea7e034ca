// rankveil audit: attack a ranking, say what it gives away, and fail where that is too much.
#include "rankveil/api/audit.h"

#include <fmt/core.h>

#include <charconv>

#include "cli/audit_summary.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/stop_signals.h"
#include "cli/target_options.h"
#include "cli/terminal.h"
#include "rankveil/attack/method.h"
#include "rankveil/audit/check.h"
#include "rankveil/audit/levels.h"
#include "rankveil/audit/sort/sort_attack.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct AuditOptions {
  api::AuditRequest request;
  bool json = false;
  bool all = false;
  bool strict = false;
};

Status take_words(const std::string& text, std::vector<std::string>& target) {
  target = words_of(text);
  if (target.empty()) return wrong_use(fmt::format("it takes names, not \"{}\"", text));
  return {};
}

Status take_levels(const std::string& text, std::vector<std::string>& target) {
  std::vector<std::string> asked;
  if (auto taken = take_words(text, asked); !taken) return taken;
  for (const std::string& name : asked) {
    std::vector<std::string> levels = audit::levels_called(name);
    if (levels.empty()) {
      return wrong_use(fmt::format("there is no level \"{}\"; there are {}", name,
                                   listed(audit::levels_and_checks())));
    }
    target.insert(target.end(), levels.begin(), levels.end());
  }
  return {};
}

Status take_count(const std::string& text, std::uint64_t& target) {
  std::uint64_t value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  if (problem != std::errc() || end != text.data() + text.size() || value == 0) {
    return wrong_use(fmt::format("it takes a whole number from 1 up, not \"{}\"", text));
  }
  target = value;
  return {};
}

Status take_rows(const std::string& text, std::uint32_t& target) {
  constexpr std::uint64_t max_rows = 1'000'000;
  std::uint64_t rows = 0;
  if (auto taken = take_count(text, rows); !taken) return taken;
  if (rows > max_rows) {
    return wrong_use(fmt::format("it takes a whole number from 1 to 1000000, not \"{}\"", text));
  }
  target = static_cast<std::uint32_t>(rows);
  return {};
}

Status take_victims(const std::string& text, std::optional<std::uint64_t>& target) {
  if (text == "all") {
    target = UINT64_MAX;
    return {};
  }
  return take_count(text, target.emplace());
}

// 90, 90s, 5m, 1h
Status take_time(const std::string& text, std::optional<double>& target) {
  constexpr double longest = 1e7;
  double value = 0;
  auto [end, problem] = std::from_chars(text.data(), text.data() + text.size(), value);
  std::string_view unit(end, static_cast<std::size_t>(text.data() + text.size() - end));
  double seconds = unit == "m" ? 60 : unit == "h" ? 3600 : 1;
  bool known = unit.empty() || unit == "s" || unit == "m" || unit == "h";
  bool sound = problem == std::errc() && known && value > 0 && value * seconds <= longest;
  if (!sound) {
    return wrong_use(fmt::format("it takes a time such as 90s, 5m or 1h, not \"{}\"", text));
  }
  target = value * seconds;
  return {};
}

Status take_rule(const std::string& text, std::vector<audit::Rule>& rules) {
  for (const std::string& word : words_of(text)) {
    auto rule = audit::rule_from_text(word);
    if (!rule) return rule.error();
    rules.push_back(*rule);
  }
  return {};
}

void talk_about(const api::AuditResult& result) {
  for (const std::string& warning : result.warnings) say_warning(warning);
  for (const std::string& sentence : result.report.notes) say_note(sentence);
  say_note(fmt::format("audited in {}", format_seconds(result.report.seconds)));
}

// Before anybody is attacked; nothing where there is time for all.
void talk_about_plan(const std::string& flags, double seconds) {
  if (seconds <= 0) return;
  say_note(fmt::format("attacks will take about {}; the same audit on any machine: {}",
                       format_seconds(seconds), flags));
}

void talk_about_models(const audit::Effort& effort) {
  constexpr double worth_a_word = 30;
  if (effort.seconds < worth_a_word && !effort.is_cut()) return;
  say_note(fmt::format("models of people will take up to {} of one core",
                       format_seconds(effort.seconds)));
  if (effort.is_cut()) say_note(effort.text());
}

int run(AuditOptions& told) {
  if (told.strict) {
    told.request.fail_on.push_back(
        {audit::Rule::What::Uncovered, rankveil::Coverage::most_uncovered});
  }
  const std::atomic<bool>& told_to_stop = stop_on_signals();
  told.request.stop = &told_to_stop;
  told.request.planned = talk_about_plan;
  told.request.models_planned = talk_about_models;
  auto result =
      with_bar(told.request.target.input.progress, [&] { return api::run_audit(told.request); });
  if (!result) return fail(result.error());
  const audit::AuditReport& report = result->report;
  print(told.json ? to_json(report).dump() + "\n"
                  : audit_summary(report, out_terminal(), told.all));
  talk_about(*result);
  if (!report.incomplete.empty() && told.request.target.log.empty()) {
    say_note("with --log FILE, the same command goes on where it was stopped");
  }
  if (told_to_stop && !report.incomplete.empty()) return exit_interrupted;
  if (!result->written) return fail(result->written.error());
  if (!report.failures.empty()) return exit_finding;
  if (!report.incomplete.empty()) return exit_not_tested;
  return lacks_tests(report, told.request.fail_on) ? exit_not_tested : exit_ok;
}

// ---- Options ----

void add_campaign_options(Options& options, api::AuditRequest& request) {
  using Text = const std::string&;
  options.section("Attack");
  options.once("--victims", "N",
               "rows to attack, drawn by the seed, or all; default: as many as two minutes are "
               "enough for, at most 1000, which is said beforehand",
               [&](Text text) { return take_victims(text, request.victims); });
  options.once("--methods", "NAMES", "attacks, with commas between; all takes those that work here",
               [&](Text text) { return take_words(text, request.methods); });
  options.once("--k", "N",
               "rows of an answer (default 100; of a target that orders by a column all)",
               [&](Text text) { return take_rows(text, request.target.k); });
  options.number("--seed", "N", "of the choice of victims and planted rows", request.seed);
  options.once("--budget", "N", "queries for each victim and attack, at most",
               [&](Text text) { return take_count(text, request.query_budget.emplace()); });
  options.once("--insert-budget", "N", "rows inserted for each victim and attack, at most",
               [&](Text text) { return take_count(text, request.insert_budget.emplace()); });
  options.once("--time-limit", "TIME",
               "stop after 90s, 5m or 1h, with the victims under way: INCOMPLETE, and exit code 3",
               [&](Text text) { return take_time(text, request.time_limit); });
  options.number("--canaries", "N", "rows planted as a control, where the target takes rows",
                 request.canaries, 0, 10'000);
}

void add_level_options(Options& options, api::AuditRequest& request) {
  using Text = const std::string&;
  options.section("Adversaries");
  options.once("--levels", "NAMES", "levels and checks to run, with commas between (default all)",
               [&](Text text) { return take_levels(text, request.levels); });
  options.once("--against", "NAMES",
               "levels that the promise must hold against: all (the default), claimed (those that "
               "the scheme names), or names",
               [&](Text text) { return take_words(text, request.against); });
  options.each("--release", "INDEX",
               "another release of the same people, compared on the rows that both have",
               [&](Text text) {
                 request.other_releases.push_back(text);
                 return Status{};
               });
  options.text("--population", "FILE", "a table of other people, for the level population",
               request.population);
}

void add_output_options(Options& options, AuditOptions& told) {
  using Text = const std::string&;
  options.section("Gate");
  options.each("--fail-on", "RULE",
               "exit with 1 on broken, or a figure above a limit (gain>0.4, certain>0, rate>0.5, "
               "proven>0, uncovered>0.2), and with any of them on undecidable; undecidable=allow "
               "lets that pass, "
               "untested=allow (exit code 3) what was not seen to act",
               [&](Text text) { return take_rule(text, told.request.fail_on); });
  options.flag("--strict",
               "as --fail-on uncovered>0.2: exit with 1 where the promise covers few rows",
               told.strict);
  options.text("--baseline", "FILE",
               "what is known already of this target, and does not fail again",
               told.request.baseline);
  options.text("--write-baseline", "FILE", "write what the rules object to, as the next baseline",
               told.request.write_baseline);
  options.section("Output");
  options.text("--html", "FILE", "write a page to read and to show, all in one file",
               told.request.html);
  options.text("--junit", "FILE", "write test results as CI systems read them (XML)",
               told.request.junit);
  options.text("--sarif", "FILE", "write alerts as code hosts read them (SARIF 2.1.0)",
               told.request.sarif);
  options.text("-o,--output", "FILE", "write what --json prints, beside the summary",
               told.request.output);
  options.flag("--all", "list every finding, not only the worst of each attribute", told.all);
  options.flag("--json", "print JSON, for verify and replay", told.json);
}

}  // namespace

Run set_up_audit(Options& options) {
  auto told = std::make_shared<AuditOptions>();
  options.positional(
      "TARGET", "an index, a table (its unprotected ranking), or the description of a live ranking",
      told->request.target.target);
  add_campaign_options(options, told->request);
  add_level_options(options, told->request);
  add_target_options(options, told->request.target);
  options.refuse({"--publication"},
                 "publications are audited by check-publication; try rankveil check-publication "
                 "FILE TABLE --fail-on broken");
  add_output_options(options, *told);
  for (const attack::Method& method : attack::methods()) {
    options.topic("Attacks", std::string(method.name), std::string(method.summary));
  }
  options.topic("Attacks", audit::marks_method,
                "of an order: inserts rows with known values, and looks between which of them each "
                "victim stands");
  options.topic("Attacks", audit::known_method,
                "of an order: the same with people whose values are known already");
  options.example("rankveil audit people.rankveil --table people.csv --policy people.toml");
  options.example("rankveil audit people.csv --policy people.toml --victims 100 --fail-on broken");
  options.example(
      "rankveil audit service.toml --table people.csv --policy people.toml --log campaign.ndjson");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

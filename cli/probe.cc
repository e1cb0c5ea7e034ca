// rankveil probe: does anything public depend on a hidden field of a service?
#include "rankveil/api/probe.h"

#include <fmt/core.h>

#include <atomic>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/probe_options.h"
#include "cli/probe_summary.h"
#include "cli/progress_bar.h"
#include "cli/stop_signals.h"
#include "cli/terminal.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct ProbeTold {
  api::ProbeRequest request;
  std::string clean;
  bool is_protected = false;
  bool json = false;
};

int clean_up(ProbeTold& told) {
  auto cleaned = with_bar(told.request.progress,
                          [&] { return api::clean_up_probe(told.request, told.clean); });
  if (!cleaned) return fail(cleaned.error());
  print(fmt::format("{} removed, {} restored\n", counted(cleaned->removed, "row"),
                    counted(cleaned->restored, "row")));
  for (const std::string& left : cleaned->left) say_error("left behind: " + left);
  return cleaned->left.empty() ? exit_ok : exit_code(ErrorCode::BadInput);
}

int run(ProbeTold& told) {
  if (!told.clean.empty()) return clean_up(told);
  const std::atomic<bool>& told_to_stop = stop_on_signals();
  told.request.stop = &told_to_stop;
  auto result = with_bar(told.request.progress, [&] { return api::run_probe(told.request); });
  if (!result)
    return told_to_stop ? (fail(result.error()), exit_interrupted) : fail(result.error());
  print(told.json ? probe::to_json(*result).dump() + "\n"
                  : probe_summary(*result, out_terminal(), told.request.all));
  for (const std::string& sentence : result->notes) say_note(sentence);
  say_note(fmt::format("probed in {}", format_seconds(result->seconds)));
  if (overall(*result) == probe::Verdict::Declared && !told.is_protected) {
    say_note("what a promise is worth, rankveil audit says; --protected ends with 0 then");
  }
  if (!result->left_behind.empty()) {
    say_error(
        fmt::format("{}; take it back with --clean {}", result->left_behind, result->journal));
  }
  if (!result->written) say_error(result->written.error().message);
  if (result->stopped) return exit_interrupted;
  if (!result->written) return exit_code(result->written.error().code);
  const int code = exit_code_of(*result, told.is_protected);
  return !result->left_behind.empty() && code == exit_ok ? exit_code(ErrorCode::BadInput) : code;
}

void add_probe_options(Options& options, ProbeTold& told) {
  api::ProbeRequest& request = told.request;
  options.section("Probe");
  options.flag("--write",
               "make a row of one's own, change it, and remove it: this proves a leak; without it "
               "the probe only reads",
               request.write);
  options.flag("--all", "go on after the first proof of a way, and list all ways", request.all);
  options.number("--budget", "N", "requests, at most (default 3000)", request.budget);
  options.number("--repetitions", "N", "times that a leak is seen before it is called one",
                 request.repetitions, 1, 100);
  options.once("--seed", "N", "of the values that are written", [&](const std::string& text) {
    char* end = nullptr;
    request.seed = std::strtoull(text.c_str(), &end, 10);
    if (!text.empty() && *end == '\0') return Status{};
    return Status(wrong_use(fmt::format("it takes a whole number, not \"{}\"", text)));
  });
  options.flag("--demonstrate",
               "on test data of this machine: recover a few values of a number that leaks",
               request.demonstrate);
  options.number(
      "--values", "N",
      "values that a hidden number may have, to say what a leak is worth (default 200000)",
      request.values);
  options.text("--journal", "FILE", "where it stands what is to be taken back", request.journal);
  options.text("--clean", "JOURNAL", "take back what an earlier probe could not", told.clean);
  options.flag("--protected", "fields that are ranked by under a promise are in order",
               told.is_protected);
}

void add_probe_outputs(Options& options, ProbeTold& told) {
  api::ProbeRequest& request = told.request;
  options.section("Gate");
  options.text("--baseline", "FILE", "leaks that are known, and do not fail again",
               request.baseline);
  options.text("--write-baseline", "FILE", "write what leaks, as the next baseline",
               request.write_baseline);
  options.section("Output");
  options.text("--html", "FILE", "write a page with the two requests side by side", request.html);
  options.text("--junit", "FILE", "write test results as CI systems read them (XML)",
               request.junit);
  options.text("--sarif", "FILE", "write alerts as code hosts read them (SARIF 2.1.0)",
               request.sarif);
  options.text("-o,--output", "FILE", "write what --json prints, beside the summary",
               request.output);
  options.flag("--json", "print JSON, for replay", told.json);
}

}  // namespace

Run set_up_probe(Options& options) {
  auto told = std::make_shared<ProbeTold>();
  options.positional(
      "TARGET",
      "the address of a listing, the connection of a PostgreSQL role (postgres://...), or "
      "a file that describes either (.toml)",
      told->request.target);
  add_probe_options(options, *told);
  add_probe_target_options(options, told->request);
  add_probe_outputs(options, *told);
  options.example(
      "rankveil probe http://127.0.0.1:3000/api/people --field religion --field income:number");
  options.example(
      "rankveil probe http://127.0.0.1:3000/api/people --as-admin 'Authorization: JWT "
      "${ADMIN_TOKEN}' --as-user 'Authorization: JWT ${USER_TOKEN}' --write");
  options.example("rankveil probe people.toml --write --sarif probe.sarif --baseline known.json");
  options.example(
      "rankveil probe postgres://app@127.0.0.1/shop --as-owner postgres://shop@127.0.0.1/shop "
      "--write");
  options.example("rankveil probe people.toml --clean rankveil-probe-3f9a01.journal");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

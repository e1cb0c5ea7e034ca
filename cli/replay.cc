// rankveil replay: the steps by which an audit proved a value, done again.
#include "rankveil/api/replay.h"

#include <fmt/core.h>

#include "cli/audit_summary.h"
#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/probe_summary.h"
#include "cli/progress_bar.h"
#include "cli/target_options.h"
#include "cli/terminal.h"
#include "rankveil/api/probe.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct ReplayOptions {
  api::ReplayRequest request;
  api::ProbeRequest probe = {};
  bool json = false;
};

// What was said of an answer holds for that answer only.
audit::Transcript as_of_now(const api::ReplayResult& result) {
  audit::Transcript transcript = result.transcript;
  for (std::size_t i = 0; i < transcript.steps.size(); ++i) {
    const std::string& change = result.replayed.changes[i];
    if (!change.empty()) transcript.steps[i].why = change;
  }
  return transcript;
}

std::string show(const api::ReplayResult& result) {
  const audit::Transcript transcript = as_of_now(result);
  std::string claim = fmt::format("{} of row {} is {}", printable(transcript.attribute),
                                  printable(transcript.victim), printable(transcript.value));
  return fmt::format("{} {}\n\n{}\n{} of {} answers are those of the report\n",
                     result.replayed.still_leaks ? "STILL LEAKS:" : "no longer proves that", claim,
                     transcript_text(transcript), result.replayed.same, result.replayed.queries);
}

// A probe's report: what leaked then is asked for again.
int run_probe_again(ReplayOptions& told) {
  told.probe.target = told.request.target.target;
  told.probe.write = true;
  auto replay = with_bar(told.probe.progress,
                         [&] { return api::replay_probe(told.probe, told.request.report); });
  if (!replay) return fail(replay.error());
  const std::string verdict = fmt::format(
      "{} {} of {} ways of asking that leaked then\n\n",
      replay->still_leaks > 0 ? "STILL LEAKS:" : "no longer leaks:", replay->still_leaks,
      replay->report.leaks.size());
  print(told.json ? to_json(*replay).dump() + "\n"
                  : verdict + probe_summary(replay->result, out_terminal(), true));
  if (!replay->result.left_behind.empty()) {
    say_error(fmt::format("{}; take it back with rankveil probe --clean {}",
                          replay->result.left_behind, replay->result.journal));
  }
  // What could not be asked again is no repair.
  return replay->still_leaks > 0 ? exit_finding : exit_code_of(replay->result, true);
}

int run(ReplayOptions& told) {
  if (api::is_report_of_probe(told.request.report)) return run_probe_again(told);
  auto result =
      with_bar(told.request.target.input.progress, [&] { return api::replay(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  for (const std::string& warning : result->warnings) say_warning(warning);
  return result->replayed.still_leaks ? exit_finding : exit_ok;
}

}  // namespace

Run set_up_replay(Options& options) {
  auto told = std::make_shared<ReplayOptions>();
  options.positional("REPORT", "a report that rankveil audit or probe wrote as JSON",
                     told->request.report);
  options.text("--target", "TARGET",
               "an index, a table, or the description of a live ranking or service",
               told->request.target.target, Need::Required);
  add_target_options(options, told->request.target);
  options.section("Output");
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil replay probe.json --target people.toml");
  options.example(
      "rankveil replay audit.json --target people.rankveil --table people.csv --policy "
      "people.toml");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

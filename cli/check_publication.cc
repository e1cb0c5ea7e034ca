// rankveil check-publication: recounts a publication against its table.
#include "rankveil/api/check_publication.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/ranking_options.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct CheckOptions {
  api::CheckRequest request;
  bool json = false;
};

std::string show(const api::CheckResult& result) {
  const publish::Verification& found = result.verification;
  TextTable table;
  table.column("group", Align::Right);
  table.column("members", Align::Right);
  table.column("of the top", Align::Right);
  table.column("precision", Align::Right);
  for (std::size_t i = 0; i < found.groups.size(); ++i) {
    const publish::Recounted& group = found.groups[i];
    table.row({grouped(i + 1), grouped(group.members), grouped(group.true_positives),
               fmt::format("{:.3f}", group.precision())});
  }
  std::string text = table.render(out_terminal());
  text += fmt::format("\n{} of the top {} are covered, with a precision of {:.3f}\n",
                      grouped(found.covered), grouped(found.top_rows), found.precision);
  for (const std::string& problem : found.problems) text += "problem: " + printable(problem) + "\n";
  return text + (found.passed() ? "passed\n" : "failed\n");
}

std::string show_adversaries(const std::vector<publish::Reidentification>& adversaries) {
  TextTable table;
  table.column("adversary knows");
  for (const char* name :
       {"victims", "placed", "95%", "alone", "members", "values learned", "commonest value"}) {
    table.column(name, Align::Right);
  }
  for (const publish::Reidentification& one : adversaries) {
    table.row({one.adversary, grouped(one.victims), percent(one.placed, one.victims),
               fmt::format("{:.1f}..{:.1f}%", one.low * 100, one.high * 100), grouped(one.unique),
               fmt::format("{:.1f}", one.company),
               fmt::format("{} of {}", grouped(one.learned), grouped(one.tested)),
               fmt::format("{:.1f}%", one.largest * 100)});
  }
  return "\n" + table.render(out_terminal());
}

// A publication that does not hold is input that cannot be used.
int run(CheckOptions& told) {
  auto result =
      with_bar(told.request.input.progress, [&] { return api::check_publication(told.request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n" : show(*result));
  if (!told.json && told.request.adversaries) print(show_adversaries(result->adversaries));
  for (const std::string& note : result->verification.notes) say_note(note);
  return result->verification.passed() ? exit_ok : exit_code(ErrorCode::BadInput);
}

}  // namespace

Run set_up_check_publication(Options& options) {
  auto told = std::make_shared<CheckOptions>();
  api::CheckRequest& request = told->request;
  options.positional("PUBLISHED",
                     ".json of rankveil publish, or .csv or .parquet with columns such as "
                     "points_low and points_high",
                     request.publication);
  options.positional("TABLE", table_files, request.input.source.path, Need::Optional);
  add_ranking_options(options, request.input);
  options.section("Demand, where the file does not state it");
  options.number("--top", "N", "how many of the best were to be published", request.top, 1);
  options.number("-k,--k", "N", "members a group has at least", request.k, 1);
  add_decimal(options, "--precision", "P", "share of members that belong to the top, at least",
              request.precision);
  add_ties(options, request.ties);
  add_names(options, "--quasi", "COLUMNS", "which columns of a .csv or .parquet are those",
            request.quasi);
  add_hierarchies(options, request.hierarchies);
  add_names(options, "--sensitive", "COLUMNS", "and which are sensitive", request.sensitive);
  add_diversity(options, request.diversity);
  options.section("Output");
  options.flag("--adversaries",
               "also say whom adversaries with quasi-identifiers, membership or scores can place",
               request.adversaries);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil check-publication top.json nba.csv");
  options.example(
      "rankveil check-publication top.csv nba.csv --rank-by pts,ast,trb --top 100 --k 10 "
      "--precision 0.7");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

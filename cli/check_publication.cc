// rankveil check-publication: recounts a publication against its table, attacks it, and fails where
// it gives away too much.
#include "rankveil/api/check_publication.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/publication_summary.h"
#include "cli/ranking_options.h"
#include "cli/table_options.h"
#include "cli/terminal.h"

namespace rankveil::cli {

namespace {

struct CheckOptions {
  api::CheckRequest request;
  bool json = false;
};

Status take_rules(const std::string& text, std::vector<audit::Rule>& rules) {
  for (const std::string& word : words_of(text)) {
    auto rule = audit::rule_from_text(word);
    if (!rule) return rule.error();
    rules.push_back(*rule);
  }
  return {};
}

// Rules that are given decide, of a broken publication where one is about that. One that does not
// hold is else input that cannot be used.
int code_of(const CheckOptions& told, const audit::PublicationReport& report) {
  if (!report.audit.failures.empty()) return exit_finding;
  const bool is_ruled = std::ranges::find(told.request.fail_on, audit::Rule::What::Broken,
                                          &audit::Rule::what) != told.request.fail_on.end();
  return report.verification.passed() || is_ruled ? exit_ok : exit_code(ErrorCode::BadInput);
}

int run(CheckOptions& told) {
  auto result =
      with_bar(told.request.input.progress, [&] { return api::check_publication(told.request); });
  if (!result) return fail(result.error());
  const audit::PublicationReport& report = result->report;
  std::string text = recount_summary(report, out_terminal());
  if (told.request.asks_adversaries()) text += adversaries_summary(report, out_terminal());
  print(told.json ? to_json(report).dump() + "\n" : text);
  for (const std::string& note : report.audit.notes) say_note(note);
  if (!result->written) return fail(result->written.error());
  return code_of(told, report);
}

void add_gate_options(Options& options, api::CheckRequest& request) {
  options.section("Gate");
  options.each("--fail-on", "RULE",
               "exit with 1 on broken, or a figure above a limit (gain>0.4, certain>0, rate>0.5, "
               "proven>0)",
               [&](const std::string& text) { return take_rules(text, request.fail_on); });
  options.text("--baseline", "FILE", "known findings: they fail only if they get worse",
               request.baseline);
  options.text("--write-baseline", "FILE", "write all findings that fail, as the next baseline",
               request.write_baseline);
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
  options.section("Adversaries");
  options.flag("--adversaries",
               "also say whom adversaries with quasi-identifiers, membership or scores can place, "
               "and what they then guess; a gate or a file asks for that, too",
               request.adversaries);
  add_gate_options(options, request);
  options.section("Output");
  options.text("--html", "FILE", "write a page to read and to show, all in one file",
               request.files.html);
  options.text("--junit", "FILE", "write test results as CI systems read them (XML)",
               request.files.junit);
  options.text("--sarif", "FILE", "write alerts as code hosts read them (SARIF 2.1.0)",
               request.files.sarif);
  options.text("-o,--output", "FILE", "write what --json prints, beside the summary",
               request.files.output);
  options.flag("--json", "print JSON", told->json);
  options.example("rankveil check-publication top.json nba.csv");
  options.example("rankveil check-publication top.json nba.csv --fail-on broken --html top.html");
  options.example(
      "rankveil check-publication top.csv nba.csv --rank-by pts,ast,trb --top 100 --k 10 "
      "--precision 0.7");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

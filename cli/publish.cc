// rankveil publish: the top of a ranking as anonymous ranges.
#include "rankveil/api/publish.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/progress_bar.h"
#include "cli/ranking_options.h"
#include "cli/table_options.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"
#include "rankveil/publish/methods/method.h"

namespace rankveil::cli {

namespace {

struct PublishOptions {
  api::PublishRequest request;
  std::optional<publish::Ties> ties;
  bool json = false;
};

std::string range_text(const publish::Range& range) {
  return fmt::format("{:.6g}..{:.6g}", range.low, range.high);
}

std::string groups_table(const publish::Publication& publication) {
  TextTable table;
  table.column("group", Align::Right);
  for (const std::string& name : publication.columns) table.column(name);
  table.column("score");
  table.column("members", Align::Right);
  table.column("of the top", Align::Right);
  table.column("precision", Align::Right);
  const publish::PublishedGroup& first = publication.groups.front();
  for (const publish::Generalised& one : first.quasi) table.column(one.column);
  for (const publish::Disclosure& one : first.sensitive) table.column(one.column);
  for (std::size_t i = 0; i < publication.groups.size(); ++i) {
    const publish::PublishedGroup& group = publication.groups[i];
    std::vector<std::string> cells = {grouped(i + 1)};
    for (const publish::Range& range : group.ranges) cells.push_back(range_text(range));
    cells.push_back(range_text(group.score));
    cells.push_back(grouped(group.members));
    cells.push_back(grouped(group.true_positives));
    cells.push_back(fmt::format("{:.3f}", group.precision));
    for (const publish::Generalised& one : group.quasi) cells.push_back(one.text());
    for (const publish::Disclosure& one : group.sensitive) {
      cells.push_back(one.is_shown() ? one.text() : "withheld");
    }
    table.row(std::move(cells));
  }
  return table.render(out_terminal(), table.fitting_columns(out_terminal()));
}

std::string summary(const api::PublishResult& result) {
  const publish::Publication& publication = result.publication;
  return fmt::format("{} {} {} of the top {} ({}); {} of {} members belong to it ({})\n",
                     counted(publication.groups.size(), "group"),
                     publication.groups.size() == 1 ? "covers" : "cover",
                     grouped(publication.true_positives), grouped(publication.top_rows),
                     percent(publication.true_positives, publication.top_rows),
                     grouped(publication.true_positives), grouped(publication.members),
                     percent(publication.true_positives, publication.members));
}

int run(PublishOptions& told) {
  api::PublishRequest& request = told.request;
  if (request.input.source.path.empty() && request.input.source.sql.empty()) {
    return fail(wrong_use("a table is needed: a file, or --sql"));
  }
  request.demand.ties = told.ties.value_or(publish::Ties::Include);
  auto result = with_bar(request.input.progress, [&] { return api::publish_top(request); });
  if (!result) return fail(result.error());
  print(told.json ? to_json(*result).dump() + "\n"
                  : groups_table(result->publication) + "\n" + summary(*result));
  for (const std::string& note : result->notes) say_note(note);
  if (!result->output.empty()) say_note("wrote " + result->output);
  say_note(fmt::format("read in {}, formed in {}", format_seconds(result->read_seconds),
                       format_seconds(result->form_seconds)));
  return exit_ok;
}

void add_demand(Options& options, PublishOptions& told) {
  publish::Demand& demand = told.request.demand;
  options.section("Demand");
  options.number("--top", "N", "how many of the best to publish", demand.top);
  options.number("-k,--k", "N", "members a group has at least", demand.k);
  add_decimal(options, "--precision", "P",
              fmt::format("share of members that belong to the top, at least (default {})",
                          demand.precision),
              demand.precision);
  add_ties(options, told.ties);
  options.section("Method");
  options.text("--method", "NAME", "how boxes are looked for, see below", demand.method);
  options.number("--seed", "N", "of methods that draw", demand.seed);
  add_decimal(options, "--theta", "T",
              fmt::format("theta, theta-rapid: how far below the best a step may be (default {})",
                          demand.theta),
              demand.theta);
  options.number("--rounds", "N", "theta, theta-rapid: steps at most; 0: 3 and 6", demand.rounds, 0,
                 1'000'000);
  options.number("--alpha", "N", "grasp: best insertions to draw from", demand.alpha, 1, 1'000'000);
  options.number("--starts", "N", "grasp: tries", demand.starts, 1, 1'000'000);
  options.number("--node-budget", "N", "exact: boxes looked at for a group, at most",
                 demand.node_budget);
}

}  // namespace

Run set_up_publish(Options& options) {
  auto told = std::make_shared<PublishOptions>();
  api::PublishRequest& request = told->request;
  options.positional("TABLE", table_files, request.input.source.path, Need::Optional);
  add_ranking_options(options, request.input);
  add_demand(options, *told);
  options.section("Other columns");
  add_names(options, "--quasi", "COLUMNS", "quasi-identifiers, published as ranges or value sets",
            request.quasi);
  add_hierarchies(options, request.hierarchies);
  add_names(options, "--sensitive", "COLUMNS", "shown in groups that pass the tests below",
            request.sensitive);
  add_diversity(options, request.diversity);
  options.section("Output");
  options.text("-o,--output", "FILE", ".csv, .parquet, .json, .md or .html", request.output);
  options.flag("--force", "replace a file that is there", request.force);
  options.flag("--json", "print JSON", told->json);
  for (const publish::Method& method : publish::methods()) {
    options.topic("Methods", std::string(method.name), std::string(method.summary));
  }
  options.example(
      "rankveil publish nba.csv --rank-by pts,ast,trb --top 100 --k 10 --quasi age,position "
      "--sensitive all_nba --l-diversity 2 -o top.csv");
  options.example(
      "rankveil publish houses.csv --score 'sqft_living / price' --top 50 --k 5 --method exact");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

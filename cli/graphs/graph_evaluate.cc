// rankveil graph attack, evaluate: how many users of a release are identified.
#include "rankveil/graphs/operations/graph_evaluate.h"

#include <fmt/core.h>

#include "cli/commands.h"
#include "cli/exit_codes.h"
#include "cli/graphs/graph_options.h"
#include "cli/progress_bar.h"
#include "cli/terminal.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

struct EvaluateOptions {
  api::GraphEvaluateRequest request;
  std::string technique = "ca";  // attack
  std::uint32_t k = 6;           // attack
  bool json = false;
};

// What theorems 2 and 4 take for granted, though friendship is mutual.
std::string caveat(const api::GraphEvaluateResult& result, bound::Mode mode) {
  for (const auto& row : result.evaluation.rows) {
    auto theorem = attack::theorem_of(row.level);
    if (mode == bound::Mode::Sound && (theorem == 2 || theorem == 4)) {
      return " (levels I and III: if lists were independent)";
    }
  }
  return "";
}

// How many rates lie above their theorem's bound, and the first of them.
std::string show_crossings(const api::GraphEvaluateResult& result, bound::Mode mode) {
  auto crossed = api::crossings(result, mode);
  std::string text = fmt::format("{} of {} above the {} bound{}", crossed.size(),
                                 counted(api::bounded(result, mode), "rate"),
                                 bound::mode_name(mode), caveat(result, mode));
  if (crossed.empty()) return text + "\n";
  const auto& row = result.evaluation.rows[crossed.front()];
  return text + fmt::format("; first {}, level {}, {}: {:.2f}% against {:.2f}% by theorem {}\n",
                            row.technique, attack::name_of(row.level), row.attack, 100 * row.fu,
                            100 * api::bound_of(result.held[crossed.front()], mode)->rate,
                            attack::theorem_of(row.level));
}

std::string show(const api::GraphEvaluateResult& result) {
  TextTable table;
  table.column("technique");
  table.column("k", Align::Right);
  table.column("level");
  table.column("lambda1", Align::Right);
  table.column("lambda2", Align::Right);
  table.column("attack");
  table.column("identified", Align::Right);
  table.column("95% interval", Align::Right);
  for (const auto& row : result.evaluation.rows) {
    auto lambda = [](bool used, double value) { return used ? fmt::format("{:g}", value) : "-"; };
    table.row({row.technique, std::to_string(row.k), std::string(attack::name_of(row.level)),
               lambda(attack::uses_lambda1(row.level), row.lambda1),
               lambda(attack::uses_lambda2(row.level), row.lambda2), row.attack,
               fmt::format("{:.2f}%", 100 * row.fu),
               fmt::format("{:.2f}% - {:.2f}%", 100 * row.low, 100 * row.high)});
  }
  return fmt::format("{}: {}, {}; {} of background\n\n", printable(result.name),
                     counted(result.nodes, "user"), counted(result.edges, "friendship"),
                     counted(result.draws, "draw")) +
         table.render(out_terminal()) + "\n" + show_crossings(result, bound::Mode::Paper) +
         show_crossings(result, bound::Mode::Sound);
}

void talk_about(const api::GraphEvaluateResult& result, const std::string& page) {
  for (const std::string& warning : result.warnings) say_warning(warning);
  for (const auto& release : result.evaluation.releases) {
    for (const std::string& note : release.notes) {
      say_note(fmt::format("{}, k {}: {}", release.technique, release.k, note));
    }
  }
  if (!page.empty()) say_note(fmt::format("the page is {}", page));
  say_note(fmt::format("attacked in {}", format_seconds(result.seconds)));
}

// A release that is there was made by a technique already.
Status check_release(const EvaluateOptions& told, const Options& options) {
  auto given = options.given_in("Technique");
  if (told.request.published.empty() || given.empty()) return {};
  return wrong_use(
      fmt::format("{} is for a release that is made here, and --release names one that "
                  "is there; leave one of the two out",
                  given.front()));
}

int run(EvaluateOptions& told, bool rows_only) {
  auto& request = told.request;
  if (auto fine = check_graph_source(request.source); !fine) return fail(fine.error());
  auto result = with_bar(request.progress, [&] { return api::evaluate_graph(request); });
  if (!result) return fail(result.error());
  if (told.json) {
    Json json = rows_only ? api::rows_json(*result) : to_json(*result);
    print(json.dump() + "\n");
  } else {
    print(show(*result));
  }
  if (!result->page) return fail(result->page.error());
  talk_about(*result, request.page);
  return exit_ok;
}

void add_background(Options& options, api::GraphEvaluateRequest& request) {
  options.section("Adversaries");
  add_list(options, "--levels", "LIST", "of those below", request.levels);
  add_list(options, "--lambda1", "LIST",
           "levels II and IV: shares of users whose friendships are known", request.lambda1s);
  add_list(options, "--lambda2", "LIST",
           "levels III and IV: shares of users all of whose friends are known", request.lambda2s);
  options.number("--draws", "N", "how often the known users are drawn", request.draws);
  options.number("--seed", "N", "of the draws, of random sets and of probing", request.seed);
  options.flag("--any-label", "run mle also without the rule that nobody befriends himself",
               request.any_label);
  options.number("--threads", "N", "cores to use; 0 takes all", request.threads, 0, 1024);
}

void add_output(Options& options, EvaluateOptions& told) {
  options.section("Output");
  options.text("--html", "FILE", "write a page of charts and tables, too", told.request.page);
  options.flag("--force", "replace a page that is there", told.request.force);
  options.flag("--json", "print JSON", told.json);
  options.topic("Levels", "I", "the adversary knows nothing but the release");
  options.topic("Levels", "II", "friendships among a share lambda1 of the users");
  options.topic("Levels", "III", "all friends of a share lambda2 of the users");
  options.topic("Levels", "IV", "both");
  options.topic("Levels", "self", "nothing, but reads the release against itself");
  options.topic("Attacks", "mle", "takes the friend lists that are most likely the user's");
  options.topic("Attacks", "bas", "takes those that agree with most known friends");
}

}  // namespace

Run set_up_graph_attack(Options& options) {
  auto told = std::make_shared<EvaluateOptions>();
  auto& request = told->request;
  add_graph_source(options, request.source);
  options.section("Release");
  options.text("--release", "FILE",
               "attack these sets of the graph EDGES, which graph anonymize published by ca, be or "
               "random (.ndjson); without it, EDGES is released here by the technique below",
               request.published);
  options.section("Technique");
  options.text("--technique", "NAME", "ca, ia, be or random (default ca)", told->technique);
  options.choices("--technique", {"ca", "ia", "be", "random"});
  options.number("-k,--k", "N", "users that hide together, at least", told->k);
  add_technique_options(options, request.options);
  add_background(options, request);
  add_output(options, *told);
  options.example("rankveil graph attack friends.csv --release sets.ndjson");
  options.example(
      "rankveil graph attack friends.csv --technique ia -k 6 --levels III --lambda2 0.2");
  return [told, &options] {
    if (auto fine = check_release(*told, options); !fine) return fail(fine.error());
    told->request.techniques = {told->technique};
    told->request.ks = {told->k};
    told->request.options.seed = told->request.seed;
    return run(*told, false);
  };
}

Run set_up_graph_evaluate(Options& options) {
  auto told = std::make_shared<EvaluateOptions>();
  auto& request = told->request;
  add_graph_source(options, request.source);
  options.section("Techniques");
  add_list(options, "--techniques", "LIST", "which", request.techniques);
  add_list(options, "-k,--k", "LIST", "users that hide together, at least", request.ks);
  add_technique_options(options, request.options);
  add_background(options, request);
  add_output(options, *told);
  options.example("rankveil graph evaluate friends.csv --html friends.html");
  options.example(
      "rankveil graph evaluate friends.csv --k 3,6,9 --levels III --lambda2 0.1,0.5,0.9");
  return [told] {
    told->request.options.seed = told->request.seed;
    return run(*told, true);
  };
}

}  // namespace rankveil::cli

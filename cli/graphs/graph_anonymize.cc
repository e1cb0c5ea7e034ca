// rankveil graph anonymize: a k-anonymous release of a graph.
#include "rankveil/graphs/operations/graph_anonymize.h"

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

struct AnonymizeOptions {
  api::GraphAnonymizeRequest request;
  bool json = false;
};

std::string format_words(const std::string& format) {
  if (format == "edges") return "an edge list";
  return format == "sets" ? "sets of users, and friend lists without owners"
                          : "counts of edges inside and between sets";
}

std::string quality_text(const graph::Quality& quality) {
  TextTable table;
  table.column("");
  table.column("before", Align::Right);
  table.column("after", Align::Right);
  auto row = [&](const char* name, auto left, auto right) {
    table.row({name, fmt::format("{}", left), fmt::format("{}", right)});
  };
  const auto &before = quality.before, &after = quality.after;
  row("edges", grouped(before.edges), grouped(after.edges));
  row("different degrees", grouped(before.distinct_degrees), grouped(after.distinct_degrees));
  row("nodes alone with theirs", grouped(before.unique_degrees), grouped(after.unique_degrees));
  row("clustering", fmt::format("{:.4f}", before.clustering),
      fmt::format("{:.4f}", after.clustering));
  row("components", grouped(before.components), grouped(after.components));
  row("largest component", grouped(before.largest_component), grouped(after.largest_component));
  return table.render(out_terminal());
}

std::string found_text(const api::GraphAnonymizeResult& result) {
  if (!result.found) return "";
  const api::FoundFromNothing& found = *result.found;
  std::string text = fmt::format(
      "attack from nothing (level {}): {:.1f}% of the users are identified, {:.1f}% (2/k) are let "
      "through\n",
      found.level, 100 * found.share, 100 * found.allowed);
  return found.refused() ? styled(out_terminal(), Style::Red, text) : text;
}

std::string show(const api::GraphAnonymizeResult& result) {
  const graph::Quality& quality = result.quality;
  std::string text =
      fmt::format("{}: {}\n{}: {} of {} to {} users, checked\n", printable(result.path),
                  format_words(result.format), result.technique, counted(result.sets, "set"),
                  grouped(quality.smallest_set), grouped(quality.largest_set));
  text += found_text(result);
  text += fmt::format("structural loss {:.6g} (normalised {:.6g})", quality.sil, quality.nsil);
  if (quality.gil) {
    text += fmt::format(", generalisation loss {:.6g} (normalised {:.6g})", *quality.gil,
                        *quality.ngil);
  }
  text += fmt::format("\n{} added, {} deleted; degrees change by {:.4g} on average\n\n",
                      counted(quality.changes.added, "edge"), grouped(quality.changes.deleted),
                      quality.degrees.mean_change);
  return text + quality_text(quality);
}

int run(AnonymizeOptions& told) {
  auto& request = told.request;
  if (auto fine = check_graph_source(request.source); !fine) return fail(fine.error());
  auto result = with_bar(request.progress, [&] { return api::anonymize_graph(request); });
  if (!result) return fail(result.error());
  print(told.json ? json_of(*result).dump() + "\n" : show(*result));
  for (const std::string& warning : result->warnings) say_warning(warning);
  say_note(fmt::format("anonymized in {}, {} in all", format_seconds(result->anonymize_seconds),
                       format_seconds(result->seconds)));
  return exit_ok;
}

Status add_hierarchy(std::vector<connect::HierarchyFile>& files, const std::string& text) {
  auto split = text.find('=');
  if (split == std::string::npos || split == 0 || split + 1 == text.size()) {
    return wrong_use(fmt::format("\"{}\" is not COLUMN=FILE", text));
  }
  files.emplace_back(text.substr(0, split), text.substr(split + 1));
  return {};
}

}  // namespace

Run set_up_graph_anonymize(Options& options) {
  auto told = std::make_shared<AnonymizeOptions>();
  auto& request = told->request;
  add_graph_source(options, request.source);
  options.section("Technique");
  options.text("--technique", "NAME", "one of those below (default ca)", request.technique.name);
  options.number("-k,--k", "N", "users that hide together, at least", request.k);
  options.text("--attributes", "FILE",
               "ca: a table whose first column holds nodes and the others attributes",
               request.attributes_path);
  options.each(
      "--hierarchy", "COLUMN=FILE", "ca: how a column generalises, a line a value: Lyon,France,*",
      [&request](const std::string& text) { return add_hierarchy(request.hierarchies, text); });
  add_real(options, "--alpha", "X", "ca: weight of attributes", request.technique.alpha);
  add_real(options, "--beta", "X", "ca: weight of friends", request.technique.beta);
  add_technique_options(options, request.technique);
  options.number("--seed", "N", "of random sets and of probing", request.technique.seed);
  options.section("Output");
  options.text("-o,--output", "FILE", "the release", request.output, Need::Required);
  options.text(
      "--as", "FORMAT",
      "edges (.csv, .csv.gz, .parquet), sets (.ndjson) or counts (.csv); default edges for "
      "ia, else sets",
      request.format);
  options.flag("--force", "replace a file that is there", request.force);
  options.flag("--anyway", "write a release that identifies more than 2/k of the users, too",
               request.anyway);
  options.flag("--json", "print JSON", told->json);
  for (const auto& info : graph::techniques()) {
    options.topic("Techniques", std::string(info.name), std::string(info.summary));
  }
  options.example("rankveil graph anonymize friends.csv -k 6 -o sets.ndjson");
  options.example("rankveil graph anonymize friends.csv --technique ia -k 6 -o public.csv");
  return [told] { return run(*told); };
}

}  // namespace rankveil::cli

#include "rankveil/graphs/operations/graph_anonymize.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <optional>

#include "rankveil/api/report_outputs.h"
#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/graphs/attack/linkage.h"
#include "rankveil/graphs/files/edge_list.h"
#include "rankveil/graphs/operations/graph_inspect.h"

namespace rankveil::api {

namespace {

Result<std::string> format_of(const GraphAnonymizeRequest& request) {
  bool edits = request.technique.name == "ia";
  if (request.format.empty()) return std::string(edits ? "edges" : "sets");
  if (request.format != "edges" && request.format != "sets" && request.format != "counts") {
    return wrong_use(
        fmt::format("there is no format \"{}\"; there are edges, sets and counts", request.format));
  }
  if (request.format == "edges" && !edits) {
    return wrong_use(
        fmt::format("{} changes no edge, so its edge list would be the original; write sets or "
                    "counts, or take ia",
                    request.technique.name));
  }
  return request.format;
}

bool has_ending(const std::string& path, std::initializer_list<const char*> endings) {
  for (const char* ending : endings) {
    if (path.ends_with(ending)) return true;
  }
  return false;
}

Status check_ending(const std::string& path, const std::string& format) {
  if (format == "edges" && !has_ending(path, {".csv", ".csv.gz", ".parquet"})) {
    return wrong_use(fmt::format("\"{}\": name an edge list .csv, .csv.gz or .parquet", path));
  }
  if (format == "sets" && !has_ending(path, {".ndjson", ".jsonl"})) {
    return wrong_use(fmt::format("\"{}\": name a file of sets .ndjson or .jsonl", path));
  }
  if (format == "counts" && !has_ending(path, {".csv"})) {
    return wrong_use(fmt::format("\"{}\": name a file of counts .csv", path));
  }
  return {};
}

Status check_request(const GraphAnonymizeRequest& request) {
  if (request.output.empty()) return wrong_use("an output file is needed: -o FILE");
  bool attributes = !request.attributes_path.empty();
  if (attributes && request.technique.name != "ca") {
    return wrong_use(
        fmt::format("{} does not look at attributes; only ca does", request.technique.name));
  }
  if (!attributes && !request.hierarchies.empty()) {
    return wrong_use("a hierarchy is for a column of --attributes, and there are none");
  }
  if (attributes && request.technique.alpha == 0) {
    return wrong_use("attributes have no weight; give --alpha a number above 0");
  }
  std::vector<std::string> inputs = request.source.files();
  inputs.push_back(request.attributes_path);
  for (const auto& hierarchy : request.hierarchies) inputs.push_back(hierarchy.second);
  if (auto fine = check_report_outputs({request.output}, inputs); !fine) return fine;
  return check_may_write(request.output, request.force);
}

Status write(const graph::Release& release, const graph::NamedGraph& named,
             const std::string& format, const std::string& path) {
  if (format == "edges") {
    return connect::write_graph(*release.graph, named.names, path, named.texts);
  }
  return write_text(path, format == "sets"
                              ? graph::cloaked_sets_text(release, named.names, named.texts)
                              : graph::set_counts_text(release));
}

// Counts show no lists; sets and edges do.
std::optional<FoundFromNothing> attack_from_nothing(const graph::Graph& original,
                                                    const graph::Release& release,
                                                    const GraphAnonymizeRequest& request,
                                                    const std::string& format,
                                                    std::vector<std::string>& warnings) {
  if (format == "counts") return std::nullopt;
  auto fine = attack::check_linkable(original);
  if (fine) fine = attack::check_linkable(release);
  if (!fine) {
    warnings.push_back("the release was not attacked before it was written: " +
                       fine.error().message);
    return std::nullopt;
  }
  Stopwatch watch;
  report(request.progress, "attacking the release", 0.5);
  FoundFromNothing found{.allowed = 2.0 / request.k};
  const attack::Linkage linkage(original, release);
  for (attack::LinkageLevel level : {attack::LinkageLevel::I, attack::LinkageLevel::Self}) {
    auto shares = linkage.identified(level, attack::Background(original.nodes(), 0));
    double share = std::max(shares.mle, shares.bas);
    if (share <= found.share) continue;
    found.share = share;
    found.level = attack::name_of(level);
  }
  found.seconds = watch.seconds();
  return found;
}

Status refuse_what_is_found(const FoundFromNothing& found, const GraphAnonymizeRequest& request) {
  if (!found.refused() || request.anyway) return {};
  return bad_input(fmt::format(
      "the release would identify {:.1f}% of the users to anyone who has nothing else (level {}), "
      "and 2/k = {:.1f}% are let through, so nothing was written; publish counts (--as counts), "
      "take another technique or a larger k, or pass --anyway to write it all the same",
      100 * found.share, found.level, 100 * found.allowed));
}

}  // namespace

Result<GraphAnonymizeResult> anonymize_graph(const GraphAnonymizeRequest& request) {
  Stopwatch watch;
  auto format = format_of(request);
  if (!format) return format.error();
  if (auto fine = check_request(request); !fine) return fine.error();
  if (auto fine = check_ending(request.output, *format); !fine) return fine.error();
  auto options = release_options(request.technique, request.k);
  if (!options) return options.error();
  auto named = connect::read_graph(request.source, {.threads = 0, .progress = request.progress});
  if (!named) return named.error();
  std::optional<graph::Attributes> attributes;
  if (!request.attributes_path.empty()) {
    auto read = connect::read_node_attributes({.path = request.attributes_path}, named->names,
                                              request.hierarchies, named->texts);
    if (!read) return read.error();
    attributes = std::move(*read);
    options->attributes = &*attributes;
  }
  options->progress = request.progress;
  auto original = std::make_shared<const graph::Graph>(std::move(named->graph));
  Stopwatch release_watch;
  auto release = graph::anonymize(original, *options);
  if (!release) return release.error();
  double anonymize_seconds = release_watch.seconds();
  std::vector<std::string> warnings = graph::warnings_of(named->report);
  auto found = attack_from_nothing(*original, *release, request, *format, warnings);
  if (found) {
    if (auto stands = refuse_what_is_found(*found, request); !stands) return stands.error();
  }
  report(request.progress, "writing " + request.output, 0.9);
  if (auto done = write(*release, *named, *format, request.output); !done) {
    return done.error();
  }
  GraphAnonymizeResult result{
      .name = request.source.name(),
      .technique = request.technique.name,
      .k = request.k,
      .sets = release->sets.size(),
      .quality = graph::quality_of(*original, *release, attributes ? &*attributes : nullptr),
      .path = request.output,
      .format = *format,
      .found = found,
      .warnings = std::move(warnings),
      .anonymize_seconds = anonymize_seconds};
  std::error_code problem;
  result.bytes = std::filesystem::file_size(request.output, problem);
  result.warnings.insert(result.warnings.end(), release->notes.begin(), release->notes.end());
  result.seconds = watch.seconds();
  return result;
}

}  // namespace rankveil::api

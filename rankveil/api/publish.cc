#include "rankveil/api/publish.h"

#include <fmt/core.h>

#include <filesystem>
#include <set>

#include "rankveil/api/ranking_input.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/publish/release/describe.h"

namespace rankveil::api {

namespace {

using publish::Formed;
using publish::Publication;

enum class Form { Csv, Parquet, Json, Markdown, Html };

Result<Form> form_of(const std::string& path) {
  std::string ending = std::filesystem::path(path).extension().string();
  if (ending == ".csv") return Form::Csv;
  if (ending == ".parquet") return Form::Parquet;
  if (ending == ".json") return Form::Json;
  if (ending == ".md") return Form::Markdown;
  if (ending == ".html") return Form::Html;
  return wrong_use(fmt::format(
      "cannot tell the format of \"{}\"; end the name in .csv, .parquet, .json, .md or .html",
      path));
}

// A column of the table may be called as one of ours.
Status check_names(const connect::Sheet& sheet, const std::string& path) {
  std::set<std::string> seen;
  for (const auto& column : sheet.columns) {
    if (seen.insert(column.name).second) continue;
    return wrong_use(fmt::format(
        "{} would have two columns \"{}\": rename the table's with --sql \"SELECT ... AS ...\", or "
        "write .json",
        path, column.name));
  }
  return {};
}

Status write_publication(const Publication& publication, const std::string& path,
                         const std::string& table) {
  auto form = form_of(path);
  if (!form) return form.error();
  switch (*form) {
    case Form::Json:
      return write_text(path, to_json(publication).dump() + "\n");
    case Form::Markdown:
      return write_text(path, to_markdown(publication));
    case Form::Html: {
      std::string name = std::filesystem::path(table).filename().string();
      return write_text(path, to_html(publication, "The best of " + name));
    }
    default: {
      connect::Sheet sheet = to_sheet(publication);
      if (auto checked = check_names(sheet, path); !checked) return checked;
      return connect::write_sheet(sheet, path);
    }
  }
}

// What can be told without the table.
Status check(const PublishRequest& request) {
  if (!request.output.empty()) {
    if (auto form = form_of(request.output); !form) return form.error();
    std::vector<std::string> inputs = request.input.source.files();
    for (const auto& hierarchy : request.hierarchies) inputs.push_back(hierarchy.second);
    if (auto fine = check_report_outputs({request.output}, inputs); !fine) return fine;
    if (auto allowed = check_may_write(request.output, request.force); !allowed) return allowed;
  }
  constexpr publish::Row any = 0xFFFFFFFF;
  return publish::check_demand(request.demand, any, any);
}

Result<std::map<std::string, publish::Hierarchy>> read_hierarchies(const PublishRequest& request) {
  std::map<std::string, publish::Hierarchy> hierarchies;
  for (const auto& [column, path] : request.hierarchies) {
    auto text = read_text(path);
    if (!text) return text.error();
    auto hierarchy = publish::Hierarchy::parse(*text, path);
    if (!hierarchy) return hierarchy.error();
    hierarchies.insert_or_assign(column, *std::move(hierarchy));
  }
  return hierarchies;
}

publish::Surroundings surroundings_of(const PublishRequest& request,
                                      const std::vector<connect::TextColumn>& texts,
                                      std::map<std::string, publish::Hierarchy> hierarchies) {
  publish::Surroundings result{.hierarchies = std::move(hierarchies),
                               .diversity = request.diversity};
  for (std::size_t i = 0; i < texts.size(); ++i) {
    (i < request.quasi.size() ? result.quasi : result.sensitive).push_back(&texts[i]);
  }
  return result;
}

std::string nearest_text(const publish::Points& points, const publish::Demand& demand) {
  publish::Nearest nearest = publish::nearest_demand(points, demand);
  std::vector<std::string> ways;
  if (nearest.precision) ways.push_back(fmt::format("--precision {}", *nearest.precision));
  if (nearest.k) ways.push_back(fmt::format("--k {}", *nearest.k));
  if (ways.empty()) return "no smaller k or precision was found that would succeed";
  return fmt::format("{} would succeed", ways.size() == 1 ? ways[0] : ways[0] + " or " + ways[1]);
}

// Why there is no group: too few rows to hide among, or boxes that hold too many others.
Error failure(const publish::Points& points, const publish::Demand& demand, const Formed& formed) {
  if (formed.gave_up) {
    return bad_input(fmt::format(
        "nothing is published: the exact search looked at {} boxes and was not done; raise "
        "--node-budget, or use another method",
        grouped(demand.node_budget)));
  }
  publish::Demand loose = demand;
  loose.precision = 1e-6;
  auto any = publish::form_groups(points, loose);
  bool anonymous = any && !any->groups.empty();
  std::string why = anonymous
                        ? fmt::format("{} found no box of {} or more rows with a precision of {}",
                                      demand.method, demand.k, demand.precision)
                        : fmt::format("{} found no box of {} or more rows, whatever the precision",
                                      demand.method, demand.k);
  return bad_input(fmt::format("nothing is published: {}; {}", why, nearest_text(points, demand)));
}

void add_notes(const Formed& formed, const PublishRequest& request, PublishResult& result) {
  if (result.tied > 0) {
    result.notes.push_back(fmt::format(
        "{} more {} the score of number {}; {}", grouped(result.tied),
        result.tied == 1 ? "row has" : "rows have", request.demand.top,
        request.demand.ties == publish::Ties::Include ? "they count as top" : "they are left out"));
  }
  if (result.incomplete > 0) {
    result.notes.push_back(
        fmt::format("{} lack a ranking value and come last", counted(result.incomplete, "row")));
  }
  std::uint64_t left = formed.top.rows.size() - formed.true_positives();
  if (left > 0) {
    result.notes.push_back(
        fmt::format("{} of the top {} not covered: {}", grouped(left), left == 1 ? "is" : "are",
                    formed.gave_up ? "the exact search spent its node budget"
                                   : fmt::format("{} found no further group that meets the demand",
                                                 request.demand.method)));
  }
  const auto& groups = result.publication.groups;
  for (std::size_t i = 0; i < groups.size(); ++i) {
    for (const publish::Disclosure& one : groups[i].sensitive) {
      if (one.is_shown()) continue;
      result.notes.push_back(
          fmt::format("{} is withheld in group {}: {}", one.column, i + 1, one.withheld));
    }
  }
}

}  // namespace

Result<PublishResult> publish_top(const PublishRequest& request) {
  auto score = score_of(request.input);
  if (!score) return score.error();
  if (auto checked = check(request); !checked) return checked.error();
  auto hierarchies = read_hierarchies(request);
  if (!hierarchies) return hierarchies.error();
  Stopwatch reading;
  std::vector<std::string> texts = request.quasi;
  texts.insert(texts.end(), request.sensitive.begin(), request.sensitive.end());
  auto table = read_ranked(request.input, *score, texts);
  if (!table) return table.error();
  auto surroundings = surroundings_of(request, table->texts, *std::move(hierarchies));
  if (auto checked = check_surroundings(surroundings); !checked) return checked.error();
  PublishResult result{.table = request.input.source.name(),
                       .output = request.output,
                       .rows = table->points.rows(),
                       .incomplete = table->incomplete,
                       .read_seconds = reading.seconds()};
  Stopwatch forming;
  auto formed = publish::form_groups(table->points, request.demand);
  if (!formed) return formed.error();
  if (formed->groups.empty()) return failure(table->points, request.demand, *formed);
  result.form_seconds = forming.seconds();
  result.tied = formed->top.tied;
  result.publication =
      describe(*formed, request.demand, *score, request.input.missing_last, surroundings);
  add_notes(*formed, request, result);
  if (!request.output.empty()) {
    auto written = write_publication(result.publication, request.output, result.table);
    if (!written) return written.error();
  }
  return result;
}

Json to_json(const PublishResult& result) {
  return to_json(result.publication)
      .set("table", result.table)
      .set("output", result.output.empty() ? Json() : Json(result.output))
      .set("rows", result.rows)
      .set("tied", result.tied)
      .set("incomplete", result.incomplete)
      .set("notes", json_texts(result.notes))
      .set("read_seconds", result.read_seconds)
      .set("form_seconds", result.form_seconds);
}

}  // namespace rankveil::api

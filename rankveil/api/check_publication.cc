#include "rankveil/api/check_publication.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/api/ranking_input.h"
#include "rankveil/base/file.h"
#include "rankveil/publish/describe.h"

namespace rankveil::api {

namespace {

using publish::Publication;

Result<Publication> read_json(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return bad_input(fmt::format("{}: {}", path, json.error().message));
  auto publication = publish::publication_from_json(*json);
  if (!publication) return bad_input(fmt::format("{}: {}", path, publication.error().message));
  return publication;
}

// A sheet knows neither the score nor the demand.
Result<Publication> read_flat(const CheckRequest& request) {
  auto score = score_of(request.input);
  if (!score) return score.error();
  if (!request.top || !request.k || !request.precision) {
    return wrong_use(fmt::format(
        "{} does not say what was promised; pass --top, --k and --precision", request.publication));
  }
  auto sheet = connect::read_sheet(request.publication);
  if (!sheet) return sheet.error();
  auto publication = publish::publication_from_sheet(*sheet, score->columns());
  if (!publication) {
    return bad_input(fmt::format("{}: {}", request.publication, publication.error().message));
  }
  publication->score = score->text();
  return publication;
}

void replace(const CheckRequest& request, Publication& publication) {
  if (request.top) publication.top = *request.top;
  if (request.k) publication.k = *request.k;
  if (request.precision) publication.least_precision = *request.precision;
  if (request.ties) publication.ties = publish::ties_name(*request.ties);
}

// Every column that some group says something about.
std::vector<std::string> columns_beside(const Publication& publication) {
  std::vector<std::string> names;
  auto add = [&](const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const publish::PublishedGroup& group : publication.groups) {
    for (const publish::Generalised& one : group.quasi) add(one.column);
    for (const publish::Disclosure& one : group.sensitive) add(one.column);
  }
  return names;
}

Result<publish::Score> stated_score(const CheckRequest& request, const Publication& publication) {
  bool given = !request.input.rank_by.empty() || !request.input.score.empty();
  auto score = given ? score_of(request.input) : publish::Score::parse(publication.score);
  if (!score) return score;
  if (score->columns() == publication.columns) return score;
  return bad_input(fmt::format(
      "{} has ranges of other columns than those the score \"{}\" names, or in another order",
      request.publication, score->text()));
}

}  // namespace

Result<ReadPublication> read_publication(const CheckRequest& request) {
  bool is_json = std::filesystem::path(request.publication).extension() == ".json";
  auto publication = is_json ? read_json(request.publication) : read_flat(request);
  if (!publication) return publication.error();
  replace(request, *publication);
  auto score = stated_score(request, *publication);
  if (!score) return score.error();
  RankingInput input = request.input;
  input.missing_last = input.missing_last || publication->missing == "last";
  auto table = read_ranked(input, *score, columns_beside(*publication));
  if (!table) return table.error();
  ReadPublication read{*std::move(publication), {}};
  read.truth.ranking = std::move(table->points.columns);
  read.truth.scores = std::move(table->points.scores);
  read.truth.texts = std::move(table->texts);
  for (const auto& [column, path] : request.hierarchies) {
    auto text = read_text(path);
    if (!text) return text.error();
    auto hierarchy = publish::Hierarchy::parse(*text, path);
    if (!hierarchy) return hierarchy.error();
    read.truth.hierarchies.insert_or_assign(column, *std::move(hierarchy));
  }
  return read;
}

Result<CheckResult> check_publication(const CheckRequest& request) {
  auto read = read_publication(request);
  if (!read) return read.error();
  CheckResult result{.file = request.publication,
                     .table = request.input.source.name(),
                     .publication = std::move(read->publication),
                     .verification = {}};
  result.verification = publish::verify(result.publication, read->truth);
  if (request.adversaries) {
    result.adversaries = reidentify(result.publication, read->truth, result.verification);
  }
  return result;
}

Json to_json(const CheckResult& result) {
  const publish::Verification& found = result.verification;
  Json::Array groups;
  for (const publish::Recounted& group : found.groups) {
    groups.push_back(Json()
                         .set("members", group.members)
                         .set("true_positives", group.true_positives)
                         .set("precision", group.precision()));
  }
  double covered = found.top_rows == 0
                       ? 0
                       : static_cast<double>(found.covered) / static_cast<double>(found.top_rows);
  Json::Array adversaries;
  for (const publish::Reidentification& one : result.adversaries) {
    adversaries.push_back(to_json(one));
  }
  return Json()
      .set("publication", result.file)
      .set("table", result.table)
      .set("passed", found.passed())
      .set("top_rows", found.top_rows)
      .set("covered", covered)
      .set("precision", found.precision)
      .set("groups", std::move(groups))
      .set("problems", json_texts(found.problems))
      .set("adversaries", std::move(adversaries))
      .set("notes", json_texts(found.notes));
}

}  // namespace rankveil::api

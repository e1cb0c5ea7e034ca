#include "rankveil/api/generate_ranking.h"

#include <fmt/core.h>

#include <filesystem>

#include "rankveil/api/report_outputs.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/connect/columns.h"
#include "rankveil/publish/made_up.h"
#include "rankveil/publish/release/publication.h"

namespace rankveil::api {

namespace {

Result<publish::MadeUp> options_of(const GenerateRankingRequest& request) {
  auto spread = publish::spread_from_name(request.distribution);
  if (!spread) {
    return wrong_use(fmt::format(
        "there is no distribution \"{}\"; there are uniform, correlated and anti-correlated",
        request.distribution));
  }
  if (request.dimensions == 0 || request.dimensions > publish::most_dimensions) {
    return wrong_use(fmt::format("a table of {} dimensions cannot be made up; use 1 to {}",
                                 request.dimensions, publish::most_dimensions));
  }
  std::string ending = std::filesystem::path(request.table_path).extension().string();
  if (ending != ".csv" && ending != ".parquet") {
    return wrong_use(fmt::format(
        "cannot tell the format of \"{}\"; end the name in .csv or .parquet", request.table_path));
  }
  auto allowed = check_may_write(request.table_path, request.force);
  if (!allowed) return allowed.error();
  return publish::MadeUp{request.rows, request.dimensions, *spread, request.seed};
}

connect::Sheet sheet_of(const publish::Points& points) {
  connect::Sheet sheet;
  sheet.columns.push_back({"id", true});
  for (std::size_t d = 0; d < points.dimensions(); ++d) {
    sheet.columns.push_back({fmt::format("a{}", d + 1), true});
  }
  for (publish::Row row = 0; row < points.rows(); ++row) {
    std::vector<std::string> cells = {fmt::format("{}", row + 1)};
    for (const auto& column : points.columns) cells.push_back(publish::number_text(column[row]));
    sheet.rows.push_back(std::move(cells));
  }
  return sheet;
}

}  // namespace

Result<GenerateRankingResult> generate_ranking(const GenerateRankingRequest& request) {
  Stopwatch watch;
  auto options = options_of(request);
  if (!options) return options.error();
  auto written = connect::write_sheet(sheet_of(publish::make_up(*options)), request.table_path);
  if (!written) return written.error();
  std::error_code problem;
  auto bytes = std::filesystem::file_size(request.table_path, problem);
  return GenerateRankingResult{.rows = request.rows,
                               .dimensions = request.dimensions,
                               .distribution = request.distribution,
                               .seed = request.seed,
                               .table = {request.table_path, problem ? 0 : bytes},
                               .seconds = watch.seconds()};
}

Json to_json(const GenerateRankingResult& result) {
  return Json()
      .set("kind", "ranking")
      .set("rows", result.rows)
      .set("dimensions", result.dimensions)
      .set("distribution", result.distribution)
      .set("seed", result.seed)
      .set("table", Json().set("path", result.table.path).set("bytes", result.table.bytes))
      .set("seconds", result.seconds);
}

}  // namespace rankveil::api

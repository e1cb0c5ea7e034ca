#include "rankveil/api/build_index.h"

#include <fmt/core.h>

#include <filesystem>

#include "rankveil/api/index_output.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::api {

namespace {

// Rows of a protected index keep what they show only while it stays.
Status check_output(const std::string& output) {
  if (auto checked = check_index_output(output); !checked) return checked;
  if (!file_exists(output)) return {};
  auto there = open_index(output);
  if (!there || there->info().unprotected()) return {};
  return wrong_use(fmt::format(
      "{} is protected, and rows keep what they show only while it stays; choose another name for "
      "the unprotected index",
      output));
}

Status check(const IndexRequest& request) {
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  if (!request.unprotected) {
    return wrong_use(
        "index builds only unprotected indexes, whose order gives private values away; use "
        "rankveil "
        "protect, or pass --unprotected to say that you mean it");
  }
  if (auto checked = check_has_policy(request.input, "index"); !checked) return checked;
  return check_output(request.output);
}

std::vector<std::string> warnings_for(const IndexRequest& request) {
  std::vector<std::string> warnings;
  const PolicyOverrides& overrides = request.input.overrides;
  if (overrides.l) warnings.emplace_back("--l changes nothing in an unprotected index.");
  if (overrides.scheme) warnings.emplace_back("--scheme changes nothing in an unprotected index.");
  return warnings;
}

}  // namespace

Result<IndexResult> build_index(const IndexRequest& request) {
  if (auto checked = check(request); !checked) return checked.error();
  auto policy = load_policy(request.input);
  if (!policy) return policy.error();
  Stopwatch reading;
  auto loaded = connect::read_table(request.input.source, *policy, read_options(request.input));
  if (!loaded) return loaded.error();
  const Table& table = loaded->table;
  if (auto working = check_weights(table.schema()); !working) return working.error();
  IndexResult result{.output = request.output,
                     .replaced = file_exists(request.output),
                     .scheme = "unprotected",
                     .rows = table.rows(),
                     .public_attributes = table.schema().public_count(),
                     .private_attributes = table.schema().private_count(),
                     .warnings = std::move(loaded->warnings),
                     .read_seconds = reading.seconds()};
  for (auto& warning : warnings_for(request)) result.warnings.push_back(std::move(warning));
  Stopwatch building;
  report(request.input.progress, "building the index", 0);
  Index index =
      Index::build(public_part(table), unprotected_profiles(table),
                   {.scheme = "unprotected", .l = 0, .default_k = policy->k, .notes = {}});
  report(request.input.progress, "writing " + request.output, 0.5);
  if (auto written = write_index(index, request.output); !written) return written.error();
  result.build_seconds = building.seconds();
  std::error_code problem;
  auto bytes = std::filesystem::file_size(request.output, problem);
  result.file_bytes = problem ? 0 : bytes;
  return result;
}

Json to_json(const IndexResult& result) {
  return Json()
      .set("output", result.output)
      .set("replaced", result.replaced)
      .set("scheme", result.scheme)
      .set("unprotected", result.scheme == "unprotected")
      .set("rows", result.rows)
      .set("public_attributes", result.public_attributes)
      .set("private_attributes", result.private_attributes)
      .set("file_bytes", result.file_bytes)
      .set("warnings", json_texts(result.warnings))
      .set("read_seconds", result.read_seconds)
      .set("build_seconds", result.build_seconds);
}

}  // namespace rankveil::api

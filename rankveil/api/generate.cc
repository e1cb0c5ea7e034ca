#include "rankveil/api/generate.h"

#include <fmt/core.h>

#include <array>
#include <filesystem>

#include "rankveil/api/policy_file.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/base/file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/connect/source.h"
#include "rankveil/ranking/sample_workload.h"
#include "rankveil/table/people/people.h"

namespace rankveil::api {

namespace {

constexpr std::array<std::string_view, 3> endings = {".csv.gz", ".csv", ".parquet"};

// "out/people" for "out/people.csv"; nothing when the ending is none we write.
std::optional<std::string> stem_of(const std::string& path) {
  for (std::string_view ending : endings) {
    if (path.size() > ending.size() && path.ends_with(ending)) {
      return path.substr(0, path.size() - ending.size());
    }
  }
  return std::nullopt;
}

Result<GenerateRequest> with_paths(GenerateRequest request) {
  if (request.kind != "people") {
    return wrong_use(
        fmt::format("there is no generator \"{}\"; there are people and ranking", request.kind));
  }
  auto stem = stem_of(request.table_path);
  if (!stem) {
    return wrong_use(
        fmt::format("cannot tell the format of \"{}\"; end the name in .csv, .csv.gz "
                    "or .parquet",
                    request.table_path));
  }
  if (request.policy_path.empty()) request.policy_path = *stem + ".toml";
  if (request.workload_path.empty()) request.workload_path = *stem + "-workload.csv";
  bool distinct = !same_file(request.policy_path, request.table_path) &&
                  !same_file(request.workload_path, request.table_path) &&
                  !same_file(request.workload_path, request.policy_path);
  if (!distinct) return wrong_use("table, policy and workload must be three different files");
  for (const std::string& path : {request.table_path, request.workload_path}) {
    if (auto allowed = check_may_write(path, request.force); !allowed) return allowed.error();
  }
  return request;
}

WrittenFile written(const std::string& path) {
  std::error_code problem;
  auto bytes = std::filesystem::file_size(path, problem);
  return {path, problem ? 0 : bytes};
}

// The table comes first, as it is what may not fit on the disk; places for the others are kept
// ready before it, so that a missing folder is met in time. The policy goes last: it is what the
// owner edits, and it must not change when the rest fails.
Status write_all(const GenerateRequest& request, const Table& table, const Workload& workload,
                 const std::string& policy) {
  auto policy_file = AtomicFile::create(request.policy_path);
  if (!policy_file) return policy_file.error();
  if (auto done = policy_file->write(std::as_bytes(std::span(policy))); !done) return done;
  auto workload_place = AtomicFile::create(request.workload_path);
  if (!workload_place) return workload_place.error();
  if (auto done = connect::write_table(table, request.table_path, request.progress); !done) {
    return done;
  }
  if (auto done = connect::write_workload_csv(workload, table.schema(), request.workload_path);
      !done) {
    return done;
  }
  return policy_file->commit();
}

Json to_json(const WrittenFile& file) {
  return Json().set("path", file.path).set("bytes", file.bytes);
}

}  // namespace

Result<GenerateResult> generate(const GenerateRequest& asked) {
  Stopwatch watch;
  auto request = with_paths(asked);
  if (!request) return request.error();
  report(request->progress, "generating people", 0);
  auto table = generate_people(
      {.rows = request->rows, .attributes = request->attributes, .seed = request->seed});
  if (!table) return table.error();
  std::string policy = to_toml(people_policy(table->schema()));
  auto allowed = check_may_write_policy(request->policy_path, policy, request->force);
  if (!allowed) return allowed.error();
  Workload workload = sample_workload(*table, {.queries = request->queries, .seed = request->seed});
  if (auto done = write_all(*request, *table, workload, policy); !done) return done.error();
  return GenerateResult{.kind = request->kind,
                        .rows = table->rows(),
                        .attributes = table->schema().size(),
                        .private_attributes = table->schema().private_count(),
                        .seed = request->seed,
                        .queries = workload.entries.size(),
                        .table = written(request->table_path),
                        .policy = written(request->policy_path),
                        .workload = written(request->workload_path),
                        .seconds = watch.seconds()};
}

Json to_json(const GenerateResult& result) {
  return Json()
      .set("kind", result.kind)
      .set("rows", result.rows)
      .set("attributes", result.attributes)
      .set("private_attributes", result.private_attributes)
      .set("seed", result.seed)
      .set("queries", result.queries)
      .set("table", to_json(result.table))
      .set("policy", to_json(result.policy))
      .set("workload", to_json(result.workload))
      .set("seconds", result.seconds);
}

}  // namespace rankveil::api

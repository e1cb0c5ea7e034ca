#include "rankveil/api/protect.h"

#include <fmt/core.h>
#include <sys/resource.h>

#include <algorithm>
#include <filesystem>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/key_file.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/protect/ladder.h"
#include "rankveil/ranking/index_file.h"
#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::api {

namespace {

bool exists(const std::string& path) {
  std::error_code ignored;
  return std::filesystem::exists(path, ignored);
}

Status check_paths(const ProtectRequest& request) {
  if (request.input.policy_path.empty() && request.input.overrides.roles.empty()) {
    return wrong_use(fmt::format(
        "protect needs a policy that says what is private; write a first one with rankveil inspect "
        "{} --write-policy policy.toml, read it, then pass --policy policy.toml",
        request.input.source.name()));
  }
  if (request.key_path.empty()) {
    return wrong_use(
        "protect needs a secret key, so that nobody can undo what it does; make one with rankveil "
        "keygen my.key, keep it, and pass --key my.key");
  }
  if (!request.workload.empty() && !exists(request.workload)) {
    return io_error(fmt::format("there is no workload file {}", request.workload));
  }
  if (exists(request.output) && !looks_like_index(request.output)) {
    return wrong_use(fmt::format("{} exists and is no index; choose another name for the output",
                                 request.output));
  }
  for (const std::string& input :
       {request.key_path, request.workload, request.input.policy_path, request.input.source.path}) {
    bool clash = !input.empty() && (same_file(input, request.output) ||
                                    same_file(input, ledger_path(request.output)));
    if (clash) return wrong_use(fmt::format("the output would replace {}", input));
  }
  // Made and dropped: a missing folder or permission is met before the long read.
  auto probe = AtomicFile::create(request.output);
  if (!probe) return probe.error();
  return {};
}

// ---- What was there before ----

struct Previous {
  std::optional<Index> index;  // none: rows have nothing to keep
  Ledger ledger = {};
  std::uint32_t releases = 0;  // until now
};

Result<Previous> previous_of(const ProtectRequest& request) {
  Previous previous;
  if (!exists(request.output)) return previous;
  auto index = open_index(request.output);
  if (!index) return index.error();
  if (index->info().unprotected()) return previous;
  const Json* told = index->info().notes.find("release");
  if (told != nullptr && told->as_integer() != nullptr) {
    previous.releases = static_cast<std::uint32_t>(*told->as_integer());
  }
  std::string path = ledger_path(request.output);
  if (exists(path)) {
    auto ledger = read_ledger(path);
    if (!ledger && !request.new_release) return ledger.error();
    if (ledger) {
      previous.ledger = std::move(*ledger);
      previous.releases = previous.ledger.release;
    }
  } else if (!request.new_release) {
    return bad_input(fmt::format(
        "{} was protected before, but {} is missing, so rows could not keep what they show; put it "
        "back, or start over with --new-release",
        request.output, path));
  }
  if (!request.new_release) previous.index = std::move(*index);
  return previous;
}

// ---- The task ----

// Private attributes with too few values for l.
std::vector<LeftOut> attributes_to_leave_out(const Schema& schema, const Demand& demand) {
  std::vector<LeftOut> small;
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme == nullptr || !scheme->needs_l_values) return small;
  for (const Attribute& attribute : schema.attributes) {
    bool fits = !attribute.is_private() || attribute.domain.size() >= demand.l;
    if (!fits) small.push_back({attribute.name, attribute.domain.size()});
  }
  return small;
}

Table without(const Table& table, const std::vector<LeftOut>& left_out) {
  Schema schema;
  schema.id_name = table.schema().id_name;
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    const Attribute& attribute = table.schema().attributes[i];
    bool out = std::any_of(left_out.begin(), left_out.end(),
                           [&](const LeftOut& item) { return item.attribute == attribute.name; });
    if (out) continue;
    schema.attributes.push_back(attribute);
    columns.push_back(table.column(AttributeId{i}));
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

Result<std::vector<std::vector<AttributeId>>> ladder_of(const Policy& policy,
                                                        const Schema& schema) {
  std::vector<std::vector<AttributeId>> ladder;
  for (const auto& names : policy.ladder) {
    auto& rung = ladder.emplace_back();
    for (const std::string& name : names) {
      auto column = schema.find(name);
      if (!column || schema[*column].is_private()) {
        return bad_input(
            fmt::format("the ladder names {}, which is not public; a rung lists public "
                        "columns",
                        name));
      }
      rung.push_back(*column);
    }
  }
  return ladder;
}

std::uint64_t peak_memory() {
  rusage usage{};
  ::getrusage(RUSAGE_SELF, &usage);
  return static_cast<std::uint64_t>(usage.ru_maxrss) * 1024;
}

Json level_names(const std::vector<AdversaryLevel>& levels) {
  Json::Array names;
  for (AdversaryLevel level : levels) names.emplace_back(level_name(level));
  return names;
}

// What the served file says about itself.
Json notes_of(const ProtectResult& result, const Json& parameters) {
  Json notes;
  notes.set("promise", result.promise.text());
  notes.set("holds_against", level_names(result.holds_against));
  notes.set("broken_by", result.broken_by ? Json(level_name(*result.broken_by)) : Json());
  notes.set("release", result.release);
  return notes.set("parameters", parameters);
}

std::vector<std::string> warnings_for(const ProtectResult& result, const Demand& demand,
                                      const Workload& workload, const Scheme& scheme) {
  std::vector<std::string> warnings;
  if (scheme.broken_by) {
    warnings.push_back(
        fmt::format("{} holds only against the adversaries it names: one who is {} ({}) breaks it. "
                    "For a promise "
                    "that holds, use swap.",
                    scheme.name, level_name(*scheme.broken_by), level_meaning(*scheme.broken_by)));
  }
  if (scheme.uses_workload && workload.entries.empty()) {
    warnings.push_back(fmt::format(
        "{} is tuned to the queries people ask, and no workload was given.", scheme.name));
  }
  if (result.release > 1 && !result.continued) {
    warnings.push_back(fmt::format(
        "This is release {}: whoever kept an earlier one can compare the two.", result.release));
  }
  for (const LeftOut& item : result.left_out) {
    warnings.push_back(
        fmt::format("left out of the score: {}, which has {} and could not keep l = {} "
                    "possible",
                    item.attribute, counted(item.values, "value"), demand.l));
  }
  return warnings;
}

Status check_some_left(const Table& table) {
  if (table.schema().private_count() > 0) return {};
  return bad_input("no private attribute has l values, so there is nothing left to protect");
}

}  // namespace

Demand demand_of(const ProtectRequest& request, const Policy& policy) {
  Demand demand = request.demand;
  demand.scheme = policy.scheme;
  demand.l = policy.l;
  return demand;
}

Result<ProtectResult> protect(const ProtectRequest& request) {
  if (auto problem = kernels::requested_isa_problem(); !problem.empty()) return wrong_use(problem);
  if (auto checked = check_paths(request); !checked) return checked.error();
  auto key = read_key_file(request.key_path);
  if (!key) return key.error();
  auto policy = load_policy(request.input);
  if (!policy) return policy.error();
  Demand demand = demand_of(request, *policy);
  const Scheme* scheme = find_scheme(demand.scheme);
  if (scheme == nullptr) return check_demand({}, demand).error();
  auto previous = previous_of(request);
  if (!previous) return previous.error();

  Stopwatch reading;
  auto loaded = connect::read_table(request.input.source, *policy, read_options(request.input));
  if (!loaded) return loaded.error();
  ProtectResult result;
  Table table = std::move(loaded->table);
  if (request.allow_partial) {
    result.left_out = attributes_to_leave_out(table.schema(), demand);
    if (!result.left_out.empty()) table = without(table, result.left_out);
    if (auto some = check_some_left(table); !some) return some.error();
  }
  if (previous->index) {
    auto aligned = align(table, previous->index->schema());
    if (!aligned) return aligned.error();
    table = std::move(*aligned);
  }
  if (auto checked = check_demand(table.schema(), demand); !checked) return checked.error();
  if (auto working = check_weights(table.schema()); !working) return working.error();
  auto ladder = ladder_of(*policy, table.schema());
  if (!ladder) return ladder.error();
  Workload workload;
  if (!request.workload.empty()) {
    auto read = connect::read_workload(request.workload, table.schema());
    if (!read) return read.error();
    workload = std::move(*read);
  }
  result.read_seconds = reading.seconds();

  Stopwatch protecting;
  report(request.input.progress, "protecting with " + demand.scheme, 0);
  Task task{table,
            workload,
            demand,
            *key,
            std::move(*ladder),
            {},
            request.input.threads,
            request.input.progress};
  if (scheme->takes_cover) task.taking_part = loaded->established;
  auto release = previous->index ? next_release(task, *previous->index, previous->ledger,
                                                request.release_changed)
                                 : first_release(task, previous->releases + 1);
  if (!release) return release.error();
  result.protect_seconds = protecting.seconds();

  result.output = request.output;
  result.replaced = exists(request.output);
  result.continued = previous->index.has_value();
  result.scheme = demand.scheme;
  result.summary = scheme->summary;
  result.l = demand.l;
  result.promise = scheme->promise_for(demand, table.schema().private_count());
  result.holds_against = scheme->holds_against;
  result.broken_by = scheme->broken_by;
  result.caution = scheme->caution;
  result.release = release->ledger.release;
  result.rows = table.rows();
  result.public_attributes = table.schema().public_count();
  result.private_attributes = table.schema().private_count();
  result.established_rows = loaded->established.empty()
                                ? table.rows()
                                : static_cast<std::uint64_t>(std::count(
                                      loaded->established.begin(), loaded->established.end(), 1));
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    result.attributes.push_back(task.attribute(PrivateId{j}).name);
  }
  result.counts = release->counts;
  result.report = std::move(release->report);
  result.report.unique_rows = unique_rows(table);
  result.warnings = std::move(loaded->warnings);
  for (auto& warning : warnings_for(result, demand, workload, *scheme)) {
    result.warnings.push_back(std::move(warning));
  }

  Stopwatch writing;
  report(request.input.progress, "writing " + request.output, 0.8);
  Index index = Index::build(public_part(table), release->profiles,
                             {.scheme = demand.scheme,
                              .l = demand.l,
                              .default_k = policy->k,
                              .notes = notes_of(result, release->ledger.parameters)});
  // The ledger first: should the machine stop in between, the old index still has all its rows in
  // it.
  auto book = write_ledger(release->ledger, ledger_path(request.output));
  if (!book) return book.error();
  if (auto written = write_index(index, request.output); !written) return written.error();
  result.write_seconds = writing.seconds();
  std::error_code problem;
  auto bytes = std::filesystem::file_size(request.output, problem);
  result.file_bytes = problem ? 0 : bytes;
  result.peak_memory = peak_memory();
  return result;
}

namespace {

Json sizes_json(const std::vector<std::uint64_t>& sizes) {
  Json::Object object;
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    if (sizes[size] != 0) object.emplace_back(std::to_string(size), Json(sizes[size]));
  }
  return object;
}

Json rungs_json(const std::vector<RungReport>& rungs) {
  Json::Array array;
  for (const RungReport& rung : rungs) {
    array.push_back(Json()
                        .set("columns", json_texts(rung.columns))
                        .set("groups", rung.groups)
                        .set("rows", rung.rows));
  }
  return array;
}

Json counts_json(const ReleaseCounts& counts) {
  return Json()
      .set("kept", counts.kept)
      .set("released", counts.released)
      .set("waiting", counts.waiting)
      .set("withdrawn", counts.withdrawn)
      .set("gone", counts.gone);
}

Json report_json(const ProtectResult& result) {
  const ProtectionReport& report = result.report;
  Json short_sets;
  for (std::size_t j = 0; j < report.short_sets.size(); ++j) {
    short_sets.set(result.attributes[j], report.short_sets[j]);
  }
  Json json;
  json.set("set_sizes", sizes_json(report.set_sizes))
      .set("rungs", rungs_json(report.rungs))
      .set("rows_without_signal", report.rows_without_signal)
      .set("short_sets", std::move(short_sets))
      .set("rows_with_short_sets", report.rows_with_short_sets)
      .set("obfuscated_values", report.obfuscated_values)
      .set("rows_with_obfuscation", report.rows_with_obfuscation)
      .set("unique_rows", report.unique_rows)
      .set("solved", report.solved)
      .set("proven", report.proven)
      .set("largest_rounding", report.largest_rounding)
      .set("notes", json_texts(report.notes));
  if (report.obfuscation_bound) {
    json.set("obfuscations", report.obfuscation_bound->value);
    json.set("obfuscation_bound", report.obfuscation_bound->bound);
  }
  return json;
}

Json left_out_json(const std::vector<LeftOut>& left_out) {
  Json::Array array;
  for (const LeftOut& item : left_out) {
    array.push_back(Json().set("attribute", item.attribute).set("values", item.values));
  }
  return array;
}

}  // namespace

Json to_json(const ProtectResult& result) {
  return Json()
      .set("output", result.output)
      .set("replaced", result.replaced)
      .set("continued", result.continued)
      .set("scheme", result.scheme)
      .set("l", result.l)
      .set("promise", result.promise.text())
      .set("bound", result.promise.bound)
      .set("holds_against", level_names(result.holds_against))
      .set("broken_by", result.broken_by ? Json(level_name(*result.broken_by)) : Json())
      .set("release", result.release)
      .set("rows", result.rows)
      .set("public_attributes", result.public_attributes)
      .set("private_attributes", result.private_attributes)
      .set("established_rows", result.established_rows)
      .set("left_out", left_out_json(result.left_out))
      .set("release_counts", counts_json(result.counts))
      .set("report", report_json(result))
      .set("file_bytes", result.file_bytes)
      .set("peak_memory_bytes", result.peak_memory)
      .set("read_seconds", result.read_seconds)
      .set("protect_seconds", result.protect_seconds)
      .set("write_seconds", result.write_seconds)
      .set("warnings", json_texts(result.warnings));
}

Result<KeygenResult> keygen(const std::string& path, std::optional<std::uint32_t> seed) {
  SecretKey key = seed ? SecretKey::from_seed(*seed) : SecretKey::random();
  if (auto written = write_key_file(key, path); !written) return written.error();
  return KeygenResult{path, key.fingerprint()};
}

Json to_json(const KeygenResult& result) {
  return Json().set("path", result.path).set("fingerprint", result.fingerprint);
}

}  // namespace rankveil::api

#include "rankveil/api/probe.h"

#include <fmt/core.h>

#include <algorithm>
#include <filesystem>
#include <random>

#include "rankveil/api/probe_demonstration.h"
#include "rankveil/api/report_outputs.h"
#include "rankveil/api/version.h"
#include "rankveil/base/clock.h"
#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"
#include "rankveil/probe/probe.h"
#include "rankveil/probe/reading.h"

namespace rankveil::api {
namespace {

using probe::ProbeResult;

std::uint64_t fresh_seed() {
  std::random_device device;
  return (std::uint64_t{device()} << 32) | device();
}

// Only some of the ways of another asker.
class ChosenWays : public probe::Asker {
 public:
  ChosenWays(probe::Asker& asker, const std::vector<std::string>& names) : asker_(asker) {
    for (const probe::Way& way : asker.ways()) {
      const bool is_chosen = names.empty() || std::ranges::find(names, way.name) != names.end();
      if (is_chosen) ways_.push_back(way);
    }
  }
  std::span<const probe::Way> ways() const override { return ways_; }
  probe::Answer ask(const probe::Question& question) override {
    ++asked_;
    return asker_.ask(question);
  }
  std::uint64_t asked() const { return asked_; }

 private:
  std::uint64_t asked_ = 0;
  probe::Asker& asker_;
  std::vector<probe::Way> ways_;
};

struct ProbeRun {
  const ProbeRequest& request;
  ProbeService& opened;
  std::uint64_t seed;
  std::uint64_t budget;
  ProbeResult& result;
};

void read_only(const ProbeRun& run, probe::Asker& asker) {
  const probe::ReadingOptions options{.fields = run.opened.hidden,
                                      .control = run.opened.control,
                                      .budget = run.budget,
                                      .patience = run.request.patience,
                                      .seed = run.seed,
                                      .stop = run.request.stop};
  probe::ReadingReport report =
      probe::probe_by_reading(asker, options, real_clock(), run.request.progress);
  run.result.findings = std::move(report.findings);
  std::vector<std::string> unseen;
  for (probe::Kind kind : report.unseen) unseen.emplace_back(probe::to_text(kind));
  if (unseen.empty()) return;
  run.result.notes.push_back(
      fmt::format("it only read, and so says nothing about {}; --write makes a row of one's own, "
                  "and removes it",
                  listed(unseen)));
}

Status write_and_ask(const ProbeRun& run, probe::Asker& asker,
                     const std::vector<std::string>& rows) {
  probe::Writer* writer = run.opened.writer();
  const bool may_write = writer != nullptr && (!rows.empty() || run.opened.no_row.empty());
  if (!may_write) return wrong_use(run.opened.no_row);
  std::string path = run.request.journal;
  if (path.empty()) path = fmt::format("rankveil-probe-{:012x}.journal", run.seed >> 16);
  auto journal = probe::Journal::create(path, run.opened.name);
  if (!journal) return journal.error();
  const probe::ProbeOptions options{.fields = run.opened.hidden,
                                    .control = run.opened.control,
                                    .rows = rows,
                                    .budget = run.budget,
                                    .repetitions = run.request.repetitions,
                                    .patience = run.request.patience,
                                    .all = run.request.all,
                                    .seed = run.seed,
                                    .stop = run.request.stop};
  auto report = probe::probe(asker, *writer, *journal, options, real_clock(), run.request.progress);
  auto pending = probe::read_journal(path);
  const bool is_clean = pending && pending->made.empty() && pending->changed.empty();
  // Nothing is left to take back, so that nobody needs it.
  if (is_clean) std::filesystem::remove(path);
  if (!report) {
    const bool says_so = report.error().message.find("--clean") != std::string::npos;
    return is_clean || says_so
               ? report.error()
               : Error{report.error().code,
                       fmt::format("{}; what may be left is in {}: take it back with --clean "
                                   "{}",
                                   report.error().message, path, path)};
  }
  run.result.findings = std::move(report->findings);
  run.result.writes = report->writes;
  run.result.lag_seconds = report->lag_seconds;
  run.result.left_behind = std::move(report->left_behind);
  if (!is_clean) run.result.journal = path;
  return {};
}

// A hidden field that an answer shows to whoever asks to see it is given away by that.
void judge_columns(std::vector<probe::Finding>& findings) {
  using probe::Kind;
  using probe::Verdict;
  for (probe::Finding& finding : findings) {
    if (finding.verdict != Verdict::Shown || finding.way.kind != Kind::Column) continue;
    const bool is_public = std::ranges::any_of(findings, [&](const probe::Finding& other) {
      return other.field == finding.field && other.verdict == Verdict::Shown &&
             other.way.kind != Kind::Column;
    });
    if (is_public) continue;
    finding.verdict = Verdict::Leak;
    finding.reason = "the answer shows " + finding.field + " to whoever asks to see it";
  }
}

Result<ProbeResult> run_ways(const ProbeRequest& request, const std::vector<std::string>& ways,
                             const std::vector<std::string>& fields) {
  Stopwatch watch;
  auto target = probe_target(request.target, request.told);
  if (!target) return target.error();
  if (!fields.empty()) target->fields = fields;
  auto opened = open_probe_service(*target, request.budget);
  if (!opened) return opened.error();
  ProbeResult result{.target = opened->name};
  if (request.target.ends_with(".toml")) result.file = request.target;
  result.dialect = opened->dialect;
  result.run_with = opened->run_with;
  result.version = version().version;
  result.wrote = request.write;
  result.seed = request.seed ? *request.seed : fresh_seed();
  result.fields = opened->sources;
  result.public_field = opened->control ? opened->control->name : "";
  result.notes = opened->notes;
  ChosenWays asker(opened->asker(), ways);
  const ProbeRun run{request, *opened, result.seed, opened->budget, result};
  if (request.write) {
    if (auto done = write_and_ask(run, asker, target->rows); !done) return done.error();
  } else {
    read_only(run, asker);
  }
  judge_columns(result.findings);
  const probe::WorthCounts counts{
      .rows = opened->rows, .page = opened->page, .values = request.values};
  result.worth = probe::worth_of_leaks(result.findings, opened->hidden, counts);
  if (request.demonstrate) demonstrate_leaks(asker, *opened, request.write, result);
  result.stopped = request.stop != nullptr && request.stop->load();
  result.requests =
      opened->spent + (opened->http ? opened->http->talk().sent() : asker.asked() + result.writes);
  result.seconds = watch.seconds();
  return result;
}

Status write_reports(const ProbeRequest& request, const ProbeResult& result) {
  return write_outputs(
      {{request.output, [&] { return to_json(result).dump() + "\n"; }},
       {request.junit, [&] { return to_junit(result); }},
       {request.sarif, [&] { return to_sarif(result).dump() + "\n"; }},
       {request.html, [&] { return to_html(result); }},
       {request.write_baseline, [&] { return baseline_of(result).dump() + "\n"; }}});
}

Result<Json> read_json(const std::string& path) {
  auto text = read_text(path);
  if (!text) return text.error();
  auto json = parse_json(*text);
  if (!json) return bad_input(fmt::format("{}: {}", path, json.error().message));
  return json;
}

}  // namespace

Result<ProbeResult> run_probe(const ProbeRequest& request) {
  if (request.demonstrate && request.told.allow_remote) {
    return wrong_use(
        "--demonstrate recovers what people hide, so it is for test data on this machine; leave "
        "out "
        "--allow-remote or --demonstrate");
  }
  const Status fine = check_report_outputs(
      {request.output, request.junit, request.sarif, request.html, request.write_baseline},
      {request.baseline, request.target.ends_with(".toml") ? request.target : ""});
  if (!fine) return fine.error();
  std::optional<Json> baseline;
  if (!request.baseline.empty()) {
    auto json = read_json(request.baseline);
    if (!json) return json.error();
    baseline = std::move(*json);
  }
  auto result = run_ways(request, {}, {});
  if (!result) return result;
  if (baseline) {
    if (auto applied = apply_baseline(*baseline, *result); !applied) return applied.error();
  }
  result->written = write_reports(request, *result);
  return result;
}

Result<probe::Cleaned> clean_up_probe(const ProbeRequest& request, const std::string& journal) {
  auto pending = probe::read_journal(journal);
  if (!pending) return pending.error();
  auto target = probe_target(request.target, request.told);
  if (!target) return target.error();
  // Its mark is in a field that the first run may have chosen by the listing.
  auto opened = open_probe_service(*target, request.budget);
  if (!opened) return opened.error();
  if (pending->target != opened->name) {
    return wrong_use(fmt::format("the journal {} is of {}, and the target is {}", journal,
                                 pending->target, opened->name));
  }
  if (opened->writer() == nullptr) return wrong_use(opened->no_row);
  return probe::clean(journal, *opened->writer(), real_clock());
}

bool is_report_of_probe(const std::string& path) {
  auto json = read_json(path);
  return json && probe::is_probe_report(*json);
}

Result<ProbeReplay> replay_probe(const ProbeRequest& request, const std::string& path) {
  auto json = read_json(path);
  if (!json) return json.error();
  auto report = probe::report_from_json(*json);
  if (!report) return bad_input(fmt::format("{}: {}", path, report.error().message));
  if (report->leaks.empty())
    return bad_input(path + " names no leak, so there is nothing to replay");
  std::vector<std::string> ways;
  const auto add = [](std::vector<std::string>& names, const std::string& name) {
    if (std::ranges::find(names, name) == names.end()) names.push_back(name);
  };
  for (const probe::Leaked& leak : report->leaks) {
    add(ways, leak.way);
  }
  ProbeRequest again = request;
  auto target = probe_target(request.target, request.told);
  if (!target) return target.error();
  if (target->dialect == "auto") again.told.dialect = report->dialect;
  auto result = run_ways(again, ways, report->specs);
  if (!result) return result.error();
  ProbeReplay replay{std::move(*report), std::move(*result)};
  for (const probe::Leaked& leak : replay.report.leaks) {
    replay.still_leaks += static_cast<std::size_t>(
        std::ranges::count_if(replay.result.findings, [&](const probe::Finding& finding) {
          return finding.field == leak.field && finding.way.name == leak.way &&
                 finding.verdict == probe::Verdict::Leak;
        }));
  }
  return replay;
}

Json to_json(const ProbeReplay& replay) {
  Json json;
  return json.set("kind", "probe replay")
      .set("leaked", replay.report.leaks.size())
      .set("still_leaks", replay.still_leaks)
      .set("now", probe::to_json(replay.result));
}

}  // namespace rankveil::api

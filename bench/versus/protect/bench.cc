#include "bench/versus/protect/bench.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>

#include "rankveil/base/format.h"
#include "rankveil/base/stopwatch.h"

namespace rankveil::versus {
namespace {

void join(std::string& text, const std::string& more) { text += (text.empty() ? "" : "; ") + more; }

// What the scheme says about its work, as far as it bears on the time.
std::string facts_of(const ProtectionReport& report, std::uint32_t rows) {
  std::string text;
  std::uint64_t groups = 0;
  for (const RungReport& rung : report.rungs) groups += rung.groups;
  if (groups > 0) join(text, counted(groups, "group"));
  if (report.solved > 0)
    join(text, fmt::format("proven: {}", percent(report.proven, report.solved)));
  if (report.obfuscation_bound) {
    join(text,
         fmt::format("{} values replaced, {} at least", grouped(report.obfuscation_bound->value),
                     grouped(report.obfuscation_bound->bound)));
  }
  if (report.rows_with_short_sets > 0) {
    join(text, fmt::format("short sets: {} of rows", percent(report.rows_with_short_sets, rows)));
  }
  return text;
}

}  // namespace

Demand demand_of(std::string scheme, std::uint32_t l) {
  Demand demand;
  demand.scheme = std::move(scheme);
  demand.l = l;
  return demand;
}

double median(std::vector<double> values) {
  std::sort(values.begin(), values.end());
  std::size_t half = values.size() / 2;
  return values.size() % 2 == 1 ? values[half] : (values[half - 1] + values[half]) / 2;
}

Bed::Bed(const Case& what, std::uint64_t seed)
    : case_(what),
      table_(make_table(what.shape, seed)),
      workload_(make_workload(what.shape, table_.schema(), what.queries, seed)),
      key_(SecretKey::from_seed(seed)) {}

Task Bed::task(std::uint32_t threads) const {
  return {.table = table_,
          .workload = workload_,
          .demand = case_.demand,
          .key = key_,
          .ladder = case_.ladder,
          .threads = threads};
}

bool Bench::has_scheme(const std::string& scheme) {
  if (find_scheme(scheme) != nullptr) return true;
  std::string sentence = fmt::format("{}: there is no scheme of this name yet", scheme);
  auto& skipped = results_.skipped;
  if (std::find(skipped.begin(), skipped.end(), sentence) == skipped.end()) {
    skipped.push_back(sentence);
  }
  return false;
}

void Bench::wrong(const std::string& name, const std::string& why) {
  results_.wrong.push_back(name + ": " + why);
}

// Runs once on one thread and once on all; both must give what the scheme owes, and the same. The
// result is how long the first took.
std::optional<double> Bench::check(const Case& what, const Bed& bed, ProtectionReport& report) {
  Task alone = bed.task(1);
  Stopwatch watch;
  auto first = protect(alone);
  double seconds = watch.seconds();
  if (!first) {
    wrong(what.name, first.error().message);
    return {};
  }
  report = first->report;
  if (std::string why = wrong_in(alone, *first, what.form); !why.empty()) {
    wrong(what.name, why);
    return {};
  }
  Task together = bed.task(pace_.threads);
  auto second = protect(together);
  if (!second || digest(alone, first->profiles) != digest(together, second->profiles)) {
    wrong(what.name, fmt::format("{} threads do not make what one makes", pace_.threads));
    return {};
  }
  return seconds;
}

std::optional<Bench::Outcome> Bench::run(const Case& what) {
  bool is_asked_for = what.name.find(pace_.only) != std::string::npos;
  if (!is_asked_for || !has_scheme(what.demand.scheme)) return {};
  talk(what.name);
  Bed bed(what, pace_.seed);
  Outcome outcome;
  std::optional<double> one_thread = check(what, bed, outcome.report);
  if (!one_thread) return {};
  std::vector<double> seconds;
  Stopwatch all;
  while (seconds.empty() || (seconds.size() < pace_.rounds && all.seconds() < pace_.cap_seconds)) {
    Task task = bed.task(pace_.threads);
    Stopwatch watch;
    auto made = protect(task);
    seconds.push_back(watch.seconds());
    assert(made && "it was made before");
  }
  results_.timings.push_back({.part = what.part,
                              .name = what.name,
                              .table = what.table,
                              .rows = what.shape.rows,
                              .median = median(seconds),
                              .least = *std::min_element(seconds.begin(), seconds.end()),
                              .one_thread = *one_thread,
                              .rounds = static_cast<std::uint32_t>(seconds.size()),
                              .goal = what.goal,
                              .facts = facts_of(outcome.report, what.shape.rows)});
  outcome.timing = results_.timings.back();
  return outcome;
}

}  // namespace rankveil::versus

// The audit itself: attack, guess, judge, and say how sure one can be.
//
//   AuditTask task{.truth = truth, .arena = index_arena(...), .subject = subject};
//   auto report = run_audit(task);
//   if (!report) return report.error();
//   if (report->overall() == Verdict::Broken) warn(report->first_broken()->level);
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/attack/counted_target.h"
#include "rankveil/audit/arena.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/planted.h"
#include "rankveil/base/progress.h"
#include "rankveil/base/stop.h"

namespace rankveil::audit {

class CampaignLog;
struct SortArena;

struct AuditTask {
  const Table& truth;  // rows numbered as in the arena
  const Arena& arena;
  // Scheme, promise and levels are read; the rest is passed on into the report.
  Subject subject = {};

  // Profiles that can be read, for the levels that start from them; null: only attacks count.
  const Profiles* profiles = nullptr;
  std::optional<Mechanism> mechanism = {};
  const Table* population = nullptr;
  std::vector<ValueSet> sensitive_sets = {};
  // Per private attribute: public columns that are known to tell it; empty: none of any.
  std::vector<std::vector<AttributeId>> known = {};
  std::optional<AttributeId> person = {};  // the public column that says whose row each is
  // Of people who come and go: the rows that each other release has (other_release.h).
  std::vector<const Profiles*> other_releases = {};
  std::vector<std::vector<std::uint8_t>> other_rows = {};
  // Levels of profiles (levels.h) and checks (check.h); empty: all that can be run.
  std::vector<std::string> levels = {};
  // What builds the index, for `planted`; empty: the declared scheme.
  Rebuild rebuild = {};

  // A live target that orders by one column: what is attacked then (sort/sort_audit.h). Null:
  // wishes.
  const SortArena* sort = nullptr;

  // What a live target refuses to be asked for; `truth` does not have it.
  std::vector<Effect> refused = {};

  // Where rows with rare public values are looked up (priors.h).
  std::vector<std::vector<AttributeId>> ladder = {};
  std::uint32_t min_group = 21;

  std::uint64_t victims = 1000;  // attacked by every method
  std::vector<std::string> methods = {"all"};
  std::uint64_t seed = 1;
  attack::Budget budget = {};          // a victim and method
  std::uint32_t canaries = 20;         // planted for the control
  std::uint32_t victims_before = 200;  // of the unprotected ranking, to compare with; 0: none
  std::uint32_t threads = 0;
  Progress progress = {};
  // Told to stop, an audit finishes the victims under way, leaves out what else was to come, and
  // says so (AuditReport::incomplete). Profiles that can be read are judged before anybody is
  // attacked.
  Stop stop = {};
  CampaignLog* log = nullptr;  // null: what is done is done again next time
};

// The same task gives the same report, but for its seconds, whatever the threads. Refuses methods
// that are not there or do not work on the target.
Result<AuditReport> run_audit(const AuditTask& task);

}  // namespace rankveil::audit

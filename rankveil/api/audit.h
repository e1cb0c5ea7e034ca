// What a ranking gives away, what that means for its promise, and whether a gate should fail.
#pragma once

#include <atomic>
#include <cstdint>
#include <functional>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/api/audit_target.h"
#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/gate.h"
#include "rankveil/audit/people/effort.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::api {

struct AuditRequest {
  TargetInput target;
  // UINT64_MAX: all rows. Nothing: as many as there is time for, and so many queries
  // (audit/plan.h); of a live ranking 1,000, as time is not ours there.
  std::optional<std::uint64_t> victims = {};
  std::vector<std::string> methods = {"all"};  // attack/method.h
  std::vector<std::string> levels = {};        // of profiles; empty: all that can be run
  // Levels at which the promise is tested: "all" (all but informed), "claimed" (those that the
  // promise is made for), or names of levels.
  std::vector<std::string> against = {"all"};
  std::uint64_t seed = 1;
  std::optional<std::uint64_t> query_budget = {};   // a victim and method
  std::optional<std::uint64_t> insert_budget = {};  // likewise
  std::uint32_t canaries = 20;
  std::vector<std::string> other_releases = {};  // further indexes of the same rows
  std::string population = {};                   // a table of other people, same policy

  // Stops after so many seconds, with the victims under way (AuditReport::incomplete).
  std::optional<double> time_limit = {};
  const std::atomic<bool>* stop = nullptr;  // set: the same, now
  // Is told before the first attack what was chosen: the flags that repeat the audit, and how long
  // attacks are expected to take.
  std::function<void(const std::string& flags, double seconds)> planned = {};
  // The same of models of people, where levels have them.
  std::function<void(const audit::Effort&)> models_planned = {};

  std::vector<audit::Rule> fail_on = {};
  std::string baseline = {};        // what is known already; empty: nothing
  std::string write_baseline = {};  // where to write what is known now; empty: nowhere

  // Files to write the report to; empty: none.
  std::string output = {};  // JSON, for verify and replay
  std::string html = {};    // one page, for people
  std::string junit = {};   // XML, for CI systems
  std::string sarif = {};   // JSON, for code hosts
};

struct AuditResult {
  audit::AuditReport report;
  std::vector<std::string> warnings;
  Status written = {};  // which files could not be; the others are
};

// Reads before it attacks: what can be refused is refused early. The gate's objections are in
// report.failures.
Result<AuditResult> run_audit(const AuditRequest& request);

// A report file that `audit --json` wrote.
struct ReadReport {
  audit::AuditReport report;
  Json json;
};
Result<ReadReport> read_report(const std::string& path);

}  // namespace rankveil::api

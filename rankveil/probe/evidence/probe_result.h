// What a probe found, as its reports tell it.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/probe/evidence/leak_worth.h"
#include "rankveil/probe/finding.h"

namespace rankveil::probe {

struct ProbedField {
  std::string name;
  std::string source;     // where the probe has it from: "named", "the admin's listing", ...
  std::string spec = {};  // with its type, as --field takes it: "income:number"
  bool is_guess = false;  // by its name alone; nobody said that it is hidden
  // Nobody but who named it said that there is such a field: a misspelt name is refused, too.
  bool is_unheard_of = false;
};

// A value that a leak gave away, on test data.
struct Shown {
  std::string field;
  std::string way;
  std::string row;
  std::int64_t value = 0;
};

struct ProbeResult {
  std::string target;     // an address
  std::string file = {};  // the target file; empty: flags
  std::string dialect = {};
  std::vector<std::string> run_with = {};  // versions that the dialect was run with
  std::string version = {};                // of rankveil
  bool wrote = false;                      // false: it only read
  bool stopped = false;
  std::uint64_t seed = 0;
  std::vector<ProbedField> fields = {};
  std::string public_field = {};
  std::vector<Finding> findings = {};
  std::uint64_t requests = 0;
  std::uint64_t writes = 0;
  double lag_seconds = 0;
  double seconds = 0;
  std::string left_behind = {};
  std::string journal = {};  // where what is left behind is named
  std::vector<std::string> notes = {};
  std::vector<LeakWorth> worth = {};
  std::vector<Shown> demonstrated = {};
  std::vector<std::string> known = {};  // names of findings that a baseline has
  Status written = {};                  // which files could not be; the others are
};

// "income / sort": stable from run to run.
std::string name_of(const Finding& finding);

// What decides about a field: SHOWN, then LEAK, BLIND, DECLARED, INERT, REFUSED. A field of which
// all ways are ABSENT is BLIND. Ways that a baseline knows do not count as LEAK.
Verdict verdict_of(const ProbeResult& result, const std::string& field);
// Who only reads cannot tell a field that is kept from one that is not there.
bool may_be_misspelt(const ProbeResult& result, const std::string& field);
Verdict overall(const ProbeResult& result);

// 1 for LEAK; 3 for BLIND, for DECLARED without `is_protected`, and for SHOWN where somebody said
// that the field is hidden; else 0.
int exit_code_of(const ProbeResult& result, bool is_protected);

// One sentence about a field: "2 of 61 ways of asking give it away; the shortest is sort".
std::string sentence_of(const ProbeResult& result, const std::string& field);

// The finding whose proof is the easiest to show; null: nothing leaks.
const Finding* shortest_leak(const ProbeResult& result, const std::string& field);

Json to_json(const ProbeResult& result);
Json to_sarif(const ProbeResult& result);
std::string to_junit(const ProbeResult& result);
std::string to_html(const ProbeResult& result);

// ---- Reports of earlier runs ----

// What a report says that leaks: fields with their types, and ways. Refuses JSON that is no report
// of a probe.
struct Leaked {
  std::string field;
  std::string way;
};
struct EarlierReport {
  std::string target;
  std::string dialect;
  std::vector<Leaked> leaks = {};
  std::vector<std::string> specs = {};  // of the fields that leaked
};
Result<EarlierReport> report_from_json(const Json& json);
bool is_probe_report(const Json& json);

Json baseline_of(const ProbeResult& result);
// Marks findings that the baseline has as known. Refuses one of another target.
Status apply_baseline(const Json& baseline, ProbeResult& result);

}  // namespace rankveil::probe

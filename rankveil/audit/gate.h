// The gate: what an audit must not find, and what it may because it is known already.
//
//   auto rule = rule_from_text("gain>0.4");
//   report.failures = failures(report, {*rule}, known);
#pragma once

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/audit/audit_report.h"
#include "rankveil/audit/baseline_origin.h"
#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

// "broken" and "undecidable" look at verdicts. "gain>0.4", "certain>0", "rate>0.5", "proven>0",
// "bits>0.03" (a coin) look at figures of every finding but the baselines, "uncovered>0.2" at the
// share of rows that the promise is not about. Any of these also
// objects to what is undecided, unless "undecidable=allow" is there; and to what was not tested
// objects every audit, gate or not, unless "untested=allow" is.
struct Rule {
  enum class What {
    Broken,
    Undecidable,
    Gain,
    Certain,
    Rate,
    Proven,
    Bits,
    Uncovered,
    AllowUndecidable,
    AllowUntested
  };
  What what = What::Broken;
  double above = 0;

  std::string text() const;
};
Result<Rule> rule_from_text(std::string_view text);

// Findings that are known and do not fail again unless they get worse:
//   verdict   broken now and not before, or undecidable now and neither before
//   right     significantly more often (the new interval lies above the old one)
//   gain      or the certain share larger by more than `worse_by`
//   proven    some now and none before, or significantly more of the attempts; about a publication,
//             where nothing is drawn, any more
//   recount   a problem that was not there before
inline constexpr double worse_by = 0.05;
struct Baseline {
  Subject written_from = {};
  std::vector<Rule> rules = {};  // that objected when it was written
  std::vector<Finding> known = {};
};
// Findings that some rule objects to.
Baseline baseline_of(const AuditReport& report, const std::vector<Rule>& rules);
Json to_json(const Baseline& baseline);
Result<Baseline> baseline_from_json(const Json& json);

// Refuses a baseline of something else than this (baseline_origin.h), with the way out.
Status check_fits(const Baseline& baseline, const Subject& subject);

// Findings of a baseline that are in the report, too, by name (name_of). What is worse now is in
// neither list; what was not looked at this time is not, either.
struct Compared {
  std::vector<std::string> known;     // as they were, or not decided any more
  std::vector<std::string> repaired;  // no rule objects any more, neither then's nor one of `rules`
};
Compared compare(const AuditReport& report, const Baseline& baseline,
                 const std::vector<Rule>& rules);

// Whether the audit must not pass because something was not tested: exit code 3.
bool lacks_tests(const AuditReport& report, const std::vector<Rule>& rules);

// A sentence for each attribute with findings that a rule objects to (the first that does) and that
// the baseline does not know: about the gravest of them, with the number of the others. What is
// said of an attribute is not said again of all together. What was settled by reading profiles
// (AuditReport::is_settled) is not undecided.
std::vector<std::string> failures(const AuditReport& report, const std::vector<Rule>& rules,
                                  const std::optional<Baseline>& baseline);

}  // namespace rankveil::audit

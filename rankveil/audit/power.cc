#include "rankveil/audit/power.h"

#include <algorithm>

#include "rankveil/audit/check.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/promise/binomial.h"

namespace rankveil::audit {

namespace {

bool is_tested(const Finding& finding) {
  return finding.promise.kind != PromiseKind::None && !finding.level.starts_with("prior") &&
         finding.method != check_method;
}

}  // namespace

std::uint64_t count_comparisons(const std::vector<Finding>& findings) {
  return static_cast<std::uint64_t>(std::count_if(findings.begin(), findings.end(), is_tested));
}

Promise promise_of(const Subject& subject, const Finding& finding) {
  const std::string& level = finding.level;
  bool one_column = level == "trained" && finding.attribute != "all";
  if (subject.promise.over_moved && one_column) return {};
  if (level.starts_with("prior")) return {};
  AdversaryLevel wanted = level_of(level);
  bool covered =
      std::find(subject.against.begin(), subject.against.end(), wanted) != subject.against.end();
  return covered ? subject.promise : Promise{};
}

std::vector<Power> power_of(const std::vector<Finding>& findings, std::uint64_t comparisons) {
  std::vector<Power> statements;
  for (const Finding& finding : findings) {
    if (!is_tested(finding)) continue;
    Power& power = statements.emplace_back();
    power.attribute = finding.attribute;
    power.method = finding.method;
    power.level = finding.level;
    power.attempts = finding.attempts;
    power.allowed = allowed_rate(finding.promise, finding.prior);
    power.critical = critical_right(finding, comparisons);
    power.leak = smallest_leak(finding, comparisons);
    if (allowed_gain(finding.promise) < 1) {
      power.laid_open = rate_that_reaches(finding.attempts, 1, 0.95);
    }
  }
  return statements;
}

}  // namespace rankveil::audit

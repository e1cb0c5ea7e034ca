#include "rankveil/audit/verify.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>

#include "rankveil/audit/power.h"
#include "rankveil/audit/truth.h"
#include "rankveil/audit/verdict.h"

namespace rankveil::audit {

namespace {

class Comparison {
 public:
  void same(const std::string& what, double told, double computed) {
    bool fits = std::abs(told - computed) <= 1e-9 * std::max(1.0, std::abs(computed));
    count(fits, fmt::format("{} is {}, and comes out as {}", what, told, computed));
  }
  void same(const std::string& what, const std::string& told, const std::string& computed) {
    count(told == computed,
          fmt::format("{} is \"{}\", and comes out as \"{}\"", what, told, computed));
  }
  void holds(const std::string& sentence, bool fits) { count(fits, sentence); }

  Verification take() && { return std::move(made_); }

 private:
  void count(bool fits, std::string misfit) {
    ++made_.checks;
    if (!fits) made_.misfits.push_back(std::move(misfit));
  }
  Verification made_;
};

bool in_unit(double value) { return value >= 0 && value <= 1; }

void check_figures(const Finding& told, Comparison& checks) {
  std::string name = name_of(told);
  auto attempts = static_cast<double>(told.attempts);
  Finding computed = told;
  computed.right = std::clamp(told.right, 0.0, attempts);  // what is outside is told below
  fill_rate(computed);
  checks.same(name + ": rate", told.rate, computed.rate);
  checks.same(name + ": low", told.low, computed.low);
  checks.same(name + ": high", told.high, computed.high);
  checks.holds(name + ": more right guesses than attempts",
               told.right >= 0 && told.right <= attempts + 1e-6);
  checks.holds(name + ": more proven values than attempts", told.proven <= told.attempts);
  checks.holds(name + ": more hidden victims than attempts", told.hidden <= told.attempts);
  checks.holds(name + ": prior, certain or gain is no share",
               in_unit(told.prior) && in_unit(told.certain) && in_unit(told.certain_before) &&
                   told.gain <= 1 + 1e-9);
}

void check_verdict(const AuditReport& report, const Finding& told, const Judging& judging,
                   Comparison& checks) {
  std::string name = name_of(told);
  Promise promise = promise_of(report.subject, told);
  checks.same(name + ": promise", told.promise.text(), promise.text());
  Finding computed = told;
  judge(computed, judging);
  checks.same(name + ": verdict", std::string(verdict_name(told.verdict)),
              std::string(verdict_name(computed.verdict)));
  checks.same(name + ": reason", told.reason, computed.reason);
}

void check_findings(const AuditReport& report, Comparison& checks) {
  Judging judging{count_comparisons(report.findings), report.control.blind, report.effects};
  checks.same("comparisons", static_cast<double>(report.comparisons),
              static_cast<double>(judging.comparisons));
  for (const Finding& finding : report.findings) {
    check_figures(finding, checks);
    check_verdict(report, finding, judging, checks);
  }
}

void check_power(const AuditReport& report, Comparison& checks) {
  auto computed = power_of(report.findings, report.comparisons);
  checks.same("power statements", static_cast<double>(report.power.size()),
              static_cast<double>(computed.size()));
  for (std::size_t i = 0; i < std::min(computed.size(), report.power.size()); ++i) {
    const Power& told = report.power[i];
    std::string name =
        fmt::format("power of {}, {} as {}", told.attribute, told.method, told.level);
    checks.same(name + ": allowed", told.allowed, computed[i].allowed);
    checks.same(name + ": critical", static_cast<double>(told.critical),
                static_cast<double>(computed[i].critical));
    checks.same(name + ": leak", told.leak.value_or(-1), computed[i].leak.value_or(-1));
    checks.same(name + ": laid_open", told.laid_open.value_or(-1),
                computed[i].laid_open.value_or(-1));
  }
}

void check_curves(const AuditReport& report, Comparison& checks) {
  for (const Curve& curve : report.curves) {
    bool ascends = true;
    for (std::size_t i = 0; i < curve.points.size(); ++i) {
      ascends = ascends && in_unit(curve.points[i].share);
      if (i == 0) continue;
      ascends = ascends && curve.points[i].queries > curve.points[i - 1].queries &&
                curve.points[i].share >= curve.points[i - 1].share;
    }
    checks.holds(
        fmt::format("the curve of {}, {}, does not ascend from 0 to 1", curve.method, curve.name),
        ascends);
  }
}

void check_control(const Control& control, Comparison& checks) {
  checks.holds("the control recovered more than was planted",
               control.recovered + control.wrong <= control.attempts);
}

void check_summary(const AuditReport& report, const Json& json, Comparison& checks) {
  const Finding* broken = report.first_broken();
  checks.same("verdict", json.text_at("verdict"), std::string(verdict_name(report.overall())));
  checks.same("broken_by", json.text_at("broken_by"), broken == nullptr ? "" : broken->level);
}

void check_table(const AuditReport& report, const Table& table, Comparison& checks) {
  checks.same("fingerprint", report.subject.fingerprint, fingerprint(table));
  checks.same("rows", static_cast<double>(report.subject.rows), table.rows());
}

}  // namespace

Verification verify(const AuditReport& report, const Json& json, const Table* table) {
  Comparison checks;
  check_findings(report, checks);
  check_power(report, checks);
  check_curves(report, checks);
  check_control(report.control, checks);
  check_summary(report, json, checks);
  if (table != nullptr) check_table(report, *table, checks);
  return std::move(checks).take();
}

}  // namespace rankveil::audit

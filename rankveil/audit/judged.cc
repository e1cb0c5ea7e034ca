#include "rankveil/audit/judged.h"

#include <utility>

#include "rankveil/audit/check.h"
#include "rankveil/audit/power.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/table/telling/public_guess.h"

namespace rankveil::audit {

namespace {

// Levels know more than their figures: what they found broken for another reason stays so.
void judge_one(Finding& finding, const Judging& judging) {
  bool was_broken = finding.verdict == Verdict::Broken;
  std::string why = std::move(finding.reason);
  judge(finding, {.comparisons = 1});  // the least strict test of the figures
  bool by_figures = finding.verdict == Verdict::Broken;
  bool covered = finding.promise.kind != PromiseKind::None;
  if (was_broken && covered && !by_figures) finding.evidence = std::move(why);
  judge(finding, judging);
}

}  // namespace

void judge_findings(AuditReport& report) {
  for (Finding& finding : report.findings) finding.promise = promise_of(report.subject, finding);
  report.comparisons = count_comparisons(report.findings);
  Judging judging{report.comparisons, report.control.blind, report.effects};
  for (Finding& finding : report.findings) judge_one(finding, judging);
  report.power = power_of(report.findings, report.comparisons);
}

std::vector<PublicPrior> public_priors_of(const Table& truth, std::uint32_t threads,
                                          std::optional<AttributeId> person) {
  std::vector<PublicPrior> priors;
  std::vector<double> rates = guessed_from_public(truth, threads, person);
  double sum = 0;
  for (std::uint32_t j = 0; j < rates.size(); ++j) {
    priors.push_back({private_name(truth, j), rates[j]});
    sum += rates[j];
  }
  priors.push_back({"all", sum / static_cast<double>(rates.size())});
  return priors;
}

}  // namespace rankveil::audit

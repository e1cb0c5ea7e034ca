#include "rankveil/audit/publication_audit.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

using publish::ColumnGuess;
using publish::Disclosure;
using publish::Publication;
using publish::PublishedGroup;
using publish::Reidentification;

// ---- What diversity allows ----

const Disclosure* shown(const PublishedGroup& group, const std::string& column) {
  for (const Disclosure& one : group.sensitive) {
    if (one.column == column && one.is_shown()) return &one;
  }
  return nullptr;
}

// `distinct` different values in a group leave at most so much for the commonest.
double by_distinct(std::uint32_t distinct, std::uint64_t members) {
  auto count = static_cast<double>(members);
  return std::clamp((count - distinct + 1) / count, 0.0, 1.0);
}

// The largest share that a value of a group can have when exp(entropy) is at least `least`: the
// rest is spread as widely as the members allow.
double by_entropy(double least, std::uint64_t members) {
  auto others = static_cast<double>(members - 1);
  auto entropy = [&](double share) {
    double rest = 1 - share;
    double sum = share > 0 ? -share * std::log(share) : 0;
    return rest > 0 && others > 0 ? sum - rest * std::log(rest / others) : sum;
  };
  double low = 1 / static_cast<double>(members), high = 1;
  for (int i = 0; i < 60; ++i) {
    double middle = (low + high) / 2;
    (entropy(middle) >= std::log(least) ? low : high) = middle;
  }
  return high;
}

double allowed_in(const PublishedGroup& group, const publish::Diversity& diversity) {
  double allowed = 1;
  if (group.members == 0) return allowed;
  if (diversity.distinct) {
    allowed = std::min(allowed, by_distinct(*diversity.distinct, group.members));
  }
  if (diversity.entropy) {
    allowed = std::min(allowed, by_entropy(*diversity.entropy, group.members));
  }
  return allowed;
}

// ---- Findings ----

Finding placing(const Reidentification& adversary) {
  Finding finding;
  finding.attribute = "group";
  finding.method = publication_method;
  finding.level = adversary.adversary;
  finding.attempts = adversary.victims;
  finding.right = static_cast<double>(adversary.placed);
  finding.proven = adversary.unique;
  finding.candidates = adversary.company;
  fill_rate(finding);
  finding.reason =
      fmt::format("{} of {} can be placed, {} of them alone with what is known",
                  grouped(adversary.placed), grouped(adversary.victims), grouped(adversary.unique));
  return finding;
}

bool is_too_sure(const ColumnGuess& guess, const Promise& promise, bool is_range) {
  if (guess.certain > 0) return true;
  return !is_range && guess.is_shown && guess.largest > promise.bound + 1e-9;
}

bool is_range(const Publication& publication, const std::string& column) {
  return std::ranges::any_of(publication.groups, [&](const PublishedGroup& group) {
    const Disclosure* one = shown(group, column);
    return one != nullptr && one->range.has_value();
  });
}

void judge_column(const ColumnGuess& guess, const Publication& publication, Finding& finding) {
  finding.promise = diversity_promise(publication, guess.column);
  std::string certain =
      fmt::format("{} of {} values are certain", grouped(guess.certain), grouped(guess.victims));
  if (finding.promise.kind == PromiseKind::None) {
    finding.verdict = Verdict::NotPromised;
    finding.reason = certain + "; nothing was promised about this column";
    return;
  }
  bool broken = is_too_sure(guess, finding.promise, is_range(publication, guess.column));
  finding.verdict = broken ? Verdict::Broken : Verdict::Kept;
  finding.reason = fmt::format(
      "{}, and the surest guess is right with probability {:.3f}; {:.3f} "
      "is allowed",
      certain, guess.is_shown ? guess.largest : 0, finding.promise.bound);
}

Finding guessing(const Reidentification& adversary, const ColumnGuess& guess,
                 const Publication& publication) {
  Finding finding;
  finding.attribute = guess.column;
  finding.method = publication_method;
  finding.level = adversary.adversary;
  auto victims = static_cast<double>(std::max<std::uint64_t>(guess.victims, 1));
  finding.attempts = guess.victims;
  finding.hidden = adversary.victims - adversary.placed;
  finding.proven = guess.is_shown ? guess.certain : 0;
  finding.right = guess.right;
  finding.prior = guess.right_before / victims;
  finding.gain = guess.gain;
  finding.certain = static_cast<double>(guess.certain) / victims;
  finding.candidates = guess.candidates;
  fill_rate(finding);
  judge_column(guess, publication, finding);
  return finding;
}

// Its own demands: everybody with the table can recount them.
Finding recount(const publish::Verification& found) {
  Finding finding;
  finding.attribute = "publication";
  finding.method = recount_method;
  finding.level = "table";
  finding.verdict = found.passed() ? Verdict::Kept : Verdict::Broken;
  finding.reason = found.passed() ? "boxes, anonymity, precision and diversity are as stated"
                                  : fmt::format("{} ({} in all)", found.problems.front(),
                                                counted(found.problems.size(), "problem"));
  finding.evidence = fmt::format("{}", fmt::join(found.problems, "\n"));
  return finding;
}

void add_findings(PublicationReport& report) {
  auto& findings = report.audit.findings;
  for (const Reidentification& adversary : report.adversaries) {
    findings.push_back(placing(adversary));
  }
  if (!report.adversaries.empty()) {
    for (std::size_t c = 0; c < report.adversaries.front().columns.size(); ++c) {
      for (const Reidentification& adversary : report.adversaries) {
        findings.push_back(guessing(adversary, adversary.columns[c], report.publication));
      }
    }
  }
  findings.push_back(recount(report.verification));
}

void add_notes(PublicationReport& report) {
  std::vector<std::string>& notes = report.audit.notes;
  notes = report.verification.notes;
  if (report.publication.groups.empty()) {
    notes.emplace_back("Nothing is published, so there is nobody to place.");
  } else if (report.publication.groups.front().quasi.empty()) {
    notes.emplace_back(
        "No quasi-identifier is published, so adversaries who know those have nothing to compare "
        "with; they are left out.");
  }
}

std::vector<std::string> sensitive_columns(const Publication& publication) {
  std::vector<std::string> names;
  if (publication.groups.empty()) return names;
  for (const Disclosure& one : publication.groups.front().sensitive) names.push_back(one.column);
  return names;
}

Json group_json(const PublishedGroup& group, const publish::Recounted& recounted) {
  Json::Array sensitive;
  for (const Disclosure& one : group.sensitive) {
    sensitive.push_back(
        Json().set("column", one.column).set("shown", one.is_shown()).set("text", one.text()));
  }
  return Json()
      .set("members", recounted.members)
      .set("true_positives", recounted.true_positives)
      .set("precision", recounted.precision())
      .set("sensitive", std::move(sensitive));
}

}  // namespace

Promise diversity_promise(const publish::Publication& publication, const std::string& column) {
  const publish::Diversity& diversity = publication.diversity;
  if (!diversity.distinct && !diversity.entropy) return {};
  double allowed = 0;
  for (const PublishedGroup& group : publication.groups) {
    if (shown(group, column) != nullptr) {
      allowed = std::max(allowed, allowed_in(group, diversity));
    }
  }
  return {PromiseKind::GuessAtMost, allowed};
}

PublicationReport audit_publication(publish::Publication publication, const publish::Truth& truth) {
  PublicationReport report;
  report.publication = std::move(publication);
  report.verification = publish::verify(report.publication, truth);
  report.adversaries = reidentify(report.publication, truth, report.verification);
  report.audit.subject.target_kind = "publication";
  report.audit.subject.scheme = report.publication.method;
  report.audit.subject.rows = truth.scores.size();
  report.audit.subject.private_attributes = sensitive_columns(report.publication);
  add_findings(report);
  add_notes(report);
  return report;
}

Json to_json(const PublicationReport& report) {
  const AuditReport& audit = report.audit;
  const Finding* broken = audit.first_broken();
  Json::Array findings, adversaries, groups;
  for (const Finding& finding : audit.findings) findings.push_back(to_json(finding));
  for (const Reidentification& one : report.adversaries) adversaries.push_back(to_json(one));
  for (std::size_t i = 0; i < report.publication.groups.size(); ++i) {
    groups.push_back(group_json(report.publication.groups[i], report.verification.groups[i]));
  }
  return Json()
      .set("format", publication_report_format)
      .set("publication", audit.subject.target)
      .set("table", audit.subject.table)
      .set("rows", audit.subject.rows)
      .set("method", report.publication.method)
      .set("top_rows", report.verification.top_rows)
      .set("covered", report.verification.covered)
      .set("verdict", verdict_name(audit.overall()))
      .set("broken_by", broken == nullptr ? Json() : Json(name_of(*broken)))
      .set("adversaries", std::move(adversaries))
      .set("findings", std::move(findings))
      .set("groups", std::move(groups))
      .set("problems", json_texts(report.verification.problems))
      .set("notes", json_texts(audit.notes))
      .set("failures", json_texts(audit.failures))
      .set("known", json_texts(audit.known))
      .set("version", audit.settings.version)
      .set("seconds", audit.seconds);
}

}  // namespace rankveil::audit

#include "rankveil/audit/publication_audit.h"

#include <fmt/format.h>

#include <algorithm>

#include "rankveil/audit/diversity_promise.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

using publish::ColumnGuess;
using publish::Disclosure;
using publish::Publication;
using publish::PublishedGroup;
using publish::Reidentification;

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

std::string why_nothing_is_promised(const Publication& publication) {
  return publication.diversity.closeness
             ? "it was tested for closeness, which bounds no guess of numbers"
             : "nothing was promised about this column";
}

void judge_column(const ColumnGuess& guess, const Publication& publication, Finding& finding) {
  finding.promise = diversity_promise(publication, guess);
  std::string certain =
      fmt::format("{} of {} values are certain", grouped(guess.certain), grouped(guess.victims));
  if (finding.promise.kind == PromiseKind::None) {
    finding.verdict = Verdict::NotPromised;
    finding.reason = fmt::format("{}; {}", certain, why_nothing_is_promised(publication));
    return;
  }
  DiversityVerdict verdict = judge_diversity(publication, guess);
  finding.verdict = verdict.is_kept ? Verdict::Kept : Verdict::Broken;
  finding.reason = fmt::format("{}; {}", certain, verdict.reason);
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

std::vector<std::string> columns_without_promise(const AuditReport& audit) {
  std::vector<std::string> names;
  for (const std::string& column : audit.subject.private_attributes) {
    auto is_open = [&](const Finding& finding) {
      return finding.method == publication_method && finding.attribute == column &&
             finding.promise.kind == PromiseKind::None;
    };
    if (std::ranges::any_of(audit.findings, is_open)) names.push_back(column);
  }
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

std::uint64_t certain_values(const PublicationReport& report) {
  std::uint64_t most = 0;
  for (const Reidentification& adversary : report.adversaries) {
    std::uint64_t certain = 0;
    for (const ColumnGuess& guess : adversary.columns) certain += guess.certain;
    most = std::max(most, certain);
  }
  return most;
}

std::string kept_sentence(const PublicationReport& report) {
  const std::vector<std::string>& columns = report.audit.subject.private_attributes;
  const std::vector<std::string> open = columns_without_promise(report.audit);
  std::string sentence = "every group is as stated";
  if (columns.empty()) return sentence + ", and no sensitive column is published";
  if (open.empty()) {
    sentence += ", and no sensitive value is surer than promised";
  } else {
    sentence += fmt::format("; nothing was promised about guesses of {}", listed(open));
    if (open.size() < columns.size()) sentence += ", and of the others none is surer than promised";
  }
  if (std::uint64_t certain = certain_values(report); certain > 0) {
    sentence += fmt::format(
        "; {} certain all the same",
        certain == 1 ? "1 sensitive value is" : grouped(certain) + " sensitive values are");
  }
  return sentence;
}

PublicationReport audit_publication(publish::Publication publication, const publish::Truth& truth,
                                    bool with_adversaries) {
  PublicationReport report;
  report.publication = std::move(publication);
  report.verification = publish::verify(report.publication, truth);
  if (with_adversaries) {
    report.adversaries = reidentify(report.publication, truth, report.verification);
  }
  report.audit.subject.target_kind = "publication";
  report.audit.subject.scheme = report.publication.method;
  report.audit.subject.rows = truth.scores.size();
  report.audit.subject.private_attributes = sensitive_columns(report.publication);
  add_findings(report);
  report.audit.notes = report.verification.notes;
  if (with_adversaries) add_notes(report);
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
  const publish::Verification& found = report.verification;
  const double covered = found.top_rows == 0 ? 0
                                             : static_cast<double>(found.covered) /
                                                   static_cast<double>(found.top_rows);
  return Json()
      .set("format", publication_report_format)
      .set("publication", audit.subject.target)
      .set("table", audit.subject.table)
      .set("rows", audit.subject.rows)
      .set("method", report.publication.method)
      .set("passed", found.passed())
      .set("top_rows", found.top_rows)
      .set("covered", covered)
      .set("precision", found.precision)
      .set("verdict", verdict_name(audit.overall()))
      .set("broken_by", broken == nullptr ? Json() : Json(name_of(*broken)))
      .set("adversaries", std::move(adversaries))
      .set("findings", std::move(findings))
      .set("groups", std::move(groups))
      .set("problems", json_texts(found.problems))
      .set("notes", json_texts(audit.notes))
      .set("failures", json_texts(audit.failures))
      .set("known", json_texts(audit.known))
      .set("repaired", json_texts(audit.repaired))
      .set("version", audit.settings.version)
      .set("seconds", audit.seconds);
}

}  // namespace rankveil::audit

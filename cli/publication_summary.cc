#include "cli/publication_summary.h"

#include <fmt/core.h>

#include "cli/audit_summary.h"
#include "cli/text_table.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

using audit::Finding;
using audit::PublicationReport;
using publish::Reidentification;

std::string interval_text(double low, double high) {
  return fmt::format("{} to {}", percent_text(low), percent_text(high));
}

std::string verdict_text(const PublicationReport& report, const Terminal& terminal) {
  if (const Finding* broken = report.audit.first_broken()) {
    return fmt::format("\n{} ({}): {}\n",
                       styled(terminal, Style::Red, "BROKEN by " + broken->level),
                       printable(broken->attribute), printable(broken->reason));
  }
  return fmt::format("\n{}: {}\n", styled(terminal, Style::Bold, "KEPT"),
                     printable(kept_sentence(report)));
}

std::string placing_table(const PublicationReport& report, const Terminal& terminal) {
  if (report.adversaries.empty()) return "";
  TextTable table;
  table.column("adversary knows");
  for (const char* name : {"victims", "placed", "95% interval", "alone", "members"}) {
    table.column(name, Align::Right);
  }
  for (const Reidentification& one : report.adversaries) {
    table.row({one.adversary, grouped(one.victims), percent(one.placed, one.victims),
               interval_text(one.low, one.high), grouped(one.unique),
               fmt::format("{:.1f}", one.company)});
  }
  return "\nWho can be placed in a group:\n\n" + table.render(terminal);
}

std::string guessing_table(const PublicationReport& report, const Terminal& terminal) {
  if (report.audit.subject.private_attributes.empty()) return "";
  TextTable table;
  for (const char* name : {"column", "verdict", "adversary knows"}) table.column(name);
  for (const char* name : {"guessed right", "95% interval", "before", "largest gain", "certain"}) {
    table.column(name, Align::Right);
  }
  for (const Finding& finding : report.audit.findings) {
    if (finding.attribute == "group" || finding.method == audit::recount_method) continue;
    table.row({finding.attribute, std::string(verdict_name(finding.verdict)), finding.level,
               percent_text(finding.rate), interval_text(finding.low, finding.high),
               percent_text(finding.prior), fmt::format("{:.3f}", finding.gain),
               fmt::format("{} of {}", grouped(finding.proven), grouped(finding.attempts))});
  }
  return "\nWhat is then guessed about sensitive columns:\n\n" + table.render(terminal);
}

}  // namespace

std::string recount_summary(const PublicationReport& report, const Terminal& terminal) {
  const publish::Verification& found = report.verification;
  TextTable table;
  for (const char* name : {"group", "members", "of the top", "precision"}) {
    table.column(name, Align::Right);
  }
  for (std::size_t i = 0; i < found.groups.size(); ++i) {
    const publish::Recounted& group = found.groups[i];
    table.row({grouped(i + 1), grouped(group.members), grouped(group.true_positives),
               fmt::format("{:.3f}", group.precision())});
  }
  std::string text = table.render(terminal);
  text += fmt::format("\n{} of the top {} are covered, with a precision of {:.3f}\n",
                      grouped(found.covered), grouped(found.top_rows), found.precision);
  for (const std::string& problem : found.problems) text += "problem: " + printable(problem) + "\n";
  return text + (found.passed() ? "passed\n" : "failed\n");
}

std::string adversaries_summary(const PublicationReport& report, const Terminal& terminal) {
  return verdict_text(report, terminal) + placing_table(report, terminal) +
         guessing_table(report, terminal) + gate_summary(report.audit, terminal);
}

}  // namespace rankveil::cli

#include "cli/audit_summary.h"

#include <fmt/core.h>

#include <algorithm>

#include "cli/claim_lines.h"
#include "cli/text_table.h"
#include "rankveil/audit/report_alerts.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/audit/undecided.h"
#include "rankveil/base/format.h"
#include "rankveil/protect/not_sensitive.h"

namespace rankveil::cli {

namespace {

using audit::AuditReport;
using audit::Finding;
using audit::Verdict;

std::string scheme_text(const audit::Subject& subject) {
  if (subject.scheme == "unprotected") return subject.scheme;
  if (subject.scheme.empty()) return "scheme not known";
  return (subject.live ? "declared as " : "scheme ") + subject.scheme;
}

std::string spared_text(const audit::Subject& subject) {
  if (subject.not_sensitive.empty()) return "";
  return fmt::format("  spared    {}\n", printable(to_text(subject.not_sensitive)));
}

// What is known without any ranking: by all public values first, then on the rows' crowd.
std::string prior_text(const AuditReport& report) {
  auto told = report.public_prior("all");
  if (!told) return "";
  std::string text =
      fmt::format("  prior     {} of private values are guessed right by all public values",
                  percent_text(*told));
  for (const Finding& finding : report.findings) {
    if (finding.attribute != "all" || finding.level != "prior-public") continue;
    return text + fmt::format(", {} on the rows' crowd\n", percent_text(finding.rate));
  }
  return text + "\n";
}

std::string head(const AuditReport& report) {
  const audit::Subject& subject = report.subject;
  std::string text = fmt::format(
      "{} ({}, {}): {}\n  table     {}: {}, {} public and {} private attributes\n",
      printable(subject.target), subject.target_kind, scheme_text(subject),
      printable(claim_words(subject)), printable(subject.table), counted(subject.rows, "row"),
      subject.public_attributes.size(), subject.private_attributes.size());
  text += promise_lines("promise", subject.promise);
  text += fmt::format("{}{}  tested    against {}\n", spared_text(subject),
                      against_text(subject.promise, subject.holds_against), tested_text(report));
  text += fmt::format("  attacked  {} with {}, k = {}, seed {}\n",
                      counted(report.settings.victims, "row"), listed(report.settings.methods),
                      report.settings.k, report.settings.seed);
  text += prior_text(report);
  const std::string acts = acts_text(report);
  if (!acts.empty()) text += fmt::format("  acts      {}\n", printable(acts));
  return text;
}

// ---- The verdict ----

// In lines of at most 100 characters, two spaces in front of each.
std::string wrapped(const std::string& sentence) {
  constexpr std::size_t most = 98;
  std::string text;
  for (std::size_t at = 0; at < sentence.size();) {
    std::size_t end = sentence.size();
    if (end - at > most) {
      end = sentence.rfind(' ', at + most);
      if (end == std::string::npos || end <= at) end = std::min(at + most, sentence.size());
    }
    text += "  " + sentence.substr(at, end - at) + "\n";
    at = end + (end < sentence.size() && sentence[end] == ' ' ? 1 : 0);
  }
  return text;
}

std::string undecided_text(const AuditReport& report, const Terminal& terminal) {
  const audit::UndecidedWords words = undecided_words(report);
  std::string text = fmt::format("\n{}: {}\n", styled(terminal, Style::Yellow, "UNDECIDED"),
                                 printable(words.summary));
  for (const std::string& sentence : words.details) text += wrapped(printable(sentence));
  return text;
}

// What an answer did not depend on cannot be told by it.
std::string not_tested_text(const AuditReport& report, const Terminal& terminal) {
  std::string text = fmt::format("\n{}: nothing was found, and that means nothing here\n",
                                 styled(terminal, Style::Yellow, "NOT TESTED"));
  for (const std::string& words : not_tested_words(report)) text += wrapped(printable(words));
  return text;
}

std::string refused_text(const AuditReport& report, const Terminal& terminal) {
  const auto sentences = refused_words(report);
  if (sentences.empty()) return "";
  std::string text =
      fmt::format("\n{}: the best answer there is\n", styled(terminal, Style::Bold, "REFUSED"));
  for (const std::string& sentence : sentences) text += wrapped(printable(sentence));
  return text;
}

std::string worst_verdict(const AuditReport& report, const Terminal& terminal) {
  if (report.findings.empty() && !refused_words(report).empty()) return "";
  const Finding* broken = report.first_broken();
  switch (report.overall()) {
    case Verdict::Broken: {
      std::string by = fmt::format("BROKEN by {}", broken->level);
      return fmt::format("\n{} ({}, {}){}: {}\n", styled(terminal, Style::Red, by),
                         printable(broken->attribute), broken->method,
                         beyond_claim(report.subject, *broken), broken->reason);
    }
    case Verdict::NotTested:
      return not_tested_text(report, terminal);
    case Verdict::Undecidable:
      return undecided_text(report, terminal);
    case Verdict::Kept:
      return fmt::format("\n{}: no level that was run gets more than is promised.{}\n",
                         styled(terminal, Style::Bold, "KEPT"), untested_text(report)) +
             wrapped(settled_words(report));
    case Verdict::NotPromised:
      return fmt::format("\n{}: the figures below are for information\n",
                         styled(terminal, Style::Bold, "NOTHING IS PROMISED"));
  }
  return {};
}

// A verdict about a promise that hardly covers anybody must not be read without that.
std::string few_covered_text(const AuditReport& report, const Terminal& terminal) {
  const auto& coverage = report.subject.coverage;
  if (!coverage || !coverage->covers_few()) return "";
  std::string covers =
      fmt::format("covers {} of {}", grouped(coverage->covered), counted(coverage->rows, "row"));
  return fmt::format("\n{}: about the others that show something nothing is promised\n",
                     styled(terminal, Style::Yellow, covers));
}

std::string incomplete_text(const AuditReport& report, const Terminal& terminal) {
  if (report.incomplete.empty()) return "";
  return fmt::format("\n{}: {}\n", styled(terminal, Style::Yellow, "INCOMPLETE"),
                     printable(report.incomplete));
}

std::string verdict_text(const AuditReport& report, const Terminal& terminal) {
  return incomplete_text(report, terminal) + few_covered_text(report, terminal) +
         worst_verdict(report, terminal) + refused_text(report, terminal);
}

// ---- Findings ----

// Of two findings about an attribute, the one to show: what breaks a promise, then what tells most
// beyond the prior. Undecided is not worse than kept: an attack that learned nothing often is.
bool worse(const Finding& a, const Finding& b) {
  bool breaks = a.verdict == Verdict::Broken;
  if (breaks != (b.verdict == Verdict::Broken)) return breaks;
  return learned_more(a, b);
}

void add_columns(TextTable& table) {
  table.column("attribute");
  table.column("verdict");
  table.column("level");
  table.column("method");
  table.column("found, of the limit", Align::Right);
  table.column("guessed right", Align::Right);
  table.column("95% interval", Align::Right);
  table.column("by public values", Align::Right);
  table.column("before", Align::Right);
  table.column("certain (before)", Align::Right);
  table.column("gain over before", Align::Right);
  table.column("proven", Align::Right);
}

// `verdict`: the finding's, or that on its attribute, which another finding may have decided.
void add_row(TextTable& table, const AuditReport& report, const Finding& finding, Verdict verdict) {
  auto by_public = report.public_prior(finding.attribute);
  table.row(
      {finding.attribute, std::string(verdict_name(verdict)), finding.level, finding.method,
       against_limit(finding), percent_text(finding.rate),
       fmt::format("{} to {}", percent_text(finding.low), percent_text(finding.high)),
       by_public ? percent_text(*by_public) : "", percent_text(finding.prior),
       fmt::format("{} ({})", percent_text(finding.certain), percent_text(finding.certain_before)),
       fmt::format("{:.3f}", finding.gain),
       fmt::format("{} of {}", grouped(finding.proven), grouped(finding.attempts))});
}

std::string worst_findings(const AuditReport& report, const Terminal& terminal) {
  std::vector<std::string> attributes = report.subject.private_attributes;
  attributes.emplace_back("all");
  TextTable table;
  add_columns(table);
  if (report.findings.empty()) return "";
  for (const std::string& attribute : attributes) {
    const Finding* worst = nullptr;
    for (const Finding& finding : report.findings) {
      bool aside = audit::is_baseline(finding) || audit::is_about_what_is_known(finding);
      if (finding.attribute != attribute || aside) continue;
      if (worst == nullptr || worse(finding, *worst)) worst = &finding;
    }
    if (worst != nullptr) add_row(table, report, *worst, report.overall(attribute));
  }
  return "\nThe worst about each attribute (broken first, then by largest gain, then by guesses "
         "beyond the prior):\n\n" +
         table.render(terminal) + "\n" +
         wrapped(
             "Verdicts go by what was found, of the limit. \"before\" is what the same adversary "
             "guessed without the release, by public values and what columns tell of each "
             "other; gains are over that, the largest about any row.");
}

// Whether what is shown tells which rows show their own values.
std::string coins_summary(const AuditReport& report) {
  std::string text;
  for (const Finding& finding : report.findings) {
    if (!finding.coins || finding.attribute != "all") continue;
    text += fmt::format("\nWhich rows show their own values, to {}: {}\n", finding.level,
                        coins_text(*finding.coins));
  }
  for (const Finding& finding : report.findings) {
    bool told = audit::is_about_what_is_known(finding) && finding.gains;
    if (!told || finding.attribute != "all") continue;
    text += fmt::format("\nWho {} ({}): {}\n", audit::level_phrase(finding.level), finding.level,
                        finding.gains->text());
  }
  return text;
}

std::string all_findings(const AuditReport& report, const Terminal& terminal) {
  TextTable table;
  add_columns(table);
  for (const Finding& finding : report.findings) add_row(table, report, finding, finding.verdict);
  return "\n" + table.render(terminal);
}

// ---- How sure that is ----

std::string power_text(const AuditReport& report) {
  double leak = 0;
  double open = 0;
  bool none = report.power.empty();
  for (const audit::Power& power : report.power) {
    if (power.attribute == "all" || power.method == "profiles") continue;
    none = none || !power.leak;
    leak = std::max(leak, power.leak.value_or(1));
    open = std::max(open, power.laid_open.value_or(1));
  }
  if (leak == 0 || none) return "";
  return fmt::format(
      "\nWith 95% probability the attacks would have found an attribute with {} of its values laid "
      "open,\nor with guesses that are right for {} of rows more than the promise allows.\n",
      percent_text(open), percent_text(leak));
}

std::string control_text(const audit::Control& control) {
  return control.note.empty() ? "" : fmt::format("\nControl: {}\n", control.note);
}

std::string query_text(const Json& query) {
  std::string text;
  if (query.as_object() == nullptr) return query.dump(-1);
  for (const auto& [name, value] : *query.as_object()) {
    if (value.is_null()) continue;
    std::string values;
    if (const Json::Array* list = value.as_array()) {
      for (const Json& item : *list) {
        values += (values.empty() ? "" : "|") +
                  (item.as_text() == nullptr ? item.dump(-1) : *item.as_text());
      }
    } else {
      values = value.as_text() == nullptr ? value.dump(-1) : *value.as_text();
    }
    text += fmt::format("{}{}={}", text.empty() ? "" : ", ", name, values);
  }
  return text.empty() ? "nothing in particular" : text;
}

std::string row_text(const audit::Step& step) {
  std::string text;
  for (const auto& value : step.row) text += (text.empty() ? "" : ", ") + value.value_or("-");
  return text;
}

std::string shown_transcript(const AuditReport& report) {
  if (!report.transcript) return "";
  const audit::Transcript& transcript = *report.transcript;
  return fmt::format("\nHow to prove that {} of row {} is {}, in {} ({} needed {}):\n\n{}",
                     printable(transcript.attribute), printable(transcript.victim),
                     printable(transcript.value), counted(transcript.steps.size(), "step"),
                     transcript.method, transcript.recorded, transcript_text(transcript));
}

// "  name" a line, the first few.
std::string some_of(const std::vector<std::string>& lines) {
  constexpr std::size_t most = 10;
  std::string text;
  for (std::size_t i = 0; i < std::min(lines.size(), most); ++i) {
    text += "  " + printable(lines[i]) + "\n";
  }
  if (lines.size() > most) text += fmt::format("  and {} more\n", lines.size() - most);
  return text;
}

std::string known_text(const AuditReport& report) {
  std::string text;
  if (!report.known.empty()) {
    text += fmt::format("\nKnown from the baseline, and no worse: {}\n",
                        counted(report.known.size(), "finding"));
  }
  if (!report.repaired.empty()) {
    text +=
        fmt::format("\nRepaired since the baseline ({}; --write-baseline takes note of it):\n{}",
                    counted(report.repaired.size(), "finding"), some_of(report.repaired));
  }
  return text;
}

}  // namespace

std::string percent_text(double share) { return fmt::format("{:.1f}%", 100 * share); }

std::string gate_summary(const AuditReport& report, const Terminal& terminal) {
  std::string text = known_text(report);
  if (report.failures.empty()) return text;
  return text + fmt::format("\n{} ({}):\n{}", styled(terminal, Style::Red, "The gate fails"),
                            counted(report.failures.size(), "objection"), some_of(report.failures));
}

std::string transcript_text(const audit::Transcript& transcript) {
  std::string text;
  for (std::size_t i = 0; i < transcript.steps.size(); ++i) {
    const audit::Step& step = transcript.steps[i];
    text += fmt::format("  {}. {} {}\n     {}\n", i + 1, step.is_insert ? "insert" : "ask for",
                        printable(step.is_insert ? row_text(step) : query_text(step.query)),
                        printable(step.why));
  }
  return text;
}

std::string audit_summary(const AuditReport& report, const Terminal& terminal, bool all) {
  return head(report) + verdict_text(report, terminal) + worst_findings(report, terminal) +
         coins_summary(report) + (all ? all_findings(report, terminal) : "") + power_text(report) +
         control_text(report.control) + shown_transcript(report) + gate_summary(report, terminal) +
         "\n" + wrapped(printable(plain_words(report)));
}

}  // namespace rankveil::cli

#include "rankveil/audit/report_alerts.h"

#include <fmt/format.h>

#include <algorithm>

#include "rankveil/audit/report_words.h"
#include "rankveil/audit/sort/sort_attack.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

Alert alert_about(const AuditReport& report, const std::string& attribute) {
  Alert alert{.attribute = attribute, .first = report.first_broken(attribute)};
  auto is_open = [&](const Finding& finding) {
    return finding.attribute == attribute && finding.verdict == Verdict::Broken &&
           !report.is_known(finding);
  };
  alert.is_known = std::ranges::none_of(report.findings, is_open);
  if (!alert.is_known && report.is_known(*alert.first)) {
    alert.first = &*std::ranges::find_if(report.findings, is_open);
  }
  for (const Finding& finding : report.findings) {
    bool other = finding.attribute == attribute && finding.verdict == Verdict::Broken &&
                 &finding != alert.first;
    if (other) alert.others.push_back(&finding);
  }
  return alert;
}

std::string values_named(const std::string& attribute) {
  return attribute.empty() || attribute == "all" ? "private values"
                                                 : fmt::format("the {} ", attribute) + "of people";
}

std::string broken_words(const AuditReport& report, const std::string& attribute) {
  const Finding& first = *report.first_broken(attribute);
  const std::string phrase = level_phrase(first.level);
  const bool is_order = first.method == marks_method || first.method == known_method;
  return fmt::format(
      "Anyone who {} learns more about {} than was promised. {}, and repeat this audit.",
      phrase.empty() ? "guesses as " + first.level : phrase,
      values_named(attribute.empty() ? first.attribute : attribute),
      is_order ? "Refuse to sort by what is hidden"
               : "Do not let others ask this ranking as it is: choose a scheme or an l that holds "
                 "(rankveil compare), protect the table again");
}

}  // namespace

std::vector<Alert> alerts_of(const AuditReport& report) {
  std::vector<Alert> alerts;
  for (const std::string& attribute : attributes_of(report)) {
    if (report.first_broken(attribute) == nullptr) continue;
    if (attribute == "all" && !alerts.empty()) continue;
    alerts.push_back(alert_about(report, attribute));
  }
  return alerts;
}

bool is_about(const std::string& failure, const std::string& attribute) {
  return failure.starts_with(attribute + ", ");
}

std::string others_text(const Alert& alert) {
  constexpr std::size_t most = 6;
  if (alert.others.empty()) return "";
  std::vector<std::string> names;
  for (const Finding* finding : alert.others) {
    names.push_back(fmt::format("{} ({})", finding->level, finding->method));
  }
  return fmt::format("; so {} {}: {}", names.size() == 1 ? "does" : "do",
                     counted(names.size(), "other"), listed(names, most));
}

std::string plain_words(const AuditReport& report, const std::string& attribute) {
  const Verdict verdict = report.overall(attribute);
  if (verdict == Verdict::Broken) return broken_words(report, attribute);
  if (!report.incomplete.empty()) {
    return "The audit was stopped before it was done, so what it did not find may be there all the "
           "same. Repeat it with more time before you rely on it.";
  }
  switch (verdict) {
    case Verdict::Kept:
      return fmt::format(
          "None of the adversaries that we played learned more about {} than was promised: {}. "
          "That "
          "holds for this table and this release, and is no proof that nobody ever finds another "
          "way.",
          values_named(attribute), report.subject.promise.text());
    case Verdict::Undecidable:
      return "We found no leak, and tried too little to be sure that there is none. Attack more "
             "rows "
             "(--victims), or audit the index file, whose profiles decide.";
    case Verdict::NotTested:
      return "We found no leak, but answers did not depend on what we asked for, so nothing is "
             "known. Repair that first, and repeat this audit.";
    case Verdict::NotPromised:
    case Verdict::Broken:
      break;
  }
  return "Nothing was promised, so nothing could be broken. The figures say what the ranking gives "
         "away; protect the table before others may ask it.";
}

}  // namespace rankveil::audit

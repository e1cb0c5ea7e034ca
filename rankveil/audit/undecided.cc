#include "rankveil/audit/undecided.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <utility>

#include "rankveil/audit/check.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/audit/verdict.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

std::string percents(double part) { return fmt::format("{:.1f}%", 100 * part); }

// Insiders and planters take all rows there are: other victims do not give them more.
bool grows_with_victims(const Finding& finding) {
  return is_black_box(finding) || finding.method == recovered_method;
}

// A finding that is undecided, and how many victims would decide it.
struct Open {
  const Finding* finding;
  std::optional<std::uint64_t> victims;
};

bool within(const Open& open, std::uint64_t rows) { return open.victims && *open.victims <= rows; }

std::vector<Open> open_findings(const AuditReport& report) {
  std::vector<Open> open;
  for (const Finding& finding : report.findings) {
    if (finding.verdict != Verdict::Undecidable || report.is_settled(finding)) continue;
    open.push_back({&finding, victims_needed(finding, report.settings, report.comparisons)});
  }
  return open;
}

// The one that is furthest from being decided.
const Open& furthest(const std::vector<Open>& open) {
  return *std::ranges::max_element(
      open, {}, [](const Open& one) { return one.victims.value_or(UINT64_MAX); });
}

// ---- Why ----

std::string what_it_takes(const Finding& finding, std::uint64_t comparisons) {
  auto needed = attempts_needed(finding, comparisons);
  if (!needed) return "every guess may be right, so nothing is left that a leak could show in";
  return fmt::format("to see even a leak of {:.0f}% takes {}", 100 * decidable_leak,
                     counted(*needed, "attempt"));
}

std::string in_numbers(const Finding& finding, const AuditReport& report) {
  return fmt::format(
      "Furthest from it is {}: public values alone are right for {}, it is right for {} ({} to {}) "
      "of {}, and {} are allowed; {}.",
      name_of(finding), percents(finding.prior), percents(finding.rate), percents(finding.low),
      percents(finding.high), counted(finding.attempts, "attempt"),
      percents(allowed_rate(finding.promise, finding.prior)),
      what_it_takes(finding, report.comparisons));
}

// ---- What helps ----

std::string more_victims(const std::vector<Open>& open, const AuditReport& report) {
  const std::uint64_t rows = report.subject.rows;
  auto decided = static_cast<std::size_t>(
      std::ranges::count_if(open, [&](const Open& one) { return within(one, rows); }));
  if (report.settings.victims >= rows) {
    return "Every row was attacked, so more victims cannot help.";
  }
  if (decided == 0) {
    return fmt::format("More victims do not help: {} are not enough.", counted(rows, "row"));
  }
  if (decided == open.size()) {
    return fmt::format("--victims {} decides {}.", *furthest(open).victims,
                       decided == 1 ? "it" : "all of them");
  }
  return fmt::format("--victims all decides {} of them; for the others {} are not enough.",
                     grouped(decided), counted(rows, "row"));
}

// Findings of one attack and one level that reads profiles: about the fewest an audit can make.
std::uint64_t fewest_comparisons(const AuditReport& report) {
  return 3 * (report.subject.private_attributes.size() + 1);
}

// Each of many tests is held to a stricter standard.
std::string fewer_tests(const std::vector<Open>& open, const AuditReport& report) {
  const std::uint64_t fewest = fewest_comparisons(report);
  if (fewest >= report.comparisons) return "";
  for (const Open& one : open) {
    if (within(one, report.subject.rows) || !is_black_box(*one.finding)) continue;
    auto victims = victims_needed(*one.finding, report.settings, fewest);
    if (!victims || *victims > report.subject.rows) continue;
    return fmt::format(
        "Each of {} at once is the stricter for it: --methods {} --levels ignorant makes about {}, "
        "and decides {}, and that alone, with --victims {} and another --seed.",
        counted(report.comparisons, "test"), one.finding->method, grouped(fewest),
        name_of(*one.finding), *victims);
  }
  return "";
}

std::string index_would_do(const AuditReport& report) {
  if (!report.subject.live) return "";
  return "An audit of the index file, where there is one, reads the profiles of all rows and needs "
         "no more victims.";
}

std::vector<std::string> blind_words(const AuditReport& report) {
  return {fmt::format(
      "Not one of {} that were planted came back, so the attacks do not work on this target, and "
      "more victims cannot help: does it rank by the policy's attributes and weights, best first, "
      "and take rows that are inserted?",
      counted(report.control.attempts, "value"))};
}

}  // namespace

std::optional<std::uint64_t> victims_needed(const Finding& finding, const Settings& settings,
                                            std::uint64_t comparisons) {
  if (!grows_with_victims(finding) || finding.attempts == 0) return std::nullopt;
  auto attempts = attempts_needed(finding, comparisons);
  if (!attempts) return std::nullopt;
  const std::uint64_t each =
      std::max<std::uint64_t>(finding.attempts / std::max<std::uint64_t>(settings.victims, 1), 1);
  return (*attempts + each - 1) / each;
}

UndecidedWords undecided_words(const AuditReport& report) {
  std::vector<Open> open = open_findings(report);
  assert(!open.empty() && "only what is undecided has a reason to be so");
  if (report.control.blind) {
    return {"nothing was found, not even what the audit had planted itself", blind_words(report)};
  }
  UndecidedWords words;
  words.summary = fmt::format("nothing was found, and {} of {} {} too few attempts to be sure",
                              grouped(open.size()), counted(report.comparisons, "test"),
                              open.size() == 1 ? "has" : "have");
  words.details = {in_numbers(*furthest(open).finding, report), more_victims(open, report),
                   fewer_tests(open, report), index_would_do(report)};
  std::erase(words.details, "");
  return words;
}

std::string settled_words(const AuditReport& report) {
  auto settled = static_cast<std::uint64_t>(std::ranges::count_if(
      report.findings, [&](const Finding& finding) { return report.is_settled(finding); }));
  if (settled == 0) return "";
  return fmt::format(
      "{} of {} had too few attempts to be sure by themselves; the profiles of all rows were read, "
      "and no attack learns more than that.",
      settled == 1 ? "1 attack's test" : grouped(settled) + " tests of attacks",
      counted(report.comparisons, "test"));
}

}  // namespace rankveil::audit

// The page of a publication's audit.
#include <fmt/format.h>

#include <cctype>

#include "rankveil/audit/publication_audit.h"
#include "rankveil/audit/report_words.h"
#include "rankveil/base/format.h"
#include "rankveil/report/page.h"

namespace rankveil::audit {
namespace {

using publish::Reidentification;
using reports::Bar;
using reports::BarChart;
using reports::Cell;
using reports::number_text;
using reports::Section;
using reports::Tone;
using reports::Unit;

std::string share_text(double value) { return number_text(value, Unit::Share); }

double share_of(std::uint64_t part, std::uint64_t whole) {
  return whole == 0 ? 0 : static_cast<double>(part) / static_cast<double>(whole);
}

reports::Banner banner(const PublicationReport& report) {
  const Finding* broken = report.audit.first_broken();
  if (broken != nullptr) {
    return {Tone::Bad, "Promise broken",
            broken->method == recount_method
                ? "The publication does not hold against its table."
                : fmt::format("Who is placed in a group gives {} away beyond what was promised.",
                              broken->attribute),
            fmt::format("{}: {}.", name_of(*broken), broken->reason)};
  }
  std::string sentence = kept_sentence(report) + ".";
  sentence.front() = static_cast<char>(std::toupper(sentence.front()));
  return {Tone::Good, "Promise kept", std::move(sentence)};
}

std::vector<reports::KeyFigure> key_figures(const PublicationReport& report) {
  std::vector<reports::KeyFigure> figures;
  for (const Reidentification& one : report.adversaries) {
    figures.push_back(
        {percent(one.placed, one.victims),
         fmt::format("of the published top placed by one who {}", level_phrase(one.adversary)),
         fmt::format("{} of them alone with what is known.", grouped(one.unique))});
  }
  std::uint64_t certain = certain_values(report);
  figures.push_back({grouped(certain), "sensitive values certain to the strongest adversary",
                     "Their groups leave one value only.", certain > 0 ? Tone::Bad : Tone::Good});
  return figures;
}

BarChart placing_chart(const PublicationReport& report) {
  BarChart chart{.title = "Whom adversaries place in their group",
                 .summary = "The share of the published top, with its 95% interval.",
                 .category_label = "adversary knows",
                 .value = {"share of the published top", Unit::Share, {}, 0, 1}};
  reports::BarSeries placed{"placed", {}}, alone{"placed and alone", {}};
  for (const Reidentification& one : report.adversaries) {
    chart.categories.push_back(one.adversary);
    placed.bars.emplace_back(
        Bar{share_of(one.placed, one.victims), reports::Interval{one.low, one.high}});
    alone.bars.emplace_back(Bar{share_of(one.unique, one.victims), {}});
  }
  chart.series = {std::move(placed), std::move(alone)};
  return chart;
}

Section placing_section(const PublicationReport& report) {
  reports::Table table{"Adversaries, and whom they place",
                       {"adversary knows",
                        {"victims", true},
                        {"placed", true},
                        {"95% interval", true},
                        {"alone", true},
                        {"members of their group", true}},
                       {}};
  for (const Reidentification& one : report.adversaries) {
    table.rows.push_back({one.adversary, grouped(one.victims), percent(one.placed, one.victims),
                          fmt::format("{} to {}", share_text(one.low), share_text(one.high)),
                          grouped(one.unique), fmt::format("{:.1f}", one.company)});
  }
  Section section{"Who can be placed",
                  {"Victims are the rows of the top that are published, one after the other. "
                   "Somebody has placed a victim when one group only fits what he knows."}};
  if (!report.adversaries.empty()) {
    section.blocks.emplace_back(reports::Charts{{placing_chart(report)}});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

BarChart guess_chart(const PublicationReport& report, const std::string& column) {
  BarChart chart{.title = column,
                 .summary = "Values guessed right, with the 95% interval.",
                 .category_label = "adversary knows",
                 .value = {"guessed right", Unit::Share, {}, 0, 1}};
  reports::BarSeries with{"with the publication", {}}, without{"without it", {}, Tone::Quiet};
  for (const Finding& finding : report.audit.findings) {
    if (finding.attribute != column) continue;
    chart.categories.push_back(finding.level);
    with.bars.emplace_back(Bar{finding.rate, reports::Interval{finding.low, finding.high}});
    without.bars.emplace_back(Bar{finding.prior, {}});
  }
  chart.series = {std::move(with), std::move(without)};
  return chart;
}

Section learning_section(const PublicationReport& report) {
  Section section{"What is then learned",
                  {"Whoever has placed a victim takes it for a random member of the group, and "
                   "guesses by what the group shows. A group that shows one value gives it away."}};
  reports::Charts charts;
  reports::Table table{"Guesses about sensitive columns",
                       {"column",
                        "adversary knows",
                        "verdict",
                        {"guessed right (95% interval)", true},
                        {"without the publication", true},
                        {"largest gain", true},
                        {"certain", true},
                        "why"},
                       {}};
  for (const std::string& column : report.audit.subject.private_attributes) {
    charts.charts.emplace_back(guess_chart(report, column));
  }
  for (const Finding& finding : report.audit.findings) {
    if (finding.attribute == "group" || finding.method == recount_method) continue;
    table.rows.push_back(
        {finding.attribute, finding.level,
         Cell{std::string(verdict_phrase(finding.verdict)), verdict_tone(finding.verdict)},
         fmt::format("{} ({} to {})", share_text(finding.rate), share_text(finding.low),
                     share_text(finding.high)),
         share_text(finding.prior), fmt::format("{:.3f}", finding.gain),
         share_text(finding.certain), finding.reason});
  }
  if (table.rows.empty()) {
    section.blocks.emplace_back("No sensitive column is published.");
    return section;
  }
  section.blocks.emplace_back(std::move(charts));
  section.blocks.emplace_back(std::move(table));
  return section;
}

Section recount_section(const PublicationReport& report) {
  const publish::Verification& found = report.verification;
  reports::Table table{"Every group, counted again",
                       {{"group", true},
                        {"members", true},
                        {"of the top", true},
                        {"precision", true},
                        "sensitive columns"},
                       {}};
  for (std::size_t i = 0; i < found.groups.size(); ++i) {
    std::string shown;
    for (const publish::Disclosure& one : report.publication.groups[i].sensitive) {
      shown += fmt::format("{}{}: {}", shown.empty() ? "" : "; ", one.column,
                           one.text(publish::RangeStyle::Words));
    }
    table.rows.push_back({std::to_string(i + 1), grouped(found.groups[i].members),
                          grouped(found.groups[i].true_positives),
                          fmt::format("{:.3f}", found.groups[i].precision()),
                          shown.empty() ? "–" : shown});
  }
  Section section{"Counted again", {std::move(table)}};
  if (found.passed()) {
    section.blocks.emplace_back("Boxes, anonymity, precision and diversity are as stated.");
  } else {
    section.blocks.emplace_back("The publication does not hold:");
    section.blocks.emplace_back(reports::Bullets{found.problems});
  }
  return section;
}

Section gate_section(const AuditReport& audit) {
  Section section{"Gate and notes", {}};
  if (!audit.failures.empty()) {
    section.blocks.emplace_back("The gate objects to this publication:");
    section.blocks.emplace_back(reports::Bullets{audit.failures});
  }
  if (!audit.notes.empty()) section.blocks.emplace_back(reports::Bullets{audit.notes});
  return section;
}

Section method_section() {
  return {"Method and limits, in plain words",
          {reports::Bullets{
              {"quasi knows the exact quasi-identifiers of a person, membership knows in addition "
               "that the person is published, scores knows the exact ranking values.",
               "Whoever has all ranking values of a row can always tell whether it lies in a box: "
               "anonymity hides a row among others with similar numbers, not from somebody who "
               "has the numbers.",
               "Guesses without the publication bet on the commonest value of the whole table. Of "
               "a group that shows a range, the table's values in that range are weighed.",
               "One publication of one table is judged. Two of them with different demands may "
               "together tell more than each."}}}};
}

std::vector<std::pair<std::string, std::string>> origin(const PublicationReport& report) {
  const AuditReport& audit = report.audit;
  const publish::Publication& publication = report.publication;
  return {
      {"Publication", audit.subject.target},
      {"Table", fmt::format("{} ({})", audit.subject.table, counted(audit.subject.rows, "row"))},
      {"Score", publication.score},
      {"Demand", fmt::format("top {}, at least {} members, precision {}", publication.top,
                             publication.k, publish::number_text(publication.least_precision))},
      {"Method", publication.method.empty() ? "not stated" : publication.method},
      {"Version", fmt::format("rankveil {}", audit.settings.version)},
      {"Format", publication_report_format},
      {"Time taken", format_seconds(audit.seconds)}};
}

}  // namespace

std::string to_html(const PublicationReport& report) {
  reports::Page page{
      .kind = "Re-identification audit",
      .title = "Audit of " + report.audit.subject.target,
      .subtitle = fmt::format("{} of the top {} in {}.", grouped(report.verification.covered),
                              grouped(report.verification.top_rows),
                              counted(report.publication.groups.size(), "group")),
      .banner = banner(report),
      .figures = key_figures(report),
      .origin = origin(report)};
  page.sections = {placing_section(report), learning_section(report), recount_section(report)};
  Section gate = gate_section(report.audit);
  if (!gate.blocks.empty()) page.sections.push_back(std::move(gate));
  page.sections.push_back(method_section());
  return reports::to_html(page);
}

}  // namespace rankveil::audit

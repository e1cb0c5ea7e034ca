#include <fmt/core.h>

#include <set>

#include "rankveil/base/format.h"
#include "rankveil/probe/evidence/probe_result.h"
#include "rankveil/report/junit.h"
#include "rankveil/report/page.h"
#include "rankveil/report/sarif.h"

namespace rankveil::probe {
namespace {

std::string kind_phrase(Kind kind) {
  switch (kind) {
    case Kind::Sort:
      return "sorted by";
    case Kind::Filter:
      return "filtered by";
    case Kind::Search:
      return "searched for";
    case Kind::Count:
      return "counted by";
    case Kind::Aggregate:
      return "summed up over";
    case Kind::GroupBy:
      return "grouped by";
    case Kind::Cursor:
      return "paged through by a cursor that holds";
    case Kind::Relation:
      return "reached through a relation and asked for";
    case Kind::Column:
      return "asked to show";
  }
  return "";
}

std::string written_text(const Exchange& exchange) {
  std::string text;
  for (const Value& value : exchange.written) {
    text += (text.empty() ? "" : ", ") + (value.is_text ? "\"" + value.text + "\"" : value.text);
  }
  return text;
}

bool is_in_baseline(const ProbeResult& result, const Finding& finding) {
  for (const std::string& name : result.known) {
    if (name == name_of(finding)) return true;
  }
  return false;
}

std::string leak_message(const ProbeResult& result, const Finding& finding) {
  return fmt::format("Rows of {} can be {} the hidden field {} ({}): {}.", result.target,
                     kind_phrase(finding.way.kind), finding.field, finding.way.name,
                     finding.reason);
}

// Three lines a repetition: what was written, what was seen.
std::string proof_text(const Finding& finding) {
  std::string text;
  for (const Proof& proof : finding.proofs) {
    for (const Exchange& exchange : proof.exchanges) {
      text += fmt::format("own row has {} = {}\n{}\n-> {}\n\n", finding.field,
                          written_text(exchange), exchange.request, exchange.seen.observed);
    }
  }
  return text;
}

std::string rule_id(Kind kind) { return fmt::format("hidden-field-{}", to_text(kind)); }

reports::SarifRule probe_rule(Kind kind) {
  std::string id = rule_id(kind);
  for (char& c : id) c = c == '_' ? '-' : c;
  return {.id = id,
          .name = "HiddenField" + std::string(1, static_cast<char>(to_text(kind)[0] - 'a' + 'A')) +
                  std::string(to_text(kind).substr(1)),
          .summary = fmt::format("Rows can be {} a field that strangers may not see (CWE-203, "
                                 "CWE-863).",
                                 kind_phrase(kind)),
          .help =
              "Check the right to read a field wherever a request names it: in sorts, "
              "conditions, searches, counts and groups, at every depth. docs/guide/probe.md "
              "says how, by product."};
}

// ---- Page ----

reports::Tone tone_of(Verdict verdict) {
  switch (verdict) {
    case Verdict::Leak:
      return reports::Tone::Bad;
    case Verdict::Blind:
    case Verdict::Declared:
    case Verdict::Shown:
      return reports::Tone::Unsure;
    case Verdict::Refused:
    case Verdict::Inert:
      return reports::Tone::Good;
    case Verdict::Absent:
      return reports::Tone::Quiet;
  }
  return reports::Tone::Plain;
}

std::string banner_sentence(const ProbeResult& result) {
  switch (overall(result)) {
    case Verdict::Leak:
      return "Answers that everybody gets depend on fields that nobody may see.";
    case Verdict::Blind:
      return "Not all that could be asked was tested.";
    case Verdict::Declared:
      return "The service ranks by a field under a promise; rankveil audit tests that promise.";
    case Verdict::Shown:
      return "A field that was called hidden is shown.";
    default:
      return "No answer depends on a hidden field, in any way that was asked.";
  }
}

// The two requests of a proof, side by side.
reports::Table side_by_side(const Finding& finding) {
  reports::Table table{
      .caption = "The same request twice", .columns = {"", "first", "then"}, .rows = {}};
  const auto& exchanges = finding.proofs.front().exchanges;
  const Exchange& first = exchanges.front();
  const Exchange* second = &first;
  for (const Exchange& exchange : exchanges) {
    if (exchange.state != first.state) second = &exchange;
  }
  table.rows.push_back(
      {finding.field + " of our own row", written_text(first), written_text(*second)});
  table.rows.push_back({"request", first.request, second->request});
  table.rows.push_back({"answer", reports::Cell(first.seen.observed, reports::Tone::Bad),
                        reports::Cell(second->seen.observed, reports::Tone::Bad)});
  return table;
}

reports::Section field_section(const ProbeResult& result, const ProbedField& field) {
  reports::Section section{field.name, {reports::Paragraph{sentence_of(result, field.name) + "."}}};
  if (const Finding* leak = shortest_leak(result, field.name); leak && !leak->proofs.empty()) {
    section.blocks.emplace_back(side_by_side(*leak));
  }
  reports::Table table{.caption = "Ways of asking for " + field.name,
                       .columns = {"way", "kind", "verdict", "why"},
                       .rows = {}};
  for (const Finding& finding : result.findings) {
    if (finding.field != field.name || finding.verdict == Verdict::Absent) continue;
    table.rows.push_back(
        {finding.way.name, std::string(to_text(finding.way.kind)),
         reports::Cell(std::string(to_text(finding.verdict)), tone_of(finding.verdict)),
         finding.reason});
  }
  section.blocks.emplace_back(std::move(table));
  return section;
}

std::string case_message(const ProbeResult& result, const Finding& finding) {
  std::string text = fmt::format("{}: {}", to_text(finding.verdict), finding.reason);
  if (!may_be_misspelt(result, finding.field)) return text;
  return text + "; " + sentence_of(result, finding.field);
}

}  // namespace

std::string to_junit(const ProbeResult& result) {
  reports::TestSuite suite{.name = "rankveil.probe " + result.target, .cases = {}};
  using CaseOutcome = reports::TestCase::Outcome;
  for (const Finding& finding : result.findings) {
    const bool leaks = finding.verdict == Verdict::Leak && !is_in_baseline(result, finding);
    const bool is_open = may_be_misspelt(result, finding.field) ||
                         finding.verdict == Verdict::Blind || finding.verdict == Verdict::Shown ||
                         finding.verdict == Verdict::Declared || finding.verdict == Verdict::Absent;
    suite.cases.push_back(
        {.class_name = "rankveil.probe." + finding.field,
         .name = finding.way.name,
         .outcome = leaks     ? CaseOutcome::Failed
                    : is_open ? CaseOutcome::Skipped
                              : CaseOutcome::Passed,
         .message = leaks ? leak_message(result, finding) : case_message(result, finding),
         .detail = leaks ? proof_text(finding) : ""});
  }
  suite.properties = {{"verdict", std::string(to_text(overall(result)))},
                      {"dialect", result.dialect},
                      {"requests", std::to_string(result.requests)}};
  return reports::to_junit("rankveil probe", {suite});
}

Json to_sarif(const ProbeResult& result) {
  reports::SarifRun run{.tool = "rankveil",
                        .version = result.version,
                        .properties = {{"target", result.target},
                                       {"dialect", result.dialect},
                                       {"verdict", std::string(to_text(overall(result)))}}};
  for (int kind = 0; kind <= static_cast<int>(Kind::Column); ++kind) {
    run.rules.push_back(probe_rule(Kind{kind}));
  }
  for (const Finding& finding : result.findings) {
    if (finding.verdict != Verdict::Leak) continue;
    run.results.push_back(
        {.rule = probe_rule(finding.way.kind).id,
         .message = leak_message(result, finding),
         .file = result.file.empty() ? result.target : result.file,
         .part = finding.field,
         .identity = fmt::format("{}|{}|{}", result.target, finding.field, finding.way.name),
         .accepted = is_in_baseline(result, finding) ? "It is in the baseline." : "",
         .properties = {{"way", finding.way.name},
                        {"cwe", json_texts({"CWE-203", "CWE-863"})},
                        {"transcript", proof_text(finding)}}});
  }
  return reports::to_sarif(run);
}

std::string to_html(const ProbeResult& result) {
  const Verdict verdict = overall(result);
  reports::Page page{.kind = "Probe for hidden fields",
                     .title = result.target,
                     .banner = reports::Banner{.tone = tone_of(verdict),
                                               .verdict = std::string(to_text(verdict)),
                                               .sentence = banner_sentence(result)}};
  page.figures = {{std::to_string(result.fields.size()), "hidden fields"},
                  {grouped(result.requests), "requests"},
                  {grouped(result.writes), "writes"}};
  reports::Section overview{"Fields", {}};
  reports::Table table{.caption = "Fields", .columns = {"field", "verdict", ""}, .rows = {}};
  for (const ProbedField& field : result.fields) {
    const Verdict of_field = verdict_of(result, field.name);
    table.rows.push_back({field.name,
                          reports::Cell(std::string(to_text(of_field)), tone_of(of_field)),
                          sentence_of(result, field.name)});
  }
  overview.blocks.emplace_back(std::move(table));
  if (!result.notes.empty()) overview.blocks.emplace_back(reports::Bullets{result.notes});
  page.sections.push_back(std::move(overview));
  for (const ProbedField& field : result.fields) {
    page.sections.push_back(field_section(result, field));
  }
  page.origin = {{"dialect", result.dialect},
                 {"seed", std::to_string(result.seed)},
                 {"rankveil", result.version}};
  return reports::to_html(page);
}

}  // namespace rankveil::probe

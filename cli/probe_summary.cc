#include "cli/probe_summary.h"

#include <fmt/core.h>

#include "cli/text_table.h"
#include "rankveil/base/format.h"

namespace rankveil::cli {

namespace {

using probe::Exchange;
using probe::ProbeResult;

Style style_of(probe::Verdict verdict) {
  if (verdict == probe::Verdict::Leak) return Style::Red;
  return verdict == probe::Verdict::Refused || verdict == probe::Verdict::Inert ? Style::Cyan
                                                                                : Style::Yellow;
}

std::string indented(const std::string& text, const std::string& by) {
  std::string lines = by;
  for (char c : text) {
    lines += c == '\n' ? '\n' : c;
    if (c == '\n') lines += by;
  }
  return lines;
}

std::string written_text(const Exchange& exchange) {
  std::string text;
  for (const probe::Value& value : exchange.written) {
    text += (text.empty() ? "" : ", ") + printable(value.text);
  }
  return text;
}

std::string proof_of(const probe::Finding& finding) {
  std::string text =
      fmt::format("\n{}, {}:\n", printable(finding.field), printable(finding.way.name));
  const auto& exchanges = finding.proofs.front().exchanges;
  for (const Exchange& exchange : exchanges) {
    if (!exchange.written.empty()) {
      text +=
          fmt::format("  own row has {} = {}\n", printable(finding.field), written_text(exchange));
    }
    // The line of the request; a body may be long.
    text +=
        indented(printable(exchange.request.substr(0, exchange.request.find('\n'))), "    ") + "\n";
    text += fmt::format("    {}\n", printable(exchange.seen.observed));
  }
  return text;
}

std::string dialect_of(const ProbeResult& result) {
  if (result.run_with.empty()) return result.dialect;
  return fmt::format("{} (run against {})", result.dialect, listed(result.run_with));
}

// What the field's leaks are worth, and what they gave away.
std::string worth_of(const ProbeResult& result, const std::string& field) {
  std::string text;
  for (const probe::LeakWorth& leak : result.worth) {
    if (leak.field == field) text += fmt::format("  {}\n", printable(sentence_of(leak)));
  }
  for (const probe::Shown& shown : result.demonstrated) {
    if (shown.field != field) continue;
    text += fmt::format("  recovered by {}: row {} has {} = {}\n", printable(shown.way),
                        printable(shown.row), printable(field), shown.value);
  }
  return text;
}

std::string all_ways(const ProbeResult& result, const Terminal& terminal) {
  TextTable table;
  for (const char* head : {"field", "way", "verdict", "why"}) table.column(head);
  for (const probe::Finding& finding : result.findings) {
    table.row(
        {finding.field, finding.way.name, std::string(to_text(finding.verdict)), finding.reason});
  }
  return "\n" + table.render(terminal);
}

}  // namespace

std::string probe_summary(const ProbeResult& result, const Terminal& terminal, bool all) {
  const probe::Verdict verdict = overall(result);
  std::string text =
      fmt::format("{} {}, {}\n\n", styled(terminal, style_of(verdict), to_text(verdict)),
                  printable(result.target), printable(dialect_of(result)));
  TextTable table;
  for (const char* head : {"field", "verdict", ""}) table.column(head);
  for (const probe::ProbedField& field : result.fields) {
    table.row({field.name, std::string(to_text(verdict_of(result, field.name))),
               sentence_of(result, field.name)});
  }
  text += table.render(terminal);
  if (all) text += all_ways(result, terminal);
  for (const probe::ProbedField& field : result.fields) {
    const probe::Finding* leak = shortest_leak(result, field.name);
    if (leak != nullptr && !leak->proofs.empty()) text += proof_of(*leak);
    text += worth_of(result, field.name);
  }
  text += fmt::format("\n{}, {}\n", counted(result.requests, "request"),
                      counted(result.writes, "write"));
  return text;
}

}  // namespace rankveil::cli

#include "rankveil/audit/gate.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <charconv>
#include <set>
#include <sstream>

#include "rankveil/audit/json_fields.h"
#include "rankveil/audit/publication_audit.h"
#include "rankveil/base/format.h"
#include "rankveil/utility/estimate.h"

namespace rankveil::audit {

namespace {

constexpr const char* baseline_format = "rankveil-baseline-2";
constexpr const char* untied_format = "rankveil-baseline-1";  // did not say of what it was

struct Figure {
  std::string_view name;
  Rule::What what;
};
constexpr std::array<Figure, 6> figures = {{{"gain", Rule::What::Gain},
                                            {"certain", Rule::What::Certain},
                                            {"rate", Rule::What::Rate},
                                            {"proven", Rule::What::Proven},
                                            {"bits", Rule::What::Bits},
                                            {"uncovered", Rule::What::Uncovered}}};

double figure_of(const Finding& finding, Rule::What what) {
  switch (what) {
    case Rule::What::Gain:
      return finding.gain;
    case Rule::What::Certain:
      return finding.certain;
    case Rule::What::Rate:
      return finding.rate;
    case Rule::What::Proven:
      return static_cast<double>(finding.proven);
    case Rule::What::Bits:
      return finding.coins ? finding.coins->bits : 0;
    case Rule::What::Broken:
    case Rule::What::Undecidable:
    case Rule::What::Uncovered:
    case Rule::What::AllowUndecidable:
    case Rule::What::AllowUntested:
      return 0;
  }
  return 0;
}

bool is_allowance(const Rule& rule) {
  return rule.what == Rule::What::AllowUndecidable || rule.what == Rule::What::AllowUntested;
}

bool has_rule(const std::vector<Rule>& rules, Rule::What what) {
  return std::ranges::any_of(rules, [&](const Rule& rule) { return rule.what == what; });
}

// Those that object. Who watches for anything does not take silence for an answer.
std::vector<Rule> objecting(const std::vector<Rule>& rules) {
  std::vector<Rule> made;
  for (const Rule& rule : rules) {
    if (!is_allowance(rule)) made.push_back(rule);
  }
  bool decided = made.empty() || has_rule(rules, Rule::What::AllowUndecidable) ||
                 has_rule(rules, Rule::What::Undecidable);
  if (!decided) made.push_back({Rule::What::Undecidable, 0});
  return made;
}

bool objects(const Rule& rule, const Finding& finding) {
  if (rule.what == Rule::What::Broken) return finding.verdict == Verdict::Broken;
  if (rule.what == Rule::What::Undecidable) return finding.verdict == Verdict::Undecidable;
  bool about_findings = !is_allowance(rule) && rule.what != Rule::What::Uncovered;
  if (!about_findings || finding.level.starts_with("prior")) return false;
  return figure_of(finding, rule.what) > rule.above;
}

bool any_objects(const std::vector<Rule>& rules, const Finding& finding) {
  return std::ranges::any_of(rules, [&](const Rule& rule) { return objects(rule, finding); });
}

const Finding* find_known(const Baseline& baseline, const Finding& finding) {
  for (const Finding& known : baseline.known) {
    if (known.attribute == finding.attribute && known.method == finding.method &&
        known.level == finding.level) {
      return &known;
    }
  }
  return nullptr;
}

int alarm(Verdict verdict) {
  if (verdict == Verdict::Broken) return 2;
  return verdict == Verdict::Undecidable ? 1 : 0;
}

utility::Interval proven_share(const Finding& finding) {
  auto attempts = static_cast<double>(finding.attempts);
  return utility::wilson_95(std::min(static_cast<double>(finding.proven), attempts), attempts);
}

// An audit of a ranking draws its victims, so a proof more or less may be chance, and a build
// should not fail for it. That of a publication takes everybody.
bool proves_more(const Finding& now, const Finding& then) {
  if (now.proven <= then.proven) return false;
  if (then.proven == 0 || now.method == publication_method) return true;
  return proven_share(now).low > proven_share(then).high;
}

std::set<std::string> lines_of(const std::string& text) {
  std::istringstream stream(text);
  std::set<std::string> lines;
  for (std::string line; std::getline(stream, line);) lines.insert(line);
  return lines;
}

// A recount has no figures, only problems.
bool has_new_problems(const Finding& now, const Finding& then) {
  if (now.method != recount_method || now.verdict != Verdict::Broken) return false;
  if (now.evidence.empty() || then.evidence.empty()) return now.reason != then.reason;
  return !std::ranges::includes(lines_of(then.evidence), lines_of(now.evidence));
}

bool is_worse(const Finding& now, const Finding& then) {
  return alarm(now.verdict) > alarm(then.verdict) || now.low > then.high ||
         now.gain > then.gain + worse_by || now.certain > then.certain + worse_by ||
         proves_more(now, then) || has_new_problems(now, then);
}

// Nothing is repaired by looking less closely: with too few victims, or without the promise.
bool is_repaired(const Finding& now, const Finding& then) {
  if (now.verdict == Verdict::Undecidable || now.verdict == Verdict::NotTested) return false;
  return then.verdict != Verdict::Broken || now.verdict == Verdict::Kept;
}

Rule read_rule(JsonFields& fields, const std::string& text) {
  auto rule = rule_from_text(text);
  if (!rule) fields.object_to(fmt::format("\"{}\" is no rule", text));
  return rule ? *rule : Rule{};
}

std::string sentence(const Rule& rule, const Finding& finding, bool worse) {
  std::string what = rule.what == Rule::What::Broken || rule.what == Rule::What::Undecidable
                         ? fmt::format("{}: {}", verdict_name(finding.verdict), finding.reason)
                         : fmt::format("{} is {:.4g}", rule.text().substr(0, rule.text().find('>')),
                                       figure_of(finding, rule.what));
  return fmt::format("{}: {} (rule {}{})", name_of(finding), what, rule.text(),
                     worse ? "; worse than in the baseline" : "");
}

}  // namespace

std::string Rule::text() const {
  if (what == What::Broken) return "broken";
  if (what == What::Undecidable) return "undecidable";
  if (what == What::AllowUndecidable) return "undecidable=allow";
  if (what == What::AllowUntested) return "untested=allow";
  for (const Figure& figure : figures) {
    if (figure.what == what) return fmt::format("{}>{}", figure.name, above);
  }
  return {};
}

Result<Rule> rule_from_text(std::string_view text) {
  if (text == "broken") return Rule{Rule::What::Broken, 0};
  if (text == "undecidable") return Rule{Rule::What::Undecidable, 0};
  if (text == "undecidable=allow") return Rule{Rule::What::AllowUndecidable, 0};
  if (text == "untested=allow") return Rule{Rule::What::AllowUntested, 0};
  std::size_t sign = text.find('>');
  for (const Figure& figure : figures) {
    if (sign == std::string_view::npos || figure.name != text.substr(0, sign)) continue;
    std::string_view number = text.substr(sign + 1);
    double above = 0;
    auto [end, problem] = std::from_chars(number.data(), number.data() + number.size(), above);
    bool sound = problem == std::errc() && end == number.data() + number.size() && above >= 0;
    if (sound) return Rule{figure.what, above};
  }
  return wrong_use(
      fmt::format("it takes broken, undecidable, undecidable=allow, untested=allow, or a figure "
                  "and a limit such "
                  "as gain>0.4, certain>0, rate>0.5, proven>0 or uncovered>0.2, not \"{}\"",
                  text));
}

Baseline baseline_of(const AuditReport& report, const std::vector<Rule>& rules) {
  Baseline baseline{origin_of(report.subject), objecting(rules), {}};
  for (const Finding& finding : report.findings) {
    if (any_objects(baseline.rules, finding)) baseline.known.push_back(finding);
  }
  return baseline;
}

Json to_json(const Baseline& baseline) {
  Json::Array known, rules;
  for (const Rule& rule : baseline.rules) rules.emplace_back(rule.text());
  for (const Finding& finding : baseline.known) known.push_back(to_json(finding));
  return Json()
      .set("format", baseline_format)
      .set("written_from", to_json(baseline.written_from))
      .set("rules", std::move(rules))
      .set("known", std::move(known));
}

Result<Baseline> baseline_from_json(const Json& json) {
  std::string problem;
  JsonFields fields(json, "the baseline", problem);
  const std::string format = fields.text("format");
  if (format == untied_format) {
    return bad_input(
        "this baseline does not say what it was written from; write it again with "
        "--write-baseline");
  }
  if (format != baseline_format) {
    return bad_input("this is no baseline; make one with rankveil audit --write-baseline FILE");
  }
  Baseline baseline;
  baseline.written_from = read_subject(fields.object("written_from"));
  for (const std::string& text : fields.texts("rules")) {
    baseline.rules.push_back(read_rule(fields, text));
  }
  fields.each("known", [&](JsonFields item) {
    auto finding = finding_from_json(item.json());
    if (!finding) item.object_to(finding.error().message);
    if (finding) baseline.known.push_back(*std::move(finding));
  });
  if (!problem.empty()) return bad_input(problem);
  return baseline;
}

Status check_fits(const Baseline& baseline, const Subject& subject) {
  std::string differs = misfit(baseline.written_from, subject);
  if (differs.empty()) return {};
  return bad_input(
      fmt::format("this is the baseline of another target: {}; leave --baseline out, or write one "
                  "for this target with --write-baseline",
                  differs));
}

Compared compare(const AuditReport& report, const Baseline& baseline,
                 const std::vector<Rule>& rules) {
  Compared compared;
  const std::vector<Rule> now = objecting(rules);
  for (const Finding& finding : report.findings) {
    const Finding* known = find_known(baseline, finding);
    if (known == nullptr || is_worse(finding, *known)) continue;
    bool objected = any_objects(baseline.rules, finding) || any_objects(now, finding);
    bool repaired = !objected && is_repaired(finding, *known);
    (repaired ? compared.repaired : compared.known).push_back(name_of(finding));
  }
  return compared;
}

bool lacks_tests(const AuditReport& report, const std::vector<Rule>& rules) {
  if (has_rule(rules, Rule::What::AllowUntested)) return false;
  return std::ranges::any_of(report.findings, [](const Finding& finding) {
    return finding.verdict == Verdict::NotTested;
  });
}

namespace {

// A target that does not say for how many rows it promises something covers none.
double uncovered_share(const Subject& subject) {
  return subject.coverage ? subject.coverage->uncovered() : 1;
}

std::string uncovered_sentence(const Rule& rule, const Subject& subject) {
  std::uint64_t covered = subject.coverage ? subject.coverage->covered : 0;
  return fmt::format(
      "the promise covers {} of {}: a share of {:.4g} shows something and is not covered "
      "(rule {})",
      grouped(covered), counted(subject.rows, "row"), uncovered_share(subject), rule.text());
}
// What the rules object to about one attribute: the first finding that is worst, and how many more.
struct Objection {
  const Finding* finding = nullptr;
  const Rule* rule = nullptr;
  bool worse = false;
  std::size_t more = 0;

  std::string text() const {
    std::string text = sentence(*rule, *finding, worse);
    if (more > 0) text += fmt::format("; and {} about it", counted(more, "more finding"));
    return text;
  }
};

}  // namespace

std::vector<std::string> failures(const AuditReport& report, const std::vector<Rule>& rules,
                                  const std::optional<Baseline>& baseline) {
  std::vector<Objection> objections;  // one for each attribute
  const std::vector<Rule> now = objecting(rules);
  for (const Finding& finding : report.findings) {
    const Finding* known = baseline ? find_known(*baseline, finding) : nullptr;
    bool worse = known != nullptr && is_worse(finding, *known);
    if ((known != nullptr && !worse) || report.is_settled(finding)) continue;
    auto rule = std::ranges::find_if(now, [&](const Rule& each) { return objects(each, finding); });
    if (rule == now.end()) continue;
    auto about = std::ranges::find_if(objections, [&](const Objection& one) {
      return one.finding->attribute == finding.attribute;
    });
    if (about == objections.end()) {
      objections.push_back({&finding, &*rule, worse, 0});
    } else {
      ++about->more;
      bool graver = alarm(finding.verdict) > alarm(about->finding->verdict);
      if (graver) *about = {&finding, &*rule, worse, about->more};
    }
  }
  bool by_attribute = objections.size() > 1;
  std::vector<std::string> sentences;
  for (const Rule& rule : now) {
    bool few = rule.what == Rule::What::Uncovered && uncovered_share(report.subject) > rule.above;
    if (few) sentences.push_back(uncovered_sentence(rule, report.subject));
  }
  for (const Objection& one : objections) {
    if (one.finding->attribute == "all" && by_attribute) continue;
    sentences.push_back(one.text());
  }
  return sentences;
}

}  // namespace rankveil::audit

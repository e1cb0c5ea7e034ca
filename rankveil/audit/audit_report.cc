#include "rankveil/audit/audit_report.h"

#include <fmt/core.h>

#include <algorithm>
#include <limits>

#include "rankveil/audit/json_fields.h"
#include "rankveil/audit/publication_audit.h"
#include "rankveil/audit/verdict.h"

namespace rankveil::audit {

namespace {

// ---- To JSON ----

Json levels_json(const std::vector<AdversaryLevel>& levels) {
  Json::Array names;
  for (AdversaryLevel level : levels) names.emplace_back(level_name(level));
  return names;
}

Json settings_json(const Settings& settings) {
  return Json()
      .set("victims", settings.victims)
      .set("methods", json_texts(settings.methods))
      .set("k", settings.k)
      .set("seed", settings.seed)
      .set("query_budget", settings.query_budget)
      .set("insert_budget", settings.insert_budget)
      .set("inserts", settings.inserts)
      .set("version", settings.version)
      .set("compiler", settings.compiler);
}

Json control_json(const Control& control) {
  return Json()
      .set("planted", control.planted)
      .set("attempts", control.attempts)
      .set("recovered", control.recovered)
      .set("wrong", control.wrong)
      .set("blind", control.blind)
      .set("note", control.note);
}

Json power_json(const Power& power) {
  return Json()
      .set("attribute", power.attribute)
      .set("method", power.method)
      .set("level", power.level)
      .set("attempts", power.attempts)
      .set("allowed", power.allowed)
      .set("critical", power.critical)
      .set("leak", power.leak ? Json(*power.leak) : Json())
      .set("laid_open", power.laid_open ? Json(*power.laid_open) : Json());
}

Json step_json(const Step& step) {
  Json json;
  json.set("action", step.is_insert ? "insert" : "query");
  if (step.is_insert) {
    Json::Array row;
    for (const auto& value : step.row) {
      row.emplace_back();
      if (value) row.back() = Json(*value);
    }
    json.set("row", std::move(row));
  } else {
    json.set("query", step.query).set("answer", json_texts(step.answer));
  }
  return json.set("why", step.why);
}

Json transcript_json(const Transcript& transcript) {
  Json::Array steps;
  for (const Step& step : transcript.steps) steps.push_back(step_json(step));
  return Json()
      .set("victim", transcript.victim)
      .set("attribute", transcript.attribute)
      .set("value", transcript.value)
      .set("method", transcript.method)
      .set("steps", std::move(steps))
      .set("recorded", transcript.recorded)
      .set("confirmed", transcript.confirmed);
}

Json curve_json(const Curve& curve) {
  Json::Array points;
  for (const CurvePoint& point : curve.points) {
    points.push_back(Json().set("queries", point.queries).set("share", point.share));
  }
  return Json()
      .set("name", curve.name)
      .set("method", curve.method)
      .set("victims", curve.victims)
      .set("points", std::move(points));
}

Json informed_json(const InformedPoint& point) {
  return Json().set("belief", point.belief).set("largest", point.largest).set("mean", point.mean);
}

template <typename Item, typename Write>
Json list_json(const std::vector<Item>& items, Write write) {
  Json::Array array;
  for (const Item& item : items) array.push_back(write(item));
  return array;
}

// ---- From JSON ----

std::vector<AdversaryLevel> read_levels(JsonFields& fields, const std::string& name) {
  std::vector<AdversaryLevel> levels;
  for (const std::string& text : fields.texts(name)) {
    auto level = level_from_name(text);
    if (!level) fields.object_to(fmt::format("\"{}\" is no level", text));
    if (level) levels.push_back(*level);
  }
  return levels;
}

std::uint32_t read_small(JsonFields& fields, const std::string& name) {
  std::uint64_t number = fields.whole(name);
  if (number > std::numeric_limits<std::uint32_t>::max()) {
    fields.object_to(fmt::format("\"{}\" is {}, which is too large", name, number));
    return 0;
  }
  return static_cast<std::uint32_t>(number);
}

Settings read_settings(JsonFields fields) {
  Settings settings;
  settings.victims = fields.whole("victims");
  settings.methods = fields.texts("methods");
  settings.k = read_small(fields, "k");
  settings.seed = fields.whole("seed");
  settings.query_budget = fields.whole("query_budget");
  settings.insert_budget = fields.whole("insert_budget");
  settings.inserts = fields.truth("inserts");
  settings.version = fields.text("version");
  settings.compiler = fields.text("compiler");
  return settings;
}

Control read_control(JsonFields fields) {
  Control control;
  control.planted = fields.whole("planted");
  control.attempts = fields.whole("attempts");
  control.recovered = fields.whole("recovered");
  control.wrong = fields.whole("wrong");
  control.blind = fields.truth("blind");
  control.note = fields.text("note");
  return control;
}

Power read_power(JsonFields fields) {
  Power power;
  power.attribute = fields.text("attribute");
  power.method = fields.text("method");
  power.level = fields.text("level");
  power.attempts = fields.whole("attempts");
  power.allowed = fields.number("allowed");
  power.critical = fields.whole("critical");
  if (!fields.is_null("leak")) power.leak = fields.number("leak");
  if (!fields.is_null("laid_open")) power.laid_open = fields.number("laid_open");
  return power;
}

std::vector<std::optional<std::string>> read_row(JsonFields& fields) {
  std::vector<std::optional<std::string>> row;
  const Json::Array* values = fields.raw("row").as_array();
  if (values == nullptr) fields.object_to("\"row\" is no list");
  if (values == nullptr) return row;
  for (const Json& value : *values) {
    if (!value.is_null() && value.as_text() == nullptr) {
      fields.object_to("\"row\" holds something that is neither text nor null");
    }
    row.push_back(value.as_text() == nullptr ? std::nullopt : std::optional(*value.as_text()));
  }
  return row;
}

Step read_step(JsonFields fields) {
  Step step;
  std::string action = fields.text("action");
  if (action != "insert" && action != "query") {
    fields.object_to(fmt::format("\"{}\" is neither query nor insert", action));
  }
  step.is_insert = action == "insert";
  if (step.is_insert) {
    step.row = read_row(fields);
  } else {
    step.query = fields.raw("query");
    step.answer = fields.texts("answer");
  }
  step.why = fields.text("why");
  return step;
}

Transcript read_transcript(JsonFields fields) {
  Transcript transcript;
  transcript.victim = fields.text("victim");
  transcript.attribute = fields.text("attribute");
  transcript.value = fields.text("value");
  transcript.method = fields.text("method");
  fields.each("steps",
              [&](JsonFields item) { transcript.steps.push_back(read_step(std::move(item))); });
  transcript.recorded = fields.whole("recorded");
  transcript.confirmed = fields.truth("confirmed");
  return transcript;
}

Curve read_curve(JsonFields fields) {
  Curve curve;
  curve.name = fields.text("name");
  curve.method = fields.text("method");
  curve.victims = fields.whole("victims");
  fields.each("points", [&](JsonFields item) {
    double queries = item.number("queries");
    curve.points.push_back({queries, item.number("share")});
  });
  return curve;
}

InformedPoint read_informed(JsonFields fields) {
  InformedPoint point;
  point.belief = fields.number("belief");
  point.largest = fields.number("largest");
  point.mean = fields.number("mean");
  return point;
}

void read_findings(JsonFields& fields, AuditReport& report) {
  fields.each("findings", [&](JsonFields item) {
    auto finding = finding_from_json(item.json());
    if (!finding) item.object_to(finding.error().message);
    if (finding) report.findings.push_back(*std::move(finding));
  });
}

// How bad a verdict is, the worst first.
int badness(Verdict verdict) {
  switch (verdict) {
    case Verdict::Broken:
      return 4;
    case Verdict::NotTested:
      return 3;
    case Verdict::Undecidable:
      return 2;
    case Verdict::Kept:
      return 1;
    case Verdict::NotPromised:
      return 0;
  }
  return 0;
}

// Where a level stands in the order of strength.
std::size_t strength(const std::string& level) {
  auto names = level_names();
  return static_cast<std::size_t>(std::find(names.begin(), names.end(), level) - names.begin());
}

}  // namespace

std::string claim_words(const Subject& subject) {
  if (subject.coverage) return claim_text(subject.promise, *subject.coverage);
  if (subject.scheme == "unprotected") return "for 0 of its rows, because nothing protects them";
  return "it does not say for how many rows; its scheme promises " + subject.promise.text();
}

Json to_json(const Subject& subject) {
  Json json;
  if (subject.coverage) add_coverage(*subject.coverage, json);
  return json.set("claim", claim_words(subject))
      .set("target", subject.target)
      .set("target_kind", subject.target_kind)
      .set("live", subject.live)
      .set("table", subject.table)
      .set("policy", subject.policy)
      .set("fingerprint", subject.fingerprint)
      .set("rows", subject.rows)
      .set("public_attributes", json_texts(subject.public_attributes))
      .set("private_attributes", json_texts(subject.private_attributes))
      .set("scheme", subject.scheme)
      .set("l", subject.l)
      .set("not_sensitive", to_json(subject.not_sensitive))
      .set("promise", promise_json(subject.promise))
      .set("against", levels_json(subject.against))
      .set("holds_against", levels_json(subject.holds_against))
      .set("conditions", conditions_json(subject.promise, subject.holds_against));
}

Subject read_subject(JsonFields fields) {
  Subject subject;
  subject.target = fields.text("target");
  subject.target_kind = fields.text("target_kind");
  if (!fields.is_null("live")) subject.live = fields.truth("live");
  subject.table = fields.text("table");
  subject.policy = fields.text("policy");
  subject.fingerprint = fields.text("fingerprint");
  subject.rows = fields.whole("rows");
  subject.public_attributes = fields.texts("public_attributes");
  subject.private_attributes = fields.texts("private_attributes");
  subject.scheme = fields.text("scheme");
  subject.l = read_small(fields, "l");
  if (!fields.is_null("not_sensitive")) {
    auto declared = not_sensitive_from_json(fields.raw("not_sensitive"));
    if (!declared) fields.object_to("\"not_sensitive\" is no list of values for each attribute");
    if (declared) subject.not_sensitive = *std::move(declared);
  }
  subject.promise = read_promise(fields.object("promise"));
  subject.against = read_levels(fields, "against");
  subject.holds_against = read_levels(fields, "holds_against");
  subject.coverage = coverage_in(fields.json(), subject.rows);
  return subject;
}

std::uint32_t Subject::line_of(const std::string& attribute) const {
  for (const auto& [name, line] : policy_lines) {
    if (name == attribute) return line;
  }
  return 1;
}

Verdict AuditReport::overall(std::string_view attribute) const {
  Verdict worst = Verdict::NotPromised;
  for (const Finding& finding : findings) {
    if (!attribute.empty() && finding.attribute != attribute) continue;
    if (is_settled(finding)) continue;
    if (badness(finding.verdict) > badness(worst)) worst = finding.verdict;
  }
  for (const Effect& effect : effects) {
    bool kept =
        effect.acts == Acts::Refused && (attribute.empty() || attribute == effect.attribute);
    if (kept && worst == Verdict::NotPromised) worst = Verdict::Kept;
  }
  return worst;
}

bool AuditReport::is_settled(const Finding& finding) const {
  if (finding.verdict != Verdict::Undecidable) return false;
  return std::ranges::any_of(findings, [&](const Finding& read) {
    return read.method == profiles_method && read.verdict == Verdict::Kept &&
           read.attribute == finding.attribute && read.level == finding.level;
  });
}

const Finding* AuditReport::first_broken(std::string_view attribute) const {
  const Finding* first = nullptr;
  for (const Finding& finding : findings) {
    if (finding.verdict != Verdict::Broken) continue;
    if (!attribute.empty() && finding.attribute != attribute) continue;
    if (first == nullptr || strength(finding.level) < strength(first->level)) first = &finding;
  }
  return first;
}

bool AuditReport::is_known(const Finding& finding) const {
  return std::find(known.begin(), known.end(), name_of(finding)) != known.end();
}

std::optional<double> AuditReport::public_prior(std::string_view attribute) const {
  auto found = std::ranges::find(public_priors, attribute, &PublicPrior::attribute);
  return found == public_priors.end() ? std::nullopt : std::optional(found->rate);
}

namespace {

Json public_prior_json(const PublicPrior& prior) {
  return Json().set("attribute", prior.attribute).set("rate", prior.rate);
}

}  // namespace

Json to_json(const AuditReport& report) {
  const Finding* broken = report.first_broken();
  return Json()
      .set("format", audit_report_format)
      .set("verdict", verdict_name(report.overall()))
      .set("broken_by", broken == nullptr ? Json() : Json(broken->level))
      .set("subject", to_json(report.subject))
      .set("settings", settings_json(report.settings))
      .set("findings", list_json(report.findings, [](const Finding& f) { return to_json(f); }))
      .set("public_priors", list_json(report.public_priors, public_prior_json))
      .set("comparisons", report.comparisons)
      .set("control", control_json(report.control))
      .set("effects", list_json(report.effects, [](const Effect& e) { return to_json(e); }))
      .set("power", list_json(report.power, power_json))
      .set("transcript", report.transcript ? transcript_json(*report.transcript) : Json())
      .set("curves", list_json(report.curves, curve_json))
      .set("informed", list_json(report.informed, informed_json))
      .set("incomplete", report.incomplete.empty() ? Json() : Json(report.incomplete))
      .set("notes", json_texts(report.notes))
      .set("failures", json_texts(report.failures))
      .set("known", json_texts(report.known))
      .set("repaired", json_texts(report.repaired))
      .set("seconds", report.seconds);
}

Result<AuditReport> audit_report_from_json(const Json& json) {
  std::string problem;
  JsonFields fields(json, "the report", problem);
  const std::string format = fields.text("format");
  if (format == publication_report_format) {
    fields.object_to(
        "it is about a publication, which rankveil check-publication counts again; this reads "
        "audits of rankings");
  } else if (format != audit_report_format) {
    fields.object_to(fmt::format("it is of format \"{}\"; this program reads \"{}\"", format,
                                 audit_report_format));
  }
  if (!problem.empty()) return bad_input(problem);
  AuditReport report;
  report.subject = read_subject(fields.object("subject"));
  report.settings = read_settings(fields.object("settings"));
  read_findings(fields, report);
  if (!fields.is_null("public_priors")) {
    fields.each("public_priors", [&](JsonFields item) {
      report.public_priors.push_back({item.text("attribute"), item.number("rate")});
    });
  }
  report.comparisons = fields.whole("comparisons");
  report.control = read_control(fields.object("control"));
  if (!fields.is_null("effects")) {
    fields.each("effects", [&](JsonFields item) {
      report.effects.push_back(effect_from_json(std::move(item)));
    });
  }
  fields.each("power",
              [&](JsonFields item) { report.power.push_back(read_power(std::move(item))); });
  if (!fields.is_null("transcript")) {
    report.transcript = read_transcript(fields.object("transcript"));
  }
  fields.each("curves",
              [&](JsonFields item) { report.curves.push_back(read_curve(std::move(item))); });
  fields.each("informed",
              [&](JsonFields item) { report.informed.push_back(read_informed(std::move(item))); });
  if (!fields.is_null("incomplete")) report.incomplete = fields.text("incomplete");
  report.notes = fields.texts("notes");
  report.failures = fields.texts("failures");
  if (!fields.is_null("known")) report.known = fields.texts("known");
  if (!fields.is_null("repaired")) report.repaired = fields.texts("repaired");
  report.seconds = fields.number("seconds");
  if (!problem.empty()) return bad_input(problem);
  return report;
}

}  // namespace rankveil::audit

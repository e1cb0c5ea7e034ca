#include "rankveil/probe/evidence/probe_result.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>

#include "rankveil/base/format.h"

namespace rankveil::probe {
namespace {

// What decides, first. Of a field that is shown, nothing else is news. ABSENT says nothing.
constexpr std::array<Verdict, 6> by_weight = {Verdict::Shown,    Verdict::Leak,  Verdict::Blind,
                                              Verdict::Declared, Verdict::Inert, Verdict::Refused};

bool is_known(const ProbeResult& result, const Finding& finding) {
  return std::ranges::find(result.known, name_of(finding)) != result.known.end();
}

std::size_t count_of(const ProbeResult& result, const std::string& field, Verdict verdict) {
  return static_cast<std::size_t>(std::ranges::count_if(result.findings, [&](const Finding& found) {
    return found.field == field && found.verdict == verdict;
  }));
}

// Sorts are shown first: people see at once what they mean.
int shortness(const Finding& finding) {
  return static_cast<int>(finding.way.kind) * 1000 + static_cast<int>(finding.way.name.size());
}

Json json_of(const Value& value) {
  if (value.is_text) return value.text;
  auto number = parse_json(value.text);
  return number ? *number : Json(value.text);
}

Json json_of(const Exchange& exchange) {
  Json::Array written;
  for (const Value& value : exchange.written) written.push_back(json_of(value));
  Json::Array places;
  for (const auto& place : exchange.seen.places) {
    Json& json = places.emplace_back();
    if (place) json = *place;
  }
  Json json;
  json.set("state", exchange.state)
      .set("written", std::move(written))
      .set("request", exchange.request)
      .set("status", exchange.seen.status)
      .set("rows", exchange.seen.rows)
      .set("places", std::move(places));
  if (exchange.seen.count) json.set("count", *exchange.seen.count);
  return json.set("observed", exchange.seen.observed);
}

Json json_of(const ProbeResult& result, const Finding& finding) {
  Json json;
  json.set("field", finding.field)
      .set("way", finding.way.name)
      .set("kind", to_text(finding.way.kind))
      .set("verdict", to_text(finding.verdict))
      .set("reason", finding.reason);
  if (is_known(result, finding)) json.set("known", true);
  if (finding.proofs.empty()) return json;
  Json::Array proofs;
  for (const Proof& proof : finding.proofs) {
    Json::Array exchanges;
    for (const Exchange& exchange : proof.exchanges) exchanges.push_back(json_of(exchange));
    Json one;
    one.set("depends", proof.feature).set("exchanges", std::move(exchanges));
    proofs.push_back(std::move(one));
  }
  return json.set("proofs", std::move(proofs));
}

Json json_of(const LeakWorth& leak) {
  Json json;
  json.set("field", leak.field).set("way", leak.way).set("how", leak.worth.how);
  const auto set = [&](const char* name, double requests) {
    if (requests > 0) json.set(name, requests);
  };
  set("one_value", leak.worth.one_value);
  set("everybody", leak.worth.everybody);
  set("ranks", leak.worth.ranks);
  return json;
}

Json json_of(const Shown& shown) {
  Json json;
  return json.set("field", shown.field)
      .set("way", shown.way)
      .set("row", shown.row)
      .set("value", shown.value);
}

}  // namespace

std::string name_of(const Finding& finding) { return finding.field + " / " + finding.way.name; }

namespace {

Verdict weightiest(const ProbeResult& result, const std::string& field) {
  for (Verdict verdict : by_weight) {
    const bool is_there = std::ranges::any_of(result.findings, [&](const Finding& finding) {
      const bool counts = verdict != Verdict::Leak || !is_known(result, finding);
      return finding.field == field && finding.verdict == verdict && counts;
    });
    if (is_there) return verdict;
  }
  // All that leaks is known already, or no way of asking says anything.
  return count_of(result, field, Verdict::Leak) > 0 ? Verdict::Inert : Verdict::Blind;
}

}  // namespace

bool may_be_misspelt(const ProbeResult& result, const std::string& field) {
  const auto probed = std::ranges::find(result.fields, field, &ProbedField::name);
  if (result.wrote || probed == result.fields.end() || !probed->is_unheard_of) return false;
  const Verdict verdict = weightiest(result, field);
  return verdict == Verdict::Refused || verdict == Verdict::Inert;
}

Verdict verdict_of(const ProbeResult& result, const std::string& field) {
  return may_be_misspelt(result, field) ? Verdict::Blind : weightiest(result, field);
}

Verdict overall(const ProbeResult& result) {
  if (result.fields.empty()) return Verdict::Blind;
  for (Verdict verdict :
       {Verdict::Leak, Verdict::Blind, Verdict::Shown, Verdict::Declared, Verdict::Inert}) {
    for (const ProbedField& field : result.fields) {
      if (verdict_of(result, field.name) == verdict) return verdict;
    }
  }
  return Verdict::Refused;
}

int exit_code_of(const ProbeResult& result, bool is_protected) {
  bool is_blind = result.fields.empty();
  for (const ProbedField& field : result.fields) {
    const Verdict verdict = verdict_of(result, field.name);
    if (verdict == Verdict::Leak) return 1;
    is_blind |= verdict == Verdict::Blind || (verdict == Verdict::Declared && !is_protected) ||
                (verdict == Verdict::Shown && !field.is_guess);
  }
  return is_blind ? 3 : 0;
}

const Finding* shortest_leak(const ProbeResult& result, const std::string& field) {
  const Finding* best = nullptr;
  for (const Finding& finding : result.findings) {
    const bool leaks = finding.field == field && finding.verdict == Verdict::Leak;
    if (leaks && (best == nullptr || shortness(finding) < shortness(*best))) best = &finding;
  }
  return best;
}

std::string sentence_of(const ProbeResult& result, const std::string& field) {
  const auto count = [&](Verdict verdict) { return count_of(result, field, verdict); };
  const std::size_t absent = count(Verdict::Absent);
  const std::size_t all =
      static_cast<std::size_t>(std::ranges::count(result.findings, field, &Finding::field));
  const std::size_t asked = all - absent;
  const auto first = [&](Verdict verdict) {
    const auto found = std::ranges::find_if(result.findings, [&](const Finding& finding) {
      return finding.field == field && finding.verdict == verdict;
    });
    return found == result.findings.end() ? std::string() : found->reason;
  };
  if (count(Verdict::Shown) > 0) return first(Verdict::Shown);
  if (may_be_misspelt(result, field)) {
    return fmt::format(
        "nothing is seen to depend on it, and nothing said that there is a field of this name: a "
        "misspelt one looks the same; --write, --as-admin or --schema tell");
  }
  if (const Finding* leak = shortest_leak(result, field)) {
    return fmt::format("{} of {} ways of asking give it away; the plainest is {}",
                       count(Verdict::Leak), asked, leak->way.name);
  }
  if (count(Verdict::Blind) > 0) {
    return fmt::format("{} of {} ways of asking stay open: {}", count(Verdict::Blind), asked,
                       first(Verdict::Blind));
  }
  if (count(Verdict::Declared) > 0) return first(Verdict::Declared);
  if (asked == 0) return "the service knows none of the ways of asking";
  return fmt::format("nothing depends on it: {} of {} ways are refused, {} do nothing",
                     count(Verdict::Refused), asked, count(Verdict::Inert));
}

Json to_json(const ProbeResult& result) {
  Json json;
  json.set("kind", "probe")
      .set("version", result.version)
      .set("target", result.target)
      .set("dialect", result.dialect)
      .set("verdict", to_text(overall(result)))
      .set("wrote", result.wrote)
      .set("seed", result.seed);
  Json::Array fields;
  for (const ProbedField& field : result.fields) {
    Json one;
    one.set("field", field.name)
        .set("source", field.source)
        .set("spec", field.spec)
        .set("verdict", to_text(verdict_of(result, field.name)))
        .set("sentence", sentence_of(result, field.name));
    fields.push_back(std::move(one));
  }
  Json::Array worth;
  for (const LeakWorth& leak : result.worth) worth.push_back(json_of(leak));
  Json::Array demonstrated;
  for (const Shown& shown : result.demonstrated) demonstrated.push_back(json_of(shown));
  Json::Array findings;
  for (const Finding& finding : result.findings) findings.push_back(json_of(result, finding));
  json.set("fields", std::move(fields))
      .set("findings", std::move(findings))
      .set("worth", std::move(worth))
      .set("requests", result.requests)
      .set("writes", result.writes)
      .set("lag_seconds", result.lag_seconds)
      .set("seconds", result.seconds)
      .set("stopped", result.stopped);
  if (!result.demonstrated.empty()) json.set("demonstrated", std::move(demonstrated));
  if (!result.left_behind.empty()) {
    json.set("left_behind", result.left_behind).set("journal", result.journal);
  }
  return json.set("notes", json_texts(result.notes));
}

// ---- Reports of earlier runs ----

bool is_probe_report(const Json& json) { return json.text_at("kind") == "probe"; }

Result<EarlierReport> report_from_json(const Json& json) {
  const Json* findings = json.find("findings");
  if (!is_probe_report(json) || findings == nullptr || findings->as_array() == nullptr) {
    return bad_input("this is no report of a probe; rankveil probe --json writes one");
  }
  EarlierReport report{.target = json.text_at("target"), .dialect = json.text_at("dialect")};
  for (const Json& finding : *findings->as_array()) {
    if (finding.text_at("verdict") != to_text(Verdict::Leak)) continue;
    report.leaks.push_back({finding.text_at("field"), finding.text_at("way")});
    if (report.leaks.back().field.empty() || report.leaks.back().way.empty()) {
      return bad_input("the report has a finding without field or way");
    }
  }
  const Json* fields = json.find("fields");
  for (const Json& field :
       fields != nullptr && fields->as_array() != nullptr ? *fields->as_array() : Json::Array{}) {
    if (field.text_at("verdict") == to_text(Verdict::Leak)) {
      report.specs.push_back(field.text_at("spec"));
    }
  }
  return report;
}

Json baseline_of(const ProbeResult& result) {
  Json::Array known;
  for (const Finding& finding : result.findings) {
    if (finding.verdict == Verdict::Leak) known.emplace_back(name_of(finding));
  }
  Json json;
  json.set("kind", "probe baseline").set("target", result.target).set("known", std::move(known));
  return json;
}

Status apply_baseline(const Json& baseline, ProbeResult& result) {
  const Json* known = baseline.find("known");
  if (baseline.text_at("kind") != "probe baseline" || known == nullptr ||
      known->as_array() == nullptr) {
    return bad_input("the baseline is not one that rankveil probe --write-baseline wrote");
  }
  if (baseline.text_at("target") != result.target) {
    return bad_input(fmt::format("the baseline is of {}, and this is {}; write one of its own",
                                 baseline.text_at("target"), result.target));
  }
  for (const Json& name : *known->as_array()) {
    if (name.as_text() != nullptr) result.known.push_back(*name.as_text());
  }
  return {};
}

}  // namespace rankveil::probe

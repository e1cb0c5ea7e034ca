#include "rankveil/audit/finding.h"

#include <fmt/core.h>

#include <array>
#include <utility>

#include "rankveil/audit/json_fields.h"

namespace rankveil::audit {

namespace {

constexpr std::array<std::pair<Verdict, std::string_view>, 5> verdicts = {{
    {Verdict::Kept, "kept"},
    {Verdict::Broken, "broken"},
    {Verdict::Undecidable, "undecidable"},
    {Verdict::NotPromised, "not-promised"},
    {Verdict::NotTested, "not-tested"},
}};

constexpr std::array<std::pair<PromiseKind, std::string_view>, 4> promises = {{
    {PromiseKind::None, "none"},
    {PromiseKind::GuessAtMost, "guess"},
    {PromiseKind::GainAtMost, "gain"},
    {PromiseKind::LikelihoodRatio, "likelihood-ratio"},
}};

Verdict read_verdict(JsonFields& fields) {
  std::string name = fields.text("verdict");
  auto verdict = verdict_from_name(name);
  if (!verdict) fields.object_to(fmt::format("\"{}\" is no verdict", name));
  return verdict.value_or(Verdict::NotPromised);
}

}  // namespace

std::string_view verdict_name(Verdict verdict) {
  return verdicts[static_cast<std::size_t>(verdict)].second;
}

std::optional<Verdict> verdict_from_name(std::string_view name) {
  for (const auto& [verdict, text] : verdicts) {
    if (text == name) return verdict;
  }
  return std::nullopt;
}

std::string name_of(const Finding& finding) {
  return fmt::format("{}, {} as {}", finding.attribute, finding.method, finding.level);
}

Json promise_json(const Promise& promise) {
  return Json()
      .set("kind", promises[static_cast<std::size_t>(promise.kind)].second)
      .set("bound", promise.bound)
      .set("spares_declared", promise.spares_declared)
      .set("over_moved", promise.over_moved)
      .set("text", promise.text());
}

Promise read_promise(JsonFields fields) {
  std::string name = fields.text("kind");
  Promise promise{PromiseKind::None, fields.number("bound")};
  if (!fields.is_null("spares_declared")) promise.spares_declared = fields.truth("spares_declared");
  if (!fields.is_null("over_moved")) promise.over_moved = fields.truth("over_moved");
  bool known = false;
  for (const auto& [kind, text] : promises) {
    if (text != name) continue;
    promise.kind = kind;
    known = true;
  }
  if (!known) fields.object_to(fmt::format("\"{}\" is no kind of promise", name));
  return promise;
}

Json to_json(const Finding& finding) {
  return Json()
      .set("attribute", finding.attribute)
      .set("method", finding.method)
      .set("level", finding.level)
      .set("attempts", finding.attempts)
      .set("hidden", finding.hidden)
      .set("proven", finding.proven)
      .set("right", finding.right)
      .set("rate", finding.rate)
      .set("low", finding.low)
      .set("high", finding.high)
      .set("prior", finding.prior)
      .set("gain", finding.gain)
      .set("certain", finding.certain)
      .set("certain_before", finding.certain_before)
      .set("candidates", finding.candidates)
      .set("queries", finding.queries)
      .set("inserts", finding.inserts)
      .set("coins", finding.coins ? to_json(*finding.coins) : Json())
      .set("gains", finding.gains ? to_json(*finding.gains) : Json())
      .set("evidence", finding.evidence.empty() ? Json() : Json(finding.evidence))
      .set("promise", promise_json(finding.promise))
      .set("verdict", verdict_name(finding.verdict))
      .set("reason", finding.reason);
}

Result<Finding> finding_from_json(const Json& json) {
  std::string problem;
  JsonFields fields(json, "the finding", problem);
  Finding finding;
  finding.attribute = fields.text("attribute");
  finding.method = fields.text("method");
  finding.level = fields.text("level");
  finding.attempts = fields.whole("attempts");
  finding.hidden = fields.whole("hidden");
  finding.proven = fields.whole("proven");
  finding.right = fields.number("right");
  finding.rate = fields.number("rate");
  finding.low = fields.number("low");
  finding.high = fields.number("high");
  finding.prior = fields.number("prior");
  finding.gain = fields.number("gain");
  finding.certain = fields.number("certain");
  finding.certain_before = fields.number("certain_before");
  finding.candidates = fields.number("candidates");
  finding.queries = fields.number("queries");
  finding.inserts = fields.number("inserts");
  if (!fields.is_null("coins")) {
    finding.coins = coin_figures_from_json(fields.raw("coins"));
    if (!finding.coins) fields.object_to("\"coins\" are no figures about coins");
  }
  if (!fields.is_null("gains")) {
    finding.gains = gain_counts_from_json(fields.raw("gains"));
    if (!finding.gains) fields.object_to("\"gains\" are no counts of gains");
  }
  if (!fields.is_null("evidence")) finding.evidence = fields.text("evidence");
  finding.promise = read_promise(fields.object("promise"));
  finding.verdict = read_verdict(fields);
  finding.reason = fields.text("reason");
  if (!problem.empty()) return bad_input(problem);
  return finding;
}

}  // namespace rankveil::audit

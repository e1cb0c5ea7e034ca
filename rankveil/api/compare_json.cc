#include "rankveil/api/compare.h"

namespace rankveil::api {

namespace {

Json text_or_null(const std::optional<std::string>& text) { return text ? Json(*text) : Json(); }

Json privacy_json(const Compared& compared) {
  Json::Array findings;
  for (const audit::Finding& finding : compared.findings) findings.push_back(to_json(finding));
  return Json()
      .set("gain", compared.gain)
      .set("gain_level", compared.gain_level)
      .set("rate", compared.rate)
      .set("rate_low", compared.rate_low)
      .set("rate_high", compared.rate_high)
      .set("rate_level", compared.rate_level)
      .set("prior", compared.prior)
      .set("certain", compared.certain)
      .set("certain_level", compared.certain_level)
      .set("broken_by", text_or_null(compared.broken_by))
      .set("undecided_at", text_or_null(compared.undecided_at))
      .set("findings", std::move(findings));
}

Json utility_json(const utility::UtilityAt& at) {
  return Json()
      .set("k", at.k)
      .set("fair", to_json(at.fair))
      .set("overlap", to_json(at.overlap))
      .set("ndcg", to_json(at.ndcg))
      .set("tau_b", to_json(at.tau_b))
      .set("aul", to_json(at.aul));
}

Json compared_json(const Compared& compared) {
  bool ran = compared.left_out.empty();
  return Json()
      .set("scheme", compared.scheme)
      .set("l", compared.l != 0 ? Json(compared.l) : Json())
      .set("left_out", ran ? Json() : Json(compared.left_out))
      .set("promise", ran ? Json(compared.promise.text()) : Json())
      .set("privacy", ran ? privacy_json(compared) : Json())
      .set("utility", ran ? utility_json(compared.utility) : Json())
      .set("rows_without_signal", ran ? Json(compared.rows_without_signal) : Json())
      .set("may_be_chosen", compared.why_not.empty())
      .set("why_not", compared.why_not.empty() ? Json() : Json(compared.why_not))
      .set("on_frontier", compared.on_frontier)
      .set("protect_seconds", compared.protect_seconds)
      .set("judge_seconds", compared.judge_seconds)
      .set("measure_seconds", compared.measure_seconds);
}

Json choice_json(const CompareResult& result) {
  if (!result.chosen) return {};
  const Compared& chosen = result.compared[*result.chosen];
  return Json().set("scheme", chosen.scheme).set("l", chosen.l != 0 ? chosen.l : result.l);
}

}  // namespace

Json to_json(const CompareResult& result) {
  Json::Array compared;
  for (const Compared& one : result.compared) compared.push_back(compared_json(one));
  return Json()
      .set("table", result.table)
      .set("rows", result.rows)
      .set("public_attributes", result.public_attributes)
      .set("private_attributes", result.private_attributes)
      .set("l", result.l)
      .set("k", result.k)
      .set("workload", result.workload.empty() ? Json() : Json(result.workload))
      .set("queries", result.queries)
      .set("compared", std::move(compared))
      .set("chosen", choice_json(result))
      .set("reason", result.reason)
      .set("policy_written", text_or_null(result.written))
      .set("notes", json_texts(result.notes))
      .set("warnings", json_texts(result.warnings))
      .set("read_seconds", result.read_seconds)
      .set("seconds", result.seconds);
}

}  // namespace rankveil::api

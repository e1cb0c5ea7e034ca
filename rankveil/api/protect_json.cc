#include <algorithm>

#include "rankveil/api/plain_ids.h"
#include "rankveil/api/protect.h"
#include "rankveil/base/text/json_values.h"
#include "rankveil/protect/chance/ldp_budgets.h"
#include "rankveil/protect/ledger/days.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/protect/sensitive_sets.h"

namespace rankveil::api {

namespace {

Json sizes_json(const std::vector<std::uint64_t>& sizes) {
  Json::Object object;
  for (std::size_t size = 0; size < sizes.size(); ++size) {
    if (sizes[size] != 0) object.emplace_back(std::to_string(size), Json(sizes[size]));
  }
  return object;
}

Json date_json(std::uint32_t day) { return day == 0 ? Json() : Json(date_text(day)); }

Json counts_json(const ReleaseCounts& counts) {
  return Json()
      .set("kept", counts.kept)
      .set("released", counts.released)
      .set("waiting", counts.waiting)
      .set("not_established", counts.not_established)
      .set("withdrawn", counts.withdrawn)
      .set("gone", counts.gone)
      .set("changed", counts.changed)
      .set("withdrawn_now", counts.withdrawn_now)
      .set("company_now", counts.company_now)
      .set("withdrawal_gain", counts.withdrawal_gain)
      .set("moved", counts.moved)
      .set("moved_belief", counts.moved_belief)
      .set("moved_out_now", counts.moved_out_now)
      .set("waiting_since", date_json(counts.waiting_since))
      .set("changed_since", date_json(counts.changed_since));
}

Json short_sets_json(const ProtectResult& result, const ProtectionReport& report) {
  Json json = Json::Object{};
  for (std::size_t j = 0; j < std::min(report.short_sets.size(), result.attributes.size()); ++j) {
    json.set(result.attributes[j], report.short_sets[j]);
  }
  return json;
}

// What is said of the rows of one build, or of several together.
Json rows_json(const ProtectResult& result, const ProtectionReport& report) {
  Json json;
  json.set("set_sizes", sizes_json(report.set_sizes))
      .set("rungs", json_of(report.rungs))
      .set("short_sets", short_sets_json(result, report))
      .set("rows_with_short_sets", report.rows_with_short_sets)
      .set("obfuscated_values", report.obfuscated_values)
      .set("rows_with_obfuscation", report.rows_with_obfuscation)
      .set("solved", report.solved)
      .set("proven", report.proven)
      .set("largest_rounding", report.largest_rounding);
  if (report.obfuscation_bound) {
    json.set("obfuscations", report.obfuscation_bound->value);
    json.set("obfuscation_bound", report.obfuscation_bound->bound);
  }
  return json;
}

Json report_json(const ProtectResult& result) {
  const ProtectionReport& report = result.report;
  return rows_json(result, report)
      .set("blocks", json_of(report.blocks))
      .set("rows_in_classes", report.rows_in_classes)
      .set("parts", report.parts)
      .set("base", json_of(report.base))
      .set("rows_without_signal", report.rows_without_signal)
      .set("coarser_rows", result.coarser_rows ? Json(*result.coarser_rows) : Json())
      .set("unique_rows", report.unique_rows)
      .set("fallback", result.fallback.empty() ? Json() : Json(result.fallback))
      .set("notes", json_texts(report.notes));
}

Json earlier_json(const ProtectResult& result) {
  if (!result.earlier) return Json();
  return rows_json(result, result.earlier->report).set("released", result.earlier->released);
}

Json left_out_json(const std::vector<LeftOut>& left_out) {
  Json::Array array;
  for (const LeftOut& item : left_out) {
    array.push_back(Json().set("attribute", item.attribute).set("values", item.values));
  }
  return array;
}

}  // namespace

Json json_of_levels(const std::vector<AdversaryLevel>& levels) {
  Json::Array names;
  for (AdversaryLevel level : levels) names.emplace_back(level_name(level));
  return names;
}

Json to_json(const ProtectResult& result) {
  Json json;
  json.set("output", result.output).set("claim", claim_text(result.promise, result.coverage));
  add_coverage(result.coverage, json);
  return json.set("ledger", result.ledger)
      .set("population", result.population)
      .set("dry_run", result.dry_run)
      .set("replaced", result.replaced)
      .set("continued", result.continued)
      .set("scheme", result.scheme)
      .set("l", result.l)
      .set("promise", result.promise.text())
      .set("bound", result.promise.bound)
      .set("not_sensitive", to_json(result.not_sensitive))
      .set("sensitive_sets", to_json(result.sensitive_sets))
      .set("known", known_columns_json(result.known))
      .set("apart", columns_apart_json(result.apart))
      .set("epsilons", to_json(result.epsilons))
      .set("ids", id_form_name(result.ids))
      .set("telling_ids", telling_ids_json(result.telling_ids))
      .set("holds_against", json_of_levels(result.holds_against))
      .set("conditions", conditions_json(result.promise, result.holds_against))
      .set("broken_by", result.broken_by ? Json(level_name(*result.broken_by)) : Json())
      .set("release", result.release)
      .set("rows", result.rows)
      .set("public_attributes", result.public_attributes)
      .set("private_attributes", result.private_attributes)
      .set("established_rows", result.established_rows)
      .set("open_rows", result.open_rows)
      .set("hidden_rows", result.hidden_rows)
      .set("left_out", left_out_json(result.left_out))
      .set("release_counts", counts_json(result.counts))
      .set("report", report_json(result))
      .set("earlier", earlier_json(result))
      .set("planted_rows_count", result.planted_rows_count)
      .set("file_bytes", result.file_bytes)
      .set("peak_memory_bytes", result.peak_memory)
      .set("read_seconds", result.read_seconds)
      .set("protect_seconds", result.protect_seconds)
      .set("write_seconds", result.write_seconds)
      .set("warnings", json_texts(result.warnings));
}

}  // namespace rankveil::api

#include "rankveil/protect/report_json.h"

namespace rankveil {

namespace {

Json counts_to_json(const std::vector<std::uint64_t>& counts) {
  Json::Array array;
  for (std::uint64_t count : counts) array.emplace_back(count);
  return array;
}

Json bound_to_json(const std::optional<BoundedValue>& value) {
  return value ? counts_to_json({value->value, value->bound}) : Json();
}

// Reads what report_to_json wrote, and remembers whether all of it was there.
class ReportReader {
 public:
  explicit ReportReader(const Json& json) : json_(json) {}

  bool sound() const { return sound_; }

  std::uint64_t count(std::string_view name) {
    const Json* found = json_.find(name);
    return found == nullptr ? fail() : number(*found);
  }

  std::uint64_t count_if_there(std::string_view name) {
    return json_.find(name) == nullptr ? 0 : count(name);
  }

  std::vector<std::uint64_t> counts(std::string_view name) {
    std::vector<std::uint64_t> made;
    for (const Json& item : array(name)) made.push_back(number(item));
    return made;
  }

  std::vector<RungReport> rungs(std::string_view name) {
    std::vector<RungReport> made;
    for (const Json& item : array(name)) made.push_back(rung(item));
    return made;
  }

  std::optional<BoundedValue> bound(std::string_view name) {
    const Json* found = json_.find(name);
    if (found == nullptr || found->is_null()) return std::nullopt;
    auto both = counts(name);
    if (both.size() != 2) return fail(), std::nullopt;
    return BoundedValue{both[0], both[1]};
  }

  double real(std::string_view name) {
    const Json* found = json_.find(name);
    auto value = found == nullptr ? std::nullopt : found->as_number();
    return value ? *value : static_cast<double>(fail());
  }

 private:
  std::uint64_t fail() {
    sound_ = false;
    return 0;
  }

  std::uint64_t number(const Json& json) {
    const auto* value = json.as_integer();
    return value == nullptr || *value < 0 ? fail() : static_cast<std::uint64_t>(*value);
  }

  const Json::Array& array(std::string_view name) {
    static const Json::Array none;
    const Json* found = json_.find(name);
    if (found != nullptr && found->as_array() != nullptr) return *found->as_array();
    fail();
    return none;
  }

  RungReport rung(const Json& json) {
    ReportReader inner(json);
    RungReport made{{}, inner.count("groups"), inner.count("rows")};
    for (const Json& column : inner.array("columns")) {
      if (column.as_text() == nullptr) return fail(), made;
      made.columns.push_back(*column.as_text());
    }
    if (!inner.sound()) fail();
    return made;
  }

  const Json& json_;
  bool sound_ = true;
};

}  // namespace

Json rungs_to_json(const std::vector<RungReport>& rungs) {
  Json::Array array;
  for (const RungReport& rung : rungs) {
    array.push_back(Json()
                        .set("columns", json_texts(rung.columns))
                        .set("groups", rung.groups)
                        .set("rows", rung.rows));
  }
  return array;
}

Json to_json(const BaseReport& base) {
  return Json()
      .set("groups", base.groups)
      .set("pure", base.pure)
      .set("telling", base.telling)
      .set("telling_rows", base.telling_rows)
      .set("told", json_texts(base.told))
      .set("telling_values", base.telling_values)
      .set("told_values", json_texts(base.told_values));
}

Json report_to_json(const ReportSoFar& told) {
  const ProtectionReport& report = told.report;
  return Json()
      .set("released", told.released)
      .set("set_sizes", counts_to_json(report.set_sizes))
      .set("rungs", rungs_to_json(report.rungs))
      .set("short_sets", counts_to_json(report.short_sets))
      .set("rows_with_short_sets", report.rows_with_short_sets)
      .set("obfuscated_values", report.obfuscated_values)
      .set("rows_with_obfuscation", report.rows_with_obfuscation)
      .set("rows_in_classes", report.rows_in_classes)
      .set("rows_in_small_batches", report.rows_in_small_batches)
      .set("solved", report.solved)
      .set("proven", report.proven)
      .set("obfuscation_bound", bound_to_json(report.obfuscation_bound))
      .set("largest_rounding", report.largest_rounding);
}

std::optional<ReportSoFar> report_from_json(const Json& json) {
  ReportReader reader(json);
  ReportSoFar told;
  ProtectionReport& report = told.report;
  told.released = reader.count("released");
  report.set_sizes = reader.counts("set_sizes");
  report.rungs = reader.rungs("rungs");
  report.short_sets = reader.counts("short_sets");
  report.rows_with_short_sets = reader.count("rows_with_short_sets");
  report.obfuscated_values = reader.count("obfuscated_values");
  report.rows_with_obfuscation = reader.count("rows_with_obfuscation");
  report.rows_in_classes = reader.count("rows_in_classes");
  report.rows_in_small_batches = reader.count_if_there("rows_in_small_batches");
  report.solved = reader.count("solved");
  report.proven = reader.count("proven");
  report.obfuscation_bound = reader.bound("obfuscation_bound");
  report.largest_rounding = reader.real("largest_rounding");
  if (!reader.sound()) return std::nullopt;
  return told;
}

}  // namespace rankveil

#include "rankveil/protect/ledger/ledger_head.h"

#include <optional>

#include "rankveil/protect/report_json.h"

namespace rankveil {

namespace {

constexpr std::string_view ledger_kind = "rankveil ledger";
constexpr int ledger_version = 2;

Json shares_json(const Ledger& ledger) {
  Json::Object attributes;
  for (const auto& [attribute, values] : ledger.shares) {
    Json::Object counts;
    for (const auto& [value, count] : values) counts.emplace_back(value, Json(count));
    attributes.emplace_back(attribute, Json(std::move(counts)));
  }
  return Json(std::move(attributes));
}

Json ladder_json(const Ledger& ledger) {
  Json::Array rungs;
  for (const auto& columns : ledger.ladder) rungs.push_back(json_texts(columns));
  return rungs;
}

// Counts as one list: a value's place, its rows, the next place, ...
Json group_json(const FrozenGroup& group) {
  Json::Array values, counts;
  for (const auto& value : group.values) values.push_back(value ? Json(*value) : Json());
  for (const auto& attribute : group.counts) {
    Json::Array flat;
    for (const auto& [place, rows] : attribute) {
      flat.emplace_back(place);
      flat.emplace_back(rows);
    }
    counts.emplace_back(std::move(flat));
  }
  return Json()
      .set("values", std::move(values))
      .set("group", group.number)
      .set("rows", group.rows)
      .set("counts", std::move(counts));
}

Json groups_json(const Ledger& ledger) {
  if (!ledger.groups) return Json();
  Json::Array rungs;
  for (const FrozenRung& rung : *ledger.groups) {
    Json::Array groups;
    for (const FrozenGroup& group : rung.groups) groups.push_back(group_json(group));
    rungs.push_back(
        Json().set("columns", json_texts(rung.columns)).set("groups", std::move(groups)));
  }
  return rungs;
}

Json columns_json(const Ledger& ledger) {
  Json::Array columns;
  for (const LedgerColumn& column : ledger.columns) {
    columns.push_back(Json()
                          .set("name", column.name)
                          .set("values", json_texts(column.values))
                          .set("bins", column.bins));
  }
  return columns;
}

Json outputs_json(const Ledger& ledger) {
  Json::Array outputs;
  for (const LedgerOutput& output : ledger.outputs) {
    outputs.push_back(Json()
                          .set("path", output.path)
                          .set("build", output.build)
                          .set("parameters", output.parameters)
                          .set("public", json_texts(output.public_columns)));
  }
  return outputs;
}

bool read_shares(const Json* json, Ledger& ledger) {
  if (json == nullptr || (json->as_object() == nullptr && !json->is_null())) return false;
  if (json->is_null()) return true;
  for (const auto& [attribute, values] : *json->as_object()) {
    auto& counts =
        ledger.shares.emplace_back(attribute, decltype(ledger.shares)::value_type::second_type{});
    if (values.as_object() == nullptr) return false;
    for (const auto& [value, count] : *values.as_object()) {
      const auto* number = count.as_integer();
      if (number == nullptr || *number < 0) return false;
      counts.second.emplace_back(value, static_cast<std::uint64_t>(*number));
    }
  }
  return true;
}

bool read_texts(const Json& json, std::vector<std::string>& texts) {
  if (json.as_array() == nullptr) return false;
  for (const Json& text : *json.as_array()) {
    if (text.as_text() == nullptr) return false;
    texts.push_back(*text.as_text());
  }
  return true;
}

bool read_ladder(const Json* json, Ledger& ledger) {
  if (json == nullptr || json->as_array() == nullptr) return false;
  for (const Json& columns : *json->as_array()) {
    if (!read_texts(columns, ledger.ladder.emplace_back())) return false;
  }
  return true;
}

bool read_told(const Json* json, Ledger& ledger) {
  auto told = json == nullptr ? std::nullopt : report_from_json(*json);
  if (!told) return false;
  ledger.told = *std::move(told);
  return true;
}

bool read_counts(const Json& json, std::vector<FrozenCount>& counts) {
  if (json.as_array() == nullptr || json.as_array()->size() % 2 != 0) return false;
  const auto& flat = *json.as_array();
  for (std::size_t i = 0; i < flat.size(); i += 2) {
    const auto* place = flat[i].as_integer();
    const auto* rows = flat[i + 1].as_integer();
    if (place == nullptr || *place < 0 || *place > UINT32_MAX) return false;
    if (rows == nullptr || *rows < 0) return false;
    counts.emplace_back(static_cast<std::uint32_t>(*place), static_cast<std::uint64_t>(*rows));
  }
  return true;
}

bool read_group(const Json& json, std::size_t columns, FrozenGroup& group) {
  const Json* values = json.find("values");
  const Json* rows = json.find("rows");
  const Json* counts = json.find("counts");
  const Json* number = json.find("group");
  bool sound = number != nullptr && number->as_integer() != nullptr && *number->as_integer() >= 0 &&
               *number->as_integer() < UINT32_MAX && values != nullptr &&
               values->as_array() != nullptr && values->as_array()->size() == columns &&
               rows != nullptr && rows->as_integer() != nullptr && *rows->as_integer() >= 0 &&
               counts != nullptr && counts->as_array() != nullptr;
  if (!sound) return false;
  group.rows = static_cast<std::uint64_t>(*rows->as_integer());
  group.number = static_cast<std::uint32_t>(*number->as_integer());
  for (const Json& value : *values->as_array()) {
    if (!value.is_null() && value.as_text() == nullptr) return false;
    group.values.push_back(value.is_null() ? std::nullopt : std::optional(*value.as_text()));
  }
  for (const Json& attribute : *counts->as_array()) {
    if (!read_counts(attribute, group.counts.emplace_back())) return false;
  }
  return true;
}

bool read_groups(const Json* json, Ledger& ledger) {
  if (json == nullptr || json->is_null()) return true;
  if (json->as_array() == nullptr) return false;
  ledger.groups.emplace();
  for (const Json& one : *json->as_array()) {
    FrozenRung& rung = ledger.groups->emplace_back();
    const Json* columns = one.find("columns");
    const Json* groups = one.find("groups");
    if (columns == nullptr || !read_texts(*columns, rung.columns)) return false;
    if (groups == nullptr || groups->as_array() == nullptr) return false;
    for (const Json& group : *groups->as_array()) {
      if (!read_group(group, rung.columns.size(), rung.groups.emplace_back())) return false;
    }
  }
  return true;
}

// ---- Reading fields ----

bool read_number(const Json& json, std::string_view name, std::uint32_t least,
                 std::uint32_t& number) {
  const Json* found = json.find(name);
  if (found == nullptr || found->as_integer() == nullptr) return false;
  if (*found->as_integer() < least || *found->as_integer() > UINT32_MAX) return false;
  number = static_cast<std::uint32_t>(*found->as_integer());
  return true;
}

bool read_text_of(const Json& json, std::string_view name, std::string& text) {
  const Json* found = json.find(name);
  if (found == nullptr || found->as_text() == nullptr) return false;
  text = *found->as_text();
  return true;
}

bool read_list(const Json& json, std::string_view name, std::vector<std::string>& texts) {
  const Json* found = json.find(name);
  return found != nullptr && read_texts(*found, texts);
}

bool read_columns(const Json* json, Ledger& ledger) {
  if (json == nullptr || json->as_array() == nullptr) return false;
  for (const Json& one : *json->as_array()) {
    LedgerColumn& column = ledger.columns.emplace_back();
    bool sound = read_text_of(one, "name", column.name) && read_text_of(one, "bins", column.bins) &&
                 read_list(one, "values", column.values) && column.values.size() < Ledger::no_code;
    if (!sound) return false;
  }
  return true;
}

bool read_outputs(const Json* json, Ledger& ledger) {
  if (json == nullptr || json->as_array() == nullptr || json->as_array()->empty()) return false;
  for (const Json& one : *json->as_array()) {
    LedgerOutput& output = ledger.outputs.emplace_back();
    const Json* parameters = one.find("parameters");
    bool sound = read_text_of(one, "path", output.path) &&
                 read_number(one, "build", 1, output.build) &&
                 read_list(one, "public", output.public_columns) && parameters != nullptr;
    if (!sound) return false;
    output.parameters = *parameters;
  }
  return true;
}

bool is_ledger(const Json& json) {
  std::string name;
  std::uint32_t version = 0;
  return read_text_of(json, "kind", name) && name == ledger_kind &&
         read_number(json, "version", 1, version) && version == ledger_version;
}

bool read_share_rows(const Json& json, Ledger& ledger) {
  const Json* rows = json.find("share_rows");
  if (rows == nullptr || rows->as_integer() == nullptr || *rows->as_integer() < 0) return false;
  ledger.share_rows = static_cast<std::uint64_t>(*rows->as_integer());
  return true;
}

bool read_state(const Json& json, Ledger& ledger) {
  const Json* state = json.find("scheme_state");
  const Json* values = json.find("has_values");
  const Json* parameters = json.find("parameters");
  bool sound = state != nullptr && parameters != nullptr && values != nullptr &&
               values->as_bool() != nullptr;
  if (!sound) return false;
  ledger.scheme_state = *state;
  ledger.parameters = *parameters;
  ledger.has_values = *values->as_bool();
  return true;
}

}  // namespace

Json ledger_head(const Ledger& ledger) {
  return Json()
      .set("kind", ledger_kind)
      .set("version", ledger_version)
      .set("population", ledger.population)
      .set("parameters", ledger.parameters)
      .set("release", ledger.release)
      .set("build", ledger.build)
      .set("outputs", outputs_json(ledger))
      .set("left_out", json_texts(ledger.left_out))
      .set("columns", columns_json(ledger))
      .set("public_columns", json_texts(ledger.public_columns))
      .set("fit_columns", json_texts(ledger.fit_columns))
      .set("ladder", ladder_json(ledger))
      .set("share_rows", ledger.share_rows)
      .set("shares", shares_json(ledger))
      .set("told", report_to_json(ledger.told))
      .set("groups", groups_json(ledger))
      .set("has_values", ledger.has_values)
      .set("scheme_state", ledger.scheme_state)
      .set("rows", ledger.rows.size())
      .set("renamed", ledger.first_names.size())
      .set("gone", ledger.gone.size());
}

bool read_ledger_head(const Json& json, Ledger& ledger) {
  return is_ledger(json) && read_text_of(json, "population", ledger.population) &&
         read_number(json, "release", 1, ledger.release) &&
         read_number(json, "build", 1, ledger.build) &&
         read_outputs(json.find("outputs"), ledger) &&
         read_list(json, "left_out", ledger.left_out) &&
         read_columns(json.find("columns"), ledger) &&
         read_list(json, "public_columns", ledger.public_columns) &&
         read_list(json, "fit_columns", ledger.fit_columns) &&
         read_ladder(json.find("ladder"), ledger) && read_share_rows(json, ledger) &&
         read_shares(json.find("shares"), ledger) && read_told(json.find("told"), ledger) &&
         read_groups(json.find("groups"), ledger) && read_state(json, ledger);
}

}  // namespace rankveil

#include <fmt/core.h>

#include <algorithm>
#include <sstream>

#include "rankveil/api/version.h"
#include "rankveil/graphs/operations/bound.h"
#include "rankveil/report/page.h"

namespace rankveil::api {

namespace {

using bound::Guarantee;

void set_bound(Json& json, const BoundRow& row) {
  if (!row.bound) {
    json.set("refused", row.refusal);
    return;
  }
  json.set("epsilon", row.bound->epsilon);
  json.set("delta", row.bound->delta);
  json.set("warnings", json_texts(row.bound->warnings));
}

Json row_json(const BoundResult& result, const BoundRow& row) {
  Json json;
  if (!row.attribute.empty()) json.set("attribute", row.attribute).set("value", row.value);
  if (result.sweep) json.set(result.sweep->parameter, row.x);
  set_bound(json, row);
  return json;
}

bool is_single(const BoundResult& result) { return !result.sweep && result.rows.size() == 1; }

std::vector<const BoundRow*> bounded_rows(const BoundResult& result) {
  std::vector<const BoundRow*> rows;
  for (const BoundRow& row : result.rows) {
    if (row.bound) rows.push_back(&row);
  }
  return rows;
}

// A sentence without its numbers: what rows say alike.
std::string shape_of(const std::string& sentence) {
  std::istringstream words(sentence);
  std::string shape;
  for (std::string word; words >> word;) {
    if (word.find_first_of("0123456789") == std::string::npos) shape += word + " ";
  }
  return shape;
}

// A warning in the words of the first row that has it.
struct SharedWarning {
  std::string shape;
  std::string text;
  std::size_t rows = 0;
  bool varies = false;
};

std::vector<SharedWarning> shared_warnings(const std::vector<const BoundRow*>& rows) {
  std::vector<SharedWarning> all;
  for (const BoundRow* row : rows) {
    for (const std::string& warning : row->bound->warnings) {
      auto found = std::ranges::find(all, shape_of(warning), &SharedWarning::shape);
      if (found == all.end()) found = all.insert(found, {shape_of(warning), warning});
      ++found->rows;
      found->varies |= found->text != warning;
    }
  }
  return all;
}

bool is_assumed_by(const BoundRow& row, const std::string& assumption) {
  return std::ranges::find(row.bound->assumptions, assumption) != row.bound->assumptions.end();
}

reports::LineChart curve(const BoundResult& result, const std::string& name,
                         double Guarantee::*figure) {
  reports::Line line{name, {}};
  for (const BoundRow& row : result.rows) {
    if (row.bound) line.points.push_back({row.x, (*row.bound).*figure, {}});
  }
  return {.title = fmt::format("{} by {}", name, result.sweep->parameter),
          .x = {result.sweep->parameter},
          .y = {name},
          .lines = {std::move(line)}};
}

reports::Table bound_table(const BoundResult& result) {
  reports::Table table{"Bounds", {}, {}};
  bool of_table = !result.rows.front().attribute.empty();
  if (of_table) table.columns = {"attribute", "value"};
  if (result.sweep) table.columns.emplace_back(result.sweep->parameter, true);
  table.columns.emplace_back("epsilon", true);
  table.columns.emplace_back("delta", true);
  for (const BoundRow& row : result.rows) {
    std::vector<reports::Cell> cells;
    if (of_table) cells = {row.attribute, row.value};
    if (result.sweep) cells.emplace_back(fmt::format("{:.6g}", row.x));
    cells.emplace_back(row.bound ? fmt::format("{:.6g}", row.bound->epsilon) : "none");
    cells.emplace_back(row.bound ? fmt::format("{:.6g}", row.bound->delta) : "none");
    table.rows.push_back(std::move(cells));
  }
  return table;
}

// Text as it stands in CSV.
std::string csv_text(const std::string& text) {
  if (text.find_first_of(",\"\n\r") == std::string::npos) return text;
  std::string quoted = "\"";
  for (char c : text) quoted += c == '"' ? std::string("\"\"") : std::string(1, c);
  return quoted + "\"";
}

}  // namespace

std::vector<std::string> warnings_of(const BoundResult& result) {
  const auto rows = bounded_rows(result);
  std::vector<std::string> texts;
  for (const SharedWarning& warning : shared_warnings(rows)) {
    bool everywhere = warning.rows == rows.size() && !warning.varies;
    texts.push_back(
        everywhere ? warning.text
                   : fmt::format("{} ({} of {} rows)", warning.text, warning.rows, rows.size()));
  }
  return texts;
}

std::vector<std::string> assumptions_of(const BoundResult& result) {
  const auto rows = bounded_rows(result);
  std::vector<std::string> texts;
  if (rows.empty()) return texts;
  auto add = [&](const BoundRow& row, bool shared) {
    for (const std::string& text : row.bound->assumptions) {
      bool by_all = std::ranges::all_of(
          rows, [&](const BoundRow* other) { return is_assumed_by(*other, text); });
      if (by_all != shared) continue;
      texts.push_back(by_all || !result.sweep ? text
                                              : fmt::format("{} (at {} = {:.6g})", text,
                                                            result.sweep->parameter, row.x));
    }
  };
  add(*rows.front(), true);
  add(*rows.front(), false);
  if (rows.size() > 1) add(*rows.back(), false);
  return texts;
}

Json to_json(const BoundResult& result) {
  Json json;
  json.set("theorem", result.theorem)
      .set("mode", bound::mode_name(result.mode))
      .set("subject", result.subject)
      .set("people", result.people);
  if (is_single(result)) {
    Json row = row_json(result, result.rows.front());
    for (const Json::Member& member : *row.as_object()) json.set(member.first, member.second);
  } else {
    Json::Array rows;
    for (const BoundRow& row : result.rows) rows.push_back(row_json(result, row));
    json.set("results", std::move(rows)).set("warnings", json_texts(warnings_of(result)));
  }
  json.set("assumptions", json_texts(assumptions_of(result)));
  json.set("notes", json_texts(result.notes));
  return json;
}

std::string to_csv(const BoundResult& result) {
  bool of_table = !result.rows.front().attribute.empty();
  std::string text = of_table ? "attribute,value," : "";
  if (result.sweep) text += result.sweep->parameter + ",";
  text += "epsilon,delta\n";
  for (const BoundRow& row : result.rows) {
    if (of_table) text += csv_text(row.attribute) + "," + csv_text(row.value) + ",";
    if (result.sweep) text += fmt::format("{:.12g},", row.x);
    text += row.bound ? fmt::format("{},{}\n", row.bound->epsilon, row.bound->delta)
                      : std::string(",\n");
  }
  return text;
}

std::string to_html(const BoundResult& result) {
  reports::Page page;
  page.kind = "Noiseless privacy";
  page.title = fmt::format("What {} gives away", result.subject);
  page.subtitle = fmt::format("Theorem {}, {} mode, n = {:.6g}", result.theorem,
                              bound::mode_name(result.mode), result.people);
  std::vector<reports::Block> blocks;
  if (result.sweep) {
    blocks.emplace_back(reports::Charts{{curve(result, "epsilon", &Guarantee::epsilon),
                                         curve(result, "delta", &Guarantee::delta)}});
  }
  blocks.emplace_back(bound_table(result));
  page.sections.push_back({"Bounds", std::move(blocks)});
  page.sections.push_back({"What this rests on", {reports::Bullets{assumptions_of(result)}}});
  auto warnings = warnings_of(result);
  if (!warnings.empty()) {
    page.sections.push_back({"Warnings", {reports::Bullets{std::move(warnings)}}});
  }
  page.origin = {{"rankveil", version().version}};
  return reports::to_html(page);
}

}  // namespace rankveil::api

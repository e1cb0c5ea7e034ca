#include <fmt/core.h>

#include <algorithm>

#include "rankveil/base/file.h"
#include "rankveil/connect/relation/csv.h"
#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/standard_input.h"
#include "rankveil/connect/source.h"

namespace rankveil::connect {

namespace {

// Reading.

Status check_columns(const Relation& relation, const Schema& schema,
                     const std::vector<std::string>& ignored, const std::string& path) {
  for (const RelationColumn& column : relation.columns) {
    if (column.name == "count" || schema.find(column.name)) continue;
    if (std::ranges::find(ignored, column.name) != ignored.end()) {
      return bad_input(fmt::format(
          "{}: column \"{}\" is ignored by the policy, so nobody can ask for it; leave it out, or "
          "give it the role \"public\" or \"private\"",
          path, column.name));
    }
    return bad_input(fmt::format(
        "{}: column \"{}\" is no attribute to rank by; a workload has attributes and \"count\"",
        path, column.name));
  }
  return {};
}

// Always commas in a .csv: a value such as "a|b" must not be taken for two columns.
Result<Relation> open_workload(Session& session, const std::string& path, FileKind kind) {
  if (kind == FileKind::Csv || kind == FileKind::Tsv) {
    return open_csv(session, path, {.delimiter = kind == FileKind::Csv ? ',' : '\t'});
  }
  return open_relation(session, {.path = path, .table = {}, .sql = {}});
}

Result<Workload> read_cells(const std::string& path, FileKind kind, const Schema& schema,
                            const std::vector<std::string>& ignored) {
  auto session = Session::open();
  if (!session) return session.error();
  auto relation = open_workload(*session, path, kind);
  if (!relation) return relation.error();
  if (auto checked = check_columns(*relation, schema, ignored, path); !checked)
    return checked.error();

  std::vector<std::string> names;
  std::string texts;
  for (const RelationColumn& column : relation->columns) {
    names.push_back(column.name);
    texts += (texts.empty() ? "" : ", ") + column.text;
  }
  auto cells = session->rows(fmt::format("SELECT {} FROM {}", texts, relation->from));
  if (!cells) {
    return Error{cells.error().code, fmt::format("{}: {}", path, cells.error().message)};
  }
  return workload_from_cells(schema, names, *cells, path);
}

// Writing.

// Values joined by '|', their own '|' and '\' behind a backslash.
std::string wish_cell(const Domain& domain, const std::vector<ValueId>& wanted) {
  std::string cell;
  for (std::size_t i = 0; i < wanted.size(); ++i) {
    if (i > 0) cell += '|';
    for (char c : domain.text(wanted[i])) {
      if (c == '|' || c == '\\') cell += '\\';
      cell += c;
    }
  }
  return csv_cell(cell);
}

std::string header_line(const Schema& schema, bool with_counts) {
  std::string line;
  for (const Attribute& attribute : schema.attributes) {
    if (!line.empty()) line += ',';
    line += csv_cell(attribute.name);
  }
  return line + (with_counts ? ",count\n" : "\n");
}

std::string entry_line(const Schema& schema, const WorkloadEntry& entry, bool with_counts) {
  std::string line;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    if (i > 0) line += ',';
    line += wish_cell(schema.attributes[i].domain, entry.query.wanted[i]);
  }
  if (with_counts) {
    line += fmt::format(",{}", entry.count);
  } else if (line.empty()) {
    line.assign(2, '"');  // an empty line would be no line
  }
  line += '\n';
  return line;
}

bool all_asked_once(const Workload& workload) {
  return std::all_of(workload.entries.begin(), workload.entries.end(),
                     [](const WorkloadEntry& entry) { return entry.count == 1; });
}

}  // namespace

namespace {

Result<Workload> read_kind(const std::string& path, FileKind kind, const Schema& schema,
                           const std::vector<std::string>& ignored) {
  bool gzipped = is_gzipped(path);
  switch (kind) {
    case FileKind::Csv:
    case FileKind::Tsv:
      return read_cells(path, kind, schema, ignored);
    case FileKind::Parquet:
      if (gzipped) break;
      return read_cells(path, kind, schema, ignored);
    case FileKind::JsonLines: {
      if (gzipped) break;
      auto text = read_text(path);
      if (!text) return text.error();
      return parse_workload_lines(schema, *text, path);
    }
    default:
      break;
  }
  return bad_input(fmt::format(
      "{} has an unknown ending for a workload; known are .csv, .tsv (also with .gz), .parquet, "
      ".ndjson and .jsonl",
      path));
}

}  // namespace

Result<Workload> read_workload(const std::string& path, const Schema& schema,
                               const std::vector<std::string>& ignored) {
  if (path != standard_input_name) return read_kind(path, file_kind(path), schema, ignored);
  auto input = read_standard_input("the workload");
  if (!input) return input.error();
  auto read = read_kind(input->path, input->kind, schema, ignored);
  return read ? read : about_standard_input(*input, read.error());
}

Status write_workload_csv(const Workload& workload, const Schema& schema, const std::string& path) {
  bool with_counts = !schema.find("count").has_value();
  if (!with_counts && !all_asked_once(workload)) {
    return bad_input(fmt::format(
        "cannot write {}: an attribute is called \"count\", so how often a query was asked has no "
        "column; write .ndjson instead",
        path));
  }
  std::string text = header_line(schema, with_counts);
  for (const WorkloadEntry& entry : workload.entries) {
    text += entry_line(schema, entry, with_counts);
  }
  return write_text(path, text);
}

}  // namespace rankveil::connect

#include <fmt/core.h>
#include <glob.h>

#include <cassert>

#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/row_marks.h"
#include "rankveil/connect/relation/standard_input.h"
#include "rankveil/connect/relation/telling.h"
#include "rankveil/connect/source.h"
#include "rankveil/connect/sql.h"
#include "rankveil/table/building/table_builder.h"

namespace rankveil::connect {

namespace {

std::vector<std::string> names_of(const Relation& relation) {
  std::vector<std::string> names;
  for (const RelationColumn& column : relation.columns) names.push_back(column.name);
  return names;
}

// An input of the builder: whether the result's column holds doubles, and its SQL.
struct Projected {
  bool as_number;
  std::string sql;
};

Projected project(const Relation& relation, const TableBuilder::Input& input) {
  for (const RelationColumn& column : relation.columns) {
    if (column.name != input.name) continue;
    if (input.takes_numbers && !column.number.empty()) return {true, column.number};
    return {false, column.text};
  }
  assert(false && "the builder asks only for columns of the source");
  return {};
}

Status feed(TableBuilder& builder, const std::vector<Projected>& inputs, const Chunk& chunk) {
  for (std::size_t i = 0; i < inputs.size(); ++i) {
    Presence present = chunk.present(i);
    auto added = inputs[i].as_number ? builder.add(i, chunk.numbers(i), present)
                                     : builder.add(i, chunk.texts(i), present);
    if (!added) return added;
  }
  return {};
}

Status read_into(TableBuilder& builder, RowMarks& marks, Session& session, const Relation& relation,
                 const Source& source, const Progress& progress) {
  std::vector<Projected> inputs;
  std::string columns;
  for (const TableBuilder::Input& input : builder.inputs()) {
    inputs.push_back(project(relation, input));
    columns += (columns.empty() ? "" : ", ") + inputs.back().sql;
  }
  for (const std::string& column : marks.columns()) columns += ", " + column;
  Teller tell(progress, "reading " + source.name());
  std::uint64_t rows = 0;
  auto read = session.stream(
      fmt::format("SELECT {} FROM {}", columns, relation.from),
      [&](const Chunk& chunk) {
        rows += chunk.rows();
        if (auto added = marks.add(chunk, inputs.size()); !added) return added;
        return feed(builder, inputs, chunk);
      },
      [&](double done) { tell(done); });
  if (!read) return read;
  if (rows == 0) return no_rows();
  tell.finish();
  return {};
}

// In a SELECT, DuckDB guesses the types of a CSV file: yes becomes true, 07 becomes 7.
Error with_hint(const Source& source, Error error) {
  if (source.sql.empty() || error.code != ErrorCode::BadInput) return error;
  for (const std::string& file : source.files()) {
    FileKind kind = file_kind(file);
    if (kind != FileKind::Csv && kind != FileKind::Tsv) continue;
    error.message += fmt::format(
        "; to have its values as they stand in the file, select FROM read_csv({}, "
        "all_varchar=true)",
        quoted_text(file));
    break;
  }
  return error;
}

Result<LoadedTable> read_once(const Source& source, const Policy& policy,
                              const ReadOptions& options) {
  auto session = Session::open(options.threads);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return in_source(source, relation.error());
  auto builder = TableBuilder::create(policy, names_of(*relation));
  if (!builder) return in_source(source, builder.error());
  auto marks = RowMarks::create(policy, *relation);
  if (!marks) return in_source(source, marks.error());
  auto read = read_into(*builder, *marks, *session, *relation, source, options.progress);
  if (!read) return in_source(source, with_hint(source, read.error()));
  auto built = std::move(*builder).finish();
  if (!built) return in_source(source, with_hint(source, built.error()));
  std::vector<std::string> warnings = std::move(relation->warnings);
  warnings.insert(warnings.end(), built->warnings.begin(), built->warnings.end());
  return LoadedTable{std::move(*marks).finish(), std::move(built->table), std::move(warnings)};
}

}  // namespace

std::string Source::name() const {
  if (path.empty()) return "the SELECT";
  if (path == standard_input_name) return "standard input";
  if (!sql.empty()) return "the SELECT on " + path;
  if (!table.empty()) return fmt::format("table {} of {}", table, path);
  return path;
}

std::vector<std::string> Source::files() const {
  std::vector<std::string> files;
  if (!path.empty()) files.push_back(path);
  for (const std::string& text : quoted_in(sql)) {
    glob_t found{};
    if (::glob(text.c_str(), 0, nullptr, &found) == 0) {
      files.insert(files.end(), found.gl_pathv, found.gl_pathv + found.gl_pathc);
    }
    ::globfree(&found);
  }
  return files;
}

Result<LoadedTable> read_table(const Source& source, const Policy& policy,
                               const ReadOptions& options) {
  return read_surely(source, [&](const Source& from) { return read_once(from, policy, options); });
}

}  // namespace rankveil::connect

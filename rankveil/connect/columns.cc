#include "rankveil/connect/columns.h"

#include <fmt/core.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string_view>
#include <unordered_map>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/text/closest.h"
#include "rankveil/connect/relation/csv.h"
#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/telling.h"
#include "rankveil/connect/sql.h"
#include "rankveil/table/number_text.h"

namespace rankveil::connect {

namespace {

constexpr std::size_t max_listed = 12;

Result<const RelationColumn*> find_column(const Relation& relation, const std::string& name) {
  std::vector<std::string> names;
  for (const RelationColumn& column : relation.columns) {
    if (column.name == name) return &column;
    names.push_back(column.name);
  }
  return bad_input(
      fmt::format("there is no column \"{}\"; {}", name,
                  did_you_mean(name, names, "there are " + listed(names, max_listed))));
}

bool says_nan(std::string_view text) {
  return text.size() == 3 && (text[0] | 32) == 'n' && (text[1] | 32) == 'a' &&
         (text[2] | 32) == 'n';
}

// Takes the values of a column of numbers, from doubles or from text.
class NumberReader {
 public:
  NumberReader(NumberColumn& column, bool typed) : column_(column), typed_(typed) {}

  Status take(const Chunk& chunk, std::size_t position) {
    Presence present = chunk.present(position);
    for (std::size_t i = 0; i < chunk.rows(); ++i) {
      double value = std::numeric_limits<double>::quiet_NaN();
      if (present[i]) {
        auto read = typed_ ? typed(chunk.numbers(position)[i]) : parsed(chunk.texts(position)[i]);
        if (!read) return read.error();
        value = *read;
      }
      column_.values.push_back(value);
    }
    return {};
  }

 private:
  Result<double> typed(double value) const {
    if (!std::isinf(value)) return value;
    return refusal(value > 0 ? "infinity" : "-infinity");
  }

  Result<double> parsed(const PackedText& text) const {
    std::string_view view = text.view();
    if (view.empty() || says_nan(view)) return std::numeric_limits<double>::quiet_NaN();
    if (auto number = number_from_text(view)) return *number;
    return refusal(view);
  }

  Error refusal(std::string_view value) const {
    return bad_input(
        fmt::format("{} is \"{}\" in row {}, which is no number; name a column of numbers, or "
                    "correct the row",
                    column_.name, value, column_.values.size() + 1));
  }

  NumberColumn& column_;
  bool typed_;
};

class TextReader {
 public:
  explicit TextReader(TextColumn& column) : column_(column) {}

  void take(const Chunk& chunk, std::size_t position) {
    Presence present = chunk.present(position);
    auto texts = chunk.texts(position);
    for (std::size_t i = 0; i < chunk.rows(); ++i) {
      bool there = present[i] && texts[i].size() > 0;
      column_.codes.push_back(there ? code_of(texts[i].view()) : TextColumn::missing);
    }
  }

 private:
  std::uint32_t code_of(std::string_view text) {
    auto [at, fresh] =
        codes_.try_emplace(std::string(text), static_cast<std::uint32_t>(column_.values.size()));
    if (fresh) column_.values.emplace_back(text);
    return at->second;
  }

  TextColumn& column_;
  std::unordered_map<std::string, std::uint32_t> codes_;
};

// Streams all columns that were asked for, numbers first.
class ColumnsReader {
 public:
  ColumnsReader(Columns& columns) : columns_(columns) {}  // NOLINT: both live in one function

  Status choose(const Relation& relation) {
    for (NumberColumn& column : columns_.numbers) {
      auto found = find_column(relation, column.name);
      if (!found) return found.error();
      bool typed = !(*found)->number.empty();
      numbers_.emplace_back(column, typed);
      add(typed ? (*found)->number : (*found)->text);
    }
    for (TextColumn& column : columns_.texts) {
      auto found = find_column(relation, column.name);
      if (!found) return found.error();
      texts_.emplace_back(column);
      add((*found)->text);
    }
    return {};
  }

  const std::string& sql() const { return sql_; }

  Status take(const Chunk& chunk) {
    columns_.rows += static_cast<std::uint32_t>(chunk.rows());
    std::size_t position = 0;
    for (NumberReader& reader : numbers_) {
      if (auto taken = reader.take(chunk, position++); !taken) return taken;
    }
    for (TextReader& reader : texts_) reader.take(chunk, position++);
    return {};
  }

 private:
  void add(const std::string& column) { sql_ += (sql_.empty() ? "" : ", ") + column; }

  Columns& columns_;
  std::vector<NumberReader> numbers_;
  std::vector<TextReader> texts_;
  std::string sql_;
};

Status read_columns_into(Columns& columns, const Source& source, const ReadOptions& options) {
  auto session = Session::open(options.threads);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return relation.error();
  ColumnsReader reader(columns);
  if (auto chosen = reader.choose(*relation); !chosen) return chosen;
  Teller tell(options.progress, "reading " + source.name());
  auto read = session->stream(
      fmt::format("SELECT {} FROM {}", reader.sql(), relation->from),
      [&](const Chunk& chunk) { return reader.take(chunk); }, [&](double done) { tell(done); });
  if (read) tell.finish();
  return read;
}

Result<Columns> some_columns(const Source& source, const std::vector<std::string>& numbers,
                             const std::vector<std::string>& texts, const ReadOptions& options) {
  return read_surely(source, [&](const Source& from) -> Result<Columns> {
    Columns columns;
    for (const std::string& name : numbers) columns.numbers.push_back({name});
    for (const std::string& name : texts) columns.texts.push_back({name});
    if (auto read = read_columns_into(columns, from, options); !read) {
      return in_source(source, read.error());
    }
    return columns;
  });
}

std::string create_statement(const Sheet& sheet) {
  std::string columns;
  for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
    columns += fmt::format("{}c{} VARCHAR", i == 0 ? "" : ", ", i);
  }
  return fmt::format("CREATE TABLE sheet ({})", columns);
}

std::string copy_statement(const Sheet& sheet, const std::string& path) {
  std::string columns;
  for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
    std::string value = sheet.columns[i].is_number
                            ? fmt::format("TRY_CAST(NULLIF(c{}, '') AS DOUBLE)", i)
                            : fmt::format("c{}", i);
    columns +=
        fmt::format("{}{} AS {}", i == 0 ? "" : ", ", value, quoted_name(sheet.columns[i].name));
  }
  return fmt::format("COPY (SELECT {} FROM sheet) TO {} (FORMAT parquet, USE_TMP_FILE false)",
                     columns, quoted_text(path));
}

Status write_parquet(const Sheet& sheet, const std::string& path) {
  auto session = Session::open(1);
  if (!session) return session.error();
  if (auto created = session->run(create_statement(sheet)); !created) return created;
  auto filled = session->append("sheet", sheet.rows.size(),
                                [&](ChunkWriter& writer, std::size_t first, std::size_t rows) {
                                  for (std::size_t row = 0; row < rows; ++row) {
                                    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
                                      writer.set(i, row, sheet.rows[first + row][i]);
                                    }
                                  }
                                });
  if (!filled) return filled;
  return session->run(copy_statement(sheet, path));
}

}  // namespace

Result<Columns> read_columns(const Source& source, const std::vector<std::string>& numbers,
                             const std::vector<std::string>& texts, const ReadOptions& options) {
  auto columns = some_columns(source, numbers, texts, options);
  if (columns && columns->rows == 0) return in_source(source, no_rows());
  return columns;
}

Result<std::vector<std::vector<std::string>>> read_texts(const Source& source,
                                                         const std::vector<std::string>& columns) {
  auto read = some_columns(source, {}, columns, {});
  if (!read) return read.error();
  std::vector<std::vector<std::string>> all;
  for (const TextColumn& column : read->texts) {
    auto& texts = all.emplace_back();
    for (std::uint32_t code : column.codes) {
      texts.push_back(code == TextColumn::missing ? std::string() : column.values[code]);
    }
  }
  return all;
}

Result<std::vector<std::string>> column_names(const Source& source) {
  auto session = Session::open(1);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return in_source(source, relation.error());
  std::vector<std::string> names;
  for (const RelationColumn& column : relation->columns) names.push_back(column.name);
  return names;
}

Result<std::vector<std::string>> columns_that_repeat(const Source& source,
                                                     const ReadOptions& options) {
  constexpr double min_rows = 1.5, max_rows = 100;  // of a value
  // Tables hold 65,535 values of a column, and one with more cannot be read. What is counted here
  // may be a few percent too low.
  constexpr double min_values = 50, max_values = 60'000;
  auto session = Session::open(options.threads);
  if (!session) return session.error();
  auto relation = open_relation(*session, source);
  if (!relation) return in_source(source, relation.error());
  std::string asked = "count(*)::VARCHAR";
  for (const RelationColumn& column : relation->columns) {
    asked += fmt::format(", count(nullif({0}, ''))::VARCHAR, approx_count_distinct({0})::VARCHAR",
                         column.text);
  }
  auto counted = session->rows(fmt::format("SELECT {} FROM {}", asked, relation->from));
  if (!counted) return in_source(source, counted.error());
  auto count = [&](std::size_t i) { return number_from_text((*counted)[0][i]).value_or(0); };
  std::vector<std::string> names;
  for (std::size_t i = 0; i < relation->columns.size(); ++i) {
    double rows = count(0), values = std::max(count(2 * i + 2), 1.0);
    bool repeats = count(2 * i + 1) == rows && values >= min_values && values <= max_values &&
                   rows / values >= min_rows && rows / values <= max_rows;
    if (repeats) names.push_back(relation->columns[i].name);
  }
  return names;
}

std::string sheet_csv(const Sheet& sheet) {
  std::string text;
  auto add_line = [&](auto cell_of) {
    for (std::size_t i = 0; i < sheet.columns.size(); ++i) {
      if (i > 0) text += ',';
      text += csv_cell(cell_of(i));
    }
    text += '\n';
  };
  add_line([&](std::size_t i) { return sheet.columns[i].name; });
  for (const auto& row : sheet.rows) add_line([&](std::size_t i) { return row[i]; });
  return text;
}

Status write_sheet(const Sheet& sheet, const std::string& path) {
  if (file_kind(path) == FileKind::Csv && !is_gzipped(path)) {
    return write_text(path, sheet_csv(sheet));
  }
  if (file_kind(path) != FileKind::Parquet || is_gzipped(path)) {
    return wrong_use(fmt::format("cannot write {}: its name must end in .csv or .parquet", path));
  }
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  if (auto written = write_parquet(sheet, file->temporary()); !written) {
    return io_error(fmt::format("cannot write {}: {}", path, written.error().message));
  }
  return file->commit();
}

Result<Sheet> read_sheet(const std::string& path) {
  auto session = Session::open(1);
  if (!session) return session.error();
  auto relation = open_relation(*session, {.path = path});
  if (!relation) return in_source({.path = path}, relation.error());
  Sheet sheet;
  std::string columns;
  for (const RelationColumn& column : relation->columns) {
    sheet.columns.push_back({column.name});
    columns += (columns.empty() ? "" : ", ") + column.text;
  }
  auto rows = session->rows(fmt::format("SELECT {} FROM {}", columns, relation->from));
  if (!rows) return in_source({.path = path}, rows.error());
  sheet.rows = *std::move(rows);
  return sheet;
}

}  // namespace rankveil::connect

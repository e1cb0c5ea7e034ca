#include <fmt/core.h>

#include <cctype>
#include <map>

#include "rankveil/base/file.h"
#include "rankveil/connect/duckdb/session.h"
#include "rankveil/connect/relation/relation.h"
#include "rankveil/connect/relation/telling.h"
#include "rankveil/connect/relation/write_csv.h"
#include "rankveil/connect/source.h"
#include "rankveil/connect/sql.h"

namespace rankveil::connect {

namespace {

// The COPY options for a name's ending; empty when it is none we write.
std::string copy_options(const std::string& path) {
  bool gzipped = is_gzipped(path);
  switch (file_kind(path)) {
    case FileKind::Csv:
      return fmt::format("FORMAT csv, HEADER true, COMPRESSION {}", gzipped ? "gzip" : "none");
    case FileKind::Parquet:
      return gzipped ? "" : "FORMAT parquet";
    default:
      return "";
  }
}

struct IdColumn {
  std::string name;
  const IntegerNames* integers;
  const TextNames* texts;

  bool is_there() const { return integers != nullptr || texts != nullptr; }
};

// Rows that are called by their numbers have no id to write.
IdColumn id_of(const Table& table) {
  const auto& kinds = table.names().kinds();
  std::string name = table.schema().id_name;
  return {name.empty() ? "id" : name, std::get_if<IntegerNames>(&kinds),
          std::get_if<TextNames>(&kinds)};
}

// An ENUM takes our codes as they are; a domain without values has no codes.
std::string type_of(const Domain& domain) {
  if (domain.size() == 0) return "VARCHAR";
  std::string values;
  for (const std::string& value : domain.values()) {
    values += (values.empty() ? "" : ", ") + quoted_text(value);
  }
  return fmt::format("ENUM({})", values);
}

// Columns are numbered: any name will do then.
std::string create_statement(const Table& table, const IdColumn& id) {
  std::string columns = id.is_there() ? (id.integers ? "c0 BIGINT" : "c0 VARCHAR") : "";
  std::size_t number = id.is_there() ? 1 : 0;
  for (const Attribute& attribute : table.schema().attributes) {
    columns +=
        fmt::format("{}c{} {}", columns.empty() ? "" : ", ", number++, type_of(attribute.domain));
  }
  return fmt::format("CREATE TABLE coded ({})", columns);
}

std::string copy_statement(const Table& table, const IdColumn& id, const std::string& path,
                           const std::string& options) {
  std::string columns = id.is_there() ? "c0 AS " + quoted_name(id.name) : "";
  std::size_t number = id.is_there() ? 1 : 0;
  for (const Attribute& attribute : table.schema().attributes) {
    columns += fmt::format("{}CAST(c{} AS VARCHAR) AS {}", columns.empty() ? "" : ", ", number++,
                           quoted_name(attribute.name));
  }
  // The path is a temporary one already; one more of DuckDB's own would stay when the disk is full.
  return fmt::format("COPY (SELECT {} FROM coded) TO {} ({}, USE_TMP_FILE false)", columns,
                     quoted_text(path), options);
}

void fill_ids(ChunkWriter& writer, const IdColumn& id, std::size_t first, std::size_t rows) {
  if (id.integers != nullptr) {
    writer.set(0, std::span(id.integers->values).subspan(first, rows));
    return;
  }
  const auto& [bytes, ends] = *id.texts;
  for (std::size_t i = 0; i < rows; ++i) {
    std::size_t begin = first + i == 0 ? 0 : ends[first + i - 1];
    writer.set(0, i, std::string_view(bytes).substr(begin, ends[first + i] - begin));
  }
}

void fill(ChunkWriter& writer, const Table& table, const IdColumn& id, std::size_t first,
          std::size_t rows) {
  std::size_t number = 0;
  if (id.is_there()) {
    fill_ids(writer, id, first, rows);
    ++number;
  }
  for (std::uint32_t i = 0; i < table.schema().size(); ++i, ++number) {
    if (table.schema().attributes[i].domain.size() == 0) {
      writer.set_missing(number, rows);
    } else {
      writer.set(number, table.column(AttributeId{i}), first, rows);
    }
  }
}

std::string lower_case(std::string text) {
  for (char& c : text) c = static_cast<char>(std::tolower(static_cast<unsigned char>(c)));
  return text;
}

// DuckDB would rename the second of two names that SQL takes for one.
Status check_names(const Table& table, const IdColumn& id, const std::string& path) {
  std::map<std::string, std::string> names;
  if (id.is_there()) names.emplace(lower_case(id.name), id.name);
  for (const Attribute& attribute : table.schema().attributes) {
    auto [other, fresh] = names.emplace(lower_case(attribute.name), attribute.name);
    if (!fresh) {
      return bad_input(
          fmt::format("cannot write {}: \"{}\" and \"{}\" differ only in upper and lower case; "
                      "rename one of them",
                      path, other->second, attribute.name));
    }
  }
  return {};
}

// One bar for two steps: coding takes about a fifth of the time, writing the text the rest.
constexpr double coding_share = 0.2;

// One thread: with more, rows wait as text for their turn in the file, all of them at worst.
Status write_by_duckdb(const Table& table, const std::string& path, const std::string& options,
                       Teller& tell) {
  auto session = Session::open(1);
  if (!session) return session.error();
  IdColumn id = id_of(table);
  if (auto created = session->run(create_statement(table, id)); !created) return created;
  auto coded = session->append(
      "coded", table.rows(), [&](ChunkWriter& writer, std::size_t first, std::size_t rows) {
        fill(writer, table, id, first, rows);
        tell(coding_share * static_cast<double>(first) / static_cast<double>(table.rows()));
      });
  if (!coded) return coded;
  return session->run(copy_statement(table, id, path, options),
                      [&](double done) { tell(coding_share + (1 - coding_share) * done); });
}

}  // namespace

Status write_table(const Table& table, const std::string& path, const Progress& progress) {
  std::string options = copy_options(path);
  if (options.empty()) {
    return wrong_use(
        fmt::format("cannot write {}: its name must end in .csv, .csv.gz or .parquet", path));
  }
  if (auto checked = check_names(table, id_of(table), path); !checked) return checked;
  auto file = AtomicFile::create(path);
  if (!file) return file.error();
  Teller tell(progress, "writing " + path);
  bool plain = file_kind(path) == FileKind::Csv && !is_gzipped(path);
  auto written = plain ? write_csv(table, *file, tell)
                       : write_by_duckdb(table, file->temporary(), options, tell);
  if (!written && plain) return written;  // its message has the path
  if (!written) {
    return io_error(fmt::format("cannot write {}: {}", path, written.error().message));
  }
  tell.finish();
  return file->commit();
}

}  // namespace rankveil::connect

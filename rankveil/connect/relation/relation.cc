#include "rankveil/connect/relation/relation.h"

#include <fmt/core.h>

#include <algorithm>
#include <cctype>
#include <filesystem>
#include <map>
#include <set>

#include "rankveil/base/file.h"
#include "rankveil/base/format.h"
#include "rankveil/base/text/unicode.h"
#include "rankveil/connect/relation/row_order.h"
#include "rankveil/connect/relation/standard_input.h"
#include "rankveil/connect/relation/text_blocks.h"
#include "rankveil/connect/sql.h"

namespace rankveil::connect {

namespace {

std::string lower_case(std::string_view text) {
  std::string lower(text);
  std::transform(lower.begin(), lower.end(), lower.begin(),
                 [](unsigned char c) { return static_cast<char>(std::tolower(c)); });
  return lower;
}

Error in_file(const std::string& path, const Error& error) {
  return {error.code, fmt::format("{}: {}", path, error.message)};
}

Status check_exists(const std::string& path) {
  std::error_code problem;
  auto status = std::filesystem::status(path, problem);
  if (status.type() == std::filesystem::file_type::not_found) {
    return no_such_file(path);
  }
  // A closed folder on the way, or a name too long: the file may well be there.
  if (problem) return io_error(fmt::format("cannot open {}: {}", path, problem.message()));
  if (std::filesystem::is_directory(status)) {
    return io_error(fmt::format("{} is a folder, not a file", path));
  }
  return {};
}

// DuckDB takes a file that was cut for a shorter one.
Status check_whole(const std::string& path) {
  if (!is_gzipped(path)) return {};
  return read_blocks(path, [](std::string_view, double) { return Status{}; });
}

// Said outright: DuckDB's own look at the name stumbles over odd characters in it.
std::string compression(const std::string& path) {
  return is_gzipped(path) ? ", compression='gzip'" : "";
}

// CSV. Nothing is guessed from the rows: the header alone decides, so a broken row is named by its
// line instead of changing how the others are read.

// The delimiter the header has most of, outside quotes; a comma when it has none.
char delimiter_of(std::string_view header) {
  constexpr std::string_view candidates = ",\t;|";
  std::size_t counts[candidates.size()] = {};
  bool in_quotes = false;
  for (char c : header) {
    if (c == '"') in_quotes = !in_quotes;
    auto candidate = candidates.find(c);
    if (!in_quotes && candidate != std::string_view::npos) ++counts[candidate];
  }
  return candidates[static_cast<std::size_t>(std::max_element(counts, std::end(counts)) - counts)];
}

std::vector<std::string> split_header(std::string_view header, char delimiter) {
  std::vector<std::string> names(1);
  bool in_quotes = false;
  for (std::size_t i = 0; i < header.size(); ++i) {
    bool doubled = in_quotes && header[i] == '"' && i + 1 < header.size() && header[i + 1] == '"';
    if (doubled) {
      names.back() += header[++i];
    } else if (header[i] == '"') {
      in_quotes = !in_quotes;
    } else if (header[i] == delimiter && !in_quotes) {
      names.emplace_back();
    } else {
      names.back() += header[i];
    }
  }
  return names;
}

// What a file begins with, unpacked.
Result<std::string> first_bytes(const std::string& path) {
  constexpr std::size_t enough = 4096;
  std::string bytes;
  auto read = read_blocks(path, [&](std::string_view block, double) -> Status {
    bytes = block.substr(0, enough);
    return io_error("read enough");  // stops
  });
  if (!read && bytes.empty()) return read.error();
  return bytes;
}

constexpr std::string_view little_end_first = "\xFF\xFE", big_end_first = "\xFE\xFF";

// Text in two bytes a character has zeros, before or behind the characters of the header.
bool has_zeros(std::string_view bytes) { return bytes.find('\0') != std::string_view::npos; }

bool has_big_end_first(std::string_view bytes) {
  return bytes.starts_with(big_end_first) || (has_zeros(bytes) && bytes.find('\0') % 2 == 0);
}

// The encoding that a CSV file is read with.
Result<std::string> encoding_of(const std::string& path, const std::string& told) {
  auto begin = first_bytes(path);
  if (!begin) return begin.error();
  if (has_big_end_first(*begin)) {
    return bad_input(fmt::format(
        "{} is UTF-16 with the larger half of each character first; convert it, for example with "
        "iconv -f UTF-16BE -t UTF-8",
        path));
  }
  bool is_marked = begin->starts_with(little_end_first);
  if (told.empty()) {
    if (!is_marked && has_zeros(*begin)) {
      return bad_input(
          fmt::format("{} is not UTF-8; if it is UTF-16, pass --encoding utf-16, or "
                      "convert it with iconv -f UTF-16LE -t UTF-8",
                      path));
    }
    return std::string(is_marked ? "utf-16" : "utf-8");
  }
  constexpr std::string_view known[] = {"utf-8", "latin-1", "utf-16"};
  if (std::find(std::begin(known), std::end(known), told) != std::end(known)) return told;
  return wrong_use(fmt::format(
      "there is no encoding \"{}\" here; known are utf-8, latin-1 and utf-16, and iconv converts "
      "from others",
      told));
}

// Files in another encoding are read by one reader.
bool has_one_reader(const CsvText& text) { return text.in_one_go || text.encoding != "utf-8"; }

std::string reading_of(const CsvText& text) {
  std::string options;
  if (text.encoding != "utf-8") options += fmt::format(", encoding={}", quoted_text(text.encoding));
  if (has_one_reader(text)) options += ", parallel=false";
  return options;
}

// One reader drops a value in quotes without an end, and all behind it, in silence. A quote within
// a value is written twice, so that there is an even number of them.
Status check_quotes_end(const std::string& path, const CsvText& text) {
  std::size_t width = text.encoding == "utf-16" ? 2 : 1;
  std::size_t place = 0;
  bool open = false, may_be_quote = false;
  auto read = read_blocks(path, [&](std::string_view block, double) -> Status {
    for (char c : block) {
      bool begins = place++ % width == 0;
      if (begins) may_be_quote = c == '"';
      if (place % width == 0 && may_be_quote && (begins || c == '\0')) open = !open;
    }
    return {};
  });
  if (!read) return read;
  if (open) return bad_input(fmt::format("{}: a quoted value has no end", path));
  return {};
}

// The first line as it stands, also of a compressed file.
Result<std::string> read_header(Session& session, const std::string& path, const CsvText& text) {
  auto lines = session.rows(fmt::format(
      "SELECT line FROM read_csv({}{}{}, delim=chr(1), quote='', escape='', header=false, "
      "auto_detect=false, strict_mode=false, columns={{'line': 'VARCHAR'}}) LIMIT 1",
      quoted_path(path), compression(path), reading_of(text)));
  if (!lines) return in_file(path, lines.error());
  std::string header = lines->empty() ? "" : lines->front().front();
  constexpr std::string_view byte_order_mark = "\xEF\xBB\xBF";
  if (header.starts_with(byte_order_mark)) header.erase(0, byte_order_mark.size());
  if (!header.empty() && header.back() == '\r') header.pop_back();
  if (header.empty()) {
    return bad_input(fmt::format("{}: the first line must name the columns", path));
  }
  return header;
}

Status check_distinct(const std::string& path, const std::vector<std::string>& names) {
  std::set<std::string_view> seen;
  for (const std::string& name : names) {
    if (!name.empty() && !seen.insert(name).second) {
      return bad_input(fmt::format("{}: the first line names \"{}\" twice", path, name));
    }
  }
  return {};
}

// JSON and the rest.

struct Described {
  std::string name, type;
};

Result<std::vector<Described>> describe(Session& session, const std::string& from) {
  auto rows = session.rows(
      fmt::format("SELECT column_name, column_type FROM (DESCRIBE SELECT * FROM {})", from));
  if (!rows) return rows.error();
  std::vector<Described> columns;
  for (const auto& row : *rows) columns.push_back({row[0], row[1]});
  return columns;
}

// Every value as the text that stands in the file: first find the names, then read them all as
// text. The whole file is looked at for names, since a late row may have new ones.
Result<Relation> open_json(Session& session, const std::string& path, std::string_view format) {
  auto reader = [&](std::string_view options) {
    return fmt::format("read_json({}{}, format='{}', {})", quoted_path(path), compression(path),
                       format, options);
  };
  if (auto whole = check_whole(path); !whole) return whole.error();
  auto columns = describe(session, reader("sample_size=-1, maximum_depth=1"));
  if (!columns) return in_file(path, columns.error());
  Relation relation;
  std::string types;
  for (const Described& column : *columns) {
    types += fmt::format("{}{}: 'VARCHAR'", types.empty() ? "" : ", ", quoted_text(column.name));
    relation.columns.push_back({column.name, quoted_name(column.name), ""});
  }
  relation.from = reader(fmt::format("columns={{{}}}", types));
  return relation;
}

bool is_number_type(std::string_view type) {
  constexpr std::string_view plain[] = {"TINYINT", "SMALLINT", "INTEGER",   "BIGINT",
                                        "HUGEINT", "UTINYINT", "USMALLINT", "UINTEGER",
                                        "UBIGINT", "UHUGEINT", "FLOAT",     "DOUBLE"};
  return type.substr(0, 7) == "DECIMAL" ||
         std::find(std::begin(plain), std::end(plain), type) != std::end(plain);
}

Result<Relation> open_typed(Session& session, std::string from) {
  auto columns = describe(session, from);
  if (!columns) return columns.error();
  Relation relation{.from = std::move(from), .columns = {}};
  for (const auto& [name, type] : *columns) {
    std::string column = quoted_name(name);
    std::string text = type == "JSON" ? fmt::format("({} ->> '$')", column)
                                      : fmt::format("CAST({} AS VARCHAR)", column);
    std::string number = is_number_type(type) ? fmt::format("CAST({} AS DOUBLE)", column) : "";
    relation.columns.push_back({name, std::move(text), std::move(number)});
  }
  return relation;
}

// DuckDB files and SQL.

// Views and SELECTs may join and group, and then hand rows on as threads get done with them.
Result<Relation> open_computed(Session& session, std::string from) {
  auto relation = open_typed(session, std::move(from));
  if (!relation) return relation;
  auto order = row_order(session, relation->from);
  if (!order) return order.error();
  if (order->one_thread) {
    if (auto set = session.run("SET threads TO 1"); !set) return set.error();
  }
  if (order->by_values) {
    relation->warnings.emplace_back(
        "rows come in the order in which they are joined or grouped, and equal scores keep it; end "
        "the SELECT with ORDER BY and a public column, such as the id");
  }
  return relation;
}

Status attach(Session& session, const std::string& path) {
  auto attached = session.run(
      fmt::format("ATTACH {} AS source (TYPE duckdb, READ_ONLY); USE source", quoted_text(path)));
  if (attached) return {};
  return in_file(path, attached.error());
}

Result<Relation> open_database_table(Session& session, const Source& source) {
  auto rows = session.rows(
      "SELECT table_name FROM information_schema.tables WHERE table_catalog = 'source' "
      "AND table_schema = 'main' ORDER BY table_name");
  if (!rows) return in_file(source.path, rows.error());
  std::vector<std::string> tables;
  for (const auto& row : *rows) tables.push_back(row[0]);
  if (tables.empty()) return bad_input(fmt::format("{} has no table", source.path));
  std::string table = source.table;
  if (table.empty() && tables.size() == 1) table = tables.front();
  if (table.empty()) {
    return wrong_use(
        fmt::format("{} has the tables {}; name one with --table", source.path, listed(tables)));
  }
  if (std::find(tables.begin(), tables.end(), table) == tables.end()) {
    return bad_input(
        fmt::format("{} has no table \"{}\"; it has {}", source.path, table, listed(tables)));
  }
  return open_computed(session, "source.main." + quoted_name(table));
}

// A view and no subquery: comments and semicolons at the end of the SQL do no harm.
Result<Relation> open_sql(Session& session, const std::string& sql) {
  if (auto checked = session.check_is_select(sql); !checked) return checked.error();
  if (auto made = session.run("CREATE TEMP VIEW rankveil_rows AS " + sql); !made) {
    return made.error();
  }
  return open_computed(session, "temp.rankveil_rows");
}

bool is_csv(const Source& source) {
  FileKind kind = file_kind(source.path);
  return source.sql.empty() && (kind == FileKind::Csv || kind == FileKind::Tsv);
}

Status check_parts(const Source& source) {
  if (source.path.empty() && source.sql.empty()) return wrong_use("there is no file to read");
  if (!source.table.empty() && !source.sql.empty()) {
    return wrong_use("a table and SQL were given; one of them must go");
  }
  if (!source.encoding.empty() && !is_csv(source)) {
    return wrong_use(fmt::format("--encoding is for .csv and .tsv files, not for {}; leave it out",
                                 source.name()));
  }
  bool needs_database = !source.table.empty() || !source.sql.empty();
  if (!source.path.empty() && needs_database && file_kind(source.path) != FileKind::Database) {
    return wrong_use(fmt::format(
        "{} is no DuckDB file (.duckdb, .db), so it has no tables; to use SQL on it, name it in "
        "the SELECT: SELECT * FROM {}",
        source.path, quoted_text(source.path)));
  }
  return {};
}

Result<Relation> open_file(Session& session, const Source& source, FileKind kind) {
  const std::string& path = source.path;
  switch (kind) {
    case FileKind::Csv:
      return open_csv(session, path, {0, source.encoding, source.in_one_go});
    case FileKind::Tsv:
      return open_csv(session, path, {'\t', source.encoding, source.in_one_go});
    case FileKind::Json:
      return open_json(session, path, "auto");
    case FileKind::JsonLines:
      return open_json(session, path, "newline_delimited");
    case FileKind::Parquet:
      if (is_gzipped(path)) break;
      return open_typed(session, fmt::format("read_parquet({})", quoted_path(path)));
    default:
      break;
  }
  return bad_input(fmt::format(
      "{} has an unknown ending; known are .csv, .tsv, .json, .ndjson, .jsonl (also with .gz), "
      ".parquet, .duckdb and .db",
      path));
}

Result<Relation> open_standard_input(Session& session, const Source& source) {
  auto input = read_standard_input("the table");
  if (!input) return input.error();
  Source file = source;
  file.path = input->path;
  auto relation = open_file(session, file, input->kind);
  return relation ? relation : about_standard_input(*input, relation.error());
}

bool names_file(std::string_view message, const std::string& path) {
  return message.find(path) != std::string_view::npos;
}

}  // namespace

FileKind file_kind(std::string_view path) {
  std::filesystem::path name(lower_case(path));
  if (name.extension() == ".gz") name = name.stem();
  std::string ending = name.extension().string();
  if (ending == ".csv") return FileKind::Csv;
  if (ending == ".tsv") return FileKind::Tsv;
  if (ending == ".parquet") return FileKind::Parquet;
  if (ending == ".json") return FileKind::Json;
  if (ending == ".ndjson" || ending == ".jsonl") return FileKind::JsonLines;
  if (ending == ".duckdb" || ending == ".db") return FileKind::Database;
  return FileKind::Unknown;
}

bool is_gzipped(std::string_view path) {
  return std::filesystem::path(lower_case(path)).extension() == ".gz";
}

// Which is which is easily mistaken: an export of two systems may have one column twice.
std::vector<std::string> like_named_warnings(const std::vector<std::string>& names) {
  std::vector<std::string> warnings;
  std::map<std::string, const std::string*> first;
  for (const std::string& name : names) {
    if (name.empty()) continue;
    auto [found, is_new] = first.try_emplace(likened(name), &name);
    if (is_new) continue;
    warnings.push_back(
        fmt::format("the columns \"{}\" and \"{}\" are two, though their names differ in case, "
                    "spaces or Unicode form only; see that the policy means the right one",
                    *found->second, name));
  }
  return warnings;
}

Result<Relation> open_csv(Session& session, const std::string& path, const CsvText& text) {
  if (auto exists = check_exists(path); !exists) return exists.error();
  if (auto whole = check_whole(path); !whole) return whole.error();
  auto encoding = encoding_of(path, text.encoding);
  if (!encoding) return encoding.error();
  CsvText reading = text;
  reading.encoding = *std::move(encoding);
  if (has_one_reader(reading)) {
    if (auto ended = check_quotes_end(path, reading); !ended) return ended.error();
  }
  auto header = read_header(session, path, reading);
  if (!header) return header.error();
  char delimiter = text.delimiter == 0 ? delimiter_of(*header) : text.delimiter;
  auto names = split_header(*header, delimiter);
  if (auto checked = check_distinct(path, names); !checked) return checked.error();

  // What R and pandas write in front is the number of the row, which may well be the id.
  const std::string unnamed = "column1";
  // SQL is blind to upper and lower case; numbers instead of names keep "City" and "city" apart.
  Relation relation;
  relation.warnings = like_named_warnings(names);
  std::string types;
  for (std::size_t i = 0; i < names.size(); ++i) {
    types += fmt::format("{}'c{}': 'VARCHAR'", i == 0 ? "" : ", ", i);
    if (i == 0 && names[0].empty() &&
        std::find(names.begin(), names.end(), unnamed) == names.end()) {
      relation.columns.push_back({unnamed, "c0", ""});
    } else if (names[i].empty()) {
      relation.warnings.push_back(
          fmt::format("column {} has no name in the first line, and is left out", i + 1));
    } else {
      relation.columns.push_back({names[i], fmt::format("c{}", i), ""});
    }
  }
  relation.from = fmt::format(
      "read_csv({}{}{}, delim={}, quote='\"', escape='\"', nullstr='', header=true, "
      "auto_detect=false, columns={{{}}})",
      quoted_path(path), compression(path), reading_of(reading),
      quoted_text(std::string(1, delimiter)), types);
  return relation;
}

bool refuses_a_line(const Source& source, const Error& error) {
  return is_csv(source) && error.code == ErrorCode::BadInput &&
         error.message.find("line") != std::string::npos;
}

Result<Relation> open_relation(Session& session, const Source& source) {
  if (auto checked = check_parts(source); !checked) return checked.error();
  if (source.path.empty()) return open_sql(session, source.sql);
  if (source.path == standard_input_name) return open_standard_input(session, source);
  if (auto exists = check_exists(source.path); !exists) return exists.error();
  if (file_kind(source.path) == FileKind::Database && !is_gzipped(source.path)) {
    if (auto attached = attach(session, source.path); !attached) return attached.error();
    if (!source.sql.empty()) return open_sql(session, source.sql);
    return open_database_table(session, source);
  }
  auto relation = open_file(session, source, file_kind(source.path));
  if (!relation && !names_file(relation.error().message, source.path)) {
    return in_file(source.path, relation.error());
  }
  return relation;
}

}  // namespace rankveil::connect

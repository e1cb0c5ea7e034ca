// A Source as SQL sees it: what to select from, and its columns.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/duckdb/session.h"
#include "rankveil/connect/source.h"

namespace rankveil::connect {

struct RelationColumn {
  std::string name;    // as the owner knows it
  std::string text;    // SQL for its value as text; missing values are NULL or empty
  std::string number;  // SQL for its value as DOUBLE where the source says it is a number, or empty
};

struct Relation {
  std::string from;  // goes behind FROM
  std::vector<RelationColumn> columns;
  std::vector<std::string> warnings = {};
};

// Whether a CSV file was read, and one of its lines was refused.
bool refuses_a_line(const Source& source, const Error& error);

// Calls `read` with the source; where a line of a CSV file was refused, once more, in one go.
// Several readers that share a file may begin within a long value in quotes, and then refuse sound
// lines.
template <typename Read>
auto read_surely(const Source& source, const Read& read) {
  auto made = read(source);
  if (made || source.in_one_go || !refuses_a_line(source, made.error())) return made;
  Source whole = source;
  whole.in_one_go = true;
  auto again = read(whole);
  return again ? std::move(again) : std::move(made);
}

// Opens a DuckDB file read-only, reads the header of a CSV file, finds the columns. Refuses unknown
// endings, missing files, damaged or cut .gz files, SQL that is not one SELECT. Columns without a
// name are left out. What joins or groups rows is read by one thread, so that they come in the same
// order each time.
Result<Relation> open_relation(Session& session, const Source& source);

// The kind of file a name's ending tells; what `.gz` is the end of counts, too.
enum class FileKind { Csv, Tsv, Parquet, Json, JsonLines, Database, Unknown };
FileKind file_kind(std::string_view path);
bool is_gzipped(std::string_view path);

// How a CSV or TSV file is to be read.
struct CsvText {
  char delimiter = 0;         // 0: the one that the header has most of
  std::string encoding = {};  // Source::encoding
  bool in_one_go = false;
};
Result<Relation> open_csv(Session& session, const std::string& path, const CsvText& text);

}  // namespace rankveil::connect

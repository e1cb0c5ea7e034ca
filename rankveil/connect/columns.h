// Columns of a source as they are: numbers as numbers, everything else as text. For operations that
// need no policy, such as publishing the top of a ranking.
#pragma once

#include <cstdint>
#include <limits>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"

namespace rankveil::connect {

// Each different text once, in the order of appearance, and its number for every row.
struct TextColumn {
  static constexpr std::uint32_t missing = std::numeric_limits<std::uint32_t>::max();

  std::string name;
  std::vector<std::string> values = {};
  std::vector<std::uint32_t> codes = {};
};

struct NumberColumn {
  std::string name;
  std::vector<double> values = {};  // NaN: missing, or not a number in the source
};

struct Columns {
  std::uint32_t rows = 0;
  std::vector<NumberColumn> numbers;  // as asked for
  std::vector<TextColumn> texts;      // as asked for
};

// Reads the columns named; one may be among both. Refuses a column that is not there, text in a
// column of numbers, infinite numbers, and a source without rows.
Result<Columns> read_columns(const Source& source, const std::vector<std::string>& numbers,
                             const std::vector<std::string>& texts,
                             const ReadOptions& options = {});

// One vector for each of `columns`; a missing value is empty. Rows may be none.
Result<std::vector<std::vector<std::string>>> read_texts(const Source& source,
                                                         const std::vector<std::string>& columns);

// Names of all columns, in order.
Result<std::vector<std::string>> column_names(const Source& source);

// Names of columns whose values each stand in a few rows, as the number of a person does: in all
// rows, 50 to 60,000 values (a table holds 65,535), 1.5 to 100 rows a value. By an estimate, in one
// pass.
Result<std::vector<std::string>> columns_that_repeat(const Source& source,
                                                     const ReadOptions& options = {});

// Columns of text to a file: .csv or .parquet by the name's ending. Numbers stay numbers in
// Parquet. Written to a temporary name, then renamed.
struct SheetColumn {
  std::string name;
  bool is_number = false;
};
struct Sheet {
  std::vector<SheetColumn> columns;
  std::vector<std::vector<std::string>> rows;  // an empty text of a number column: missing
};
std::string sheet_csv(const Sheet& sheet);
Status write_sheet(const Sheet& sheet, const std::string& path);

// All of a CSV or Parquet file as text.
Result<Sheet> read_sheet(const std::string& path);

}  // namespace rankveil::connect

#include "rankveil/connect/relation/write_csv.h"

#include <charconv>

#include "rankveil/connect/relation/csv.h"

namespace rankveil::connect {

namespace {

constexpr std::size_t buffer_size = 1 << 20;

// An attribute's codes, and the cell that each is written as.
struct CodedCells {
  const Column& codes;
  std::vector<std::string> cells;  // one per value, then that of a missing value

  const std::string& at(std::size_t row) const {
    return cells[codes.is_narrow() ? codes.narrow()[row] : codes.wide()[row]];
  }
};

std::vector<CodedCells> prepare(const Table& table) {
  std::vector<CodedCells> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    std::vector<std::string> cells;
    for (const std::string& value : table.schema().attributes[i].domain.values()) {
      cells.push_back(csv_cell(value));
    }
    cells.emplace_back();
    columns.push_back({table.column(AttributeId{i}), std::move(cells)});
  }
  return columns;
}

bool has_ids(const Table& table) {
  return !std::holds_alternative<RowNumbers>(table.names().kinds());
}

std::string header(const Table& table) {
  const Schema& schema = table.schema();
  std::string line;
  if (has_ids(table)) line = csv_cell(schema.id_name.empty() ? "id" : schema.id_name) + ',';
  for (const Attribute& attribute : schema.attributes) line += csv_cell(attribute.name) + ',';
  line.back() = '\n';
  return line;
}

void append_id(const RowNames& names, std::uint32_t row, std::string& line) {
  const auto* integers = std::get_if<IntegerNames>(&names.kinds());
  if (integers == nullptr) {
    line += csv_cell(names.text(RowId{row}));
    return;
  }
  char digits[24];
  auto end = std::to_chars(digits, std::end(digits), integers->values[row]).ptr;
  line.append(digits, end);
}

void append_row(const Table& table, const std::vector<CodedCells>& columns, std::uint32_t row,
                std::string& text) {
  std::size_t start = text.size();
  if (has_ids(table)) {
    append_id(table.names(), row, text);
    text += ',';
  }
  for (const CodedCells& column : columns) {
    text += column.at(row);
    text += ',';
  }
  text.pop_back();
  if (text.size() == start) text += "\"\"";  // some readers skip an empty line
  text += '\n';
}

}  // namespace

Status write_csv(const Table& table, AtomicFile& file, Teller& tell) {
  auto columns = prepare(table);
  std::string text = header(table);
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    append_row(table, columns, row, text);
    if (text.size() < buffer_size) continue;
    if (auto written = file.write(std::as_bytes(std::span(text))); !written) return written;
    text.clear();
    tell(static_cast<double>(row) / table.rows());
  }
  return file.write(std::as_bytes(std::span(text)));
}

}  // namespace rankveil::connect

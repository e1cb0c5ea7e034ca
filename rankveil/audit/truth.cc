#include "rankveil/audit/truth.h"

#include <fmt/core.h>

#include <unordered_map>

#include "rankveil/base/checksum.h"
#include "rankveil/base/format.h"

namespace rankveil::audit {

namespace {

// Values by their number in the index.
Column recoded(const Column& column, const Domain& from, const Domain& to,
               const std::vector<RowId>& rows) {
  std::vector<ValueId> moved;
  for (const std::string& value : from.values()) {
    moved.push_back(to.find(value).value_or(missing_value));
  }
  std::vector<ValueId> values;
  values.reserve(rows.size());
  for (RowId row : rows) {
    ValueId value = column.value(row);
    values.push_back(value == missing_value ? missing_value : moved[+value]);
  }
  return Column(to.size(), values);
}

// ---- Fingerprint ----

class Hash {
 public:
  void add(std::span<const std::byte> bytes) {
    std::uint64_t parts[] = {state_, bytes.size(), checksum(bytes)};
    state_ = checksum(std::as_bytes(std::span(parts)));
  }
  void add(std::string_view text) { add(std::as_bytes(std::span(text))); }
  std::string digits() const { return fmt::format("{:016x}", state_); }

 private:
  std::uint64_t state_ = 0;
};

void add_column(const Column& column, Hash& hash) {
  std::vector<std::uint16_t> codes(column.size(), 0xFFFF);
  column.for_each([&](std::size_t row, std::uint32_t value) {
    codes[row] = static_cast<std::uint16_t>(value);
  });
  hash.add(std::as_bytes(std::span(codes)));
}

void add_names(const RowNames& names, Hash& hash) {
  std::string piece;
  RowNames::Digits digits;
  for (std::uint32_t row = 0; row < names.size(); ++row) {
    piece.append(names.text(RowId{row}, digits)).push_back('\0');
  }
  hash.add(piece);
}

}  // namespace

namespace {

// These rows of a table, in the attributes and values of another schema.
Result<Table> recoded_rows(const Table& table, const Schema& schema,
                           const std::vector<RowId>& rows) {
  std::vector<Column> columns;
  for (const Attribute& attribute : schema.attributes) {
    auto from = table.schema().find(attribute.name);
    if (!from || table.schema()[*from].visibility != attribute.visibility) {
      return bad_input(fmt::format(
          "{} is a {} attribute of the index and not of the table; use the policy that the index "
          "was made with",
          attribute.name, attribute.is_private() ? "private" : "public"));
    }
    columns.push_back(
        recoded(table.column(*from), table.schema()[*from].domain, attribute.domain, rows));
  }
  TextNames names;
  for (RowId row : rows) {
    names.bytes += table.names().text(row);
    names.ends.push_back(names.bytes.size());
  }
  return Table(schema, std::move(columns), RowNames(std::move(names)));
}

}  // namespace

Result<std::vector<RowId>> rows_by_name(const Table& table, const Index& index) {
  if (table.rows() != index.rows()) {
    return bad_input(
        fmt::format("the table has {} and the index {}; audit an index with the table "
                    "that it was made of",
                    counted(table.rows(), "row"), counted(index.rows(), "row")));
  }
  std::unordered_map<std::string, RowId> by_name;
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    by_name.emplace(table.names().text(RowId{row}), RowId{row});
  }
  std::vector<RowId> rows;
  rows.reserve(index.rows());
  for (std::uint32_t row = 0; row < index.rows(); ++row) {
    auto found = by_name.find(index.name(RowId{row}));
    if (found == by_name.end()) {
      return bad_input(
          fmt::format("the index has a row {}, and the table has none of that id; "
                      "audit an index with the table that it was made of",
                      index.name(RowId{row})));
    }
    rows.push_back(found->second);
  }
  return rows;
}

Result<Table> truth_of(const Table& table, const Index& index) {
  auto rows = rows_by_name(table, index);
  if (!rows) return rows.error();
  return recoded_rows(table, index.schema(), *rows);
}

Result<Table> recoded_like(const Table& table, const Schema& schema) {
  std::vector<RowId> rows;
  for (std::uint32_t row = 0; row < table.rows(); ++row) rows.push_back(RowId{row});
  return recoded_rows(table, schema, rows);
}

std::string fingerprint(const Table& table) {
  Hash hash;
  const Schema& schema = table.schema();
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    const Attribute& attribute = schema.attributes[i];
    hash.add(attribute.name);
    hash.add(attribute.is_private() ? "private" : "public");
    for (const std::string& value : attribute.domain.values()) hash.add(value);
    add_column(table.column(AttributeId{i}), hash);
  }
  add_names(table.names(), hash);
  return hash.digits();
}

}  // namespace rankveil::audit

#include "rankveil/table/table.h"

#include <cassert>

namespace rankveil {

Table::Table(Schema schema, std::vector<Column> columns, RowNames names)
    : schema_(std::move(schema)), columns_(std::move(columns)), names_(std::move(names)) {
  assert(columns_.size() == schema_.attributes.size() && "one column per attribute");
  for ([[maybe_unused]] const Column& column : columns_) {
    assert(column.size() == names_.size() && "columns as long as there are rows");
  }
}

std::size_t Table::bytes() const {
  std::size_t total = 0;
  for (const Column& column : columns_) total += column.bytes();
  return total;
}

}  // namespace rankveil

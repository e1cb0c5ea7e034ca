// The rows a policy lets us rank by: coded columns, and the ids rows are called by.
//
// A Table holds private values; it lives with the owner. What is served is an Index
// (ranking/index.h), which cannot hold them. Immutable, hence free to share between threads.
#pragma once

#include <vector>

#include "rankveil/table/column.h"
#include "rankveil/table/row_names.h"
#include "rankveil/table/schema.h"

namespace rankveil {

class Table {
 public:
  Table() = default;
  // REQUIRES: one column per attribute, all as long as there are names.
  Table(Schema schema, std::vector<Column> columns, RowNames names);

  std::uint32_t rows() const { return names_.size(); }
  const Schema& schema() const { return schema_; }
  const Column& column(AttributeId attribute) const { return columns_[+attribute]; }
  const RowNames& names() const { return names_; }
  ValueId value(RowId row, AttributeId attribute) const { return columns_[+attribute].value(row); }
  std::size_t bytes() const;

 private:
  Schema schema_;
  std::vector<Column> columns_;
  RowNames names_;
};

}  // namespace rankveil

// The ids of a table in the making.
#pragma once

#include <span>
#include <string>

#include "rankveil/base/result.h"
#include "rankveil/table/building/packed_text.h"
#include "rankveil/table/row_names.h"

namespace rankveil {

// Ids are kept as integers as long as each is the usual way to write a 64-bit integer ("7", not
// "007"), else as text.
class RowNamesBuilder {
 public:
  // `column` names the id column in messages.
  explicit RowNamesBuilder(std::string column) : column_(std::move(column)) {}

  std::size_t rows() const { return is_text_ ? texts_.ends.size() : integers_.values.size(); }

  // Refuses a missing or empty id, naming the row.
  Status add(std::span<const PackedText> ids, Presence present);
  // Refuses an id that two rows have, naming it and both rows.
  Result<RowNames> finish() &&;

 private:
  void add_text(std::string_view id);
  void turn_into_text();
  Error repeated(std::size_t row, std::size_t earlier) const;
  std::string text_at(std::size_t row) const;

  std::string column_;
  bool is_text_ = false;
  bool ascends_ = true;  // every integer is larger than the one before, hence none is repeated
  IntegerNames integers_;
  TextNames texts_;
};

}  // namespace rankveil

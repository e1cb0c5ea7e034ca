// A table in the making: chunks of a source's columns in, a Table out.
//
//   auto builder = TableBuilder::create(policy, names_of_the_source's_columns);
//   for each chunk of rows: for each i of builder->inputs(): builder->add(i, values, present);
//   auto built = std::move(*builder).finish();
//
// Only columns that the policy gives a role other than ignored are asked for. Text is encoded as it
// arrives: nothing of a chunk is held once add() returns, but for ids that are text.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/building/attribute_builder.h"
#include "rankveil/table/building/packed_text.h"
#include "rankveil/table/building/row_names_builder.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"

namespace rankveil {

struct BuiltTable {
  Table table;
  std::vector<std::string> warnings;  // columns left out, declared values that no row has
};

class TableBuilder {
 public:
  struct Input {
    std::string name;
    bool takes_numbers;  // add() may be given doubles for it
  };

  // `columns` are the source's, in its order. Refuses: a column the policy names (and does not
  // ignore) and the source lacks, two ids, no public or private column, a domain beside bins.
  static Result<TableBuilder> create(const Policy& policy, std::span<const std::string> columns);

  // The columns to feed, in the order of the source.
  const std::vector<Input>& inputs() const { return inputs_; }

  // The next rows of an input. REQUIRES: all inputs have got as many rows when finish() is called.
  Status add(std::size_t input, std::span<const PackedText> texts, Presence present);
  Status add(std::size_t input, std::span<const double> numbers, Presence present);

  // Refuses repeated ids and what AttributeBuilder::finish refuses.
  Result<BuiltTable> finish() &&;

 private:
  TableBuilder() = default;
  Status add_input(const ColumnPolicy& column);
  Result<RowNames> finish_names(std::size_t rows);

  std::vector<Input> inputs_;
  std::vector<AttributeBuilder> attributes_;     // in the order of the source
  std::vector<std::size_t> attribute_of_input_;  // unused for the id
  std::optional<std::size_t> id_input_;
  std::optional<RowNamesBuilder> names_;
  std::vector<std::string> warnings_;
};

}  // namespace rankveil

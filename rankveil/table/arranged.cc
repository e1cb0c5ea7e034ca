#include "rankveil/table/arranged.h"

#include <cassert>

namespace rankveil {

namespace {

struct ArrangedNames {
  std::span<const std::uint32_t> order;

  RowNames operator()(const RowNumbers&) const {
    return RowNames(IntegerNames{{order.begin(), order.end()}});
  }
  RowNames operator()(const IntegerNames& names) const {
    return RowNames(IntegerNames{arranged(names.values, order)});
  }
  RowNames operator()(const TextNames& names) const {
    TextNames made;
    made.bytes.reserve(names.bytes.size());
    made.ends.reserve(order.size());
    for (std::uint32_t row : order) {
      std::uint64_t begin = row == 0 ? 0 : names.ends[row - 1];
      made.bytes.append(names.bytes, begin, names.ends[row] - begin);
      made.ends.push_back(made.bytes.size());
    }
    return RowNames(std::move(made));
  }
};

Column arranged_column(const Column& column, std::span<const std::uint32_t> order) {
  if (column.is_narrow()) return {column.domain_size(), arranged(column.narrow(), order)};
  return {column.domain_size(), arranged(column.wide(), order)};
}

}  // namespace

Table arranged(const Table& table, std::span<const std::uint32_t> order) {
  assert(order.size() == table.rows() && "an order has every row once");
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    columns.push_back(arranged_column(table.column(AttributeId{i}), order));
  }
  return Table(table.schema(), std::move(columns),
               std::visit(ArrangedNames{order}, table.names().kinds()));
}

Table with_names(const Table& table, RowNames names) {
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    columns.push_back(table.column(AttributeId{i}));
  }
  return Table(table.schema(), std::move(columns), std::move(names));
}

}  // namespace rankveil

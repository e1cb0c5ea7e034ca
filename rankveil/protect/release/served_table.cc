#include "rankveil/protect/release/served_table.h"

namespace rankveil {

namespace {

// Codes by way of `moved`; missing_value stays.
Column recoded(const Column& column, const std::vector<ValueId>& moved, std::uint32_t size) {
  std::vector<ValueId> values(column.size(), missing_value);
  column.for_each([&](std::size_t row, std::uint32_t value) { values[row] = moved[value]; });
  return Column(size, values);
}

Result<Domain> grown(const Domain& before, const Domain& now) {
  std::vector<std::string> values = before.values();
  for (const std::string& value : now.values()) {
    if (!before.find(value)) values.push_back(value);
  }
  return Domain::of(std::move(values));
}

std::vector<bool> values_of(const Column& column, const std::vector<bool>& rows) {
  std::vector<bool> there(column.domain_size(), false);
  column.for_each([&](std::size_t row, std::uint32_t value) {
    if (rows[row]) there[value] = true;
  });
  return there;
}

}  // namespace

Result<Table> align(const Table& table, const Schema& schema) {
  const Schema& own = table.schema();
  Schema aligned = schema;
  aligned.id_name = own.id_name;
  std::vector<Column> columns;
  for (Attribute& attribute : aligned.attributes) {
    AttributeId from = *own.find(attribute.name);
    auto domain = grown(attribute.domain, own[from].domain);
    if (!domain) return domain.error();
    attribute.domain = std::move(*domain);
    attribute.weight = own[from].weight;
    std::vector<ValueId> moved;
    for (const std::string& value : own[from].domain.values()) {
      moved.push_back(*attribute.domain.find(value));
    }
    columns.push_back(recoded(table.column(from), moved, attribute.domain.size()));
  }
  return Table(std::move(aligned), std::move(columns), table.names());
}

Table served_table(const Table& table, const std::vector<bool>& shown,
                   const std::vector<std::uint8_t>& declared,
                   const std::vector<std::uint32_t>& known_values) {
  Schema schema = table.schema();
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    Attribute& attribute = schema.attributes[i];
    const Column& column = table.column(AttributeId{i});
    std::uint32_t j = i - schema.public_count();
    bool open = attribute.is_private() && !declared.empty() && declared[j] == 0;
    if (!open) {
      columns.push_back(column);
      continue;
    }
    std::vector<bool> there = values_of(column, shown);
    std::uint32_t known = known_values.empty() ? 0 : known_values[j];
    std::vector<std::string> values;
    std::vector<ValueId> moved;
    for (std::uint32_t v = 0; v < there.size(); ++v) {
      bool kept = v < known || there[v];
      moved.push_back(kept ? ValueId{static_cast<std::uint16_t>(values.size())} : missing_value);
      if (kept) values.push_back(attribute.domain.text(ValueId{static_cast<std::uint16_t>(v)}));
    }
    attribute.domain = *Domain::of(std::move(values));
    columns.push_back(recoded(column, moved, attribute.domain.size()));
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

Workload translated(const Workload& workload, const Schema& from, const Schema& to) {
  Workload made = workload;
  for (WorkloadEntry& entry : made.entries) {
    for (std::uint32_t i = 0; i < entry.query.wanted.size(); ++i) {
      std::vector<ValueId> wanted;
      for (ValueId value : entry.query.wanted[i]) {
        auto found = to.attributes[i].domain.find(from.attributes[i].domain.text(value));
        if (found) wanted.push_back(*found);
      }
      entry.query.wanted[i] = std::move(wanted);
    }
  }
  return made;
}

}  // namespace rankveil

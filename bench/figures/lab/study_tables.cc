#include "bench/figures/lab/study_tables.h"

#include <algorithm>
#include <numeric>

#include "bench/figures/lab/beds.h"

namespace rankveil::figures {
namespace {

constexpr std::uint32_t max_values = 12;
constexpr double rare = 0.01;

std::vector<std::uint32_t> counts_of(const Column& column) {
  std::vector<std::uint32_t> counts(column.domain_size());
  column.for_each([&](std::size_t, std::uint32_t value) { ++counts[value]; });
  return counts;
}

// The values that keep their name.
std::vector<std::uint32_t> kept_values(const Column& column, ValueOrder order) {
  std::vector<std::uint32_t> counts = counts_of(column);
  std::vector<std::uint32_t> kept(counts.size());
  std::iota(kept.begin(), kept.end(), 0U);
  std::stable_sort(kept.begin(), kept.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  if (kept.size() > max_values) kept.resize(max_values - 1);
  while (counts[kept.back()] < rare * static_cast<double>(column.size())) kept.pop_back();
  if (order == ValueOrder::Natural) std::sort(kept.begin(), kept.end());
  return kept;
}

struct Pooled {
  Domain domain;
  Column column;
};

Pooled pool(const Attribute& attribute, const Column& column, ValueOrder order) {
  std::vector<std::uint32_t> kept = kept_values(column, order);
  std::vector<std::string> names;
  std::vector<std::uint16_t> code(column.domain_size(), static_cast<std::uint16_t>(kept.size()));
  for (std::uint32_t value : kept) {
    code[value] = static_cast<std::uint16_t>(names.size());
    names.push_back(attribute.domain.text(ValueId{static_cast<std::uint16_t>(value)}));
  }
  if (kept.size() < column.domain_size()) names.emplace_back("(other)");
  auto size = static_cast<std::uint32_t>(names.size());
  std::vector<ValueId> values(column.size(), missing_value);
  column.for_each(
      [&](std::size_t row, std::uint32_t value) { values[row] = ValueId{code[value]}; });
  return {*Domain::of(std::move(names)), Column(size, values)};
}

}  // namespace

const std::vector<StudyTable>& study_tables() {
  static const std::vector<StudyTable> tables = {
      {"okcupid", {"sex", "age"}, {"body_type", "drinks", "smokes", "religion", "ethnicity"}},
      {"adult",
       {"sex", "age"},
       {"marital", "occupation", "race", "capital_gain", "native_country"}},
      {"heart2020",
       {"sex", "age"},
       {"bmi", "general_health", "bad_physical_days", "bad_mental_days", "diabetic"}},
      {"census_income",
       {"sex", "employer_size"},
       {"marital", "tax_filer", "race", "hispanic", "dividends"}},
  };
  return tables;
}

Result<Table> read_study_table(const StudyTable& table, const std::string& data) {
  return read_columns(data, table.name, table.publics, table.privates);
}

Table pool_values(const Table& table, ValueOrder order) {
  Schema schema = table.schema();
  std::vector<Column> columns;
  for (std::uint32_t i = 0; i < schema.size(); ++i) {
    columns.push_back(table.column(AttributeId{i}));
    if (!schema.attributes[i].is_private()) continue;
    Pooled pooled = pool(schema.attributes[i], columns.back(), order);
    schema.attributes[i].domain = std::move(pooled.domain);
    columns.back() = std::move(pooled.column);
  }
  return Table(std::move(schema), std::move(columns), table.names());
}

Table sample(const Table& table, std::uint32_t rows, std::uint64_t seed) {
  std::vector<std::uint32_t> drawn = shuffled(table.rows(), seed);
  drawn.resize(std::min<std::size_t>(rows, drawn.size()));
  return take_rows(table, drawn);
}

}  // namespace rankveil::figures

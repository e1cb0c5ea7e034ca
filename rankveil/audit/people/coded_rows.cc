#include "rankveil/audit/people/coded_rows.h"

namespace rankveil::audit {

CodedRows CodedRows::only(std::span<const std::uint32_t> which) const {
  CodedRows some{static_cast<std::uint32_t>(which.size()), domains, {}};
  for (const auto& column : codes) {
    auto& made = some.codes.emplace_back();
    made.reserve(which.size());
    for (std::uint32_t row : which) made.push_back(column[row]);
  }
  return some;
}

CodedRows coded(const Table& table) {
  CodedRows made{table.rows(), {}, {}};
  for (std::uint32_t i = 0; i < table.schema().size(); ++i) {
    const Column& column = table.column(AttributeId{i});
    made.domains.push_back(column.domain_size() + 1);
    auto& codes = made.codes.emplace_back(table.rows());
    for (std::uint32_t row = 0; row < table.rows(); ++row) {
      ValueId value = column.value(RowId{row});
      codes[row] = value == missing_value ? column.domain_size() : +value;
    }
  }
  return made;
}

ShownRows shown_rows(const Table& table, const GroupedProfiles& profiles) {
  ShownRows made{coded(table), std::vector<std::uint8_t>(table.rows())};
  for (std::uint32_t row = 0; row < table.rows(); ++row) {
    made.shows[row] = profiles.shares.in_full(profiles.group_of[row]) ? 0 : 1;
  }
  std::uint32_t publics = table.schema().public_count();
  for (std::uint32_t j = 0; j < table.schema().private_count(); ++j) {
    auto& codes = made.coded.codes[publics + j];
    codes.assign(table.rows(), made.coded.domains[publics + j] - 1);
    profiles.signals.for_each_bit(
        PrivateId{j}, [&](RowId row, ValueId value, std::uint32_t) { codes[+row] = +value; });
  }
  return made;
}

}  // namespace rankveil::audit

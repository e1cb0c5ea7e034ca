// The tables of the study of privacy and utility: four real tables of people, cut down to 2 public
// and 5 private attributes.
#pragma once

#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/table.h"

namespace rankveil::figures {

struct StudyTable {
  std::string name;
  std::vector<std::string> publics;
  std::vector<std::string> privates;
};
const std::vector<StudyTable>& study_tables();

// All rows.
Result<Table> read_study_table(const StudyTable& table, const std::string& data);

enum class ValueOrder { Natural, MostFrequentFirst };
// Private values that fewer than 1% of the rows have, and those behind the 11 most frequent where
// there are more than 12, become one, the last of its domain.
Table pool_values(const Table& table, ValueOrder order);
// `rows` of them, drawn without repeats.
Table sample(const Table& table, std::uint32_t rows, std::uint64_t seed);

}  // namespace rankveil::figures

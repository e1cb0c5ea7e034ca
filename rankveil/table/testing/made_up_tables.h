// Tables in the style of what people really have, made up column by column, for tests of drafting.
#pragma once

#include <string>
#include <vector>

#include "rankveil/table/draft/column_study.h"

namespace rankveil::draft {

enum class Truth {
  Sensitive,  // must not be drafted public
  Harmless,   // must not be drafted private
  Either,     // tables differ
};

struct MadeColumn {
  std::string name;
  Truth truth;
  // "#1..80" whole numbers, "~0..5" with decimals, "id" all different, "person" each about four
  // times, "a|b|c" one of these, the first ones more often.
  std::string values;
};

struct MadeTable {
  std::string name;
  std::vector<MadeColumn> columns;
};

const std::vector<MadeTable>& made_up_tables();

// What a study of `rows` made-up rows finds.
std::vector<ColumnFacts> study_of(const MadeTable& table, std::size_t rows);

}  // namespace rankveil::draft

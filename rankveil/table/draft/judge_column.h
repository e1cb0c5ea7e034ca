// The role of one column, by its name and its values.
#pragma once

#include <string>

#include "rankveil/table/draft/column_study.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::draft {

struct JudgedColumn {
  ColumnPolicy column;
  std::string comment;        // what it holds and why it has this role
  bool is_sensitive = false;  // whatever its role: a column that tells it is not harmless
};

JudgedColumn judge_column(const ColumnFacts& facts);

// Lists of values that differ in case, spaces or Unicode form only, the most frequent one first.
std::vector<std::vector<std::string>> alike_values(const ColumnFacts& facts);

// "patient_nbr": the number of a person of whom there may be several rows.
bool names_persons(std::string_view name);
// "patient": so called, a column holds such numbers where its values have digits.
bool is_called_person(std::string_view name);
bool sounds_like_id(std::string_view name);

}  // namespace rankveil::draft

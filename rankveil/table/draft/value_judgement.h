// What a column's values say of what it holds, by the lists and forms of values.
#pragma once

#include <optional>
#include <string>

#include "rankveil/table/draft/column_study.h"
#include "rankveil/table/draft/name_meaning.h"

namespace rankveil::draft {

// "e-mail addresses", when most values look like that. It says who somebody is.
std::optional<std::string> identifying_values(const ColumnFacts& facts);

// What its values are about. Certain: several of them, or most, are of one meaning of the lists.
std::optional<Meaning> sensitive_values_of(const ColumnFacts& facts);

// Whether all values are of one list of harmless ones.
bool has_harmless_values(const ColumnFacts& facts);
// Whether they are, of a list that nothing else is written like: "iOS, Android", "Mo, Di, Mi".
bool has_speaking_values(const ColumnFacts& facts);

// Whether its numbers stand for things: with leading zeros, all of one length with gaps between
// them, a few with far-off ones for "do not know" (77, 99), or by the name ("zip", "code").
bool holds_codes(const ColumnFacts& facts);

}  // namespace rankveil::draft

// What two answers are compared by: the own row first, then everything else.
#pragma once

#include <span>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/probe/asking.h"

namespace rankveil::probe {

// Names and texts, what says most first: ("presence of the own row", "there"), ("place of the own
// row", "1"), ("count", "2001"), ("cursor", ...), the answer's parts, ("order of all rows", ...).
using Features = std::vector<std::pair<std::string, std::string>>;

// `own`: ids of rows of ours.
Features features_of(const Answer& answer, std::span<const std::string> own);

// The text of one; "nothing" where the answer has no such feature.
std::string feature_text(const Features& features, const std::string& name);

// Whether it is one of the answer's parts: a field of the own row, a number beside the rows.
bool is_part(const std::string& name);

// The place of a row, from 1; 0: it is not in the answer.
std::size_t place_of(const Answer& answer, const std::string& row);

}  // namespace rankveil::probe

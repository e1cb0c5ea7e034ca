// Cells of a sheet, read back: "[18, 34]", "BOS, NYK or none", "a: 3, b: 2", "withheld: ...".
//
// Such texts are made for people. A value may hold a comma or a colon of its own, so texts are
// taken apart at the values that the table really has, where that is possible, and at every comma
// else.
#pragma once

#include <string>

#include "rankveil/connect/columns.h"
#include "rankveil/publish/release/publication.h"

namespace rankveil::publish {

// `column` is the table's. With a hierarchy, what is no range is a label; without one, what holds
// no value of the column.
Generalised generalised_from_text(const connect::TextColumn& column, const std::string& text,
                                  bool has_hierarchy);
Disclosure disclosure_from_text(const connect::TextColumn& column, const std::string& text);

// Whether a cell can only be that of a sensitive column: withheld, or values with their counts.
bool looks_sensitive(const std::string& text);
// Whether a cell is a range of numbers, which columns of both kinds show.
bool looks_like_range(const std::string& text);

}  // namespace rankveil::publish

// Which fields rows have, learnt from listings and from files that describe them.
//
//   FoundFields all = fields_in_rows(admin_rows);
//   FoundFields hidden = without(all, fields_in_rows(public_rows));
//
// Names, types and choices are kept; values of rows are not.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/probe/field.h"

namespace rankveil::probe {

// Each name once, in the order in which they were met.
using FoundFields = std::vector<Field>;

// Objects inside rows give dotted names, two levels deep; lists give none.
FoundFields fields_in_rows(const Json::Array& rows);

// Without those that are null in all rows: so a service masks what it hides.
FoundFields fields_shown_in(const Json::Array& rows);

// Those of `all` that `shown` does not name.
FoundFields without(const FoundFields& all, const FoundFields& shown);

const Field* field_called(const FoundFields& fields, std::string_view name);

// Adds a field, or learns its type and choices from a better source.
void add_field(FoundFields& fields, Field field);

// A day or a time as JSON has them: "2026-11-19", "2026-11-19T08:00:00Z".
bool looks_like_date(std::string_view text);

// What hidden fields are often called, for a service that tells nobody about its own.
const FoundFields& usual_secrets();

// Times and versions that a write moves by itself, ids, and the like: of no use as a field to test
// with.
bool is_bookkeeping(std::string_view name);

}  // namespace rankveil::probe

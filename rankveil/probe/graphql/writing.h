// How a GraphQL service makes, changes, shows and removes a row: mutations by their names,
// arguments by their types. Values go as variables where the schema has a type for them.
#pragma once

#include <string>
#include <vector>

#include "rankveil/probe/dialect/dialect.h"
#include "rankveil/probe/graphql/listing.h"

namespace rankveil::probe {

// Fills in create, change, read, remove and find, as far as the schema has them.
void add_writing(const GraphqlSchema& schema, const GraphqlListing& listing,
                 const std::vector<std::string>& fields, Dialect& dialect);

}  // namespace rankveil::probe

// Ways of asking a GraphQL service, made of what its schema says that a listing takes: orders in
// all their spellings, conditions with every operator, logic, search boxes, counts, groups and
// cursors.
#pragma once

#include <string>
#include <vector>

#include "rankveil/probe/dialect/dialect.h"
#include "rankveil/probe/graphql/listing.h"

namespace rankveil::probe {

// `fields`: plain members of the row, as far as anybody's schema has them.
std::vector<WayTemplate> graphql_ways(const GraphqlSchema& schema, const GraphqlListing& listing,
                                      const std::vector<std::string>& fields);

// The condition that a member of the row equals something, as parts of the listing's arguments:
// `name` and `value` are texts to write there. Empty: the listing takes none.
std::vector<GraphqlPart> equal_to(const GraphqlSchema& schema, const GraphqlListing& listing,
                                  const std::vector<std::string>& fields, const std::string& name,
                                  const std::string& value);

// How many rows, and which page of them: as parts of the listing's arguments.
std::vector<GraphqlPart> page_of(const GraphqlSchema& schema, const GraphqlListing& listing,
                                 const std::string& limit, const std::string& page);

// A POST of GraphQL. REQUIRES: all places in it are known.
RequestTemplate graphql_request(const std::string& text);

}  // namespace rankveil::probe

// The field of a GraphQL service that lists rows, and how they stand in its answer.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/probe/dialect/dialect.h"
#include "rankveil/probe/graphql/arguments.h"
#include "rankveil/probe/graphql/schema.h"

namespace rankveil::probe {

struct GraphqlListing {
  GraphqlMember root;  // of the queries: people
  GraphqlType row;     // Person
  std::string id;      // of a row: "id"
  bool has_number_ids = false;
  std::string list;         // where rows are below it: "", "nodes", "edges"
  std::string count;        // beside them: how many rows fit; empty: nowhere
  bool has_cursor = false;  // pageInfo { endCursor } beside them

  // "{ nodes { id name } totalCount }"
  std::string selection(const std::string& members, const std::string& beside = "") const;
  AnswerPlaces places() const;
};

// Names of what lists rows.
std::vector<std::string> listings_in(const GraphqlSchema& schema);
// The one that is called so, or whose rows are. `collection` empty: the only one. Refuses, with the
// names there are.
Result<GraphqlListing> find_listing(const GraphqlSchema& schema, std::string_view collection);

// A pointer that is known to be one.
Pointer pointer_to(const std::string& text);

}  // namespace rankveil::probe

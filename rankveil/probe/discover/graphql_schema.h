// What GraphQL tells about itself: fields of a type, and a dialect made of its arguments.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/probe/dialect/dialect.h"
#include "rankveil/probe/discover/found_fields.h"

namespace rankveil::probe {

// The query that asks for it, as the body of a POST.
std::string graphql_introspection();

// Fields of the rows that the query `collection` gives, and all that its arguments can sort and
// filter by. The second may name what the first hides.
struct GraphqlFields {
  FoundFields shown;
  FoundFields asked;
};
// `schema`: the answer to graphql_introspection().
Result<GraphqlFields> graphql_fields(const Json& schema, std::string_view collection);

// Ways of asking by the arguments of the query `collection`: enums and input objects that order,
// conditions with all their operators, below and, or, not, texts to search for.
Result<Dialect> graphql_dialect(const Json& schema, std::string_view collection);

}  // namespace rankveil::probe

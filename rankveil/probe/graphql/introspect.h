// A GraphQL service as a dialect: what it says about itself to a stranger, to who owns the own row
// and to the admin, made into requests.
//
//   auto service = introspect(talk, identities, "people");
//   service->dialect.ways;    // where: {field: {eq: value}}, orderBy: {field: direction}, ...
//   service->fields;          // all that anybody's schema has
#pragma once

#include <string>

#include "rankveil/probe/discover/found_fields.h"
#include "rankveil/probe/graphql/listing.h"
#include "rankveil/probe/http/target.h"

namespace rankveil::probe {

struct GraphqlService {
  Dialect dialect;
  std::string collection;  // the query that lists rows
  FoundFields fields = {};
};

// Asks, and writes nothing. Refuses a service that tells nobody what it consists of, and one that
// lists nothing called so.
Result<GraphqlService> introspect(Talk& talk, const Identities& identities,
                                  const std::string& collection);

// Out of schemas alone. `shown`: what strangers get of a row.
Dialect graphql_dialect(const GraphqlSchema& asked, const GraphqlSchema& owners,
                        const GraphqlListing& listing, const std::vector<std::string>& shown);

}  // namespace rankveil::probe

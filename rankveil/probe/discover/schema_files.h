// Fields that files and documents about a service name: Payload's types, Strapi's schema.json,
// OpenAPI.
#pragma once

#include <string>
#include <string_view>

#include "rankveil/probe/discover/found_fields.h"

namespace rankveil::probe {

// What payload-types.ts says about a collection: the interface that Config names for it.
Result<FoundFields> fields_in_payload_types(std::string_view text, std::string_view collection);

// A content type of Strapi, or the object that /content-type-builder gives.
Result<FoundFields> fields_in_strapi_schema(const Json& schema);

// OpenAPI 3 or Swagger 2: what requests and answers of this path may hold, and what the schema
// called like the collection has.
Result<FoundFields> fields_in_openapi(const Json& document, std::string_view path,
                                      std::string_view collection);

// Any of them, known by what is in it. `path`: of the listing, "/api/people".
Result<FoundFields> fields_in_file(const std::string& file, std::string_view path,
                                   std::string_view collection);

}  // namespace rankveil::probe

// JSON Schemas of what commands print, and of the files that they read.
//
//   auto schema = schema_of("audit");   // draft 2020-12
//
// Outputs are described once, in the tables of docs/reference/json.md, which is part of the
// program: a section is a schema, a row a field (json_page.h). Policies and targets have schemas of
// their own, schemas/*.json, of the TOML read as JSON.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"

namespace rankveil::api {

struct SchemaName {
  std::string name;   // "inspect-table"
  std::string about;  // "rankveil inspect, a table"
};

// Files first, then outputs in the order of the page.
std::vector<SchemaName> schema_names();

// Refuses a name that is not there.
Result<Json> schema_of(std::string_view name);

}  // namespace rankveil::api

// What an argument that filters takes, by its type: a value, operators, names with operators in
// them, logic around them.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/probe/graphql/arguments.h"

namespace rankveil::probe {

// Conditions are texts with ${field}, ${value}, ${low} and ${high}: `${field}: {equals: ${value}}`.
struct GraphqlCondition {
  std::string text;
  bool negates = false;  // all rows but those fit: to be asked of the own row alone
};

struct GraphqlFilter {
  std::vector<std::string> path;  // of the argument: "where"
  std::vector<GraphqlCondition> conditions = {};
  std::string equal = {};  // the one of them that says "equals"; empty: none does
  // A condition that names the own row; empty: none can.
  std::string own_row = {};
};

// `id`: the member that names a row, and how it is written: `${id}`.
struct GraphqlRowId {
  std::string name;
  std::string text;
};

// All arguments of the listing that filter. Those that take any object (JSON) are asked in the
// usual spellings.
std::vector<GraphqlFilter> filters_of(const GraphqlSchema& schema,
                                      const std::vector<GraphqlArgument>& arguments,
                                      const std::vector<std::string>& fields,
                                      const GraphqlRowId& id);

}  // namespace rankveil::probe

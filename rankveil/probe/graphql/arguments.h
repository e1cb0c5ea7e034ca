// What is written between the brackets of a GraphQL field, part by part: `first: 50, where: {...}`.
//
//   written({{{"input", "id"}, "$id"}, {{"input", "fields"}, "$row"}})   // input: {id: $id,
//   fields: $row}
#pragma once

#include <initializer_list>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/probe/graphql/schema.h"

namespace rankveil::probe {

// One value and where it stands. A path whose last name is empty: the text has names of its own.
struct GraphqlPart {
  std::vector<std::string> path;
  std::string text;
};

// Parts below the same name stand together, in the order in which they were given.
std::string written(const std::vector<GraphqlPart>& parts);
// With brackets around it; nothing for no parts.
std::string in_brackets(const std::vector<GraphqlPart>& parts);

// An argument, or a member of one that is an object: `options: {sort: ...}`.
struct GraphqlSlot {
  std::vector<std::string> path;
  GraphqlArgument argument;
};
// All arguments of a field, those of objects below them.
std::vector<GraphqlSlot> slots_of(const GraphqlSchema& schema,
                                  const std::vector<GraphqlArgument>& arguments);

// Names are compared as people mean them: order_by is orderBy.
std::string letters_of_name(std::string_view name);
bool is_called(std::string_view name, std::initializer_list<std::string_view> names);

}  // namespace rankveil::probe

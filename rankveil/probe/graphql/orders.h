// What an argument that orders takes, by its type: texts, words of an enum, or objects.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "rankveil/probe/graphql/arguments.h"

namespace rankveil::probe {

// `parts` have ${field} and ${direction} in them, `directions` says what the latter stands for.
struct GraphqlOrder {
  std::vector<GraphqlPart> parts;
  std::array<std::string, 2> directions = {"", ""};
};

std::vector<GraphqlOrder> orders_of(const GraphqlSchema& schema,
                                    const std::vector<GraphqlArgument>& arguments,
                                    const std::vector<std::string>& fields);

}  // namespace rankveil::probe

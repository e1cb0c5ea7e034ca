// What a table says about the nodes of a graph.
#pragma once

#include <cstdint>
#include <string>
#include <utility>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/graphs/attributes.h"

namespace rankveil::connect {

// A column and the file with its hierarchy: one line a value, "Lyon,France,*", up to one root.
using HierarchyFile = std::pair<std::string, std::string>;

// The first column holds node numbers, every other one an attribute. A column of numbers is numeric
// unless it has a hierarchy; any other is a category, below one root unless it has a hierarchy.
// Rows about nodes that are not in the graph are left out. Refuses a node without a row or with
// two, a missing value, a value that is not in its hierarchy, and a hierarchy for no column.
Result<graph::Attributes> read_node_attributes(const Source& source,
                                               const std::vector<std::uint64_t>& names,
                                               const std::vector<HierarchyFile>& hierarchies,
                                               const std::vector<std::string>& texts = {});

}  // namespace rankveil::connect

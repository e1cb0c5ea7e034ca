// Graphs from files and back.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/graphs/edge_list.h"

namespace rankveil::connect {

// An edge list as graph/edge_list.h describes it (.csv, .tsv, .txt, .mtx or any other ending, also
// gzipped), or the first two columns of a .parquet or JSON file, of a table of a DuckDB file, or of
// a SELECT. Refuses text where a node number should be, naming the line or row, unless nodes are
// called by texts.
Result<graph::NamedGraph> read_graph(const Source& source, const ReadOptions& options = {});

// .csv, .csv.gz or .parquet by the name's ending: columns u and v, each edge once. Written to a
// temporary name, then renamed.
Status write_graph(const graph::Graph& graph, const std::vector<std::uint64_t>& names,
                   const std::string& path, const graph::NodeTexts& texts = {});

}  // namespace rankveil::connect

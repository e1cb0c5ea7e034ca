// Any text is a release of the graph or a refusal; a release reads back equal from what it prints.
#include <cstdint>

#include "rankveil/graphs/edge_list.h"
#include "rankveil/graphs/release/published_sets.h"
#include "rankveil/graphs/release/verify.h"
#include "tests/fuzz/check.h"

namespace {

// A ring of six whose nodes are called 1, 3, 5, 7, 9 and 11.
rankveil::graph::NamedGraph ring() {
  rankveil::graph::EdgeListReader reader;
  for (std::uint64_t i = 0; i < 6; ++i) reader.add(2 * i + 1, 2 * ((i + 1) % 6) + 1);
  return *std::move(reader).finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rankveil::check;
  static const auto named = ring();
  static const auto graph = std::make_shared<const rankveil::graph::Graph>(named.graph);
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto read = rankveil::graph::read_published_sets(graph, named.names, text);
  if (!read) {
    check(!read.error().message.empty(), "a refusal says why");
    return 0;
  }
  check(rankveil::graph::verify_sets(read->sets, graph->nodes(), read->k).ok(),
        "everybody is in one set");
  auto printed = rankveil::graph::cloaked_sets_text(*read, named.names);
  auto again = rankveil::graph::read_published_sets(graph, named.names, printed);
  check(again.has_value(), "what is printed can be read");
  check(rankveil::graph::cloaked_sets_text(*again, named.names) == printed,
        "what is printed is read as it was");
  return 0;
}

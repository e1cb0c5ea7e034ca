// Any text is a graph or a refusal, whole or in pieces; a graph reads back equal from what it
// prints.
#include <algorithm>
#include <cstdint>

#include "rankveil/graphs/edge_list.h"
#include "rankveil/graphs/release/verify.h"
#include "tests/fuzz/check.h"

namespace {

rankveil::Result<rankveil::graph::NamedGraph> in_pieces(std::string_view text, std::size_t size) {
  rankveil::graph::EdgeListReader reader;
  for (std::size_t at = 0; at < text.size(); at += size) {
    if (auto fed = reader.feed(text.substr(at, size)); !fed) return fed.error();
  }
  return std::move(reader).finish();
}

}  // namespace

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  using rankveil::check;
  std::string_view text(reinterpret_cast<const char*>(data), size);
  auto whole = rankveil::graph::parse_edge_list(text);
  auto pieces = in_pieces(text, size == 0 ? 1 : 1 + data[0] % 7U);
  check(whole.has_value() == pieces.has_value(), "pieces are read as the whole");
  if (!whole) {
    check(!whole.error().message.empty(), "a refusal says why");
    check(whole.error().message == pieces.error().message, "pieces are refused as the whole");
    return 0;
  }
  check(whole->graph == pieces->graph && whole->names == pieces->names, "pieces give the graph");
  check(rankveil::graph::verify_simple(whole->graph).ok(), "a graph is simple");
  check(std::ranges::is_sorted(whole->names), "nodes are in the order of their numbers");
  const auto& report = whole->report;
  check(report.entries ==
            report.self_loops + report.repeats + report.both_ways + whole->graph.edges(),
        "every line is accounted for");
  auto again =
      rankveil::graph::parse_edge_list(rankveil::graph::edge_list_text(whole->graph, whole->names));
  check(again.has_value(), "what is printed can be read");
  check(again->graph.edges() == whole->graph.edges(), "what is printed has all edges");
  return 0;
}

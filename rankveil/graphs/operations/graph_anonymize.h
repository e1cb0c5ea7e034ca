// A k-anonymous release of a graph, written to a file.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/base/text/described.h"
#include "rankveil/connect/source.h"
#include "rankveil/graphs/files/node_attributes.h"
#include "rankveil/graphs/operations/graph_technique.h"
#include "rankveil/graphs/release/quality.h"

namespace rankveil::api {

struct GraphAnonymizeRequest {
  connect::Source source = {};
  GraphTechnique technique = {};
  std::uint32_t k = 6;
  std::string attributes_path = {};  // ca: a table of nodes; empty: none
  std::vector<connect::HierarchyFile> hierarchies = {};
  std::string output = {};
  std::string format = {};  // edges, sets, counts; empty: edges for ia, else sets
  bool force = false;       // replace a file that is there
  bool anyway = false;      // write also what the attack from nothing would refuse
  Progress progress = {};
};

// What somebody who has nothing but the release finds in its friend lists
// (graphs/attack/linkage.h).
struct FoundFromNothing {
  double share = 0;        // of all users, identified by the better of two attacks and two readings
  double allowed = 0;      // 2/k
  std::string level = {};  // of the reading: I, or self
  double seconds = 0;
  bool refused() const { return share > allowed; }
};

struct GraphAnonymizeResult {
  std::string name;
  std::string technique;
  std::uint32_t k = 0;
  std::uint32_t sets = 0;
  graph::Quality quality;
  std::string path;
  std::string format;
  std::uint64_t bytes = 0;
  std::optional<FoundFromNothing> found;  // nothing: it shows no lists, or they are too many
  std::vector<std::string> warnings;
  double anonymize_seconds = 0;
  double seconds = 0;
};

// Nothing is written unless the release passed its checks, and unless it stands up to the attack
// from nothing: one that identifies more than 2/k of the users is refused. Refuses to write the
// edges of a release that did not change any: they would be the original.
Result<GraphAnonymizeResult> anonymize_graph(const GraphAnonymizeRequest& request);

template <typename Field>
void describe(Field& field, FoundFromNothing& found) {
  field("identified", found.share,
        "the share of users whose list somebody finds who has nothing else");
  field("allowed", found.allowed, "2/k");
  field("level", found.level, "the better reading, `\"I\"` or `\"self\"`");
  field("seconds", found.seconds, "the time it took");
}

template <typename Field>
void describe(Field& field, GraphAnonymizeResult& result) {
  field("name", result.name, "the file, or the SELECT");
  field("technique", result.technique, "as asked");
  field("k", result.k, "as asked");
  field("sets", result.sets, "sets of users");
  field("smallest_set", result.quality.smallest_set, "users of the smallest");
  field("largest_set", result.quality.largest_set, "users of the largest");
  field("quality", result.quality, "what the release costs");
  field("path", result.path, "the release");
  field("format", result.format, "`\"edges\"`, `\"sets\"` or `\"counts\"`");
  field("bytes", result.bytes, "its size");
  field("from_nothing", result.found,
        "what somebody finds who has nothing but the release; `null` where it shows no lists "
        "(`counts`), or too many");
  field("warnings", result.warnings, "what was left out, and what did not go by the book");
  field("anonymize_seconds", result.anonymize_seconds, "the technique and its checks");
  field("seconds", result.seconds, "all of it");
}

}  // namespace rankveil::api

// A k-anonymous release of a graph: one of four techniques, checked by verify.h before it is handed
// over.
#pragma once

#include <cstdint>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/progress.h"
#include "rankveil/base/result.h"
#include "rankveil/graphs/attributes.h"
#include "rankveil/graphs/cloaked_sets.h"
#include "rankveil/graphs/graph.h"
#include "rankveil/graphs/release/baseline.h"
#include "rankveil/graphs/release/editable_graph.h"
#include "rankveil/graphs/release/identity.h"

namespace rankveil::graph {

enum class Technique { Ca, Ia, Be, Random };
struct TechniqueInfo {
  Technique technique;
  std::string_view name;
  std::string_view summary;
};
const std::vector<TechniqueInfo>& techniques();
Result<Technique> technique_named(std::string_view name);
std::string_view name_of(Technique technique);

struct ReleaseOptions {
  Technique technique = Technique::Ca;
  std::uint32_t k = 6;
  // CA
  double alpha = 0;
  double beta = 1;
  const Attributes* attributes = nullptr;
  // IA
  Grouping grouping = Grouping::Optimal;
  Editing editing = Editing::AddAndDelete;
  std::uint32_t probes = 20;
  // BE
  BaselineForm form = BaselineForm::Greedy;
  std::uint32_t window = 64;
  // random, and probing
  std::uint64_t seed = 1;
  Progress progress = {};
};

// Users in sets, and one friend list per user. Inside a set nobody is told whose list is whose.
struct Release {
  Technique technique = Technique::Ca;
  std::uint32_t k = 0;
  std::shared_ptr<const Graph> graph;  // what is published; IA's has other edges than the original
  CloakedSets sets = {};
  EdgeChanges changes = {};
  std::vector<std::string> notes = {};  // sentences about what did not go by the book
};

// Refuses what the technique refuses, and any release that does not pass the checks.
Result<Release> anonymize(std::shared_ptr<const Graph> graph, const ReleaseOptions& options);

// One line of JSON per set: its number, its users, and their friend lists in alphabetical order, so
// that the order says nothing about whose they are.
std::string cloaked_sets_text(const Release& release, const std::vector<std::uint64_t>& names,
                              const std::vector<std::string>& texts = {});

// What SaNGreeA publishes: "set,size,other,edges" with the edges inside a set (other = set) and
// between two sets. No user is named.
std::string set_counts_text(const Release& release);

}  // namespace rankveil::graph

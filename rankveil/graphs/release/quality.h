// What a release costs those who study it.
#pragma once

#include <cstdint>
#include <optional>

#include "rankveil/graphs/attributes.h"
#include "rankveil/graphs/release/release.h"

namespace rankveil::graph {

// Structural information loss: how much a reader of set counts can be wrong about edges.
// In a set of s with e edges: 2 e (1 - e / pairs); between sets of s and t: 2 e (1 - e / (s t)).
double structural_loss(const Graph& graph, const CloakedSets& sets);
// Divided by n (n - 1) / 4, the most it can be.
double normalised_structural_loss(const Graph& graph, const CloakedSets& sets);

// Generalisation information loss: the sum, over sets, of size times blur (attributes.h).
double generalisation_loss(const CloakedSets& sets, const Attributes& attributes);

// How a graph hangs together.
struct Shape {
  Node nodes = 0;
  std::uint64_t edges = 0;
  std::uint32_t least_degree = 0;
  std::uint32_t median_degree = 0;
  std::uint32_t most_degree = 0;
  std::uint32_t distinct_degrees = 0;
  Node unique_degrees = 0;  // nodes whose degree nobody else has
  std::uint64_t triangles = 0;
  double clustering = 0;  // the mean, over nodes, of the share of pairs of friends who are friends
  double transitivity = 0;  // that share over all pairs at once
  Node components = 0;
  Node largest_component = 0;
};
Shape shape_of(const Graph& graph);

// How far apart the degrees of two graphs are: the mean change of a degree when the lists of
// degrees are matched in order (earth mover's distance), and the largest gap of their distributions
// (Kolmogorov and Smirnov). REQUIRES: the same number of nodes, above 0.
struct DegreeDistance {
  double mean_change = 0;
  double largest_gap = 0;
};
DegreeDistance degree_distance(const Graph& before, const Graph& after);

struct Quality {
  double sil = 0;
  double nsil = 0;
  std::optional<double> gil, ngil;  // when there are attributes
  EdgeChanges changes;
  DegreeDistance degrees;
  Shape before, after;
  std::uint32_t smallest_set = 0, largest_set = 0;
};
Quality quality_of(const Graph& original, const Release& release,
                   const Attributes* attributes = nullptr);

}  // namespace rankveil::graph

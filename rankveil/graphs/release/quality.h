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

template <typename Field>
void describe(Field& field, Shape& shape) {
  field("nodes", shape.nodes, "of the graph");
  field("edges", shape.edges, "of the graph, without self-loops and repeats");
  field("least_degree", shape.least_degree, "friends of a node, at least");
  field("median_degree", shape.median_degree, "in the middle");
  field("most_degree", shape.most_degree, "at most");
  field("distinct_degrees", shape.distinct_degrees, "different numbers of friends");
  field("unique_degrees", shape.unique_degrees, "nodes whose number of friends nobody else has");
  field("triangles", shape.triangles, "three nodes that are all friends");
  field("clustering", shape.clustering,
        "the mean, over nodes, of the share of pairs of friends who are friends");
  field("transitivity", shape.transitivity, "that share over all pairs at once");
  field("components", shape.components, "parts without an edge between them");
  field("largest_component", shape.largest_component, "nodes of the largest");
}

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

template <typename Field>
void describe(Field& field, Quality& quality) {
  field("sil", quality.sil, "structural information loss");
  field("nsil", quality.nsil, "the same, divided by its largest value");
  field("gil", quality.gil, "generalisation information loss; null without attributes");
  field("ngil", quality.ngil, "the same, divided by its largest value");
  field("edges_added", quality.changes.added, "edges that the original lacks");
  field("edges_deleted", quality.changes.deleted, "edges that only the original has");
  field("degree_mean_change", quality.degrees.mean_change,
        "mean change of a degree, degrees matched in order");
  field("degree_largest_gap", quality.degrees.largest_gap,
        "largest gap between the distributions of degrees");
  field("before", quality.before, "the original");
  field("after", quality.after, "the published graph");
}

Quality quality_of(const Graph& original, const Release& release,
                   const Attributes* attributes = nullptr);

}  // namespace rankveil::graph

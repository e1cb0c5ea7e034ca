#include "rankveil/graphs/release/quality.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

#include "rankveil/graphs/set_edges.h"

namespace rankveil::graph {

namespace {

std::vector<std::uint32_t> rising_degrees(const Graph& graph) {
  auto degrees = degrees_of(graph);
  std::sort(degrees.begin(), degrees.end());
  return degrees;
}

void count_degrees(const Graph& graph, Shape& shape) {
  auto degrees = rising_degrees(graph);
  if (degrees.empty()) return;
  shape.least_degree = degrees.front();
  shape.median_degree = degrees[degrees.size() / 2];
  shape.most_degree = degrees.back();
  for (std::size_t i = 0; i < degrees.size();) {
    std::size_t end = i;
    while (end < degrees.size() && degrees[end] == degrees[i]) ++end;
    ++shape.distinct_degrees;
    if (end - i == 1) ++shape.unique_degrees;
    i = end;
  }
}

// Triangles through each node. Edges point from lower to higher degree, so that hubs have short
// lists: each triangle is met once.
std::vector<std::uint64_t> triangles_of(const Graph& graph) {
  auto before = [&](Node a, Node b) {
    return std::pair(graph.degree(a), a) < std::pair(graph.degree(b), b);
  };
  std::vector<std::uint64_t> offsets(graph.nodes() + 1, 0);
  std::vector<Node> targets;
  targets.reserve(graph.edges());
  for (Node node = 0; node < graph.nodes(); ++node) {
    for (Node other : graph.friends(node)) {
      if (before(node, other)) targets.push_back(other);
    }
    offsets[node + 1] = targets.size();
  }
  std::vector<std::uint64_t> triangles(graph.nodes(), 0);
  std::vector<Node> marked(graph.nodes(), UINT32_MAX);
  for (Node a = 0; a < graph.nodes(); ++a) {
    for (auto i = offsets[a]; i < offsets[a + 1]; ++i) marked[targets[i]] = a;
    for (auto i = offsets[a]; i < offsets[a + 1]; ++i) {
      Node b = targets[i];
      for (auto j = offsets[b]; j < offsets[b + 1]; ++j) {
        Node c = targets[j];
        if (marked[c] == a) ++triangles[a], ++triangles[b], ++triangles[c];
      }
    }
  }
  return triangles;
}

double pairs_of(std::uint32_t count) { return 0.5 * count * (count - 1.0); }

void count_triangles(const Graph& graph, Shape& shape) {
  auto triangles = triangles_of(graph);
  double pairs = 0;
  for (Node node = 0; node < graph.nodes(); ++node) {
    if (graph.degree(node) < 2) continue;
    shape.triangles += triangles[node];
    pairs += pairs_of(graph.degree(node));
    shape.clustering += static_cast<double>(triangles[node]) / pairs_of(graph.degree(node));
  }
  if (pairs > 0) shape.transitivity = static_cast<double>(shape.triangles) / pairs;
  if (graph.nodes() > 0) shape.clustering /= graph.nodes();
  shape.triangles /= 3;
}

void count_components(const Graph& graph, Shape& shape) {
  std::vector<bool> seen(graph.nodes(), false);
  std::vector<Node> due;
  for (Node start = 0; start < graph.nodes(); ++start) {
    if (seen[start]) continue;
    Node size = 0;
    seen[start] = true;
    due.push_back(start);
    while (!due.empty()) {
      Node node = due.back();
      due.pop_back();
      ++size;
      for (Node other : graph.friends(node)) {
        if (seen[other]) continue;
        seen[other] = true;
        due.push_back(other);
      }
    }
    ++shape.components;
    shape.largest_component = std::max(shape.largest_component, size);
  }
}

}  // namespace

double structural_loss(const Graph& graph, const CloakedSets& sets) {
  double loss = 0;
  each_set_pair(graph, sets, [&](std::uint32_t set, std::uint32_t other, std::uint64_t edges) {
    auto size = static_cast<std::uint32_t>(sets.members(set).size());
    auto count = static_cast<double>(edges);
    double most = set == other
                      ? pairs_of(size)
                      : static_cast<double>(size) * static_cast<double>(sets.members(other).size());
    if (most > 0) loss += 2 * count * (1 - count / most);
  });
  return loss;
}

double normalised_structural_loss(const Graph& graph, const CloakedSets& sets) {
  double nodes = graph.nodes();
  return nodes < 2 ? 0 : structural_loss(graph, sets) / (nodes * (nodes - 1) / 4);
}

double generalisation_loss(const CloakedSets& sets, const Attributes& attributes) {
  double loss = 0;
  Blur blur(attributes);
  for (std::uint32_t set = 0; set < sets.size(); ++set) {
    blur.clear();
    for (Node node : sets.members(set)) blur.add(node);
    loss += static_cast<double>(sets.members(set).size()) * blur.loss();
  }
  return loss;
}

Shape shape_of(const Graph& graph) {
  Shape shape;
  shape.nodes = graph.nodes();
  shape.edges = graph.edges();
  count_degrees(graph, shape);
  count_triangles(graph, shape);
  count_components(graph, shape);
  return shape;
}

DegreeDistance degree_distance(const Graph& before, const Graph& after) {
  assert(before.nodes() == after.nodes() && before.nodes() > 0 &&
         "only graphs of the same people are compared");
  auto left = rising_degrees(before), right = rising_degrees(after);
  DegreeDistance distance;
  for (std::size_t i = 0; i < left.size(); ++i) {
    distance.mean_change += std::abs(static_cast<double>(left[i]) - right[i]);
  }
  distance.mean_change /= static_cast<double>(left.size());
  for (std::size_t a = 0, b = 0; a < left.size() && b < right.size();) {
    auto degree = std::min(left[a], right[b]);
    while (a < left.size() && left[a] == degree) ++a;
    while (b < right.size() && right[b] == degree) ++b;
    double gap = std::abs(static_cast<double>(a) - static_cast<double>(b));
    distance.largest_gap = std::max(distance.largest_gap, gap / static_cast<double>(left.size()));
  }
  return distance;
}

Quality quality_of(const Graph& original, const Release& release, const Attributes* attributes) {
  Quality quality;
  quality.sil = structural_loss(*release.graph, release.sets);
  quality.nsil = normalised_structural_loss(*release.graph, release.sets);
  if (attributes != nullptr && attributes->size() > 0) {
    quality.gil = generalisation_loss(release.sets, *attributes);
    quality.ngil = *quality.gil / (static_cast<double>(original.nodes()) *
                                   static_cast<double>(attributes->size()));
  }
  quality.changes = release.changes;
  quality.degrees = degree_distance(original, *release.graph);
  quality.before = shape_of(original);
  quality.after = release.graph.get() == &original ? quality.before : shape_of(*release.graph);
  quality.smallest_set = release.sets.smallest();
  quality.largest_set = release.sets.largest();
  return quality;
}

}  // namespace rankveil::graph

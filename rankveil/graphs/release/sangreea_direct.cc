#include <fmt/core.h>

#include <algorithm>
#include <iterator>
#include <vector>

#include "rankveil/graphs/release/sangreea_score.h"

namespace rankveil::graph {

namespace {

// Nodes, other than the two, that just one of them knows.
std::int64_t differences(const Graph& graph, Node x, Node y) {
  std::vector<Node> odd;
  std::ranges::set_symmetric_difference(graph.friends(x), graph.friends(y),
                                        std::back_inserter(odd));
  return std::ranges::count_if(odd, [&](Node z) { return z != x && z != y; });
}

std::int64_t differences(const Graph& graph, Node x, const std::vector<Node>& set) {
  std::int64_t sum = 0;
  for (Node member : set) sum += differences(graph, x, member);
  return sum;
}

class Direct {
 public:
  Direct(const Graph& graph, const SangreeaOptions& options)
      : graph_(graph), options_(options), free_(graph.nodes(), true) {}

  CloakedSets run() {
    for (Node left = graph_.nodes(); left >= options_.k; left -= options_.k) {
      std::vector<Node> set = {take(best_seed())};
      while (set.size() < options_.k) set.push_back(take(best_for(set)));
      sets_.push_back(std::move(set));
    }
    for (Node seed = best_seed(); seed < graph_.nodes(); seed = best_seed()) {
      sets_[nearest_set(seed)].push_back(take(seed));
    }
    return {graph_.nodes(), sets_};
  }

 private:
  Node take(Node node) {
    free_[node] = false;
    return node;
  }

  Node best_seed() const {
    Node best = graph_.nodes();
    for (Node node = 0; node < graph_.nodes(); ++node) {
      if (!free_[node]) continue;
      if (best == graph_.nodes() || graph_.degree(node) > graph_.degree(best)) best = node;
    }
    return best;
  }

  double judge(Node node, const std::vector<Node>& set) {
    return judged(graph_, options_, differences(graph_, node, set), set.size(),
                  loss_with(blur_, set, node));
  }

  Node best_for(const std::vector<Node>& set) {
    Node best = graph_.nodes();
    double least = 0;
    for (Node node = 0; node < graph_.nodes(); ++node) {
      if (!free_[node]) continue;
      double score = judge(node, set);
      if (best == graph_.nodes() || score < least) best = node, least = score;
    }
    return best;
  }

  std::size_t nearest_set(Node node) {
    std::size_t best = 0;
    Joining nearest;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      Joining joining{differences(graph_, node, sets_[i]), sets_[i].size(),
                      loss_with(blur_, sets_[i], node)};
      if (i == 0 || is_nearer(graph_, options_, joining, nearest)) best = i, nearest = joining;
    }
    return best;
  }

  const Graph& graph_;
  const SangreeaOptions& options_;
  Attributes no_attributes_;
  Blur blur_{options_.attributes == nullptr ? no_attributes_ : *options_.attributes};
  std::vector<bool> free_;
  std::vector<std::vector<Node>> sets_;
};

}  // namespace

Status check(const Graph& graph, const SangreeaOptions& options) {
  if (auto checked = check_k(options.k, graph.nodes()); !checked) return checked;
  bool weights = options.alpha >= 0 && options.beta >= 0 && options.alpha + options.beta > 0;
  if (!weights) {
    return wrong_use(
        fmt::format("alpha {} and beta {} do not work; take two numbers of 0 or more, "
                    "not both 0",
                    options.alpha, options.beta));
  }
  if (options.alpha > 0 && (options.attributes == nullptr || options.attributes->size() == 0)) {
    return wrong_use("alpha weighs attributes, and there are none; give some, or leave alpha at 0");
  }
  return {};
}

Result<CloakedSets> sangreea_direct(const Graph& graph, const SangreeaOptions& options) {
  if (auto checked = check(graph, options); !checked) return checked.error();
  return Direct(graph, options).run();
}

}  // namespace rankveil::graph

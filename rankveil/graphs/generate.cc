#include "rankveil/graphs/generate.h"

#include <fmt/core.h>

#include <algorithm>
#include <array>
#include <cmath>

#include "rankveil/base/format.h"
#include "rankveil/base/random.h"

namespace rankveil::graph {

namespace {

constexpr std::array<std::pair<std::string_view, Model>, 3> models = {{
    {"chung-lu", Model::ChungLu},
    {"erdos-renyi", Model::ErdosRenyi},
    {"preferential", Model::Preferential},
}};

Status check(const GenerateOptions& options) {
  std::uint64_t pairs = std::uint64_t{options.nodes} * (options.nodes - 1ULL) / 2;
  if (options.nodes < 2) return wrong_use("a graph needs at least 2 nodes");
  if (options.edges == 0) return wrong_use("a graph needs at least 1 edge");
  if (options.edges > pairs / 2 && options.edges > 1) {
    return wrong_use(fmt::format("{} edges are too many for {} nodes; {} is the most",
                                 grouped(options.edges), grouped(options.nodes),
                                 grouped(std::max<std::uint64_t>(1, pairs / 2))));
  }
  bool power = options.model == Model::ChungLu;
  if (power && !(options.exponent > 2 && options.exponent <= 100)) {
    return wrong_use(
        fmt::format("an exponent of {} does not work; take one above 2", options.exponent));
  }
  return {};
}

// Draws nodes in proportion to weights, in constant time each (Vose's alias method).
class WeightedDraw {
 public:
  explicit WeightedDraw(const std::vector<double>& weights)
      : accept_(weights.size(), 1), other_(weights.size(), 0) {
    double sum = 0;
    for (double weight : weights) sum += weight;
    std::vector<Node> small, large;
    for (Node i = 0; i < weights.size(); ++i) {
      accept_[i] = weights[i] * static_cast<double>(weights.size()) / sum;
      (accept_[i] < 1 ? small : large).push_back(i);
    }
    while (!small.empty() && !large.empty()) {
      Node low = small.back(), high = large.back();
      small.pop_back();
      other_[low] = high;
      accept_[high] -= 1 - accept_[low];
      if (accept_[high] < 1) large.pop_back(), small.push_back(high);
    }
    for (Node i : small) accept_[i] = 1;  // rounding left them over
  }

  Node operator()(Rng& rng) const {
    auto i = static_cast<Node>(rng.below(accept_.size()));
    return rng.uniform() < accept_[i] ? i : other_[i];
  }

 private:
  std::vector<double> accept_;
  std::vector<Node> other_;
};

// A node's weight is its expected degree. No weight is so large that a pair would be more than
// certain: that keeps the number of repeats, and so the time, in bounds.
std::vector<double> power_weights(const GenerateOptions& options) {
  std::vector<double> weights(options.nodes);
  double power = -1 / (options.exponent - 1);
  double sum = 0;
  for (Node i = 0; i < options.nodes; ++i) sum += weights[i] = std::pow(i + 1.0, power);
  double scale = 2 * static_cast<double>(options.edges) / sum;
  double most = std::sqrt(2 * static_cast<double>(options.edges));
  for (double& weight : weights) weight = std::min(weight * scale, most);
  return weights;
}

// As many edges as are missing are drawn, repeats go, and again. When few weighty nodes have all
// their pairs, the rest is drawn among everybody.
template <typename Draw>
Graph draw_edges(const GenerateOptions& options, Draw draw) {
  constexpr int weighted_rounds = 100;
  Rng rng(options.seed);
  std::vector<std::uint64_t> keys;
  keys.reserve(options.edges);
  for (int round = 0; keys.size() < options.edges; ++round) {
    auto pick = [&] {
      return round < weighted_rounds ? draw(rng) : static_cast<Node>(rng.below(options.nodes));
    };
    while (keys.size() < options.edges) {
      Node u = pick(), v = pick();
      if (u != v) keys.push_back(std::uint64_t{std::min(u, v)} << 32 | std::max(u, v));
    }
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
  }
  std::vector<Edge> edges;
  edges.reserve(keys.size());
  for (auto key : keys) edges.emplace_back(static_cast<Node>(key >> 32), static_cast<Node>(key));
  return Graph::from_edges(options.nodes, edges);
}

// Each newcomer picks ends of edges there are, which are the well-known more often.
Graph preferential(const GenerateOptions& options) {
  Rng rng(options.seed);
  auto each = std::max<std::uint64_t>(1, options.edges / options.nodes);
  auto start = static_cast<Node>(std::min<std::uint64_t>(options.nodes, each + 1));
  std::vector<Edge> edges;
  std::vector<Node> ends;
  auto join = [&](Node u, Node v) {
    edges.emplace_back(u, v);
    ends.push_back(u), ends.push_back(v);
  };
  for (Node u = 0; u < start; ++u) {
    for (Node v = 0; v < u; ++v) join(u, v);
  }
  std::vector<Node> chosen;
  for (Node u = start; u < options.nodes; ++u) {
    chosen.clear();
    while (chosen.size() < each) {
      Node v = ends[rng.below(ends.size())];
      if (std::find(chosen.begin(), chosen.end(), v) == chosen.end()) chosen.push_back(v);
    }
    for (Node v : chosen) join(u, v);
  }
  return Graph::from_edges(options.nodes, edges);
}

}  // namespace

Result<Model> model_named(std::string_view name) {
  for (auto [known, model] : models) {
    if (known == name) return model;
  }
  return wrong_use(fmt::format(
      "there is no model \"{}\"; there are chung-lu, erdos-renyi and preferential", name));
}

std::string_view name_of(Model model) {
  for (auto [name, known] : models) {
    if (known == model) return name;
  }
  return "";
}

Result<Graph> generate(const GenerateOptions& options) {
  if (auto checked = check(options); !checked) return checked.error();
  if (options.model == Model::Preferential) return preferential(options);
  if (options.model == Model::ErdosRenyi) {
    return draw_edges(options,
                      [&](Rng& rng) { return static_cast<Node>(rng.below(options.nodes)); });
  }
  return draw_edges(options, WeightedDraw(power_weights(options)));
}

}  // namespace rankveil::graph

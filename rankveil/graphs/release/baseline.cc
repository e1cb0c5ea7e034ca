#include "rankveil/graphs/release/baseline.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/random.h"

namespace rankveil::graph {

namespace {

using Sets = std::vector<std::vector<Node>>;

// Those left over join the last sets, one each, from the last set on.
void deal_rest(std::span<const Node> rest, Sets& sets) {
  for (std::size_t i = 0; i < rest.size(); ++i) {
    sets[sets.size() - 1 - i % sets.size()].push_back(rest[i]);
  }
}

class Baseline {
 public:
  Baseline(const Graph& graph, const BaselineOptions& options)
      : graph_(graph), options_(options), order_(graph.nodes()) {
    moments_.reserve(graph.nodes());
    for (Node node = 0; node < graph.nodes(); ++node) {
      moments_.push_back(label_moments(graph, node));
    }
    std::iota(order_.begin(), order_.end(), Node{0});
    std::stable_sort(order_.begin(), order_.end(),
                     [&](Node a, Node b) { return moments_[a].variance > moments_[b].variance; });
  }

  BaselineRelease run() {
    if (options_.form == BaselineForm::Balanced) {
      deal_out();
    } else {
      take_from_windows();
    }
    return {CloakedSets(graph_.nodes(), sets_), friends_inside_};
  }

 private:
  // There and back again, so that no set gets the largest of every round.
  void deal_out() {
    std::size_t count = graph_.nodes() / options_.k;
    sets_.resize(count);
    for (std::size_t i = 0; i < count * options_.k; ++i) {
      std::size_t place = i % count;
      sets_[i / count % 2 == 0 ? place : count - 1 - place].push_back(order_[i]);
    }
    deal_rest(std::span(order_).subspan(count * options_.k), sets_);
  }

  // Users not assigned yet are a chain through `order_`.
  void take_from_windows() {
    next_.resize(order_.size() + 1);
    std::iota(next_.begin(), next_.end(), std::uint32_t{1});  // next_[0] is the first one's link
    std::uint32_t sets = graph_.nodes() / options_.k;
    near_.assign(graph_.nodes(), 0);
    shared_.assign(options_.form == BaselineForm::Similar ? graph_.nodes() : 0, 0);
    for (std::uint32_t i = 0; i < sets; ++i) make_set(i + 1);
    std::vector<Node> rest;
    for (std::uint32_t at = next_[0]; at <= order_.size(); at = next_[at]) {
      rest.push_back(order_[at - 1]);
    }
    deal_rest(rest, sets_);
  }

  void make_set(std::uint32_t mark) {
    sets_.emplace_back();
    third_ = 0;
    join(0, mark);
    while (sets_.back().size() < options_.k) join(best_link(mark), mark);
    for (Node node : met_) shared_[node] = 0;
    met_.clear();
  }

  // Takes the user behind the link.
  void join(std::uint32_t link, std::uint32_t mark) {
    std::uint32_t at = next_[link];
    next_[link] = next_[at];
    Node node = order_[at - 1];
    sets_.back().push_back(node);
    third_ += moments_[node].third;
    for (Node other : graph_.friends(node)) near_[other] = mark;
    if (options_.form == BaselineForm::Similar) count_shared(node);
  }

  void count_shared(Node node) {
    for (Node middle : graph_.friends(node)) {
      for (Node other : graph_.friends(middle)) {
        if (shared_[other]++ == 0) met_.push_back(other);
      }
    }
  }

  bool better(Node left, Node right) const {
    if (options_.form == BaselineForm::Similar && shared_[left] != shared_[right]) {
      return shared_[left] > shared_[right];
    }
    return std::abs(third_ + moments_[left].third) < std::abs(third_ + moments_[right].third);
  }

  // The link to the best of the window: no friend of the set, if there is one.
  std::uint32_t best_link(std::uint32_t mark) {
    std::uint32_t best = none, any = none;
    std::uint32_t link = 0;
    for (std::uint32_t seen = 0; seen < options_.window && next_[link] <= order_.size(); ++seen) {
      Node node = order_[next_[link] - 1];
      auto& chosen = near_[node] == mark ? any : best;
      if (chosen == none || better(node, order_[next_[chosen] - 1])) chosen = link;
      link = next_[link];
    }
    if (best != none) return best;
    ++friends_inside_;
    return any;
  }

  static constexpr std::uint32_t none = UINT32_MAX;
  const Graph& graph_;
  const BaselineOptions& options_;
  std::vector<LabelMoments> moments_;
  std::vector<Node> order_;
  std::vector<std::uint32_t> next_;    // place + 1 in `order_` to that of the next; 0 is before all
  std::vector<std::uint32_t> near_;    // the last set that has a friend of the node
  std::vector<std::uint32_t> shared_;  // friends a node shares with members of the set
  std::vector<Node> met_;              // nodes with such friends
  double third_ = 0;                   // the set's sum of third moments
  std::uint64_t friends_inside_ = 0;
  Sets sets_;
};

}  // namespace

LabelMoments label_moments(const Graph& graph, Node node) {
  auto list = graph.friends(node);
  if (list.empty()) return {};
  double scale = 1.0 / graph.nodes();
  double count = static_cast<double>(list.size());
  double mean = 0;
  for (Node other : list) mean += other * scale;
  mean /= count;
  LabelMoments moments;
  for (Node other : list) {
    double off = other * scale - mean;
    moments.variance += off * off;
    moments.third += off * off * off;
  }
  moments.variance /= count;
  moments.third /= count;
  return moments;
}

Result<BaselineRelease> anonymize_baseline(const Graph& graph, const BaselineOptions& options) {
  if (auto checked = check_k(options.k, graph.nodes()); !checked) return checked.error();
  if (options.window == 0) return wrong_use("a window of 0 shows nobody; take 1 or more");
  return Baseline(graph, options).run();
}

Result<CloakedSets> random_sets(const Graph& graph, std::uint32_t k, std::uint64_t seed) {
  if (auto checked = check_k(k, graph.nodes()); !checked) return checked.error();
  Rng rng(seed);
  std::vector<Node> order(graph.nodes());
  std::iota(order.begin(), order.end(), Node{0});
  for (std::size_t i = 0; i + 1 < order.size(); ++i) {
    std::swap(order[i], order[i + rng.below(order.size() - i)]);
  }
  Sets sets;
  std::size_t at = 0;
  for (; at + k <= order.size(); at += k) {
    sets.emplace_back(order.begin() + static_cast<std::ptrdiff_t>(at),
                      order.begin() + static_cast<std::ptrdiff_t>(at + k));
  }
  deal_rest(std::span(order).subspan(at), sets);
  return CloakedSets(graph.nodes(), sets);
}

}  // namespace rankveil::graph

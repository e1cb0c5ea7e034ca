// The fast form of SaNGreeA.
//
// Write d for degrees, a for "are friends" (0 or 1) and c for common friends. The nodes that just
// one of x and j knows are d_x + d_j - 2 a - 2 c. Summed over the m members of a set, all that
// depends on j is
//     m d_j - 2 S_j,    S_j = members that know j + walks of two steps from a member to j.
// So a set needs S, and S is counted by walking: each new member adds one for each friend, and one
// for each friend of a friend. Three things keep that cheap.
//
// Walks meet only nodes that are still free: lists of friends drop those that are not, while they
// are walked.
//
// No pass over the nodes met is needed to find the best. For nodes of one degree (a class) the best
// has the largest S, and the largest S of a class is kept up to date while counting. Choosing is a
// pass over classes, and a look into the one that wins. Nodes are renumbered by falling degree,
// equal degrees by number, so that a class is a range and its first node wins ties.
//
// Nodes that no walk met have S = 0 and score m d_j: only the least of the least degree competes.
//
// A node's S and its class lie in one word, and words that were counted in are marked by the line
// of memory they are in, so that forgetting a set is as cheap as making it. A node that is taken
// has a negative S, low enough that what stale lists still add cannot make it positive.
#include "rankveil/graphs/release/sangreea.h"

#include <algorithm>
#include <bit>
#include <cassert>
#include <cstring>
#include <limits>

#include "rankveil/graphs/release/sangreea_score.h"

namespace rankveil::graph {

namespace {

// A graph with nodes renumbered by falling degree, whose lists shrink.
struct ByDegree {
  explicit ByDegree(const Graph& graph) : names(by_falling_degree(graph)) {
    std::vector<Node> numbers(names.size());
    for (Node i = 0; i < names.size(); ++i) numbers[names[i]] = i;
    offsets.reserve(names.size() + 1);
    offsets.push_back(0);
    for (Node name : names) offsets.push_back(offsets.back() + graph.degree(name));
    // Dealing every node to its friends in order leaves lists sorted.
    friends.resize(offsets.back());
    std::vector<std::uint64_t> places(offsets.begin(), offsets.end() - 1);
    for (Node i = 0; i < names.size(); ++i) {
      for (Node name : graph.friends(names[i])) friends[places[numbers[name]]++] = i;
    }
  }

  std::uint32_t degree(Node node) const {
    return static_cast<std::uint32_t>(offsets[node + 1] - offsets[node]);
  }

  std::vector<Node> names;  // what a node was called before
  std::vector<std::uint64_t> offsets;
  std::vector<Node> friends;
};

// The S of all nodes, and the largest of each class. A Word holds both halves of a node.
template <typename Word>
class Counts {
 public:
  using Half = std::conditional_t<sizeof(Word) == 4, std::int16_t, std::int32_t>;
  static constexpr int half = 4 * sizeof(Word);
  static constexpr Word taken = Word{1} << (half - 1);
  static constexpr std::size_t line = 64 / sizeof(Word);  // words of a line of memory
  static constexpr std::int64_t most = std::numeric_limits<Half>::max();

  explicit Counts(const ByDegree& graph) {
    auto nodes = graph.names.size();
    words_.resize((nodes + line - 1) / line * line, taken);
    marks_.resize((nodes / line / 8 + 1) * 8, 0);
    for (Node node = 0; node < nodes; ++node) {
      bool first = node == 0 || graph.degree(node) != graph.degree(node - 1);
      if (first) starts_.push_back(node), degrees_.push_back(graph.degree(node));
      words_[node] = static_cast<Word>(starts_.size() - 1) << half;
    }
    best_.assign(starts_.size(), 0);
    first_free_ = starts_;
    last_free_ = static_cast<Node>(nodes - 1);
    starts_.push_back(static_cast<Node>(nodes));
  }

  bool is_free(Node node) const { return sum_in(words_[node]) >= 0; }
  std::int64_t count(Node node) const { return sum_in(words_[node]); }

  void take(Node node) {
    auto old = sum_in(words_[node]);
    words_[node] = (words_[node] & ~low) | taken;
    marks_[node / line] = 1;
    auto group = words_[node] >> half;
    if (old > 0 && old == best_[group]) best_[group] = largest_of(group);
  }

  void add(Node node) {
    if (is_free(node)) raise(node, words_[node]);
  }
  // Adds one for each free node of the list and drops the others; how long it is now.
  std::size_t add_all(Node* list, std::size_t length) {
    std::size_t kept = 0;
    for (std::size_t i = 0; i < length; ++i) {
      Node node = list[i];
      Word word = words_[node];
      list[kept] = node;
      kept += sum_in(word) >= 0 ? 1 : 0;
      raise(node, word);
    }
    return kept;
  }

  // Forgets the counts of a set; taken nodes stay taken.
  void clear() {
    each_marked_line(0, words_.size() / line, [&](std::size_t at) {
      Word* words = words_.data() + at * line;
      for (std::size_t i = 0; i < line; ++i) words[i] &= ~low | taken;
    });
    std::fill(marks_.begin(), marks_.end(), 0);
    for (auto group : touched_) best_[group] = 0;
    touched_.clear();
  }

  // The free node of least members * degree - 2 S, the lowest name on ties.
  Node best(std::int64_t members, const std::vector<Node>& names) {
    std::int64_t least = std::numeric_limits<std::int64_t>::max();
    winners_.clear();
    auto consider = [&](std::uint32_t group) {
      auto score = members * degrees_[group] - 2 * std::int64_t{best_[group]};
      if (score < least) least = score, winners_.clear();
      if (score == least) winners_.push_back(group);
    };
    for (auto group : touched_) {
      if (best_[group] > 0) consider(group);
    }
    if (auto last = last_class(); best_[last] == 0) consider(last);
    Node best = first_of(winners_.front());
    for (std::size_t i = 1; i < winners_.size(); ++i) {
      Node node = first_of(winners_[i]);
      if (names[node] < names[best]) best = node;
    }
    return best;
  }

 private:
  static constexpr Word low = (Word{1} << half) - 1;
  static std::int64_t sum_in(Word word) { return static_cast<Half>(word & low); }

  void raise(Node node, Word word) {
    words_[node] = word + 1;
    marks_[node / line] = 1;
    auto sum = static_cast<Half>(sum_in(word) + 1);
    auto group = static_cast<std::uint32_t>(word >> half);
    if (sum > best_[group]) {
      if (best_[group] == 0) touched_.push_back(group);
      best_[group] = sum;
    }
  }

  template <typename Visit>
  void each_marked_line(std::size_t first, std::size_t end, Visit visit) {
    for (std::size_t at = first; at < end;) {
      std::uint64_t eight;
      std::memcpy(&eight, marks_.data() + at, std::min<std::size_t>(8, marks_.size() - at));
      if (at + 8 <= end && eight == 0) {
        at += 8;
        continue;
      }
      std::size_t stop = std::min(at + 8, end);
      for (; at < stop; ++at) {
        if (marks_[at] != 0) visit(at);
      }
    }
  }

  Half largest_of(std::size_t group) {
    Half largest = 0;
    Node first = starts_[group], end = starts_[group + 1];
    each_marked_line(first / line, (end + line - 1) / line, [&](std::size_t at) {
      auto from = std::max<std::size_t>(first, at * line);
      auto to = std::min<std::size_t>(end, (at + 1) * line);
      for (auto i = from; i < to; ++i) {
        largest = std::max(largest, static_cast<Half>(words_[i] & low));
      }
    });
    return largest;
  }

  // The first free node with the largest S of a class.
  Node first_of(std::uint32_t group) {
    Half wanted = best_[group];
    Node first = starts_[group], end = starts_[group + 1];
    if (wanted == 0) {
      while (!is_free(first_free_[group])) ++first_free_[group];
      return first_free_[group];
    }
    for (std::size_t at = first / line;; ++at) {
      assert(at * line < end && "the largest count of a class is that of a node");
      if (marks_[at] == 0) continue;
      auto from = std::max<std::size_t>(first, at * line);
      auto to = std::min<std::size_t>(end, (at + 1) * line);
      for (auto i = from; i < to; ++i) {
        if (static_cast<Half>(words_[i] & low) == wanted) return static_cast<Node>(i);
      }
    }
  }

  // Of the classes with free nodes, that of least degree.
  std::uint32_t last_class() {
    while (!is_free(last_free_)) --last_free_;
    return static_cast<std::uint32_t>(words_[last_free_] >> half);
  }

  std::vector<Word> words_;             // class above, S below
  std::vector<std::uint8_t> marks_;     // one a line of words: whether anything was counted there
  std::vector<Node> starts_;            // of classes; behind the last, where it ends
  std::vector<std::uint32_t> degrees_;  // of classes
  std::vector<Half> best_;              // the largest S of each class
  std::vector<std::uint32_t> touched_;  // classes whose largest S is, or was, above 0
  std::vector<std::uint32_t> winners_;
  std::vector<Node> first_free_;  // per class; nodes before it are taken for good
  Node last_free_ = 0;            // nodes behind it are taken for good
};

template <typename Word>
class Fast {
 public:
  Fast(const Graph& graph, const SangreeaOptions& options)
      : graph_(graph), options_(options), nodes_(graph), counts_(nodes_) {
    for (Node i = 0; i < graph.nodes(); ++i) lengths_.push_back(nodes_.degree(i));
  }

  CloakedSets run() {
    auto sets = graph_.nodes() / options_.k;
    sets_.reserve(sets);
    for (std::uint32_t i = 0; i < sets; ++i) {
      if (i % 1024 == 0) tell(i, sets);
      make_set();
    }
    for (Node seed = next_seed(); seed < graph_.nodes(); seed = next_seed()) join_nearest(seed);
    tell(sets, sets);
    return {graph_.nodes(), sets_};
  }

 private:
  void tell(std::uint32_t done, std::uint32_t all) const {
    report(options_.progress, "clustering", static_cast<double>(done) / all);
  }

  Node next_seed() {
    while (seed_ < graph_.nodes() && !counts_.is_free(seed_)) ++seed_;
    return seed_;
  }

  void walk(Node from) {
    for (auto i = nodes_.offsets[from]; i < nodes_.offsets[from + 1]; ++i) {
      Node middle = all_friends_[i];
      counts_.add(middle);
      lengths_[middle] = static_cast<std::uint32_t>(
          counts_.add_all(nodes_.friends.data() + nodes_.offsets[middle], lengths_[middle]));
    }
  }

  void make_set() {
    std::vector<Node> set;
    set.reserve(options_.k);
    std::uint64_t degrees = 0;
    for (Node next = next_seed();; next = best_for(set, degrees)) {
      counts_.take(next);
      set.push_back(nodes_.names[next]);
      degrees += nodes_.degree(next);
      if (options_.alpha > 0) blur_.add(nodes_.names[next]);
      if (set.size() == options_.k) break;
      walk(next);
    }
    counts_.clear();
    blur_.clear();
    sets_.push_back(std::move(set));
  }

  Node best_for(const std::vector<Node>& set, std::uint64_t degrees) {
    auto members = static_cast<std::int64_t>(set.size());
    if (options_.alpha == 0) return counts_.best(members, nodes_.names);
    Node best = graph_.nodes();
    double least = 0;
    for (Node node = seed_; node < graph_.nodes(); ++node) {
      if (!counts_.is_free(node)) continue;
      auto sum = members * nodes_.degree(node) + static_cast<std::int64_t>(degrees) -
                 2 * counts_.count(node);
      double score = judged(graph_, options_, sum, set.size(), blur_.loss_with(nodes_.names[node]));
      bool wins = best == graph_.nodes() || score < least ||
                  (score == least && nodes_.names[node] < nodes_.names[best]);
      if (wins) best = node, least = score;
    }
    return best;
  }

  // All nodes but a few are taken by now, so that counts come from the graph itself.
  void join_nearest(Node seed) {
    Node name = nodes_.names[seed];
    counts_.take(seed);
    std::vector<std::uint32_t> shared(graph_.nodes(), 0);
    for (Node middle : graph_.friends(name)) {
      ++shared[middle];
      for (Node other : graph_.friends(middle)) ++shared[other];
    }
    std::size_t best = 0;
    Joining nearest;
    for (std::size_t i = 0; i < sets_.size(); ++i) {
      Joining joining{0, sets_[i].size(), loss_with(blur_, sets_[i], name)};
      for (Node member : sets_[i]) {
        joining.differences += std::int64_t{graph_.degree(name)} + graph_.degree(member) -
                               2 * std::int64_t{shared[member]};
      }
      if (i == 0 || is_nearer(graph_, options_, joining, nearest)) best = i, nearest = joining;
    }
    sets_[best].push_back(name);
  }

  const Graph& graph_;
  const SangreeaOptions& options_;
  ByDegree nodes_;
  std::vector<Node> all_friends_ = nodes_.friends;  // lists that do not shrink
  Counts<Word> counts_;
  std::vector<std::uint32_t> lengths_;  // of the lists as far as they are left
  Attributes no_attributes_;
  Blur blur_{options_.attributes == nullptr ? no_attributes_ : *options_.attributes};
  Node seed_ = 0;
  std::vector<std::vector<Node>> sets_;
};

}  // namespace

Result<CloakedSets> sangreea(const Graph& graph, const SangreeaOptions& options) {
  if (auto checked = check(graph, options); !checked) return checked.error();
  std::uint64_t most = 0;
  for (Node node = 0; node < graph.nodes(); ++node) {
    most = std::max<std::uint64_t>(most, graph.degree(node));
  }
  using Narrow = Counts<std::uint32_t>;
  bool narrow = most * options.k <= static_cast<std::uint64_t>(Narrow::most);
  return narrow ? Fast<std::uint32_t>(graph, options).run()
                : Fast<std::uint64_t>(graph, options).run();
}

}  // namespace rankveil::graph

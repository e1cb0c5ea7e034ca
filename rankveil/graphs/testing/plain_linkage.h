// The attacks of linkage.h, word for word from their definitions: slow, and an oracle for tests.
#pragma once

#include <cmath>
#include <limits>
#include <map>
#include <set>
#include <vector>

#include "rankveil/graphs/attack/linkage.h"

namespace rankveil::attack {

using Labels = std::set<graph::Node>;

inline Labels friends_of(const graph::Graph& graph, graph::Node node) {
  auto list = graph.friends(node);
  return {list.begin(), list.end()};
}

inline Labels common(const Labels& left, const Labels& right) {
  Labels both;
  for (auto label : left) {
    if (right.contains(label)) both.insert(label);
  }
  return both;
}

// The labels of which the adversary knows whether they are u's friends.
inline Labels plain_known(LinkageLevel level, const Background& samples, graph::Node u) {
  Labels lambda, gamma, all;
  for (graph::Node v = 0; v < samples.size(); ++v) {
    all.insert(v);
    if (samples[v] & 1) lambda.insert(v);
    if (samples[v] & 2) gamma.insert(v);
  }
  if (level == LinkageLevel::II) return lambda.contains(u) ? lambda : Labels{};
  if (level == LinkageLevel::III) return gamma.contains(u) ? all : gamma;
  if (level != LinkageLevel::IV) return {};
  if (gamma.contains(u)) return all;
  if (lambda.contains(u)) gamma.insert(lambda.begin(), lambda.end());
  return gamma;
}

inline double plain_term(std::size_t count, double probability) {
  return count == 0 ? 0 : static_cast<double>(count) * std::log(probability);
}

// By set: how many of its lists show the label u; how many of its members the list of v shows.
inline std::map<std::uint32_t, int> label_profile(const graph::Release& release, graph::Node u) {
  std::map<std::uint32_t, int> profile;
  for (std::uint32_t set = 0; set < release.sets.size(); ++set) {
    for (auto owner : release.sets.members(set)) {
      if (friends_of(*release.graph, owner).contains(u)) ++profile[set];
    }
  }
  return profile;
}
inline std::map<std::uint32_t, int> list_profile(const graph::Release& release, graph::Node v) {
  std::map<std::uint32_t, int> profile;
  for (auto label : friends_of(*release.graph, v)) ++profile[release.sets.set_of(label)];
  return profile;
}

struct PlainScore {
  double mle = 0;
  double bas = 0;
};

inline PlainScore plain_self_score(const graph::Release& release, graph::Node u, graph::Node v) {
  auto label = label_profile(release, u), list = list_profile(release, v);
  PlainScore score{label == list ? 0 : -std::numeric_limits<double>::infinity(), 0};
  for (auto [set, count] : label) score.bas += list.contains(set) ? std::min(count, list[set]) : 0;
  return score;
}

inline PlainScore plain_score(const graph::Graph& original, const graph::Release& release,
                              LinkageLevel level, const Background& samples, graph::Node u,
                              graph::Node v) {
  if (level == LinkageLevel::Self) return plain_self_score(release, u, v);
  double nodes = original.nodes();
  double deleted =
      static_cast<double>(release.changes.deleted) / static_cast<double>(original.edges());
  double added = static_cast<double>(release.changes.added) / (nodes * nodes / 2);
  auto known = plain_known(level, samples, u);
  auto mine = common(friends_of(original, u), known);
  auto list = friends_of(*release.graph, v);
  auto agree = common(mine, list).size();
  auto missing = mine.size() - agree;
  auto extra = common(known, list).size() - agree;
  return {plain_term(agree, 1 - deleted) + plain_term(missing, deleted) + plain_term(extra, added),
          static_cast<double>(agree)};
}

// The chance of u's own list among the best.
inline double plain_pick(const std::map<graph::Node, double>& scores, graph::Node u) {
  std::vector<graph::Node> best;
  double most = -std::numeric_limits<double>::infinity();
  for (auto [v, score] : scores) {
    if (score == -std::numeric_limits<double>::infinity()) continue;
    if (score > most) most = score, best.clear();
    if (score == most) best.push_back(v);
  }
  for (auto v : best) {
    if (v == u) return 1.0 / static_cast<double>(best.size());
  }
  return 0;
}

inline LinkageShares plain_identified(const graph::Graph& original, const graph::Release& release,
                                      LinkageLevel level, const Background& samples) {
  LinkageShares sum;
  for (graph::Node u = 0; u < original.nodes(); ++u) {
    std::map<graph::Node, double> mle, any, bas;
    for (auto v : release.sets.members(release.sets.set_of(u))) {
      auto score = plain_score(original, release, level, samples, u, v);
      any[v] = score.mle;
      bas[v] = score.bas;
      if (!friends_of(*release.graph, v).contains(u)) mle[v] = score.mle;
    }
    sum.mle += plain_pick(mle, u);
    sum.mle_any_label += plain_pick(any, u);
    sum.bas += plain_pick(bas, u);
  }
  double nodes = original.nodes();
  return {sum.mle / nodes, sum.mle_any_label / nodes, sum.bas / nodes};
}

}  // namespace rankveil::attack

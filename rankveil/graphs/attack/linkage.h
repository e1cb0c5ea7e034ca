// Whose friend list is whose: attacks on k-anonymous releases of a graph.
//
//   Linkage linkage(original, release);
//   auto background = draw_background(original.nodes(), 0.2, 0.2, seed);
//   double share = linkage.identified(LinkageLevel::III, background).mle;
//
// A release has users in sets and one friend list per user; inside a set nobody is told whose is
// whose. The adversary knows the set of a user u and, for some labels K, whether they are u's
// friends. MLE takes the lists most likely to be u's; BAS those that agree with most of u's known
// friends. Where several are equally good, one of them is picked by chance, so that u counts as
// identified with probability 1 / (how many), or 0 when the right one is not among them.
//
// Source      Zhao et al. 2020, who describe both in two sentences; docs/concepts/graph-attacks.md
//             says which choices are ours.
#pragma once

#include <array>
#include <cstdint>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/graphs/graph.h"
#include "rankveil/graphs/release/release.h"

namespace rankveil::attack {

// What an adversary knows. Lambda and Gamma are two samples of the users.
enum class LinkageLevel {
  I,     // nothing but the release
  II,    // friendships among members of Lambda
  III,   // all friends of members of Gamma
  IV,    // both
  Self,  // nothing but the release, read against itself: labels mean the same in every list, so a
         // label counts as often in the lists of a set as its owner's list has members of that set
};
inline constexpr std::array linkage_levels = {LinkageLevel::I, LinkageLevel::II, LinkageLevel::III,
                                              LinkageLevel::IV, LinkageLevel::Self};
std::string_view name_of(LinkageLevel level);  // I, II, III, IV, self
Result<LinkageLevel> linkage_level_named(std::string_view name);
bool uses_lambda1(LinkageLevel level);
bool uses_lambda2(LinkageLevel level);

// Who is in which sample: bit 0 for Lambda, bit 1 for Gamma.
using Background = std::vector<std::uint8_t>;
// Everybody joins each sample by a coin of his own. REQUIRES: shares in [0, 1).
Background draw_background(graph::Node nodes, double lambda1, double lambda2, std::uint64_t seed);
// Refuses shares outside [0, 1); `name` says which.
Status check_share(std::string_view name, double share);

// Refuses a graph with somebody of more than two million friends, and sets so large that they make
// more than 2^30 pairs of a user and a list: counters and memory are made for less.
Status check_linkable(const graph::Graph& graph);
Status check_linkable(const graph::Release& release);

// The share of all users that are identified.
struct LinkageShares {
  double mle = 0;            // a list with u's own label is not u's: nobody befriends himself
  double mle_any_label = 0;  // without that rule
  double bas = 0;
};

// All that does not depend on samples is found out once. Keeps references to both graphs.
class Linkage {
 public:
  // REQUIRES: graphs of the same nodes, both linkable.
  Linkage(const graph::Graph& original, const graph::Release& release);

  // REQUIRES: one entry a node. May be called from several threads.
  LinkageShares identified(LinkageLevel level, const Background& background) const;

 private:
  // How often a kind of label was met, for all kinds at once.
  using Packed = std::uint64_t;
  struct Counts;
  void find_common(std::uint32_t set);
  std::size_t first_pair(std::uint32_t set) const { return pair_starts_[set]; }

  template <typename Judge>
  LinkageShares sum_over_users(Judge judge) const;
  LinkageShares self_linked() const;
  Packed count(std::span<const graph::Node> labels, const Background& background) const;

  const graph::Graph& original_;
  const graph::Release& release_;
  bool edited_;  // the published graph is another one: pairs are not symmetric
  double rate_deleted_ = 0, rate_added_ = 0;
  std::vector<std::size_t> pair_starts_;    // per set: its first pair
  std::vector<std::uint64_t> list_starts_;  // per pair: where its labels start
  std::vector<graph::Node> common_;         // labels that u has and the list of v shows
  std::vector<graph::Node> marks_;          // while building
  std::vector<std::uint8_t> shows_owner_;   // per pair: the list of v has the label u
};

}  // namespace rankveil::attack

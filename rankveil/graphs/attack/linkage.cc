// Cost. Which labels two friend lists share does not depend on the samples: it is found once, by k
// passes over all lists. A draw then looks up, for each shared label, which samples it is in. The
// samples are counted together: three counters lie side by side in one word.
#include "rankveil/graphs/attack/linkage.h"

#include <fmt/core.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>

#include "rankveil/base/random.h"

namespace rankveil::attack {

namespace {

using graph::Node;

constexpr std::uint8_t in_lambda = 1, in_gamma = 2;

// Which labels the adversary knows about.
enum class Known { Nothing, Lambda, Gamma, Either, All };

Known known_of(LinkageLevel level, std::uint8_t samples) {
  bool lambda = (samples & in_lambda) != 0, gamma = (samples & in_gamma) != 0;
  switch (level) {
    case LinkageLevel::II:
      return lambda ? Known::Lambda : Known::Nothing;
    case LinkageLevel::III:
      return gamma ? Known::All : Known::Gamma;
    case LinkageLevel::IV:
      if (gamma) return Known::All;
      return lambda ? Known::Either : Known::Gamma;
    default:
      return Known::Nothing;
  }
}

constexpr int field = 21;  // bits of a counter: lists of up to two million labels

constexpr std::uint64_t packed_of(std::uint8_t samples) {
  std::uint64_t lambda = samples & in_lambda ? 1 : 0, gamma = samples & in_gamma ? 1 : 0;
  return lambda | gamma << field | (lambda | gamma) << (2 * field);
}
constexpr std::array<std::uint64_t, 4> packed_samples = {packed_of(0), packed_of(1), packed_of(2),
                                                         packed_of(3)};

std::uint32_t unpacked(std::uint64_t counts, std::size_t all, Known known) {
  constexpr std::uint64_t mask = (std::uint64_t{1} << field) - 1;
  switch (known) {
    case Known::Nothing:
      return 0;
    case Known::Lambda:
      return static_cast<std::uint32_t>(counts & mask);
    case Known::Gamma:
      return static_cast<std::uint32_t>(counts >> field & mask);
    case Known::Either:
      return static_cast<std::uint32_t>(counts >> (2 * field) & mask);
    case Known::All:
      return static_cast<std::uint32_t>(all);
  }
  return 0;
}

// count * ln(probability), where nothing happening is certain and the impossible rules out.
double log_chance(std::uint32_t count, double probability) {
  if (count == 0) return 0;
  return probability > 0 ? count * std::log(probability) : -std::numeric_limits<double>::infinity();
}

// Collects scores of the lists of a set for one user.
class Best {
 public:
  void clear() { *this = {}; }
  void add(double score, bool own) {
    if (score == -std::numeric_limits<double>::infinity()) return;  // ruled out
    if (count_ == 0 || score > best_) {
      best_ = score;
      count_ = 0;
      own_ = false;
    }
    if (score == best_) {
      ++count_;
      own_ = own_ || own;
    }
  }
  double identified() const { return own_ ? 1.0 / count_ : 0; }

 private:
  double best_ = 0;
  std::uint32_t count_ = 0;
  bool own_ = false;
};

}  // namespace

std::string_view name_of(LinkageLevel level) {
  constexpr std::array<std::string_view, 5> names = {"I", "II", "III", "IV", "self"};
  return names[static_cast<std::size_t>(level)];
}

Result<LinkageLevel> linkage_level_named(std::string_view name) {
  for (LinkageLevel level : linkage_levels) {
    if (name_of(level) == name) return level;
  }
  return wrong_use(
      fmt::format("there is no level \"{}\"; there are I, II, III, IV and self", name));
}

bool uses_lambda1(LinkageLevel level) {
  return level == LinkageLevel::II || level == LinkageLevel::IV;
}
bool uses_lambda2(LinkageLevel level) {
  return level == LinkageLevel::III || level == LinkageLevel::IV;
}

Status check_share(std::string_view name, double share) {
  if (share >= 0 && share < 1) return {};
  return wrong_use(
      fmt::format("{} is {}; a share of the users is at least 0 and below 1", name, share));
}

Status check_linkable(const graph::Graph& graph) {
  for (Node node = 0; node < graph.nodes(); ++node) {
    if (graph.degree(node) >> field != 0) {
      return bad_input(
          fmt::format("node {} has {} friends; attacks are made for graphs where "
                      "nobody has more than 2,097,151",
                      node, graph.degree(node)));
    }
  }
  return {};
}

Status check_linkable(const graph::Release& release) {
  if (auto fine = check_linkable(*release.graph); !fine) return fine;
  std::uint64_t pairs = 0;
  for (std::uint32_t set = 0; set < release.sets.size(); ++set) {
    std::uint64_t size = release.sets.members(set).size();
    pairs += size * size;
  }
  if (pairs <= std::uint64_t{1} << 30) return {};
  return wrong_use(
      fmt::format("sets of up to {} users make {} pairs of a user and a list, too many to attack; "
                  "take a smaller k",
                  release.sets.largest(), pairs));
}

Background draw_background(Node nodes, double lambda1, double lambda2, std::uint64_t seed) {
  Rng rng(seed);
  Background background(nodes);
  for (auto& samples : background) {
    bool lambda = rng.uniform() < lambda1, gamma = rng.uniform() < lambda2;
    samples = static_cast<std::uint8_t>((lambda ? in_lambda : 0) | (gamma ? in_gamma : 0));
  }
  return background;
}

Linkage::Linkage(const graph::Graph& original, const graph::Release& release)
    : original_(original),
      release_(release),
      edited_(release.changes.added + release.changes.deleted > 0) {
  assert(original.nodes() == release.graph->nodes() && "a release has the same people");
  double edges = static_cast<double>(original.edges()), nodes = original.nodes();
  if (edited_) {
    rate_deleted_ = static_cast<double>(release.changes.deleted) / edges;
    rate_added_ = static_cast<double>(release.changes.added) / (nodes * nodes / 2);
  }
  marks_.assign(original.nodes(), UINT32_MAX);
  list_starts_.push_back(0);
  for (std::uint32_t set = 0; set < release.sets.size(); ++set) {
    pair_starts_.push_back(list_starts_.size() - 1);
    find_common(set);
  }
  marks_ = {};
  common_.shrink_to_fit();
}

// Pairs (u, v) of a set in order of u, then v. Where the published lists are the original ones, the
// labels of (u, v) are those of (v, u), and those of (u, u) all of u's: both are left empty.
void Linkage::find_common(std::uint32_t set) {
  auto members = release_.sets.members(set);
  for (std::size_t i = 0; i < members.size(); ++i) {
    for (Node label : original_.friends(members[i])) marks_[label] = members[i];
    for (std::size_t j = 0; j < members.size(); ++j) {
      bool shows_owner = false;
      for (Node label : release_.graph->friends(members[j])) {
        if (label == members[i]) shows_owner = true;
        if ((edited_ || i < j) && marks_[label] == members[i]) common_.push_back(label);
      }
      list_starts_.push_back(common_.size());
      shows_owner_.push_back(shows_owner ? 1 : 0);
    }
  }
}

Linkage::Packed Linkage::count(std::span<const Node> labels, const Background& background) const {
  Packed sum = 0;
  for (Node label : labels) sum += packed_samples[background[label]];
  return sum;
}

// judge(set, members, i, take): hands take(j, mle score, bas score) every list of the set, for user
// i.
template <typename Judge>
LinkageShares Linkage::sum_over_users(Judge judge) const {
  LinkageShares sum;
  Best mle, any, bas;
  for (std::uint32_t set = 0; set < release_.sets.size(); ++set) {
    auto members = release_.sets.members(set);
    judge.enter(set);
    for (std::size_t i = 0; i < members.size(); ++i) {
      mle.clear(), any.clear(), bas.clear();
      for (std::size_t j = 0; j < members.size(); ++j) {
        auto [likelihood, agreement] = judge.scores(i, j);
        bool own = i == j;
        any.add(likelihood, own);
        bas.add(agreement, own);
        if (shows_owner_[first_pair(set) + i * members.size() + j] == 0) mle.add(likelihood, own);
      }
      sum.mle += mle.identified();
      sum.mle_any_label += any.identified();
      sum.bas += bas.identified();
    }
  }
  double nodes = original_.nodes();
  return {sum.mle / nodes, sum.mle_any_label / nodes, sum.bas / nodes};
}

struct Linkage::Counts {
  const Linkage& linkage;
  LinkageLevel level;
  const Background& background;
  double log_kept = 0, log_deleted = 0, log_added = 0;
  std::span<const Node> members = {};
  std::size_t first_pair = 0;
  std::vector<Packed> lists = {};   // what each published list has of the samples
  std::vector<Packed> owned = {};   // what each user's friends have
  std::vector<Packed> shared = {};  // what pairs share
  std::vector<Known> known = {};    // of each user

  void enter(std::uint32_t set) {
    members = linkage.release_.sets.members(set);
    first_pair = linkage.first_pair(set);
    auto size = members.size();
    known.clear(), lists.clear(), owned.clear();
    shared.assign(size * size, 0);
    bool all_nothing = true;
    for (Node member : members) {
      known.push_back(known_of(level, background[member]));
      all_nothing = all_nothing && known.back() == Known::Nothing;
    }
    lists.resize(size, 0), owned.resize(size, 0);
    if (all_nothing) return;
    for (std::size_t i = 0; i < size; ++i) {
      lists[i] = linkage.count(linkage.release_.graph->friends(members[i]), background);
      owned[i] = linkage.edited_ ? linkage.count(linkage.original_.friends(members[i]), background)
                                 : lists[i];
    }
    for (std::size_t i = 0; i < size; ++i) {
      for (std::size_t j = linkage.edited_ ? 0 : i; j < size; ++j) count_shared(i, j);
    }
  }

  bool counts(std::size_t i) const { return known[i] != Known::Nothing && known[i] != Known::All; }

  void count_shared(std::size_t i, std::size_t j) {
    auto size = members.size();
    if (!linkage.edited_ && i == j) {
      shared[i * size + i] = lists[i];
    } else if (linkage.edited_) {
      if (counts(i)) shared[i * size + j] = linkage.count(labels(i, j), background);
    } else if (counts(i) || counts(j)) {
      shared[i * size + j] = shared[j * size + i] = linkage.count(labels(i, j), background);
    }
  }

  std::span<const Node> labels(std::size_t i, std::size_t j) const {
    if (!linkage.edited_ && i > j) std::swap(i, j);
    auto pair = first_pair + i * members.size() + j;
    auto first = linkage.list_starts_[pair], end = linkage.list_starts_[pair + 1];
    return std::span(linkage.common_).subspan(first, end - first);
  }

  std::size_t all_shared(std::size_t i, std::size_t j) const {
    if (!linkage.edited_ && i == j) return linkage.original_.degree(members[i]);
    return labels(i, j).size();
  }

  std::pair<double, double> scores(std::size_t i, std::size_t j) const {
    Known kind = known[i];
    if (kind == Known::Nothing) return {0, 0};
    auto size = members.size();
    auto all = kind == Known::All ? all_shared(i, j) : 0;
    auto agree = unpacked(shared[i * size + j], all, kind);
    auto missing = unpacked(owned[i], linkage.original_.degree(members[i]), kind) - agree;
    auto extra = unpacked(lists[j], linkage.release_.graph->degree(members[j]), kind) - agree;
    return {likelihood(agree, missing, extra), agree};
  }

  double likelihood(std::uint32_t agree, std::uint32_t missing, std::uint32_t extra) const {
    double score = agree * log_kept;
    if (missing > 0) score += missing * log_deleted;
    if (extra > 0) score += extra * log_added;
    return score;
  }
};

// Sorted sets of a node's friends. Of the label u it tells how many lists of each set show u; of
// the list of v, how many members of each set it shows. Both can be read off a release with
// symmetric lists, and for the owner of a list they are the same.
struct SelfSignatures {
  const graph::Release& release;
  std::vector<std::vector<std::uint32_t>> of = {};

  void enter(std::uint32_t set) {
    auto members = release.sets.members(set);
    of.resize(members.size());
    for (std::size_t i = 0; i < members.size(); ++i) {
      of[i].clear();
      for (Node label : release.graph->friends(members[i])) {
        of[i].push_back(release.sets.set_of(label));
      }
      std::sort(of[i].begin(), of[i].end());
    }
  }

  std::pair<double, double> scores(std::size_t i, std::size_t j) const {
    std::uint32_t common = 0;
    for (auto a = of[i].begin(), b = of[j].begin(); a != of[i].end() && b != of[j].end();) {
      auto left = *a, right = *b;
      if (left == right) ++common;
      if (left <= right) ++a;
      if (right <= left) ++b;
    }
    bool same = common == of[i].size() && common == of[j].size();
    return {same ? 0 : -std::numeric_limits<double>::infinity(), common};
  }
};

LinkageShares Linkage::self_linked() const { return sum_over_users(SelfSignatures{release_}); }

LinkageShares Linkage::identified(LinkageLevel level, const Background& background) const {
  if (level == LinkageLevel::Self) return self_linked();
  assert(background.size() == original_.nodes() && "everybody is in a sample or not");
  return sum_over_users(Counts{.linkage = *this,
                               .level = level,
                               .background = background,
                               .log_kept = log_chance(1, 1 - rate_deleted_),
                               .log_deleted = log_chance(1, rate_deleted_),
                               .log_added = log_chance(1, rate_added_)});
}

}  // namespace rankveil::attack

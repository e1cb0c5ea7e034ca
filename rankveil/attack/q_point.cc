#include "rankveil/attack/q_point.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <functional>
#include <map>

#include "rankveil/attack/bases.h"

namespace rankveil::attack {

namespace {

constexpr std::size_t most_subsets = 24;
constexpr std::size_t most_mixed = 8;
// A pattern must be expected to decide at least this many values to be worth its queries.
constexpr double least_gain = 1e-3;

Mask asked_mask(const Query& query, std::uint32_t publics) {
  Mask mask = 0;
  for (std::uint32_t i = 0; i < std::min(publics, 64U); ++i) {
    if (!query.wanted[i].empty()) mask |= Mask{1} << i;
  }
  return mask;
}

constexpr int most_for_all_subsets = 8;

// All subsets of few attributes; of many, those without at most two.
std::vector<Mask> subsets_of(Mask all) {
  std::vector<Mask> subsets;
  if (std::popcount(all) <= most_for_all_subsets) {
    for (Mask subset = all;; subset = (subset - 1) & all) {
      subsets.push_back(subset);
      if (subset == 0) return subsets;
    }
  }
  subsets.push_back(all);
  for (Mask first = all; first != 0; first &= first - 1) {
    Mask without = all & ~(first & -first);
    subsets.push_back(without);
    for (Mask second = first & (first - 1); second != 0; second &= second - 1) {
      subsets.push_back(without & ~(second & -second));
    }
  }
  return subsets;
}

std::int64_t weight_of(const Session& session, Mask mask) {
  std::int64_t sum = 0;
  for (; mask != 0; mask &= mask - 1) {
    sum += session.public_weight(static_cast<std::uint32_t>(std::countr_zero(mask)));
  }
  return sum;
}

// How far each query for some of the victim's public values reaches.
std::function<Reach(Mask)> reaches(Session& session, Mask all, std::int64_t weight) {
  const Knowledge& knowledge = session.knowledge();
  if (std::popcount(all) <= most_for_all_subsets) {
    return [&session, &knowledge, weight](Mask subset) {
      return count_reach(knowledge, session.agreement(), subset, weight);
    };
  }
  ReachCounts counts(knowledge, session.near_agreement(all), all, weight);
  return [counts = std::move(counts), all](Mask subset) { return counts.without(all & ~subset); };
}

// `shares`: of the open values.
double expected_gain(const std::vector<double>& shares, const Reach& reach, double k) {
  double gain = 0;
  for (double share : shares) {
    double rise = share * reach.above < k ? 1 - std::pow(share, reach.above) : 0;
    double fall = (1 - std::pow(1 - share, reach.below)) * std::min(1.0, k / (reach.above + 1));
    gain += share * rise + (1 - share) * fall;
  }
  return gain;
}

Query subset_query(const Query& full, Mask subset, std::uint32_t publics) {
  Query query = full;
  for (std::uint32_t i = 0; i < std::min(publics, 64U); ++i) {
    if (((subset >> i) & 1) == 0) query.wanted[i].clear();
  }
  return query;
}

// ---- mixed patterns ----

// Which of the attributes that differ take the other row's value, the victim's, or none, so that
// their scores differ by less than a match. The least loss for the victim first.
struct Mix {
  Mask theirs = 0;
  Mask own = 0;
};

void extend_mix(const Session& session, std::span<const std::uint32_t> differing, Mix mix,
                std::int64_t weight, std::vector<Mix>& found) {
  if (differing.empty()) {
    std::int64_t gap = std::abs(weight_of(session, mix.theirs) - weight_of(session, mix.own));
    if (gap > 0 && gap < weight) found.push_back(mix);
    return;
  }
  Mask bit = Mask{1} << differing[0];
  auto rest = differing.subspan(1);
  extend_mix(session, rest, mix, weight, found);
  extend_mix(session, rest, {mix.theirs | bit, mix.own}, weight, found);
  extend_mix(session, rest, {mix.theirs, mix.own | bit}, weight, found);
}

std::optional<Mix> best_mix(const Session& session, std::span<const std::uint32_t> differing,
                            std::int64_t weight) {
  std::vector<Mix> found;
  extend_mix(session, differing, {}, weight, found);
  auto loss = [&](const Mix& mix) {
    return weight_of(session, mix.theirs) - weight_of(session, mix.own);
  };
  auto best = std::min_element(found.begin(), found.end(),
                               [&](const Mix& a, const Mix& b) { return loss(a) < loss(b); });
  return best == found.end() ? std::nullopt : std::optional(*best);
}

std::optional<Query> mixed_query(const Session& session, const Query& full, std::uint32_t other,
                                 std::int64_t weight) {
  std::vector<std::uint32_t> differing;
  for (std::uint32_t i = 0; i < std::min(session.publics(), 64U); ++i) {
    ValueId theirs = session.public_value(other, i);
    if (!full.wanted[i].empty() && theirs != full.wanted[i][0] && theirs != missing_value) {
      differing.push_back(i);
    }
  }
  constexpr std::size_t most_differing = 5;  // three ways each
  if (differing.empty() || differing.size() > most_differing) return std::nullopt;
  auto mix = best_mix(session, differing, weight);
  if (!mix) return std::nullopt;
  Query query = full;
  for (std::uint32_t i : differing) {
    query.wanted[i].clear();
    if (((mix->own >> i) & 1) != 0) query.wanted[i] = {full.wanted[i][0]};
    if (((mix->theirs >> i) & 1) != 0) query.wanted[i] = {session.public_value(other, i)};
  }
  return query;
}

// False: the victim is hidden even where all its public values are asked for.
bool is_visible(Session& session, const Base& base) {
  if (base.shows_victim) return true;
  const Base* full = session.base(session.full_query());
  return full != nullptr && full->shows_victim;
}

// Whether a query asks for nothing that the other does not.
bool asks_no_more(const Query& query, const Query& than) {
  for (std::size_t i = 0; i < query.wanted.size(); ++i) {
    if (!query.wanted[i].empty() && query.wanted[i] != than.wanted[i]) return false;
  }
  return true;
}

// Of the victim's own values: asking for fewer of them never shows it where more did not.
class HidingQueries {
 public:
  explicit HidingQueries(Query full) : full_(std::move(full)) {}
  void add(const Query& query) {
    if (asks_no_more(query, full_)) hiding_.push_back(query);
  }
  bool hide(const Query& query) const {
    return std::any_of(hiding_.begin(), hiding_.end(),
                       [&](const Query& hiding) { return asks_no_more(query, hiding); });
  }

 private:
  Query full_;
  std::vector<Query> hiding_;
};

// False: the victim is hidden, in these and all patterns.
bool try_patterns(Session& session, PrivateId attribute, const std::vector<Query>& patterns) {
  Patience patience(session, attribute);
  HidingQueries hiding(session.full_query());
  for (const Query& pattern : patterns) {
    if (session.resolved(attribute) || !session.running()) return true;
    if (hiding.hide(pattern)) continue;
    Base* base = session.base(pattern);
    if (base == nullptr) return true;
    if (!is_visible(session, *base)) return false;
    if (!base->shows_victim) {
      // Says nothing about what patterns that show the victim can do.
      hiding.add(pattern);
      continue;
    }
    sweep(session, *base, attribute);
    if (!patience.lasts()) return true;
  }
  return true;
}

void attack_hidden(Session& session, PrivateId attribute) {
  Base* base = visible_base(session, attribute);
  if (!session.running()) return;
  // A value that brings a hidden victim into view matches.
  if (base == nullptr) base = session.base(session.full_query());
  if (base != nullptr) sweep(session, *base, attribute);
  Patience patience(session, attribute);
  for (const Query& pattern : known_patterns(session, attribute)) {
    if (session.resolved(attribute) || !session.running()) return;
    Base* known = session.base(pattern);
    if (known != nullptr && known->shows_victim) sweep(session, *known, attribute);
    if (!patience.lasts()) return;
  }
}

}  // namespace

std::vector<Query> subset_patterns(Session& session, PrivateId attribute, std::size_t most) {
  struct Pattern {
    double worth;  // values decided per query
    Query query;
  };
  Query full = session.full_query();
  std::vector<double> shares;
  for (ValueId value : session.open_values(attribute)) {
    shares.push_back(session.prior(attribute, value));
  }
  Mask all = asked_mask(full, session.publics());
  auto reach_of = reaches(session, all, session.weight(attribute));
  std::map<Reach, double> gains;  // many subsets reach as far as others
  std::vector<Pattern> patterns;
  for (Mask subset : subsets_of(all)) {
    auto [known, is_new] = gains.try_emplace(reach_of(subset), 0);
    if (is_new) known->second = expected_gain(shares, known->first, session.knowledge().k);
    double gain = known->second;
    if (gain < least_gain) continue;
    Query query = subset_query(full, subset, session.publics());
    double cost =
        static_cast<double>(shares.size()) + (session.remembered(query) == nullptr ? 1 : 0);
    patterns.push_back({gain / cost, std::move(query)});
  }
  std::stable_sort(patterns.begin(), patterns.end(),
                   [](const Pattern& a, const Pattern& b) { return a.worth > b.worth; });
  std::vector<Query> queries;
  for (Pattern& pattern : patterns) {
    if (queries.size() < most) queries.push_back(std::move(pattern.query));
  }
  return queries;
}

std::vector<Query> mixed_patterns(Session& session, PrivateId attribute, std::size_t most) {
  Query full = session.full_query();
  std::vector<Query> queries;
  for (std::uint32_t other : session.closest()) {
    if (queries.size() == most) break;
    auto query = mixed_query(session, full, other, session.weight(attribute));
    if (query && std::find(queries.begin(), queries.end(), *query) == queries.end()) {
      queries.push_back(std::move(*query));
    }
  }
  return queries;
}

void q_point(Session& session, PrivateId attribute) {
  const Base* full = session.remembered(session.full_query());
  bool visible = full == nullptr || full->shows_victim;
  if (visible) {
    visible = try_patterns(session, attribute, subset_patterns(session, attribute, most_subsets));
  }
  if (!session.running() || session.resolved(attribute)) return;
  if (visible) {
    try_patterns(session, attribute, mixed_patterns(session, attribute, most_mixed));
  } else {
    attack_hidden(session, attribute);
  }
}

}  // namespace rankveil::attack

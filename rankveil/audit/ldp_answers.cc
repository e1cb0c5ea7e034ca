#include "rankveil/audit/ldp_answers.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <tuple>

#include "rankveil/protect/groups/signal_profiles.h"

namespace rankveil::audit {

namespace {

constexpr int most_rounds = 6;

double distance(const Strengths& left, const Strengths& right) {
  double sum = 0;
  for (const auto& [value, strength] : left) sum += std::abs(strength - strength_of(right, value));
  for (const auto& [value, strength] : right) {
    if (strength_of(left, value) == 0) sum += strength;
  }
  return sum;
}

}  // namespace

LdpAnswers::LdpAnswers(const Task& task, const KnownGroups& groups, const KindNumbers& numbers,
                       const std::vector<std::uint32_t>& kinds, std::uint32_t attribute,
                       const LdpChannel& channel)
    : attribute_(attribute),
      levels_(task.demand.levels),
      channel_(channel),
      numbers_(numbers),
      rounded_(task.demand, channel.domain(), numbers, kinds) {
  read(task, groups, kinds);
  for (Group& group : groups_) first_guess(group);
  // Going back and forth need not come to rest: what explains most rows is kept.
  std::vector<Group> best;
  double most_explained = -1;
  for (int round = 0; round < most_rounds; ++round) {
    for (Group& group : groups_) count(group);
    estimate();
    bool changed = false;
    for (Group& group : groups_) changed |= match(group);
    double explained = 0;
    for (const Group& group : groups_) explained += group.explained;
    if (explained > most_explained) {
      most_explained = explained;
      best = groups_;
    }
    if (!changed) break;
  }
  groups_ = std::move(best);
}

// Should a profile be nobody's, the answer whose profile comes nearest.
std::vector<std::uint32_t> LdpAnswers::answers(std::uint32_t group, std::uint32_t kind) const {
  std::vector<std::uint32_t> found;
  std::pair<double, std::uint32_t> nearest{std::numeric_limits<double>::infinity(), 0};
  for (std::uint32_t said = 0; said < channel_.domain(); ++said) {
    if (groups_[group].kind_of[said] == kind) found.push_back(said);
  }
  for (std::uint32_t said = 0; found.empty() && said < channel_.domain(); ++said) {
    double far = distance(numbers_.of(kind), profile(groups_[group], said));
    nearest = std::min(nearest, {far, said});
  }
  if (found.empty()) found.push_back(nearest.second);
  return found;
}

// Shares start as those of the table: somebody who knows it starts there.
void LdpAnswers::read(const Task& task, const KnownGroups& groups,
                      const std::vector<std::uint32_t>& kinds) {
  const Column& column = task.private_column(PrivateId{attribute_});
  for (const KnownGroup& known : groups.groups) {
    Group& group = groups_.emplace_back();
    std::map<std::uint32_t, double> rows;
    group.shares.assign(channel_.domain(), 1e-9);
    for (RowId row : known.rows) {
      ++rows[kinds[+row]];
      ValueId value = column.value(row);
      if (value != missing_value)
        group.shares[+value] += 1.0 / static_cast<double>(known.rows.size());
    }
    for (const auto& [kind, count] : rows) {
      group.kinds.push_back(kind);
      group.rows.push_back(known.silent ? 0 : count);
    }
    group.kind_of.assign(channel_.domain(), KindNumbers::none);
    group.said.assign(channel_.domain(), 0);
  }
}

// An answer makes its value stronger than any other answer does. Among equals the profile of most
// rows: that of answers too rare to show.
void LdpAnswers::first_guess(Group& group) const {
  for (std::uint32_t said = 0; said < channel_.domain(); ++said) {
    std::pair<double, double> best{-1, -1};
    for (std::size_t i = 0; i < group.kinds.size(); ++i) {
      std::pair now{strength_of(numbers_.of(group.kinds[i]), said), group.rows[i]};
      if (now <= best) continue;
      best = now;
      group.kind_of[said] = group.kinds[i];
    }
  }
}

// Rows of a profile that several answers lead to are split as these are expected.
void LdpAnswers::count(Group& group) const {
  for (std::size_t i = 0; i < group.kinds.size(); ++i) {
    double expected = 0;
    for (std::uint32_t said = 0; said < group.said.size(); ++said) {
      if (group.kind_of[said] != group.kinds[i]) continue;
      group.said[said] = channel_.extra() * group.shares[said] + channel_.even();
      expected += group.said[said];
    }
    for (std::uint32_t said = 0; said < group.said.size(); ++said) {
      if (group.kind_of[said] == group.kinds[i]) group.said[said] *= group.rows[i] / expected;
    }
  }
  for (std::uint32_t said = 0; said < group.said.size(); ++said) {
    if (group.kind_of[said] == KindNumbers::none) group.said[said] = 0;
  }
}

// As the scheme does.
void LdpAnswers::estimate() {
  std::vector<double> everybody(channel_.domain(), 0);
  for (const Group& group : groups_) {
    for (std::size_t x = 0; x < everybody.size(); ++x) everybody[x] += group.said[x];
  }
  std::vector<double> even(channel_.domain(), 1.0 / channel_.domain());
  std::vector<double> overall = estimated_shares(channel_, everybody, even, ldp_pseudo_rows);
  for (Group& group : groups_) {
    group.shares = estimated_shares(channel_, group.said, overall, ldp_pseudo_rows);
  }
}

Strengths LdpAnswers::profile(const Group& group, std::uint32_t said) const {
  std::vector<double> posterior;
  ldp_posterior(channel_, group.shares, ValueId{static_cast<std::uint16_t>(said)}, posterior);
  std::vector<std::uint32_t> levels;
  for (double strength : posterior) levels.push_back(nearest_level(strength, levels_));
  return rounded_.profile(levels);
}

// Profiles that no answer leads to exactly take the nearest of the answers that lead to none.
bool LdpAnswers::match(Group& group) const {
  std::vector<std::uint32_t> before = std::move(group.kind_of);
  group.kind_of.assign(channel_.domain(), KindNumbers::none);
  std::vector<Strengths> profiles;
  auto holds = [](const std::vector<std::uint32_t>& list, std::uint32_t kind) {
    return std::find(list.begin(), list.end(), kind) != list.end();
  };
  for (std::uint32_t said = 0; said < channel_.domain(); ++said) {
    profiles.push_back(profile(group, said));
    std::uint32_t kind = numbers_.find(profiles.back());
    if (kind != KindNumbers::none && holds(group.kinds, kind)) group.kind_of[said] = kind;
  }
  group.explained = 0;
  for (std::size_t i = 0; i < group.kinds.size(); ++i) {
    if (holds(group.kind_of, group.kinds[i])) group.explained += group.rows[i];
  }
  std::vector<std::tuple<double, std::uint32_t, std::uint32_t>> near;  // distance, kind, answer
  for (std::uint32_t kind : group.kinds) {
    if (holds(group.kind_of, kind)) continue;
    for (std::uint32_t said = 0; said < channel_.domain(); ++said) {
      if (group.kind_of[said] != KindNumbers::none) continue;
      near.emplace_back(distance(numbers_.of(kind), profiles[said]), kind, said);
    }
  }
  std::sort(near.begin(), near.end());
  for (const auto& [far, kind, said] : near) {
    bool is_free = group.kind_of[said] == KindNumbers::none && !holds(group.kind_of, kind);
    if (is_free) group.kind_of[said] = kind;
  }
  return group.kind_of != before;
}

}  // namespace rankveil::audit

#include "rankveil/ranking/testing/plain_ranking.h"

#include <algorithm>
#include <numeric>

namespace rankveil::plain {

bool is_higher(const ExactScore& left, const ExactScore& right) {
  return left.numerator * right.denominator > right.numerator * left.denominator;
}

double to_double(const ExactScore& score) {
  return static_cast<double>(score.numerator) / static_cast<double>(score.denominator);
}

namespace {

bool contains(const std::vector<ValueId>& values, ValueId value) {
  return std::find(values.begin(), values.end(), value) != values.end();
}

// Numerator of the match of a private attribute over the denominator of its kind.
std::int64_t strength(const LevelProfiles& profiles, std::uint32_t row, PrivateId attribute,
                      const std::vector<ValueId>& wanted) {
  std::int64_t total = 0;
  bool some = false;
  for (ValueId value : wanted) {
    std::uint32_t s = profiles.strength(RowId{row}, attribute, value);
    some = some || s != 0;
    total += s;
  }
  return profiles.levels() == 1 ? (some ? 1 : 0) : total;
}

std::int64_t strength(const GroupedProfiles& profiles, std::uint32_t row, PrivateId attribute,
                      const std::vector<ValueId>& wanted) {
  std::uint32_t group = profiles.group_of[row];
  std::int64_t having = 0;
  for (ValueId value : wanted) having += profiles.shares.count(group, attribute, value);
  std::int64_t kept = profiles.keep.numerator;
  std::int64_t rest = profiles.keep.denominator - (profiles.shares.in_full(group) ? 0 : kept);
  return kept * strength(profiles.signals, row, attribute, wanted) * profiles.shares.size(group) +
         rest * profiles.signals.levels() * having;
}

std::int64_t full_strength(const LevelProfiles& profiles, std::uint32_t) {
  return profiles.levels();
}

std::int64_t full_strength(const GroupedProfiles& profiles, std::uint32_t row) {
  return std::int64_t{profiles.keep.denominator} * profiles.signals.levels() *
         profiles.shares.size(profiles.group_of[row]);
}

template <typename Kind>
ExactScore score_row(const PublicTable& rows, const Kind& profiles, const Query& query,
                     const Weights& weights, std::uint32_t row) {
  std::int64_t full = full_strength(profiles, row);
  ExactScore score{0, static_cast<__int128>(full) * weights.per_one};
  std::uint32_t first_private = rows.schema.public_count();
  for (std::uint32_t i = 0; i < query.wanted.size(); ++i) {
    if (query.wanted[i].empty()) continue;
    std::int64_t match = 0;
    if (i < first_private) {
      ValueId value = rows.columns[i].value(RowId{row});
      match = value != missing_value && contains(query.wanted[i], value) ? full : 0;
    } else {
      match = strength(profiles, row, PrivateId{i - first_private}, query.wanted[i]);
    }
    score.numerator += static_cast<__int128>(weights.units[i]) * match;
  }
  return score;
}

}  // namespace

std::vector<ExactScore> scores(const PublicTable& rows, const Profiles& profiles,
                               const Query& query, const Weights& weights) {
  std::vector<ExactScore> all;
  for (std::uint32_t row = 0; row < rows.names.size(); ++row) {
    all.push_back(
        std::visit([&](const auto& kind) { return score_row(rows, kind, query, weights, row); },
                   profiles.kinds()));
  }
  return all;
}

std::vector<std::uint32_t> top_k(const std::vector<ExactScore>& scores,
                                 const std::vector<bool>& live, std::size_t k) {
  std::vector<std::uint32_t> order;
  for (std::uint32_t row = 0; row < scores.size(); ++row) {
    if (live[row]) order.push_back(row);
  }
  std::stable_sort(order.begin(), order.end(), [&](std::uint32_t left, std::uint32_t right) {
    return is_higher(scores[left], scores[right]);
  });
  if (order.size() > k) order.resize(k);
  return order;
}

std::vector<std::uint32_t> ranks(const std::vector<ExactScore>& scores,
                                 const std::vector<bool>& live, RankKind kind) {
  std::vector<std::uint32_t> order = top_k(scores, live, scores.size());
  std::vector<std::uint32_t> ranks(scores.size(), 0);
  for (std::uint32_t i = 0; i < order.size(); ++i) {
    bool tied = i > 0 && !is_higher(scores[order[i - 1]], scores[order[i]]);
    bool shared = kind == RankKind::Competition && tied;
    ranks[order[i]] = shared ? ranks[order[i - 1]] : i + 1;
  }
  return ranks;
}

}  // namespace rankveil::plain

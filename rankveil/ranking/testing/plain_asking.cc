#include "rankveil/ranking/testing/plain_asking.h"

#include <algorithm>

#include "rankveil/ranking/asking/sort_keys.h"

namespace rankveil::plain {

namespace {

// Sum over values of number(value) x match, as a fraction; of sets the best number instead.
template <typename Number>
ExactScore matched(const LevelProfiles& profiles, std::uint32_t row, PrivateId attribute,
                   const Number& number) {
  ExactScore total{0, profiles.levels()};
  for (std::uint32_t v = 0; v < profiles.domain_sizes()[+attribute]; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    __int128 strength = profiles.strength(RowId{row}, attribute, value);
    __int128 gain = strength * number(v);
    total.numerator =
        profiles.levels() == 1 ? std::max(total.numerator, gain) : total.numerator + gain;
  }
  return total;
}

template <typename Number>
ExactScore matched(const GroupedProfiles& profiles, std::uint32_t row, PrivateId attribute,
                   const Number& number) {
  std::uint32_t group = profiles.group_of[row];
  ExactScore signal = matched(profiles.signals, row, attribute, number);
  __int128 having = 0;
  for (std::uint32_t v = 0; v < profiles.shares.domain_sizes()[+attribute]; ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    having += static_cast<__int128>(profiles.shares.count(group, attribute, value)) * number(v);
  }
  __int128 keep = profiles.keep.numerator;
  __int128 whole = profiles.keep.denominator;
  __int128 rest = profiles.shares.in_full(group) ? whole : whole - keep;
  __int128 size = profiles.shares.size(group);
  return {keep * signal.numerator * size + rest * having * signal.denominator,
          whole * signal.denominator * size};
}

// The same for any attribute.
template <typename Number>
ExactScore matched(const PublicTable& rows, const Profiles& profiles, std::uint32_t row,
                   AttributeId attribute, const Number& number) {
  std::uint32_t first_private = rows.schema.public_count();
  if (+attribute < first_private) {
    ValueId value = rows.columns[+attribute].value(RowId{row});
    return {value == missing_value ? 0 : static_cast<__int128>(number(+value)), 1};
  }
  return std::visit(
      [&](const auto& kind) {
        return matched(kind, row, PrivateId{+attribute - first_private}, number);
      },
      profiles.kinds());
}

bool is_graded(const Profiles& profiles) {
  const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds());
  return levels == nullptr || levels->levels() > 1;
}

}  // namespace

bool passes(const PublicTable& rows, const BoundCondition& condition, std::uint32_t row) {
  auto holds = [&](const BoundCondition& part) { return passes(rows, part, row); };
  if (condition.kind == BoundCondition::Kind::And) {
    return std::ranges::all_of(condition.parts, holds);
  }
  if (condition.kind == BoundCondition::Kind::Or) {
    return std::ranges::any_of(condition.parts, holds);
  }
  ValueId value = rows.columns[+condition.attribute].value(RowId{row});
  return value == missing_value ? condition.null_passes : condition.passing[+value];
}

ExactScore wished(const PublicTable& rows, const Profiles& profiles, const BoundRequest& request,
                  std::size_t wish, std::uint32_t row) {
  const BoundWish& asked = request.wishes[wish];
  ExactScore grade = matched(rows, profiles, row, asked.attribute,
                             [&](std::uint32_t value) { return asked.grades[value]; });
  return {grade.numerator * request.weights.units[wish],
          grade.denominator * request.weights.per_one * full_grade};
}

ExactScore wished(const PublicTable& rows, const Profiles& profiles, const BoundRequest& request,
                  std::uint32_t row) {
  ExactScore total{0, 1};
  for (std::size_t i = 0; i < request.wishes.size(); ++i) {
    ExactScore added = wished(rows, profiles, request, i, row);
    // One denominator is a multiple of the other: shares and strengths have the same in all wishes.
    __int128 common = std::max(total.denominator, added.denominator);
    total = {total.numerator * (common / total.denominator) +
                 added.numerator * (common / added.denominator),
             common};
  }
  return total;
}

std::int64_t sorted_by(const PublicTable& rows, const Profiles& profiles,
                       const BoundRequest& request, std::uint32_t row) {
  std::int64_t digits = 0;
  for (const BoundKey& key : request.keys) {
    ExactScore place = matched(rows, profiles, row, key.attribute, [&](std::uint32_t value) {
      return static_cast<std::int64_t>(key.digits[value]);
    });
    std::int64_t best = best_digit(key, rows.schema, is_graded(profiles));
    bool in_parts = best > static_cast<std::int64_t>(key.digits.size());
    std::int64_t digit = in_parts ? rounded_digit(place.numerator, place.denominator, best)
                                  : static_cast<std::int64_t>(place.numerator);
    digits = digits * (best + 1) + digit;
  }
  return digits;
}

Page page(const PublicTable& rows, const Profiles& profiles, const BoundRequest& request,
          const std::vector<bool>& live) {
  struct Entry {
    std::uint32_t row;
    std::int64_t digits;
    ExactScore score;
  };
  Page made;
  for (AttributeId facet : request.facets) {
    made.facets.emplace_back(rows.schema[facet].domain.size() + 1, 0);
  }
  std::vector<Entry> entries;
  for (std::uint32_t row = 0; row < rows.names.size(); ++row) {
    if (!live[row] || (request.where && !passes(rows, *request.where, row))) continue;
    entries.push_back(
        {row, sorted_by(rows, profiles, request, row), wished(rows, profiles, request, row)});
    for (std::size_t i = 0; i < request.facets.size(); ++i) {
      ValueId value = rows.columns[+request.facets[i]].value(RowId{row});
      ++made.facets[i][value == missing_value ? made.facets[i].size() - 1 : +value];
    }
  }
  std::ranges::stable_sort(entries, [&](const Entry& left, const Entry& right) {
    bool higher = is_higher(left.score, right.score);
    bool lower = is_higher(right.score, left.score);
    if (request.prefer_first && (higher || lower)) return higher;
    return left.digits != right.digits ? left.digits > right.digits : higher;
  });
  made.passing = static_cast<std::uint32_t>(entries.size());
  std::size_t end =
      std::min<std::size_t>(entries.size(), std::size_t{request.offset} + request.k.value_or(10));
  for (std::size_t i = request.offset; i < end; ++i) made.rows.push_back(entries[i].row);
  return made;
}

}  // namespace rankveil::plain

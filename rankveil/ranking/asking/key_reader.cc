#include "rankveil/ranking/asking/key_reader.h"

#include <algorithm>
#include <functional>
#include <numeric>

namespace rankveil {

KeyReader::KeyReader(const Index::State& state, const BoundKey& key)
    : state_(&state),
      key_(&key),
      graded_((state.kind.grouped || state.kind.levels > 1) &&
              state.schema[key.attribute].is_private()),
      best_(best_digit(key, state.schema, graded_)),
      values_(key.digits.size()) {
  std::iota(values_.begin(), values_.end(), 0);
  std::ranges::sort(values_, std::greater<>(), [&](std::uint32_t v) { return digit_of(v); });
}

const AttributePlanes& KeyReader::planes(std::size_t segment) const {
  return state_->slots[segment].segment->attributes[+key_->attribute];
}

// Of a public key: a row has one value at most, and its column tells which.
std::int64_t KeyReader::shown_digit(std::size_t segment, std::uint32_t position) const {
  const Segment& rows = *state_->slots[segment].segment;
  std::uint32_t row = rows.groups ? rows.groups->order[position] : position;
  ValueId value = rows.columns[+key_->attribute].value(row);
  return value == missing_value ? 0 : digit_of(+value);
}

// The best place of a set, or the sum of place x strength.
std::int64_t KeyReader::signal(const AttributePlanes& planes, std::uint32_t position) const {
  std::int64_t total = 0;
  for (std::uint32_t value : values_) {
    if (value >= planes.domain_size()) continue;  // it came with later rows
    for (std::uint32_t bit = 0; bit < planes.bits; ++bit) {
      if (!planes.plane(value, bit).test(position)) continue;
      if (planes.bits == 1) return digit_of(value);
      total += std::int64_t{digit_of(value)} << bit;
    }
  }
  return total;
}

std::int64_t KeyReader::shared(std::uint32_t group) const {
  const ShareTable& shares = state_->kind.shares;
  std::uint32_t attribute = +key_->attribute - state_->schema.public_count();
  std::int64_t total = 0;
  for (std::uint32_t value = 0; value < shares.domain_sizes[attribute]; ++value) {
    total += std::int64_t{digit_of(value)} * shares.counts_of(attribute, value)[group];
  }
  return total;
}

std::int64_t KeyReader::digit(std::size_t segment, std::uint32_t position) const {
  if (!state_->schema[key_->attribute].is_private()) return shown_digit(segment, position);
  const ProfileKind& kind = state_->kind;
  std::int64_t shown = signal(planes(segment), position);
  if (!graded_) return shown;
  if (!kind.grouped) return rounded_digit(shown, kind.levels, best_);
  std::uint32_t group = state_->slots[segment].segment->group_at(position);
  __int128 size = kind.shares.sizes[group];
  std::int64_t whole = kind.keep.denominator;
  std::int64_t rest = kind.shares.in_full[group] != 0 ? whole : whole - kind.keep.numerator;
  __int128 sum = kind.keep.numerator * shown * size +
                 static_cast<__int128>(rest * kind.levels) * shared(group);
  return rounded_digit(sum, whole * kind.levels * size, best_);
}

}  // namespace rankveil

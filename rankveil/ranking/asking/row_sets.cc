#include "rankveil/ranking/asking/row_sets.h"

#include <algorithm>

namespace rankveil {

namespace {

Bitmap all_of(const Segment& segment) {
  Bitmap all(std::size_t{lines_of(segment.rows)} * kernels::words_per_line, 0);
  std::fill_n(all.begin(), segment.rows / 64, ~std::uint64_t{0});
  if (segment.rows % 64 != 0) all[segment.rows / 64] = (std::uint64_t{1} << segment.rows % 64) - 1;
  return all;
}

void add(const Plane& plane, Bitmap& to) {
  for (std::uint32_t row : plane.rows) to[row / 64] |= std::uint64_t{1} << (row % 64);
  if (plane.bits == nullptr) return;
  for (std::size_t i = 0; i < to.size(); ++i) to[i] |= plane.bits[i];
}

// Rows with a value that passes, or does not: `passing` says which are added up.
Bitmap united(const AttributePlanes& planes, const BoundCondition& test, bool passing,
              std::size_t words) {
  Bitmap rows(words, 0);
  for (std::uint32_t value = 0; value < planes.domain_size(); ++value) {
    if (test.passing[value] == passing) add(planes.plane(value), rows);
  }
  return rows;
}

Bitmap without(Bitmap from, const Bitmap& rows) {
  for (std::size_t i = 0; i < from.size(); ++i) from[i] &= ~rows[i];
  return from;
}

// Where nulls pass, all rows but those with a value that does not.
Bitmap tested(const Segment& segment, const BoundCondition& test) {
  const AttributePlanes& planes = segment.attributes[+test.attribute];
  Bitmap all = all_of(segment);
  if (!test.null_passes) return united(planes, test, true, all.size());
  Bitmap failing = united(planes, test, false, all.size());
  return without(std::move(all), failing);
}

Bitmap passing(const Segment& segment, const BoundCondition& condition) {
  if (condition.kind == BoundCondition::Kind::Test) return tested(segment, condition);
  bool both = condition.kind == BoundCondition::Kind::And;
  Bitmap rows = both ? all_of(segment) : Bitmap(all_of(segment).size(), 0);
  for (const BoundCondition& part : condition.parts) {
    Bitmap of_part = passing(segment, part);
    for (std::size_t i = 0; i < rows.size(); ++i) {
      rows[i] = both ? rows[i] & of_part[i] : rows[i] | of_part[i];
    }
  }
  return rows;
}

}  // namespace

std::uint32_t RowSets::count() const {
  std::uint32_t total = 0;
  for (const Bitmap& bitmap : bitmaps_) {
    for (std::uint64_t word : bitmap) total += static_cast<std::uint32_t>(std::popcount(word));
  }
  return total;
}

RowSets all_rows(const Index::State& state) {
  RowSets sets(state);
  for (std::size_t s = 0; s < sets.segments(); ++s) sets[s] = all_of(*state.slots[s].segment);
  return sets;
}

RowSets passing_rows(const Index::State& state, const BoundCondition& condition) {
  RowSets sets(state);
  for (std::size_t s = 0; s < sets.segments(); ++s) {
    sets[s] = passing(*state.slots[s].segment, condition);
  }
  return sets;
}

Bitmap rows_with(const Plane& plane, const Bitmap& among) {
  Bitmap found(among.size(), 0);
  add(plane, found);
  for (std::size_t i = 0; i < found.size(); ++i) found[i] &= among[i];
  return found;
}

std::uint32_t count_with(const Plane& plane, const Bitmap& among) {
  std::uint32_t count = 0;
  for (std::uint32_t row : plane.rows) {
    count += static_cast<std::uint32_t>((among[row / 64] >> (row % 64)) & 1);
  }
  for (std::size_t i = 0; plane.bits != nullptr && i < among.size(); ++i) {
    count += static_cast<std::uint32_t>(std::popcount(plane.bits[i] & among[i]));
  }
  return count;
}

}  // namespace rankveil

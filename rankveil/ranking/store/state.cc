#include "rankveil/ranking/store/state.h"

#include <algorithm>
#include <cassert>

namespace rankveil {

std::span<const std::uint32_t> ShareTable::counts_of(std::uint32_t attribute,
                                                     std::uint32_t value) const {
  std::size_t plane = value;
  for (std::uint32_t i = 0; i < attribute; ++i) plane += domain_sizes[i];
  return counts.items().subspan(plane * groups(), groups());
}

ShareTable freeze(const GroupShares& shares) {
  ShareTable table;
  table.domain_sizes = shares.domain_sizes();
  std::vector<std::uint32_t> counts;
  std::vector<std::uint8_t> in_full;
  for (std::uint32_t j = 0; j < table.domain_sizes.size(); ++j) {
    for (std::uint32_t value = 0; value < table.domain_sizes[j]; ++value) {
      auto column = shares.counts(PrivateId{j}, ValueId{static_cast<std::uint16_t>(value)});
      counts.insert(counts.end(), column.begin(), column.end());
    }
  }
  for (std::uint32_t g = 0; g < shares.groups(); ++g) in_full.push_back(shares.in_full(g) ? 1 : 0);
  table.sizes = Block<std::uint32_t>({shares.sizes().begin(), shares.sizes().end()});
  table.counts = Block<std::uint32_t>(std::move(counts));
  table.in_full = Block<std::uint8_t>(std::move(in_full));
  return table;
}

namespace {

// Counts take a byte when no more than one group in this many needs larger ones.
constexpr std::size_t groups_per_large = 64;

}  // namespace

ProfileKind ProfileKind::with_levels(std::uint32_t levels) {
  ProfileKind kind;
  kind.levels = levels;
  return kind;
}

ProfileKind ProfileKind::with_shares(Fraction keep, std::uint32_t levels, ShareTable shares) {
  assert(keep.numerator <= keep.denominator && keep.denominator > 0);
  assert(keep.denominator * levels <= most_steps && "scores must not overflow");
  ProfileKind kind;
  kind.grouped = true;
  kind.levels = levels;
  kind.keep = keep;
  kind.factors.assign(shares.groups(), (keep.denominator - keep.numerator) * levels);
  for (std::uint32_t g = 0; g < shares.groups(); ++g) {
    if (shares.in_full[g] != 0) kind.factors[g] = keep.denominator * levels;
    kind.largest_group = std::max(kind.largest_group, shares.sizes[g]);
    kind.share_units.push_back(static_cast<float>(kind.factors[g] / shares.sizes[g]));
  }
  auto counts = shares.counts.items();
  if (kind.largest_group <= UINT16_MAX) kind.narrow_counts.assign(counts.begin(), counts.end());
  for (std::uint32_t g = 0; g < shares.groups(); ++g) {
    if (shares.sizes[g] > UINT8_MAX) kind.large_groups.push_back(g);
  }
  if (kind.large_groups.size() * groups_per_large <= shares.groups()) {
    kind.byte_counts.reserve(counts.size());
    for (std::uint32_t count : counts) {
      kind.byte_counts.push_back(static_cast<std::uint8_t>(std::min<std::uint32_t>(count, 255)));
    }
  }
  kind.shares = std::move(shares);
  return kind;
}

std::uint32_t Index::State::rows() const {
  return slots.empty() ? 0 : slots.back().first_row + slots.back().segment->rows;
}

const SegmentSlot& Index::State::slot_of(RowId row) const {
  auto after = std::upper_bound(
      slots.begin(), slots.end(), +row,
      [](std::uint32_t wanted, const SegmentSlot& slot) { return wanted < slot.first_row; });
  assert(after != slots.begin() && "a row of this index");
  return *std::prev(after);
}

}  // namespace rankveil

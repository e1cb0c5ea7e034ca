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

ProfileKind ProfileKind::of(const Profiles& profiles) {
  if (const auto* levels = std::get_if<LevelProfiles>(&profiles.kinds())) {
    return with_levels(levels->levels());
  }
  const auto& grouped = std::get<GroupedProfiles>(profiles.kinds());
  return with_shares(grouped.keep, grouped.signals.levels(), freeze(grouped.shares));
}

std::uint32_t ProfileKind::full_match() const {
  std::uint32_t whole = keep.denominator * levels;
  if (keep.numerator == 0 || whole % keep.numerator != 0) return 0;
  return whole / keep.numerator;
}

std::size_t ProfileKind::bytes() const {
  return shares.sizes.bytes() + shares.counts.bytes() + shares.in_full.bytes() +
         factors.size() * sizeof(double);
}

ProfileKind ProfileKind::with_levels(std::uint32_t levels) {
  ProfileKind kind;
  kind.levels = levels;
  return kind;
}

ProfileKind ProfileKind::with_shares(Fraction keep, std::uint32_t levels, ShareTable shares) {
  assert(keep.numerator <= keep.denominator && keep.denominator > 0);
  assert(keep.denominator * levels <= max_steps && "scores must not overflow");
  ProfileKind kind;
  kind.grouped = true;
  kind.levels = levels;
  kind.keep = keep;
  kind.factors.assign(shares.groups(), (keep.denominator - keep.numerator) * levels);
  for (std::uint32_t g = 0; g < shares.groups(); ++g) {
    if (shares.in_full[g] != 0) kind.factors[g] = keep.denominator * levels;
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

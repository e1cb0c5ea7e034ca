// What an Index is made of. For the files of ranking/ only.
#pragma once

#include <memory>
#include <vector>

#include "rankveil/ranking/index.h"
#include "rankveil/ranking/store/segment.h"

namespace rankveil {

struct SegmentSlot {
  std::shared_ptr<const Segment> segment;
  std::uint32_t first_row = 0;
};

// GroupShares, frozen, in memory or in a mapped file.
struct ShareTable {
  std::vector<std::uint32_t> domain_sizes;
  Block<std::uint32_t> sizes;   // rows a group's shares are taken over
  Block<std::uint32_t> counts;  // [attribute, value][group]
  Block<std::uint8_t> in_full;

  std::uint32_t groups() const { return static_cast<std::uint32_t>(sizes.size()); }
  std::span<const std::uint32_t> counts_of(std::uint32_t attribute, std::uint32_t value) const;
};

ShareTable freeze(const GroupShares& shares);

// All rows of an index have profiles of one kind.
struct ProfileKind {
  bool grouped = false;
  std::uint32_t levels = 1;
  Fraction keep{1, 1};          // 1 when not grouped
  ShareTable shares;            // when grouped
  std::vector<double> factors;  // per group: levels x (keep's denominator, less its numerator
                                // unless shares count in full)

  // Levels of a full match; 0: no whole number.
  std::uint32_t full_match() const;
  std::size_t bytes() const;

  static ProfileKind with_levels(std::uint32_t levels);
  static ProfileKind with_shares(Fraction keep, std::uint32_t levels, ShareTable shares);
  static ProfileKind of(const Profiles& profiles);
};

struct Index::State {
  Schema schema;
  IndexInfo info;
  ProfileKind kind;
  Weights weights;  // of the schema
  std::vector<SegmentSlot> slots;
  Memory memory;

  std::uint32_t rows() const;
  const Weights& weights_or_own(const Weights* given) const {
    return given == nullptr ? weights : *given;
  }
  // REQUIRES: row < rows().
  const SegmentSlot& slot_of(RowId row) const;
};

// Index::build with other costs than usual. Tests have small tables treated as large ones.
Index build_index(PublicTable rows, const Profiles& profiles, IndexInfo info, const Memory& memory);

}  // namespace rankveil

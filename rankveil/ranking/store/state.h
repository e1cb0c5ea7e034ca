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
  std::shared_ptr<const std::vector<std::uint64_t>> deleted;  // a bit per row; null: none
  std::uint32_t deleted_count = 0;

  bool is_deleted(std::uint32_t row_in_segment) const {
    return deleted != nullptr && ((*deleted)[row_in_segment / 64] >> (row_in_segment % 64)) & 1;
  }
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

  std::vector<float> share_units;   // factors by sizes, for bounds
  std::uint32_t largest_group = 0;  // rows
  // shares.counts once more, when all groups are small, or nearly all very small: then 255 stands
  // for any larger count, and the groups that may have one are listed.
  std::vector<std::uint16_t> narrow_counts;
  std::vector<std::uint8_t> byte_counts;
  std::vector<std::uint32_t> large_groups;

  static ProfileKind with_levels(std::uint32_t levels);
  static ProfileKind with_shares(Fraction keep, std::uint32_t levels, ShareTable shares);
};

struct Index::State {
  Schema schema;
  IndexInfo info;
  ProfileKind kind;
  Weights weights;  // of the schema
  std::vector<SegmentSlot> slots;

  std::uint32_t rows() const;
  const Weights& weights_or_own(const Weights* given) const {
    return given == nullptr ? weights : *given;
  }
  // REQUIRES: row < rows().
  const SegmentSlot& slot_of(RowId row) const;
};

}  // namespace rankveil

// A segment of many small groups once more, in an order that a scan likes better.
//
// In a segment, rows stand group by group, so the 512 rows of a line belong to many groups, and
// each of them has a threshold of its own. Here 512 groups stand side by side: a line has one row
// of each, the next line another row of each. So thresholds of 512 groups, spread over the bits of
// a line once, do for all their rows. Groups of about the same size stand together; where one has
// no more rows, its place in a line is nobody's. Groups that are much larger than others stand
// there several times, each time with other rows.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankveil/base/aligned_words.h"
#include "rankveil/ranking/store/planes.h"

namespace rankveil {

struct ProfileKind;
struct Segment;

struct GroupColumns {
  static constexpr std::uint32_t nobody = UINT32_MAX;
  static constexpr std::uint32_t slots_per_block = kernels::rows_per_line;

  struct Group {
    double factor = 0;       // as ProfileKind::factors
    std::uint32_t size = 0;  // as many times its rows as its counts are; 0: these are rounded
    std::uint32_t number = 0;
  };

  std::vector<AttributePlanes> attributes;  // empty for those that no query reads
  std::vector<std::uint32_t> order;         // by position: the segment's row, or nobody
  std::vector<std::uint32_t> first_line;    // by block, and the end: 512 slots, a group in each
  // By slot; no counts where there is no group.
  std::vector<Group> groups;
  std::vector<std::uint8_t> units;  // factor by size, in parts of largest_unit, rounded up
  // [attribute, value][slot], as if groups had about as many rows as each other: times a whole
  // number for small groups; less and rounded up for large ones, so that sums fit a byte. In blocks
  // from first_halved on, two counts a byte, as kernels::ColumnBaseTask says.
  AlignedWords counts;
  std::uint32_t first_halved = 0;
  double largest_factor = 0;
  double largest_unit = 0;  // 255 units

  // None where most groups are large, or too many places would be nobody's.
  static std::optional<GroupColumns> of(const Segment& segment, const ProfileKind& kind);

  std::uint32_t lines() const { return first_line.back(); }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(first_line.size() - 1); }
  std::uint32_t block_at(std::uint32_t line) const;
  // Counts of a value in all groups; null when it came with later rows.
  const std::uint8_t* counts_of(std::uint32_t attribute, std::uint32_t value) const;
  bool is_halved(std::uint32_t block) const { return block >= first_halved; }
  // How many bytes they take for a block.
  std::size_t bytes_of(std::uint32_t block) const {
    return is_halved(block) ? slots_per_block / 2 : slots_per_block;
  }
  // Where the counts of a block start in those of a value.
  std::size_t offset_of(std::uint32_t block) const;

 private:
  void add_group(const ProfileKind& kind, std::uint32_t group);
  void add_count(std::uint8_t* of_value, std::size_t slot, std::uint8_t count) const;
  // place[p]: where position p of the segment goes.
  void place_rows(const Segment& segment, const ProfileKind& kind,
                  const std::vector<std::uint32_t>& place);
  // Of the first `taken` slots; the others hold no group.
  void take_shares(const ProfileKind& kind, std::size_t taken);

  std::vector<std::uint32_t> domain_sizes_;  // of the private attributes
};

}  // namespace rankveil

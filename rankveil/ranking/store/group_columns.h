// A segment of many small groups once more, in an order that a scan likes better.
//
// A row of group g reaches a floor if sum(row) >= limit(g), where limit(g) depends on base(g), what
// the group gives to all its rows. In a segment rows stand group by group, so a line of 512 rows
// has rows of many groups. The kernel would need a limit for each row, another 512 of them for each
// line, or take the least limit of the line, which lets most rows through.
//
// Here 512 groups stand side by side, each in a slot: line 0 of the block has one row of each, line
// 1 another row of each. So limits of 512 groups, spread over the bits of a line once
// (kernels::RowLimits), do for all lines of the block. Eight rows and four slots instead of 512:
//
//   group A: rows 0 1 2    B: rows 3 4    C: rows 5 6    D: row 7
//
//   slot           A B C D
//   limit          2 3 1 4        once for the block, from the shares of A, B, C, D
//   line 0, rows   0 3 5 7        passes if sum(0) >= 2, sum(3) >= 3, sum(5) >= 1, sum(7) >= 4
//   line 1, rows   1 4 6 -
//   line 2, rows   2 - - -        "-" is nobody's: its bits are 0 in all planes
//
// A slot that is longer than its neighbours leaves places that are nobody's. So slots of about the
// same length stand together, and a group that is much larger than others takes several slots, each
// with other rows of it.
//
// Limits need only be lower bounds, so bases are bounded from above in bytes: counts are rescaled
// to a common group size, and base(g) <= (sum of counts in slot g) x units[g]. Where counts were
// not rounded, the exact base follows from the same sum.
//
// Invariant: every row of the segment stands at exactly one position, order[position] is that row,
// and the group of its slot is the row's group. No count in a slot is too small: for an asked
// value, count(slot) / said size >= count(group) / size(group).
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/ranking/store/block.h"
#include "rankveil/ranking/store/planes.h"

namespace rankveil {

struct ProfileKind;
struct Segment;

struct GroupColumns {
  static constexpr std::uint32_t nobody = UINT32_MAX;
  static constexpr std::uint32_t slots_per_block = kernels::rows_per_line;

  struct Group {
    double factor = 0;       // as ProfileKind::factors
    std::uint32_t size = 0;  // of the group, times the factor of its counts; 0: they were rounded
    std::uint32_t number = nobody;
  };

  std::vector<AttributePlanes> attributes;  // empty for those that no query reads
  Block<std::uint32_t> order;               // by position: the segment's row, or nobody
  std::vector<std::uint32_t> first_line;    // by block, and the end: 512 slots, a group in each
  // By slot. The counts of a slot without a group are 0.
  std::vector<Group> groups;
  std::vector<std::uint8_t> units;  // factor by size, in parts of largest_unit, rounded up
  // [attribute, value][slot], rescaled to a common group size so that sums fit a byte: multiplied
  // by a whole number for small groups, divided and rounded up for large ones. Blocks from
  // first_halved on have two counts a byte, as kernels::ColumnBaseTask says.
  Block<std::uint8_t> counts;
  std::uint32_t first_halved = 0;
  std::vector<std::uint32_t> domain_sizes;  // of the private attributes
  double largest_factor = 0;
  double largest_unit = 0;  // 255 units

  // None where most groups are large, or too many places would be nobody's.
  static std::optional<GroupColumns> of(const Segment& segment, const ProfileKind& kind);

  std::uint32_t lines() const { return first_line.back(); }
  std::uint32_t blocks() const { return static_cast<std::uint32_t>(first_line.size() - 1); }
  std::size_t bytes() const;
  std::uint32_t block_at(std::uint32_t line) const;
  // Counts of a value in all groups; null when it came with later rows.
  const std::uint8_t* counts_of(std::uint32_t attribute, std::uint32_t value) const;
  bool is_halved(std::uint32_t block) const { return block >= first_halved; }
  // How many bytes the counts of one value take in a block.
  std::size_t bytes_of(std::uint32_t block) const {
    return is_halved(block) ? slots_per_block / 2 : slots_per_block;
  }
  // How many bytes all counts take.
  std::size_t count_bytes() const;
  // Fills `groups`, and what follows from them: by slot, the group's number, or nobody.
  void set_groups(const ProfileKind& kind, std::span<const std::uint32_t> numbers);
  // Where the counts of a block start in those of a value.
  std::size_t offset_of(std::uint32_t block) const;

 private:
  void add_count(std::uint8_t* of_value, std::size_t slot, std::uint8_t count) const;
  // place[p]: where position p of the segment goes.
  void place_rows(const Segment& segment, const ProfileKind& kind,
                  const std::vector<std::uint32_t>& place);
  // Fills the counts of the first `taken` slots; the others hold no group.
  void take_shares(const ProfileKind& kind, std::size_t taken);
};

}  // namespace rankveil

// The bytes of an index file, as docs/reference/index-format.md describes them. For the files of
// ranking/ only.
#pragma once

#include <array>
#include <cstdint>

namespace rankveil::layout {

inline constexpr std::array<char, 8> magic = {'R', 'A', 'N', 'K', 'V', 'E', 'I', 'L'};
inline constexpr std::uint32_t byte_order = 0x01020304;
inline constexpr std::size_t alignment = 64;

struct Header {
  std::array<char, 8> magic;
  std::uint32_t version;
  std::uint32_t byte_order;
  std::uint64_t file_size;
  std::uint64_t directory_offset;
  std::uint64_t section_count;
  std::uint64_t directory_checksum;
  std::uint64_t revision;
  std::uint64_t checksum;  // of the bytes before it
};
static_assert(sizeof(Header) == 64);

enum class SectionKind : std::uint32_t {
  Description = 1,  // JSON: schema, profiles, segments
  PlaneBits = 2,    // one bit a position
  PlaneRows = 3,    // positions of a rare value, four bytes each
  Codes = 4,        // a public column, one or two bytes a row
  NameOffsets = 5,
  // 6 were numbers of eight bytes.
  NameBytes = 7,
  NameEnds = 8,
  Order = 9,  // rows by group
  Runs = 10,  // where each group begins
  // 11 was a mask of deleted rows.
  ShareSizes = 12,
  ShareCounts = 13,
  ShareInFull = 14,
  // The planes once more, in other shapes.
  SampleBits = 15,  // of some rows of a segment with groups
  SampleRows = 16,
  ReachBits = 17,  // of runs: a run has what any of its rows has
  ReachRows = 18,
  ColumnBits = 19,  // of groups side by side
  ColumnRows = 20,
  ColumnOrder = 21,   // the row at each position, or 2^32 - 1
  ColumnLines = 22,   // where each block of 512 slots begins
  ColumnGroups = 23,  // the group in each slot, or 2^32 - 1
  ColumnCounts = 24,
  BoundBits = 25,    // of values; behind the private attributes, of extras
  BoundCuts = 26,    // by attribute: low and step of each value
  BoundExcess = 27,  // by attribute: two bytes for each value and code
  BoundCodes = 28,   // two bytes a row and private attribute, and two more
};

// Sections follow each other in the order of the directory, each filled up with zeros to a
// multiple of 64 bytes; the checksum covers the filling.
struct Section {
  SectionKind kind;
  std::uint32_t segment;
  std::uint32_t attribute;
  std::uint32_t plane;
  std::uint64_t offset;
  std::uint64_t size;  // without filling
  std::uint64_t checksum;
};
static_assert(sizeof(Section) == 40);

inline std::uint64_t padded(std::uint64_t size) {
  return (size + alignment - 1) / alignment * alignment;
}

}  // namespace rankveil::layout

// Inner loops of the fast scan: one file per instruction set, nothing else in it.
//
// Codes lie in blocks of 64 rows: `planes` runs of 64 bytes, one byte a row and plane, so that a
// scan is one sequential stream. A byte is looked up in its plane's tables and the results are
// added with 8 bits.
#pragma once

#include <cstdint>

namespace rankveil::versus {

inline constexpr std::uint32_t block_rows = 64;
inline constexpr std::uint32_t max_planes = 16;

// Called for a block in which some row reaches the floor; returns the new floor.
using BlockSink = std::uint8_t (*)(void* context, std::uint64_t block, std::uint64_t rows,
                                   const std::uint8_t* scores);

struct Scan {
  const std::uint8_t* codes = nullptr;
  std::uint32_t planes = 0;  // as stored
  // The planes this query needs, and for each of them its tables.
  std::uint32_t used = 0;
  std::uint8_t plane[max_planes] = {};
  // Nibbles: 16 entries for the low half of the byte, then 16 for the high half.
  // Packed: 128 entries.
  alignas(64) std::uint8_t tables[max_planes][128] = {};

  std::uint64_t first_block = 0;
  std::uint64_t end_block = 0;
  std::uint8_t floor = 0;
  BlockSink sink = nullptr;
  void* context = nullptr;
};

// Return the floor after the last block.
std::uint8_t scan_nibbles_avx2(const Scan& scan);
std::uint8_t scan_nibbles_avx512(const Scan& scan);
std::uint8_t scan_packed_vbmi(const Scan& scan);

}  // namespace rankveil::versus

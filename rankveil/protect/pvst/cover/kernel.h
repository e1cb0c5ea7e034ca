// Searching bitmaps for rows whose values are new to the sets of another row: the inner loop of
// pvst.
//
// Positions of candidates are bits of planes, 512 to a line. A plane of an attribute holds the
// candidates with one value. Given the planes of the values that a row's sets hold already, a
// candidate *misses* an attribute when one of that attribute's planes holds it; the others it
// covers. All kernels give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>

#include "rankveil/base/cpu.h"

namespace rankveil::cover {

inline constexpr std::uint32_t words_per_line = 8;
inline constexpr std::uint32_t positions_per_line = 512;
inline constexpr std::uint32_t max_attributes = 0xFFFF;

// The planes of attribute a are planes[ends[a - 1]] to planes[ends[a] - 1]. They begin on a cache
// line. Only first_free takes an attribute without planes. Plain pointers: files compiled for
// different instruction sets share no code.
struct Blocked {
  const std::uint64_t* const* planes;
  const std::uint32_t* ends;
  std::uint32_t attributes;  // 1 to max_attributes
};

// Candidates that are worth a look: in at least one plane of every part. The planes of part i are
// planes[ends[i - 1]] to planes[ends[i] - 1]. No parts: all candidates.
struct Wanted {
  const std::uint64_t* const* planes;
  const std::uint32_t* ends;
  std::uint32_t parts;
};

// How far the search for candidates with the fewest misses has come.
struct Fewest {
  std::uint32_t misses;  // the fewest seen so far
  std::uint32_t line;    // before this line no candidate has as few
};

struct Kernel {
  Isa isa;
  // The first line of [begin, end) with wanted candidates that miss nothing, which are written to
  // `free` (one line); `end` if there is none.
  std::uint32_t (*first_free)(const Blocked& blocked, const Wanted& wanted, std::uint32_t begin,
                              std::uint32_t end, std::uint64_t* free);
  // Lowers `fewest` to what lines [begin, end) have, and writes for each of them which candidates
  // have just that many misses: to `found`, a line each, valid from fewest.line on. `valid` says
  // which bits of the line `end - 1` count.
  void (*fewest)(const Blocked& blocked, std::uint32_t begin, std::uint32_t end,
                 const std::uint64_t* valid, Fewest& fewest, std::uint64_t* found);
  // Takes candidates that are not wanted out of a line.
  void (*keep_wanted)(const Wanted& wanted, std::uint32_t line, std::uint64_t* found);
};

const Kernel& scalar_kernel();
const Kernel& avx2_kernel();
const Kernel& avx512_kernel();

// The kernel of the instruction set that rankings use, or of the next one below.
const Kernel& kernel_in_use();
const Kernel& kernel_for(Isa isa);  // REQUIRES: supported here

}  // namespace rankveil::cover

// Adding up bitmaps: the inner loop of every ranking.
//
// A Program says which bitmaps ("planes", one bit a row) count how much. A kernel adds them for 512
// rows at a time by carry-save adders: the sum of a row is spread over up to nine "slices", bit i
// of every row in slice i. All kernels give the same bits.
#pragma once

#include <cstddef>
#include <cstdint>
#include <string>

#include "rankveil/base/cpu.h"

namespace rankveil::kernels {

inline constexpr std::uint32_t rows_per_line = 512;
inline constexpr std::uint32_t words_per_line = 8;
inline constexpr std::uint32_t max_slices = 9;
inline constexpr std::uint32_t largest_sum = 254;  // a threshold of 255 lets nothing through
// As long as there is one threshold for all rows.
inline constexpr std::uint32_t largest_wide_sum = 510;
inline constexpr std::uint32_t max_planes = 254;
// Words from the end of a plane to the next one: an odd number of cache lines, see plane_stride.
inline constexpr std::uint32_t slack_words = 5 * words_per_line;

// Up to this many planes are counted by one tree of adders.
inline constexpr std::uint32_t max_tree_planes = 32;

// Planes of strengths and of shown values have few weights: powers of two, that of a full match,
// and perhaps one that most strengths have. Planes that count alike are counted once:
//   sum = wide[0].weight x (how many of the first wide[0].count)
//       + wide[1].weight x (how many of the next wide[1].count)
//       + 2^b x (how many of the next counts[b]), b from 0 to `top`.
// A plane of any other weight is there once for each bit of its weight.
struct WeightClasses {
  struct Wide {
    std::uint32_t weight = 0;  // below 2^(top + 1)
    std::uint32_t count = 0;
  };
  Wide wide[2];
  std::uint32_t top = 0;
  std::uint8_t counts[max_slices] = {};
};

// Sum of a row = sum over planes of weight x bit. Plain pointers, so that no code is shared between
// files compiled for different instruction sets; PlaneProgram (ranking/scan/plane_program.h) owns
// them.
struct Program {
  const std::uint64_t* const* planes;
  std::uint32_t plane_count;
  std::uint32_t slices;          // bits of the largest sum
  const WeightClasses* classes;  // of `planes`; null: up to max_tree_planes planes that count 1
  bool far;  // the planes come from memory rather than from a cache: ask for them early
};

// Thresholds of 512 rows side by side, bit by bit.
struct alignas(64) RowLimits {
  std::uint64_t inverted[max_slices][words_per_line];
  std::uint64_t within_reach[words_per_line];  // where they can be reached at all
};

// Rows pass when their sum reaches the threshold: one for all rows, one for each line, or one for
// each row of a line, the same in all lines.
struct Threshold {
  std::uint16_t uniform = 0;
  const std::uint8_t* per_line = nullptr;  // indexed by line when not null
  const RowLimits* per_row = nullptr;
};

// A line in which at least one row passed. Slices are valid in words whose mask is not 0.
struct alignas(64) HitLine {
  std::uint64_t mask[words_per_line];
  std::uint64_t slices[max_slices][words_per_line];
  std::uint32_t line;
  std::uint32_t words;  // bit i: mask[i] is not 0

  std::uint32_t sum(std::uint32_t slice_count, std::uint32_t word, std::uint32_t bit) const {
    std::uint32_t total = 0;
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      total |= static_cast<std::uint32_t>((slices[i][word] >> bit) & 1U) << i;
    }
    return total;
  }
};

// The least sum that lifts rows of a group to `floor`, where
//   base(g) = scale x factors[g] x (sum over columns of weight x counts[g]) / sizes[g]:
//   out[i] = the least whole number with base(first + i) + out[i] / per_unit >= floor,
// between 0 and 255; 255 where it is above `most`. A number may come out one too low, never too
// high.
struct GroupLimitTask {
  const std::uint32_t* const* counts;  // one array over groups per column
  const double* weights;               // whole numbers, one per column
  std::uint32_t columns;
  const std::uint32_t* sizes;
  const double* factors;  // whole numbers
  std::size_t first;
  std::size_t groups;
  double scale;  // a power of two
  double floor;
  double per_unit;
  std::int32_t most;
};

// 512 groups side by side: what a query gives their rows, sums[g] = sum over columns of counts[g],
// where 255 stands for any larger sum; and an upper bound of sums[g] x units[g] x per_unit / 2^16,
// at most one more: bounds[g], or 255 where the sum is 255.
struct ColumnBaseTask {
  const std::uint8_t* const* counts;  // one array over the groups per column
  std::uint32_t columns;
  bool halves;  // two counts a byte: that of group g, and 16 times that of group g + 256
  const std::uint8_t* units;
  std::uint16_t per_unit;
};
// A larger bound says nothing.
inline constexpr std::uint32_t largest_bound = 222;

// The least sums with which rows of these groups reach `floor`: sum x 2^shift + bounds[g] >= floor.
// No sum is above `most`. Groups with a bound above largest_bound may reach it with any.
struct RowLimitTask {
  const std::uint8_t* bounds;
  std::uint32_t floor;
  std::uint32_t shift;  // at most max_bound_shift
  std::uint32_t slices;
  std::uint32_t most;  // at most largest_sum
};

inline constexpr std::uint32_t max_bound_shift = 5;

// best[i] = the largest of itself and sum x 2^shift + bound of every 256th row of 512, from row i
// on. Rows with a bound above largest_bound count 0.
struct BestTotalsTask {
  const std::uint8_t* sums;
  const std::uint8_t* bounds;
  std::uint32_t shift;
};
inline constexpr std::uint32_t best_totals_size = 256;

struct Kernel {
  Isa isa;
  // Lines [begin, end) of the planes; `hits` has room for end - begin. Returns how many it filled.
  std::size_t (*find)(const Program& program, std::uint32_t begin, std::uint32_t end,
                      const Threshold& threshold, HitLine* hits);
  // One byte a row, 512 for each line.
  void (*sums)(const Program& program, std::uint32_t begin, std::uint32_t end, std::uint8_t* out);
  void (*group_limits)(const GroupLimitTask& task, std::uint8_t* out);
  void (*column_bases)(const ColumnBaseTask& task, std::uint8_t* sums, std::uint8_t* bounds);
  void (*row_limits)(const RowLimitTask& task, RowLimits& out);
  void (*best_totals)(const BestTotalsTask& task, std::uint16_t* best);
  // How many rows of these lines, among those in their masks, have a sum of at least `threshold`.
  // REQUIRES: lines of `find`, whose slices hold the sums themselves.
  std::uint32_t (*count)(const HitLine* lines, std::size_t line_count, std::uint32_t slices,
                         std::uint32_t threshold);
};

const Kernel& scalar_kernel();
const Kernel& sse42_kernel();
const Kernel& avx2_kernel();
const Kernel& avx512_kernel();

// The best this machine has, or the one RANKVEIL_ISA names ("scalar", "sse42", "avx2", "avx512").
// An unknown name, or one this machine lacks, is ignored here; see requested_isa_problem.
const Kernel& kernel_in_use();
const Kernel& kernel_for(Isa isa);  // REQUIRES: supported here
// Empty when RANKVEIL_ISA is unset or works; else a sentence for the user.
std::string requested_isa_problem();

}  // namespace rankveil::kernels

// The kernel: sums of planes, for many rows at a time. Written once for any register width and
// compiled once per instruction set.
//
// A plane has one bit a row: whether the row matches one asked value. The sum of row r is
//
//   sum(r) = sum over planes p of weight(p) x bit(p, r).
//
// A register holds one bit each of up to 512 rows, so sums are kept in slices, slice i holding bit
// i of every row's sum:  sum(r) = sum over i of 2^i x slice(i, r).  A full adder takes three bits
// of the same place and gives their sum bit a^b^c and the carry majority(a, b, c), which belongs
// one slice up: two instructions for all rows of a register. Eight rows and three planes of weight
// 1:
//
//   row                    0 1 2 3 4 5 6 7
//   plane a                1 1 0 0 1 0 1 0
//   plane b                1 0 0 1 1 0 0 0
//   plane c                1 1 0 0 0 0 1 1
//   slice 0 = a ^ b ^ c    1 0 0 1 0 0 0 1
//   slice 1 = majority     1 1 0 0 1 0 1 0
//   sum                    3 2 0 1 2 0 2 1
//
// Row r passes a threshold t if sum(r) - t does not borrow, which is the carry out of
// sum(r) + ~t + 1: begin with a carry of 1, then carry = majority(slice i, carry, bit i of ~t) from
// slice 0 up. For t = 2 (binary 10, so ~t begins with the bits 1, 0) the first step leaves all
// carries at 1, the second takes slice 1 as it is: rows 0, 1, 4 and 6 pass.
//
// A plane of weight 2^b is added from slice b on. Planes of one other weight w are counted on their
// own first, and their count is added once for each bit of w (WeightClasses in kernel.h).
//
// Invariant, on every instruction set: when planes 1 to n have been added, the slices hold the sum
// over these planes of weight x bit, for every row. Callers see to it that no sum needs more than
// `slices` bits, so nothing overflows.
//
// `Lanes` gives a register of Lanes::words 64-bit words and its operations:
//   load, store, fill (every word with one), zero, ones, inverse, both (and), either (or), sum3
//   (a^b^c), carry3 (majority), any (some bit set), nonzero (a bit for each word that is not 0),
//   write_bytes (slices to one byte a row); and of bytes: load_bytes, store_bytes, fill_bytes,
//   add_bytes (255 stands for more), take_bytes (0 stands for less), shift_bytes (to the right),
//   at_least_bytes (all ones where the first is no less), bound_bytes (see ColumnBaseTask),
//   lacking_bits (a bit for each byte with no bit of a mask).
#pragma once

#include <array>
#include <cstddef>
#include <cstring>
#include <utility>

#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::kernels {

template <typename Lanes>
struct Body {
  using Reg = typename Lanes::Reg;
  static constexpr std::uint32_t words = Lanes::words;
  static constexpr std::uint32_t regs_per_line = words_per_line / words;
  static constexpr std::uint32_t prefetch_words = 4 * words_per_line;
  // Narrow registers add up more slowly than memory gives.
  static constexpr bool fetches_far = words >= 4;
  static constexpr std::uint32_t far_words = 16 * words_per_line;

  struct Slices {
    Reg slice[max_slices];
  };

  static constexpr std::uint32_t slices_for(std::size_t count) {
    std::uint32_t bits = 0;
    for (; count != 0; count >>= 1) ++bits;
    return bits;
  }

  // ---- Unit weights: a tree of adders of compile-time shape, all in registers. ----

  // Adds `count` one-bit inputs, `input(i)` each used once: their low bit goes to slice `level`,
  // the carries one level up.
  template <std::size_t count, std::size_t level, typename Input>
  [[gnu::always_inline]] static inline void add_units(const Input& input, Slices& out) {
    Reg sum = input(0);
    [[maybe_unused]] Reg carry[count / 2 + 1];
    for (std::size_t i = 1; i + 1 < count; i += 2) {
      Reg left = input(i);
      Reg right = input(i + 1);
      carry[i / 2] = Lanes::carry3(sum, left, right);
      sum = Lanes::sum3(sum, left, right);
    }
    if constexpr (count % 2 == 0) {
      Reg last = input(count - 1);
      carry[count / 2 - 1] = Lanes::both(sum, last);
      sum = Lanes::sum3(sum, last, Lanes::zero());
    }
    out.slice[level] = sum;
    if constexpr (count > 1) {
      add_units<count / 2, level + 1>([&](std::size_t i) { return carry[i]; }, out);
    }
  }

  // The lines that will be needed soon are asked for on the way, once per line.
  template <std::size_t count, std::uint32_t ahead = prefetch_words>
  [[gnu::always_inline]] static inline void add_planes(const std::uint64_t* const* planes,
                                                       std::size_t word, Slices& out) {
    bool line_starts = word % words_per_line == 0;
    auto input = [&](std::size_t i) {
      const std::uint64_t* place = planes[i] + word;
      if (line_starts) __builtin_prefetch(place + ahead);
      return Lanes::load(place);
    };
    add_units<count, 0>(input, out);
  }

  // From memory, lines have to be asked for earlier still, and into a cache that has room for them.
  template <std::size_t count>
  [[gnu::always_inline]] static inline void ask_ahead(const std::uint64_t* const* planes,
                                                      std::size_t word) {
#pragma GCC unroll 32
    for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(planes[i] + word + far_words, 0, 2);
  }

  // ---- Thresholds ----

  // Inverted threshold bits, ready for `reaches`, and where thresholds can be reached at all.
  struct Limit {
    Reg inverted[max_slices];
    Reg within_reach;
  };

  template <std::uint32_t slice_count>
  static inline Limit uniform_limit(std::uint32_t threshold) {
    Limit limit;
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      limit.inverted[i] = (threshold >> i) & 1 ? Lanes::zero() : Lanes::ones();
    }
    limit.within_reach = threshold >> slice_count == 0 ? Lanes::ones() : Lanes::zero();
    return limit;
  }

  // Which rows' sums reach the threshold: the carry out of sum + ~threshold + 1.
  template <std::uint32_t slice_count>
  static inline Reg reaches(const Slices& sums, const Limit& limit) {
    Reg carry = Lanes::ones();
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      carry = Lanes::carry3(sums.slice[i], carry, limit.inverted[i]);
    }
    return Lanes::both(carry, limit.within_reach);
  }

  template <std::uint32_t slice_count>
  static inline Limit row_limit(const RowLimits& limits, std::size_t word) {
    std::size_t part = word % words_per_line;
    Limit limit;
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      limit.inverted[i] = Lanes::load(limits.inverted[i] + part);
    }
    limit.within_reach = Lanes::load(limits.within_reach + part);
    return limit;
  }

  enum class Per { Query, Line, Row };
  static constexpr Per per(const Threshold& threshold) {
    if (threshold.per_row != nullptr) return Per::Row;
    return threshold.per_line != nullptr ? Per::Line : Per::Query;
  }

  // Inverted bits of all thresholds, each spread over a word.
  struct LimitWords {
    std::uint64_t inverted[256][8];
    constexpr LimitWords() : inverted() {
      for (std::uint32_t t = 0; t < 256; ++t) {
        for (std::uint32_t i = 0; i < 8; ++i) {
          inverted[t][i] = (t >> i) & 1 ? 0 : ~std::uint64_t{0};
        }
      }
    }
  };
  static constexpr LimitWords limit_words{};

  template <std::uint32_t slice_count>
  static inline Limit line_limit(std::uint8_t threshold) {
    Limit limit;
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      limit.inverted[i] = i < 8 ? Lanes::fill(limit_words.inverted[threshold][i]) : Lanes::ones();
    }
    limit.within_reach = Lanes::fill(threshold >> slice_count == 0 ? ~std::uint64_t{0} : 0);
    return limit;
  }

  // The limits of one register after the other.
  template <std::uint32_t slice_count, Per per>
  struct Limits {
    const Threshold& threshold;
    Limit limit = uniform_limit<slice_count>(threshold.uniform);

    [[gnu::always_inline]] inline Limit at(std::size_t word) const {
      if constexpr (per == Per::Line) {
        return line_limit<slice_count>(threshold.per_line[word / words_per_line]);
      }
      if constexpr (per == Per::Row) return row_limit<slice_count>(*threshold.per_row, word);
      return limit;
    }
  };

  // Collects the passing rows of one line after the other.
  struct Sink {
    HitLine* hits;
    std::size_t found = 0;
    bool opened = false;  // hits[found - 1] is the current line's

    void next_line() { opened = false; }
    void keep(std::uint32_t line, std::uint32_t part, Reg passing, const Slices& sums,
              std::uint32_t slice_count) {
      if (!opened) {
        hits[found].line = line;
        hits[found].words = 0;
        std::memset(hits[found].mask, 0, sizeof hits[found].mask);
        ++found;
        opened = true;
      }
      HitLine& hit = hits[found - 1];
      hit.words |= Lanes::nonzero(passing) << (part * words);
      Lanes::store(hit.mask + part * words, passing);
      for (std::uint32_t i = 0; i < slice_count; ++i) {
        Lanes::store(hit.slices[i] + part * words, sums.slice[i]);
      }
    }

    // keep() if any row passes, where planes have weights: there sums cost more than stores.
    void keep_weighted(std::uint32_t line, std::uint32_t part, Reg passing, const Slices& sums,
                       std::uint32_t slice_count) {
      if constexpr (regs_per_line == 1) {
        keep_if_any(line, passing, sums, slice_count);
      } else if (Lanes::any(passing)) {
        keep(line, part, passing, sums, slice_count);
      }
    }

    // For a register that holds a whole line, without a branch: the next line takes this one's
    // place unless some row passes. A wrong guess of the processor would cost it the sums that it
    // had begun.
    void keep_if_any(std::uint32_t line, Reg passing, const Slices& sums,
                     std::uint32_t slice_count) {
      HitLine& hit = hits[found];
      hit.line = line;
      hit.words = Lanes::nonzero(passing);
      Lanes::store(hit.mask, passing);
      for (std::uint32_t i = 0; i < slice_count; ++i) Lanes::store(hit.slices[i], sums.slice[i]);
      found += hit.words != 0 ? 1 : 0;
    }
  };

  template <std::size_t count, Per per>
  static std::size_t find_unit(const Program& program, std::uint32_t begin, std::uint32_t end,
                               const Threshold& threshold, HitLine* hits) {
    constexpr std::uint32_t slice_count = slices_for(count);
    const std::uint64_t* const* planes = program.planes;
    const bool far = fetches_far && program.far;
    Limits<slice_count, per> limits{threshold};
    Sink sink{hits};
    for (std::uint32_t line = begin; line < end; ++line) {
      std::size_t word = std::size_t{line} * words_per_line;
      if (far) ask_ahead<count>(planes, word);
      sink.next_line();
      for (std::uint32_t part = 0; part < regs_per_line; ++part) {
        Slices sums;
        add_planes<count>(planes, word + part * words, sums);
        Reg passing = reaches<slice_count>(sums, limits.at(word + part * words));
        if (Lanes::any(passing)) sink.keep(line, part, passing, sums, slice_count);
      }
    }
    return sink.found;
  }

  template <std::size_t count>
  static void sums_unit(const Program& program, std::uint32_t begin, std::uint32_t end,
                        std::uint8_t* out) {
    const std::uint64_t* const* planes = program.planes;
    std::size_t last = std::size_t{end} * words_per_line;
    for (std::size_t word = std::size_t{begin} * words_per_line; word < last;
         word += words, out += words * 64) {
      Slices sums;
      add_planes<count>(planes, word, sums);
      Lanes::write_bytes(sums.slice, slices_for(count), out);
    }
  }

  // ---- Weights: each class of planes is counted in registers, and its count is added to the
  // slices from its bit up. Hardly a plane is read or counted twice, so that adding hides behind
  // reading. ----

  static constexpr std::uint32_t class_slices = 4;
  struct ClassCount {
    Reg slice[class_slices];
  };

  [[gnu::always_inline]] static inline Reg load_and_ask(const std::uint64_t* plane,
                                                        std::size_t word) {
    if (regs_per_line == 1 || word % words_per_line == 0) {
      __builtin_prefetch(plane + word + prefetch_words);
    }
    return Lanes::load(plane + word);
  }

  template <std::size_t count>
  [[gnu::always_inline]] static inline ClassCount count_tree(const std::uint64_t* const* planes,
                                                             std::size_t word) {
    Slices counted;
    add_units<count, 0>([&](std::size_t i) { return load_and_ask(planes[i], word); }, counted);
    ClassCount out;
#pragma GCC unroll 4
    for (std::uint32_t i = 0; i < class_slices; ++i) {
      out.slice[i] = i < slices_for(count) ? counted.slice[i] : Lanes::zero();
    }
    return out;
  }

  // A tree of adders for each size up to this.
  static constexpr std::uint32_t max_counted_at_once = 12;

  [[gnu::always_inline]] static inline ClassCount count_few(const std::uint64_t* const* planes,
                                                            std::uint32_t size, std::size_t word) {
    switch (size) {
      case 1:
        return count_tree<1>(planes, word);
      case 2:
        return count_tree<2>(planes, word);
      case 3:
        return count_tree<3>(planes, word);
      case 4:
        return count_tree<4>(planes, word);
      case 5:
        return count_tree<5>(planes, word);
      case 6:
        return count_tree<6>(planes, word);
      case 7:
        return count_tree<7>(planes, word);
      case 8:
        return count_tree<8>(planes, word);
      case 9:
        return count_tree<9>(planes, word);
      case 10:
        return count_tree<10>(planes, word);
      case 11:
        return count_tree<11>(planes, word);
      default:
        return count_tree<max_counted_at_once>(planes, word);
    }
  }

  // Large classes are counted in pieces of about the same size.
  [[gnu::always_inline]] static inline std::uint32_t piece_of(std::uint32_t left) {
    if (left <= max_counted_at_once) return left;
    return left < 2 * max_counted_at_once ? left / 2 : max_counted_at_once;
  }

  // sums += count << bit
  template <std::uint32_t slice_count, std::uint32_t bit>
  [[gnu::always_inline]] static inline void add_count(const ClassCount& count, Slices& sums) {
    Reg carry = Lanes::zero();
#pragma GCC unroll 9
    for (std::uint32_t i = bit; i < slice_count; ++i) {
      Reg theirs = i - bit < class_slices ? count.slice[i - bit] : Lanes::zero();
      Reg next = Lanes::carry3(sums.slice[i], theirs, carry);
      sums.slice[i] = Lanes::sum3(sums.slice[i], theirs, carry);
      carry = next;
    }
  }

  // sums -= count, which is to add its complement and one.
  template <std::uint32_t slice_count>
  [[gnu::always_inline]] static inline void take_count(const ClassCount& count, Slices& sums) {
    Reg carry = Lanes::ones();
#pragma GCC unroll 9
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      Reg theirs = i < class_slices ? Lanes::inverse(count.slice[i]) : Lanes::ones();
      Reg next = Lanes::carry3(sums.slice[i], theirs, carry);
      sums.slice[i] = Lanes::sum3(sums.slice[i], theirs, carry);
      carry = next;
    }
  }

  template <std::uint32_t slice_count>
  [[gnu::always_inline]] static inline void add_count_at(const ClassCount& count, std::uint32_t bit,
                                                         Slices& sums) {
    switch (bit) {
      case 0:
        return add_count<slice_count, 0>(count, sums);
      case 1:
        return add_count<slice_count, 1>(count, sums);
      case 2:
        return add_count<slice_count, 2>(count, sums);
      case 3:
        return add_count<slice_count, 3>(count, sums);
      case 4:
        return add_count<slice_count, 4>(count, sums);
      case 5:
        return add_count<slice_count, 5>(count, sums);
      case 6:
        return add_count<slice_count, 6>(count, sums);
      case 7:
        return add_count<slice_count, 7>(count, sums);
      default:
        return add_count<slice_count, 8>(count, sums);
    }
  }

  // The planes of a class whose weight is no power of two.
  template <std::uint32_t slice_count>
  [[gnu::always_inline]] static inline void add_wide(const ClassCount& count, std::uint32_t weight,
                                                     Slices& sums) {
    bool one_less = (weight & (weight + 1)) == 0 && weight > 3;  // a power of two less one
    if (one_less) {
      take_count<slice_count>(count, sums);
      weight += 1;
    }
    for (; weight != 0; weight &= weight - 1) {
      add_count_at<slice_count>(count, static_cast<std::uint32_t>(__builtin_ctz(weight)), sums);
    }
  }

  // What is counted first need not be added to anything.
  template <std::uint32_t slice_count>
  [[gnu::always_inline]] static inline void start_with(const ClassCount& count, Slices& sums) {
#pragma GCC unroll 9
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      sums.slice[i] = i < class_slices ? count.slice[i] : Lanes::zero();
    }
  }

  template <std::uint32_t slice_count>
  [[gnu::always_inline]] static inline void add_classes(const Program& program, std::size_t word,
                                                        Slices& sums) {
    const WeightClasses& classes = *program.classes;
    const std::uint64_t* const* planes =
        program.planes + classes.wide[0].count + classes.wide[1].count;
    std::uint32_t ones = piece_of(classes.counts[0]);
    if (ones != 0) {
      start_with<slice_count>(count_few(planes, ones, word), sums);
    } else {
      for (std::uint32_t i = 0; i < slice_count; ++i) sums.slice[i] = Lanes::zero();
    }
    planes = program.planes;
    for (const WeightClasses::Wide& wide : classes.wide) {
      for (std::uint32_t left = wide.count; left != 0;) {
        std::uint32_t size = piece_of(left);
        add_wide<slice_count>(count_few(planes, size, word), wide.weight, sums);
        planes += size;
        left -= size;
      }
    }
    planes += ones;
    for (std::uint32_t bit = 0; bit <= classes.top; ++bit) {
      for (std::uint32_t left = classes.counts[bit] - (bit == 0 ? ones : 0); left != 0;) {
        std::uint32_t size = piece_of(left);
        add_count_at<slice_count>(count_few(planes, size, word), bit, sums);
        planes += size;
        left -= size;
      }
    }
  }

  static constexpr std::uint32_t block_lines = 4;

  // Plane by plane: memory likes neighbours.
  static void ask_block_ahead(const Program& program, std::size_t word) {
    for (std::uint32_t p = 0; p < program.plane_count; ++p) {
      const std::uint64_t* place = program.planes[p] + word + far_words;
      for (std::uint32_t l = 0; l < block_lines; ++l) {
        __builtin_prefetch(place + l * words_per_line, 0, 2);
      }
    }
  }

  template <std::uint32_t slice_count, Per per>
  static std::size_t find_classes(const Program& program, std::uint32_t begin, std::uint32_t end,
                                  const Threshold& threshold, HitLine* hits) {
    const bool far = fetches_far && program.far;
    Limits<slice_count, per> limits{threshold};
    Sink sink{hits};
    for (std::uint32_t line = begin; line < end; ++line) {
      std::size_t word = std::size_t{line} * words_per_line;
      if (far && line % block_lines == 0) ask_block_ahead(program, word);
      sink.next_line();
      for (std::uint32_t part = 0; part < regs_per_line; ++part) {
        Slices sums;
        add_classes<slice_count>(program, word + part * words, sums);
        Reg passing = reaches<slice_count>(sums, limits.at(word + part * words));
        sink.keep_weighted(line, part, passing, sums, slice_count);
      }
    }
    return sink.found;
  }

  template <std::uint32_t slice_count>
  static void sums_classes(const Program& program, std::uint32_t begin, std::uint32_t end,
                           std::uint8_t* out) {
    std::size_t last = std::size_t{end} * words_per_line;
    for (std::size_t word = std::size_t{begin} * words_per_line; word < last;
         word += words, out += words * 64) {
      Slices sums;
      add_classes<slice_count>(program, word, sums);
      Lanes::write_bytes(sums.slice, slice_count, out);
    }
  }

  // ---- Thresholds of groups: plain loops, vectorised by the compiler for this instruction set.
  // ----

  static constexpr std::size_t groups_at_once = 512;  // their sums stay in the first-level cache

  // Whole numbers throughout, so that any order and width of adding gives the same.
  static void add_counts(const GroupLimitTask& task, std::size_t begin, std::size_t size,
                         double* total) {
    for (std::size_t g = 0; g < size; ++g) total[g] = 0;
    for (std::uint32_t c = 0; c < task.columns; ++c) {
      const std::uint32_t* counts = task.counts[c] + task.first + begin;
      double weight = task.weights[c];
      for (std::size_t g = 0; g < size; ++g) {
        total[g] += weight * static_cast<double>(static_cast<std::int32_t>(counts[g]));
      }
    }
  }

  static void group_limits(const GroupLimitTask& task, std::uint8_t* out) {
    constexpr double almost_one = 1 - 1e-9;  // rounds up, but lets rounding errors through
    double total[groups_at_once];
    std::int32_t up[groups_at_once];
    for (std::size_t begin = 0; begin < task.groups; begin += groups_at_once) {
      std::size_t left = task.groups - begin;
      std::size_t size = left < groups_at_once ? left : groups_at_once;
      add_counts(task, begin, size, total);
      const std::uint32_t* sizes = task.sizes + task.first + begin;
      const double* factors = task.factors + task.first + begin;
      for (std::size_t g = 0; g < size; ++g) {
        auto rows = static_cast<double>(static_cast<std::int32_t>(sizes[g]));
        double base = factors[g] * total[g] / rows * task.scale;
        double sum = (task.floor - base) * task.per_unit;
        sum = sum > 0 ? sum : 0;
        sum = sum < 255 ? sum : 255;
        up[g] = static_cast<std::int32_t>(sum + almost_one);
      }
      for (std::size_t g = 0; g < size; ++g) {
        out[begin + g] = static_cast<std::uint8_t>(up[g] > task.most ? 255 : up[g]);
      }
    }
  }

  // ---- Groups side by side ----

  static void column_bases(const ColumnBaseTask& task, std::uint8_t* sums, std::uint8_t* bounds) {
    constexpr std::size_t bytes = words * sizeof(std::uint64_t);
    auto keep = [&](std::size_t g, Reg sum) {
      Reg units = Lanes::load_bytes(task.units + g);
      Lanes::store_bytes(sums + g, sum);
      Lanes::store_bytes(bounds + g, Lanes::bound_bytes(sum, units, task.per_unit));
    };
    if (task.halves) {
      const Reg low_half = Lanes::fill_bytes(15);
      for (std::size_t g = 0; g < rows_per_line / 2; g += bytes) {
        Reg low = Lanes::zero();
        Reg high = Lanes::zero();
        for (std::uint32_t c = 0; c < task.columns; ++c) {
          Reg counts = Lanes::load_bytes(task.counts[c] + g);
          low = Lanes::add_bytes(low, Lanes::both(counts, low_half));
          high = Lanes::add_bytes(high, Lanes::template shift_bytes<4>(counts));
        }
        keep(g, low);
        keep(g + rows_per_line / 2, high);
      }
      return;
    }
    for (std::size_t g = 0; g < rows_per_line; g += bytes) {
      Reg sum = Lanes::zero();
      for (std::uint32_t c = 0; c < task.columns; ++c) {
        sum = Lanes::add_bytes(sum, Lanes::load_bytes(task.counts[c] + g));
      }
      keep(g, sum);
    }
  }

  // With floor = high x 2^shift + low, rounding (floor - bound) / 2^shift up is
  // high + 1 - (bound + 2^shift - low) / 2^shift, rounded down: whole numbers that fit a byte.
  template <std::uint32_t shift>
  static void limit_rows(const RowLimitTask& task, RowLimits& out) {
    constexpr std::size_t bytes = words * sizeof(std::uint64_t);
    const std::uint32_t high = task.floor >> shift;
    const std::uint32_t low = task.floor & ((1U << shift) - 1);
    const Reg top = Lanes::fill_bytes(high < 254 ? high + 1 : 255);
    const Reg up = Lanes::fill_bytes((1U << shift) - low);
    const Reg too_much = Lanes::fill_bytes(task.most + 1);
    const Reg unknown = Lanes::fill_bytes(largest_bound + 1);
    // find_classes looks at class_width(slices) slices, so that many have to be there.
    const std::uint32_t width = class_width(task.slices);
    for (std::size_t g = 0; g < rows_per_line; g += bytes) {
      Reg bound = Lanes::load_bytes(task.bounds + g);
      Reg less = Lanes::template shift_bytes<shift>(Lanes::add_bytes(bound, up));
      Reg sum = Lanes::take_bytes(top, less);
      sum = Lanes::either(sum, Lanes::at_least_bytes(sum, too_much));
      sum = Lanes::both(sum, Lanes::inverse(Lanes::at_least_bytes(bound, unknown)));
      auto keep = [&](std::uint64_t* to, auto bits) {
        std::memcpy(reinterpret_cast<char*>(to) + g / 8, &bits, sizeof bits);
      };
      auto lacking_any = Lanes::lacking_bits(sum, 0x80);
      if (width == 8) {
        for (std::uint32_t i = 0; i < 7; ++i) lacking_any |= Lanes::lacking_bits(sum, 1U << i);
      }
      // Only 255, which no sum reaches, has all eight bits, or the highest where sums are smaller.
      keep(out.within_reach, lacking_any);
      for (std::uint32_t i = 0; i < width; ++i) {
        keep(out.inverted[i], Lanes::lacking_bits(sum, 1U << i));
      }
    }
  }

  using LimitRows = void (*)(const RowLimitTask&, RowLimits&);
  template <std::size_t... i>
  static constexpr std::array<LimitRows, sizeof...(i)> row_limiters(std::index_sequence<i...>) {
    return {&limit_rows<i>...};
  }
  using BoundShifts = std::make_index_sequence<max_bound_shift + 1>;

  static void row_limits(const RowLimitTask& task, RowLimits& out) {
    static constexpr auto limiters = row_limiters(BoundShifts());
    limiters[task.shift](task, out);
  }

  static void best_totals(const BestTotalsTask& task, std::uint16_t* best) {
    auto shift = static_cast<std::uint16_t>(task.shift);
    for (std::size_t half = 0; half < rows_per_line; half += best_totals_size) {
      for (std::size_t i = 0; i < best_totals_size; ++i) {
        std::uint16_t bound = task.bounds[half + i];
        auto total = static_cast<std::uint16_t>((task.sums[half + i] << shift) + bound);
        total = bound > largest_bound ? std::uint16_t{0} : total;
        best[i] = best[i] > total ? best[i] : total;
      }
    }
  }

  // ---- Samples ----

  template <std::uint32_t slice_count>
  static std::uint32_t count_reaching(const HitLine* lines, std::size_t line_count,
                                      std::uint32_t threshold) {
    Limit limit = uniform_limit<slice_count>(threshold);
    std::uint32_t total = 0;
    for (std::size_t n = 0; n < line_count; ++n) {
      for (std::uint32_t part = 0; part < regs_per_line; ++part) {
        Slices sums;
        for (std::uint32_t i = 0; i < slice_count; ++i) {
          sums.slice[i] = Lanes::load(lines[n].slices[i] + part * words);
        }
        Reg mask = Lanes::load(lines[n].mask + part * words);
        std::uint64_t reaching[words];
        Lanes::store(reaching, Lanes::both(mask, reaches<slice_count>(sums, limit)));
        for (std::uint64_t word : reaching) {
          total += static_cast<std::uint32_t>(__builtin_popcountll(word));
        }
      }
    }
    return total;
  }

  using CountReaching = std::uint32_t (*)(const HitLine*, std::size_t, std::uint32_t);
  template <std::size_t... i>
  static constexpr std::array<CountReaching, sizeof...(i)> sample_counters(
      std::index_sequence<i...>) {
    return {&count_reaching<i + 1>...};
  }

  static std::uint32_t count(const HitLine* lines, std::size_t line_count, std::uint32_t slices,
                             std::uint32_t threshold) {
    static constexpr auto counters = sample_counters(std::make_index_sequence<max_slices>());
    return counters[slices - 1](lines, line_count, threshold);
  }

  // ---- Choosing the instance ----

  using Find = decltype(Kernel::find);
  using Sums = decltype(Kernel::sums);
  template <Per per, std::size_t... i>
  static constexpr std::array<Find, sizeof...(i)> unit_finders(std::index_sequence<i...>) {
    return {&find_unit<i + 1, per>...};
  }
  // A few widths are compiled; a sum does not mind empty slices.
  static constexpr std::uint32_t class_width(std::size_t slices) {
    return slices <= 4 ? 4 : slices <= 6 ? 6 : slices <= 8 ? 8 : max_slices;
  }
  template <Per per, std::size_t... i>
  static constexpr std::array<Find, sizeof...(i)> class_finders(std::index_sequence<i...>) {
    return {&find_classes<class_width(i + 1), per>...};
  }
  template <std::size_t... i>
  static constexpr std::array<Sums, sizeof...(i)> class_summers(std::index_sequence<i...>) {
    return {&sums_classes<class_width(i + 1)>...};
  }
  template <std::size_t... i>
  static constexpr std::array<Sums, sizeof...(i)> unit_summers(std::index_sequence<i...>) {
    return {&sums_unit<i + 1>...};
  }
  using UnitCounts = std::make_index_sequence<max_tree_planes>;
  using SliceCounts = std::make_index_sequence<8>;
  using WideSliceCounts = std::make_index_sequence<max_slices>;

  static std::size_t find(const Program& program, std::uint32_t begin, std::uint32_t end,
                          const Threshold& threshold, HitLine* hits) {
    static constexpr std::array unit = {unit_finders<Per::Query>(UnitCounts()),
                                        unit_finders<Per::Line>(UnitCounts()),
                                        unit_finders<Per::Row>(UnitCounts())};
    static constexpr std::array classed = {class_finders<Per::Query>(WideSliceCounts()),
                                           class_finders<Per::Line>(WideSliceCounts()),
                                           class_finders<Per::Row>(WideSliceCounts())};
    auto kind = static_cast<std::size_t>(per(threshold));
    Find finder = program.classes == nullptr ? unit[kind][program.plane_count - 1]
                                             : classed[kind][program.slices - 1];
    return finder(program, begin, end, threshold, hits);
  }

  static void sums(const Program& program, std::uint32_t begin, std::uint32_t end,
                   std::uint8_t* out) {
    static constexpr auto unit = unit_summers(UnitCounts());
    static constexpr auto classed = class_summers(SliceCounts());
    Sums summer =
        program.classes == nullptr ? unit[program.plane_count - 1] : classed[program.slices - 1];
    summer(program, begin, end, out);
  }

  static constexpr Kernel kernel(Isa isa) {
    return {isa, &find, &sums, &group_limits, &column_bases, &row_limits, &best_totals, &count};
  }
};

}  // namespace rankveil::kernels

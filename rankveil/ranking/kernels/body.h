// The kernel, written once for any register width and compiled once per instruction set.
//
// `Lanes` gives a register of Lanes::words 64-bit words and its operations:
//   load, store, zero, ones, both (and), sum3 (a^b^c), carry3 (majority), any (some bit set),
//   spread (from threshold bytes: word i is all ones where bit `bit` of bytes[i] is 0),
//   write_bytes (slices to one byte a row).
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
  // Registers worked on together when planes have weights; keeps loop costs down.
  static constexpr std::uint32_t together = Lanes::together;
  static constexpr std::uint32_t prefetch_words = 6 * words_per_line;
  // Up to this many planes of weight 1 are added by code made for exactly that many.
  static constexpr std::size_t most_unit_planes = 32;

  struct Slices {
    Reg slice[most_slices];
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

  template <std::size_t count>
  [[gnu::always_inline]] static inline void add_planes(const std::uint64_t* const* planes,
                                                       std::size_t word, Slices& out) {
    add_units<count, 0>([&](std::size_t i) { return Lanes::load(planes[i] + word); }, out);
  }

  // ---- Thresholds ----

  // Inverted threshold bits, ready for `reaches`.
  struct Limit {
    Reg inverted[most_slices];
  };

  static inline Limit uniform_limit(std::uint8_t threshold) {
    Limit limit;
    for (std::uint32_t i = 0; i < most_slices; ++i) {
      limit.inverted[i] = (threshold >> i) & 1 ? Lanes::zero() : Lanes::ones();
    }
    return limit;
  }

  static inline Limit word_limit(const std::uint8_t* bytes) {
    Limit limit;
    for (std::uint32_t i = 0; i < most_slices; ++i) limit.inverted[i] = Lanes::spread(bytes, i);
    return limit;
  }

  // Which rows' sums reach the threshold: the carry out of sum + ~threshold + 1. A threshold bit
  // above the slices fails every row.
  template <std::uint32_t slice_count>
  static inline Reg reaches(const Slices& sums, const Limit& limit) {
    Reg carry = Lanes::ones();
    for (std::uint32_t i = 0; i < slice_count; ++i) {
      carry = Lanes::carry3(sums.slice[i], carry, limit.inverted[i]);
    }
    for (std::uint32_t i = slice_count; i < most_slices; ++i) {
      carry = Lanes::both(carry, limit.inverted[i]);
    }
    return carry;
  }

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
        std::memset(hits[found].mask, 0, sizeof hits[found].mask);
        ++found;
        opened = true;
      }
      HitLine& hit = hits[found - 1];
      Lanes::store(hit.mask + part * words, passing);
      for (std::uint32_t i = 0; i < slice_count; ++i) {
        Lanes::store(hit.slices[i] + part * words, sums.slice[i]);
      }
    }
  };

  template <std::size_t count, bool per_word>
  static std::size_t find_unit(const Program& program, std::uint32_t begin, std::uint32_t end,
                               const Threshold& threshold, HitLine* hits) {
    constexpr std::uint32_t slice_count = slices_for(count);
    const std::uint64_t* const* planes = program.planes;
    Limit limit = uniform_limit(threshold.uniform);
    Sink sink{hits};
    for (std::uint32_t line = begin; line < end; ++line) {
      std::size_t word = std::size_t{line} * words_per_line;
      for (std::size_t i = 0; i < count; ++i) __builtin_prefetch(planes[i] + word + prefetch_words);
      sink.next_line();
      for (std::uint32_t part = 0; part < regs_per_line; ++part) {
        Slices sums;
        add_planes<count>(planes, word + part * words, sums);
        if constexpr (per_word) limit = word_limit(threshold.per_word + word + part * words);
        Reg passing = reaches<slice_count>(sums, limit);
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

  // ---- Weights: level by level, a plane entering every level whose bit its weight has. Carries
  // wait in memory between levels. ----

  using CarryRow = std::uint64_t[together * words];

  struct Workspace {
    alignas(64) CarryRow carry[2][most_planes];
    const std::uint64_t* source[2 * most_planes];
    Slices sums[together];
  };

  // Adds source[0 .. count) for `together` registers; returns the number of carries.
  static inline std::uint32_t add_level(std::uint32_t count, std::uint32_t level, CarryRow* carry,
                                        Workspace& space) {
    const std::uint64_t* const* source = space.source;
    Reg sum[together];
    for (std::uint32_t u = 0; u < together; ++u) sum[u] = Lanes::load(source[0] + u * words);
    std::uint32_t carries = 0;
    std::uint32_t i = 1;
    for (; i + 1 < count; i += 2, ++carries) {
      for (std::uint32_t u = 0; u < together; ++u) {
        Reg left = Lanes::load(source[i] + u * words);
        Reg right = Lanes::load(source[i + 1] + u * words);
        Lanes::store(carry[carries] + u * words, Lanes::carry3(sum[u], left, right));
        sum[u] = Lanes::sum3(sum[u], left, right);
      }
    }
    if (i < count) {
      for (std::uint32_t u = 0; u < together; ++u) {
        Reg last = Lanes::load(source[i] + u * words);
        Lanes::store(carry[carries] + u * words, Lanes::both(sum[u], last));
        sum[u] = Lanes::sum3(sum[u], last, Lanes::zero());
      }
      ++carries;
    }
    for (std::uint32_t u = 0; u < together; ++u) space.sums[u].slice[level] = sum[u];
    return carries;
  }

  static inline void add_weighted(const Program& program, std::size_t word, Workspace& space) {
    const std::uint64_t* const* planes = program.planes;
    std::uint32_t carries = 0;
    for (std::uint32_t level = 0; level < program.slices; ++level) {
      std::uint32_t count = 0;
      for (std::uint32_t i = program.first[level]; i < program.first[level + 1]; ++i) {
        space.source[count++] = planes[program.inputs[i]] + word;
      }
      for (std::uint32_t i = 0; i < carries; ++i) space.source[count++] = space.carry[level % 2][i];
      if (count == 0) {
        for (auto& sums : space.sums) sums.slice[level] = Lanes::zero();
      } else {
        carries = add_level(count, level, space.carry[(level + 1) % 2], space);
      }
    }
  }

  static inline void prefetch_all(const Program& program, std::size_t word) {
    for (std::uint32_t i = 0; i < program.plane_count; ++i) {
      const std::uint64_t* plane = program.planes[i];
      for (std::uint32_t ahead = 0; ahead < together * words; ahead += words_per_line) {
        __builtin_prefetch(plane + word + prefetch_words + ahead);
      }
    }
  }

  template <std::uint32_t slice_count, bool per_word>
  static std::size_t find_weighted(const Program& program, std::uint32_t begin, std::uint32_t end,
                                   const Threshold& threshold, HitLine* hits) {
    Workspace space;
    Limit limit = uniform_limit(threshold.uniform);
    Sink sink{hits};
    std::uint32_t registers = (end - begin) * regs_per_line;
    for (std::uint32_t first = 0; first < registers; first += together) {
      std::size_t word = std::size_t{begin} * words_per_line + std::size_t{first} * words;
      prefetch_all(program, word);
      add_weighted(program, word, space);
      for (std::uint32_t u = 0; u < together && first + u < registers; ++u) {
        std::uint32_t part = (first + u) % regs_per_line;
        if (part == 0) sink.next_line();
        if constexpr (per_word) limit = word_limit(threshold.per_word + word + u * words);
        Reg passing = reaches<slice_count>(space.sums[u], limit);
        if (Lanes::any(passing)) {
          sink.keep(begin + (first + u) / regs_per_line, part, passing, space.sums[u], slice_count);
        }
      }
    }
    return sink.found;
  }

  static void sums_weighted(const Program& program, std::uint32_t begin, std::uint32_t end,
                            std::uint8_t* out) {
    Workspace space;
    std::size_t last = std::size_t{end} * words_per_line;
    for (std::size_t word = std::size_t{begin} * words_per_line; word < last;
         word += together * words) {
      add_weighted(program, word, space);
      for (std::uint32_t u = 0; u < together && word + u * words < last; ++u, out += words * 64) {
        Lanes::write_bytes(space.sums[u].slice, program.slices, out);
      }
    }
  }

  // ---- Group bases: plain loops, vectorised by the compiler for this instruction set. ----

  static void bases(const BaseTask& task, double* out) {
    constexpr std::size_t chunk = 1024;  // stays in the first-level cache
    for (std::size_t begin = 0; begin < task.groups; begin += chunk) {
      std::size_t size = task.groups - begin < chunk ? task.groups - begin : chunk;
      double* total = out + begin;
      for (std::size_t g = 0; g < size; ++g) total[g] = 0;
      for (std::uint32_t c = 0; c < task.columns; ++c) {
        const std::uint32_t* counts = task.counts[c] + begin;
        double weight = task.weights[c];
        for (std::size_t g = 0; g < size; ++g) {
          total[g] += weight * static_cast<double>(static_cast<std::int32_t>(counts[g]));
        }
      }
      const std::uint32_t* sizes = task.sizes + begin;
      const double* factors = task.factors + begin;
      // Adding and taking away 1.5 x 2^52 rounds to a whole number in any vector width.
      constexpr double rounder = 6755399441055744.0;
      for (std::size_t g = 0; g < size; ++g) {
        double quotient =
            factors[g] * total[g] / static_cast<double>(static_cast<std::int32_t>(sizes[g]));
        total[g] = (quotient * task.scale + rounder) - rounder;
      }
    }
  }

  // ---- Choosing the instance ----

  using Find = decltype(Kernel::find);
  using Sums = decltype(Kernel::sums);
  template <bool per_word, std::size_t... i>
  static constexpr std::array<Find, sizeof...(i)> unit_finders(std::index_sequence<i...>) {
    return {&find_unit<i + 1, per_word>...};
  }
  template <bool per_word, std::size_t... i>
  static constexpr std::array<Find, sizeof...(i)> weighted_finders(std::index_sequence<i...>) {
    return {&find_weighted<i + 1, per_word>...};
  }
  template <std::size_t... i>
  static constexpr std::array<Sums, sizeof...(i)> unit_summers(std::index_sequence<i...>) {
    return {&sums_unit<i + 1>...};
  }
  using UnitCounts = std::make_index_sequence<most_unit_planes>;
  using SliceCounts = std::make_index_sequence<most_slices>;

  static std::size_t find(const Program& program, std::uint32_t begin, std::uint32_t end,
                          const Threshold& threshold, HitLine* hits) {
    static constexpr auto unit = unit_finders<false>(UnitCounts());
    static constexpr auto unit_per_word = unit_finders<true>(UnitCounts());
    static constexpr auto weighted = weighted_finders<false>(SliceCounts());
    static constexpr auto weighted_per_word = weighted_finders<true>(SliceCounts());
    std::size_t count = program.plane_count;
    bool per_word = threshold.per_word != nullptr;
    if (program.unit && count <= most_unit_planes) {
      return (per_word ? unit_per_word : unit)[count - 1](program, begin, end, threshold, hits);
    }
    return (per_word ? weighted_per_word : weighted)[program.slices - 1](program, begin, end,
                                                                         threshold, hits);
  }

  static void sums(const Program& program, std::uint32_t begin, std::uint32_t end,
                   std::uint8_t* out) {
    static constexpr auto unit = unit_summers(UnitCounts());
    std::size_t count = program.plane_count;
    if (program.unit && count <= most_unit_planes) {
      unit[count - 1](program, begin, end, out);
    } else {
      sums_weighted(program, begin, end, out);
    }
  }
};

}  // namespace rankveil::kernels

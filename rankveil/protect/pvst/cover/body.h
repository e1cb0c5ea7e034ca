// The kernel, written once and compiled once per instruction set: a line is one vector of 64 bytes,
// which the compiler splits into the registers it has.
#pragma once

#include <cstring>

#include "rankveil/protect/pvst/cover/kernel.h"

namespace rankveil::cover {

namespace {

using Line = std::uint64_t __attribute__((vector_size(64)));

struct Body {
  static Line load(const std::uint64_t* from) {
    Line line;
    std::memcpy(&line, from, sizeof line);
    return line;
  }
  static void store(std::uint64_t* to, const Line& line) { std::memcpy(to, &line, sizeof line); }
  static bool any(const Line& line) {
    std::uint64_t all = 0;
    for (std::uint32_t i = 0; i < words_per_line; ++i) all |= line[i];
    return all != 0;
  }

  static Line wanted_of(const Wanted& wanted, std::size_t at) {
    Line line = ~Line{};
    std::uint32_t i = 0;
    for (std::uint32_t part = 0; part < wanted.parts; ++part) {
      Line one = load(wanted.planes[i] + at);
      for (++i; i < wanted.ends[part]; ++i) one |= load(wanted.planes[i] + at);
      line &= one;
    }
    return line;
  }

  static void keep_wanted(const Wanted& wanted, std::uint32_t line, std::uint64_t* found) {
    store(found, load(found) & wanted_of(wanted, std::size_t{line} * words_per_line));
  }

  static std::uint32_t first_free(const Blocked& blocked, const Wanted& wanted, std::uint32_t begin,
                                  std::uint32_t end, std::uint64_t* free) {
    std::uint32_t planes = blocked.ends[blocked.attributes - 1];
    for (std::uint32_t line = begin; line < end; ++line) {
      std::size_t at = std::size_t{line} * words_per_line;
      Line left = wanted_of(wanted, at);
      for (std::uint32_t i = 0; i < planes; ++i) left &= ~load(blocked.planes[i] + at);
      if (any(left)) {
        store(free, left);
        return line;
      }
    }
    return end;
  }

  static Line missed(const Blocked& blocked, std::uint32_t attribute, std::size_t at) {
    std::uint32_t i = attribute == 0 ? 0 : blocked.ends[attribute - 1];
    Line line = load(blocked.planes[i] + at);
    for (++i; i < blocked.ends[attribute]; ++i) line |= load(blocked.planes[i] + at);
    return line;
  }

  template <std::uint32_t slices>
  static void add(Line carry, std::uint32_t from, Line* sum) {
    for (std::uint32_t i = from; i < slices; ++i) {
      Line next = sum[i] & carry;
      sum[i] ^= carry;
      carry = next;
    }
  }

  // Counts misses: bit i of every candidate's count is in slice i. Two attributes at a time: their
  // carry goes up once.
  template <std::uint32_t slices>
  static void count(const Blocked& blocked, std::size_t at, Line* sum) {
    for (std::uint32_t i = 0; i < slices; ++i) sum[i] = Line{};
    std::uint32_t a = 0;
    for (; a + 1 < blocked.attributes; a += 2) {
      Line left = missed(blocked, a, at);
      Line right = missed(blocked, a + 1, at);
      Line half = sum[0] ^ left;
      Line carry = (sum[0] & left) | (half & right);
      sum[0] = half ^ right;
      add<slices>(carry, 1, sum);
    }
    if (a < blocked.attributes) add<slices>(missed(blocked, a, at), 0, sum);
  }

  struct Compared {
    Line less;
    Line equal;
  };
  template <std::uint32_t slices>
  static Compared compare(const Line* sum, std::uint32_t number) {
    Compared made{Line{}, ~Line{}};
    for (std::uint32_t i = slices; i-- > 0;) {
      if ((number >> i) & 1) {
        made.less |= made.equal & ~sum[i];
        made.equal &= sum[i];
      } else {
        made.equal &= ~sum[i];
      }
    }
    return made;
  }

  template <std::uint32_t slices>
  static void find_fewest(const Blocked& blocked, std::uint32_t begin, std::uint32_t end,
                          const std::uint64_t* valid, Fewest& fewest, std::uint64_t* found) {
    Line sum[slices];
    for (std::uint32_t line = begin; line < end; ++line) {
      count<slices>(blocked, std::size_t{line} * words_per_line, sum);
      Line counted = line + 1 == end ? load(valid) : ~Line{};
      Compared compared = compare<slices>(sum, fewest.misses);
      while (any(compared.less & counted)) {
        compared = compare<slices>(sum, --fewest.misses);
        fewest.line = line;
      }
      store(found + std::size_t{line - begin} * words_per_line, compared.equal & counted);
    }
  }

  static void fewest(const Blocked& blocked, std::uint32_t begin, std::uint32_t end,
                     const std::uint64_t* valid, Fewest& fewest, std::uint64_t* found) {
    auto run = blocked.attributes < 2    ? &find_fewest<1>
               : blocked.attributes < 4  ? &find_fewest<2>
               : blocked.attributes < 8  ? &find_fewest<3>
               : blocked.attributes < 16 ? &find_fewest<4>
               : blocked.attributes < 32 ? &find_fewest<5>
                                         : &find_fewest<16>;
    run(blocked, begin, end, valid, fewest, found);
  }
};

}  // namespace

}  // namespace rankveil::cover

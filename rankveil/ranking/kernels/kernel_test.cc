// Every instruction set against sums added up one by one.
#include "rankveil/ranking/kernels/kernel.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "rankveil/base/aligned_words.h"
#include "rankveil/base/random.h"
#include "rankveil/ranking/scan/plane_program.h"

namespace rankveil::kernels {
namespace {

struct Planes {
  Planes(Rng& rng, std::size_t count, std::uint32_t lines) {
    for (std::size_t i = 0; i < count; ++i) {
      words.emplace_back(std::size_t{lines} * words_per_line + slack_words);
      std::uint64_t shape = rng.below(4);
      for (std::size_t w = 0; w < std::size_t{lines} * words_per_line; ++w) {
        std::uint64_t dense = rng() | rng();
        words.back().data()[w] = shape == 0 ? dense : shape == 1 ? rng() & rng() : rng();
      }
      start.push_back(words.back().data());
    }
  }
  bool bit(std::size_t plane, std::uint32_t row) const {
    return (start[plane][row / 64] >> (row % 64)) & 1;
  }
  std::vector<AlignedWords> words;
  std::vector<const std::uint64_t*> start;
};

struct Example {
  std::uint32_t lines;
  Planes planes;
  std::vector<std::uint32_t> weights;
  std::uint32_t largest;
  std::vector<std::uint8_t> sums;  // one by one
};

// One weight, any, powers of two and one more, or two more and now and then another.
std::uint32_t random_weight(Rng& rng, std::uint64_t kind, std::uint32_t full) {
  if (kind == 0) return 1;
  if (kind == 1) return 1 + static_cast<std::uint32_t>(rng.below(40));
  if (kind == 3 && rng.below(10) == 0) return 1 + static_cast<std::uint32_t>(rng.below(15));
  if (kind == 3 && rng.below(3) == 0) return 5;
  return rng.below(2) == 0 ? full : 1U << rng.below(4);
}

Example random_example(std::uint64_t seed) {
  Rng rng(seed);
  auto lines = 1 + static_cast<std::uint32_t>(rng.below(7));
  std::size_t count = 1 + rng.below(rng.below(4) == 0 ? 60 : 24);
  std::uint64_t kind = rng.below(4);
  auto full = static_cast<std::uint32_t>(1 + rng.below(15));
  std::vector<std::uint32_t> weights;
  std::uint32_t largest = 0;
  while (weights.size() < count) {
    std::uint32_t weight = random_weight(rng, kind, full);
    if (largest + weight > largest_sum) break;
    weights.push_back(weight);
    largest += weight;
  }
  Example example{lines, Planes(rng, weights.size(), lines), weights, largest, {}};
  for (std::uint32_t row = 0; row < lines * rows_per_line; ++row) {
    std::uint32_t sum = 0;
    for (std::size_t i = 0; i < weights.size(); ++i) {
      if (example.planes.bit(i, row)) sum += weights[i];
    }
    example.sums.push_back(static_cast<std::uint8_t>(sum));
  }
  return example;
}

void expect_hits(const Example& example, const PlaneProgram& program, std::uint32_t begin,
                 const std::vector<HitLine>& hits, std::size_t found,
                 const std::vector<std::uint8_t>& thresholds) {
  std::size_t next = 0;
  for (std::uint32_t line = begin; line < example.lines; ++line) {
    bool some = false;
    for (std::uint32_t i = 0; i < rows_per_line; ++i) {
      std::uint32_t row = line * rows_per_line + i;
      bool passes = example.sums[row] >= thresholds[row / 64];
      some = some || passes;
      if (next < found && hits[next].line == line) {
        ASSERT_EQ((hits[next].mask[i / 64] >> (i % 64)) & 1, passes ? 1U : 0U) << "row " << row;
        if (passes) {
          ASSERT_EQ(hits[next].sum(program.slices(), i / 64, i % 64), example.sums[row]);
        }
      } else {
        ASSERT_FALSE(passes) << "row " << row;
      }
    }
    for (std::uint32_t w = 0; some && w < words_per_line; ++w) {
      ASSERT_EQ((hits[next].words >> w) & 1, hits[next].mask[w] != 0 ? 1U : 0U) << "word " << w;
    }
    if (some) ++next;
  }
  EXPECT_EQ(next, found);
}

// Weights that a class of its own does not pay for are split into their bits.
TEST(WeightClasses, TakeTwoWideWeightsAndSplitTheOthers) {
  std::vector<std::uint32_t> weights(20, 15);
  weights.insert(weights.end(), 12, 7);
  weights.insert(weights.end(), {1, 2, 9, 9, 11});
  kernels::WeightClasses classes = weight_classes(weights, 9);
  EXPECT_EQ(classes.wide[0].weight, 15U);
  EXPECT_EQ(classes.wide[0].count, 20U);
  EXPECT_EQ(classes.wide[1].weight, 7U);
  EXPECT_EQ(classes.wide[1].count, 12U);
  EXPECT_EQ(classes.top, 3U);
  EXPECT_EQ(classes.counts[0], 4);  // 1, and the low bits of 9, 9 and 11
  EXPECT_EQ(classes.counts[1], 2);  // 2, and that of 11
  EXPECT_EQ(classes.counts[3], 3);
}

TEST(WeightClasses, AreNotMadeWhereBitsAreQuicker) {
  kernels::WeightClasses few = weight_classes(std::vector<std::uint32_t>{3, 3, 3, 1, 2, 4}, 5);
  EXPECT_EQ(few.wide[0].count, 0U);
  EXPECT_EQ(few.counts[0], 4);
  EXPECT_EQ(few.counts[1], 4);
  std::vector<std::uint32_t> many(10, 15);  // full matches, and strengths that are mostly 5 of 15
  many.insert(many.end(), {5, 5, 5, 5, 5, 5, 5, 1, 1, 2, 2, 4, 4, 8, 8});
  EXPECT_EQ(weight_classes(many, 8).wide[0].weight, 15U);
}

TEST(Kernel, EveryInstructionSetAddsUpAlike) {
  for (Isa isa : supported_isas()) {
    const Kernel& kernel = kernel_for(isa);
    EXPECT_EQ(kernel.isa, isa);
    for (std::uint64_t seed = 0; seed < 400; ++seed) {
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " seed " << seed);
      Example example = random_example(seed);
      PlaneProgram program(example.planes.start, example.weights, example.largest);
      program.expect_far(seed % 2 == 1);
      std::vector<std::uint8_t> sums(example.sums.size());
      kernel.sums(program.view(), 0, example.lines, sums.data());
      ASSERT_EQ(sums, example.sums);
      Rng rng(seed);
      std::uint32_t begin = static_cast<std::uint32_t>(rng.below(example.lines));
      std::vector<HitLine> hits(example.lines);
      auto uniform = static_cast<std::uint8_t>(rng.below(example.largest + 2));
      std::vector<std::uint8_t> thresholds(std::size_t{example.lines} * words_per_line, uniform);
      std::size_t found =
          kernel.find(program.view(), begin, example.lines, {uniform, nullptr}, hits.data());
      expect_hits(example, program, begin, hits, found, thresholds);
      std::vector<std::uint8_t> per_line(example.lines);
      for (std::size_t i = 0; i < thresholds.size(); ++i) {
        std::uint8_t& of_line = per_line[i / words_per_line];
        if (i % words_per_line == 0) of_line = static_cast<std::uint8_t>(rng.below(256));
        thresholds[i] = of_line;
      }
      found = kernel.find(program.view(), begin, example.lines, {0, per_line.data()}, hits.data());
      expect_hits(example, program, begin, hits, found, thresholds);
    }
  }
}

std::uint32_t sum_of(const Planes& planes, const std::vector<std::uint32_t>& weights,
                     std::uint32_t row) {
  std::uint32_t sum = 0;
  for (std::size_t i = 0; i < weights.size(); ++i) sum += planes.bit(i, row) ? weights[i] : 0;
  return sum;
}

// Strengths from 0 to 15 of `attributes` attributes, and as many full matches.
std::vector<std::uint32_t> wide_weights(std::uint32_t attributes) {
  std::vector<std::uint32_t> weights(attributes, 15);
  for (std::uint32_t weight : {1U, 2U, 4U, 8U}) weights.insert(weights.end(), attributes, weight);
  return weights;
}

TEST(Kernel, EveryInstructionSetAddsUpWideSums) {
  for (Isa isa : supported_isas()) {
    const Kernel& kernel = kernel_for(isa);
    for (std::uint32_t attributes = 9; attributes <= 17; ++attributes) {
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " attributes " << attributes);
      Rng rng(attributes);
      std::vector<std::uint32_t> weights = wide_weights(attributes);
      Planes planes(rng, weights.size(), 2);
      PlaneProgram program(planes.start, weights, 30 * attributes);
      for (std::uint32_t t = 0; t <= 30 * attributes + 1; t += 13) {
        std::vector<HitLine> hits(2);
        hits.resize(
            kernel.find(program.view(), 0, 2, {static_cast<std::uint16_t>(t)}, hits.data()));
        std::size_t passing = 0;
        for (const HitLine& hit : hits) {
          for (std::uint32_t i = 0; i < rows_per_line; ++i) {
            if (((hit.mask[i / 64] >> (i % 64)) & 1) == 0) continue;
            ++passing;
            ASSERT_EQ(hit.sum(program.slices(), i / 64, i % 64),
                      sum_of(planes, weights, hit.line * rows_per_line + i));
          }
        }
        std::size_t expected = 0;
        for (std::uint32_t r = 0; r < 1024; ++r) expected += sum_of(planes, weights, r) >= t;
        ASSERT_EQ(passing, expected) << "threshold " << t;
      }
    }
  }
}

TEST(Kernel, FindsTheSumsOfUnitPlanesWhateverTheThreshold) {
  constexpr std::uint32_t lines = 2;
  Rng rng(7);
  Planes planes(rng, max_tree_planes, lines);
  for (Isa isa : supported_isas()) {
    for (std::uint32_t count = 1; count <= max_tree_planes; ++count) {
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << ", planes " << count);
      std::vector<const std::uint64_t*> chosen(planes.start.begin(), planes.start.begin() + count);
      PlaneProgram program(chosen, std::vector<std::uint32_t>(count, 1), count);
      auto slices = static_cast<std::uint32_t>(std::bit_width(count));
      for (std::uint16_t threshold = 0; threshold < count + 3; ++threshold) {
        std::vector<HitLine> hits(lines);
        hits.resize(kernel_for(isa).find(program.view(), 0, lines, {threshold}, hits.data()));
        std::vector<std::uint32_t> sums(lines * rows_per_line, UINT32_MAX);
        for (const HitLine& hit : hits) {
          for (std::uint32_t i = 0; i < rows_per_line; ++i) {
            if (((hit.mask[i / 64] >> (i % 64)) & 1) == 0) continue;
            sums[hit.line * rows_per_line + i] = hit.sum(slices, i / 64, i % 64);
          }
        }
        for (std::uint32_t row = 0; row < lines * rows_per_line; ++row) {
          std::uint32_t sum = 0;
          for (std::uint32_t p = 0; p < count; ++p) sum += planes.bit(p, row) ? 1 : 0;
          ASSERT_EQ(sums[row], sum >= threshold ? sum : UINT32_MAX)
              << "row " << row << ", from " << threshold;
        }
      }
    }
  }
}

TEST(Kernel, EveryInstructionSetCountsSamplesAlike) {
  for (Isa isa : supported_isas()) {
    for (std::uint64_t seed = 0; seed < 60; ++seed) {
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " seed " << seed);
      Example example = random_example(seed);
      PlaneProgram program(example.planes.start, example.weights, example.largest);
      std::vector<HitLine> lines(example.lines);
      kernel_for(isa).find(program.view(), 0, example.lines, {}, lines.data());
      for (std::uint32_t threshold = 0; threshold < 256; threshold += 5) {
        auto expected = std::count_if(example.sums.begin(), example.sums.end(),
                                      [&](std::uint8_t sum) { return sum >= threshold; });
        ASSERT_EQ(kernel_for(isa).count(lines.data(), lines.size(), program.slices(), threshold),
                  expected);
      }
    }
  }
}

// Groups of up to 1,000 rows, with counts in a few columns.
struct GroupCounts {
  std::vector<std::uint32_t> sizes;
  std::vector<double> factors;
  std::vector<std::vector<std::uint32_t>> counts;
  std::vector<const std::uint32_t*> columns;
  std::vector<double> weights;

  explicit GroupCounts(Rng& rng) : sizes(rng.below(3000)), counts(1 + rng.below(6)) {
    for (auto& size : sizes) size = 1 + static_cast<std::uint32_t>(rng.below(1000));
    for (std::size_t g = 0; g < sizes.size(); ++g) {
      factors.push_back(1 + static_cast<double>(rng.below(3)));
    }
    for (auto& column : counts) {
      for (std::uint32_t size : sizes) {
        column.push_back(static_cast<std::uint32_t>(rng.below(size + 1)));
      }
      columns.push_back(column.data());
      weights.push_back(1 + static_cast<double>(rng.below(1000)));
    }
  }

  double base(std::size_t g, double scale) const {
    double total = 0;
    for (std::size_t c = 0; c < counts.size(); ++c) total += weights[c] * counts[c][g];
    return scale * factors[g] * total / sizes[g];
  }
};

TEST(Kernel, EveryInstructionSetFindsTheLimitsOfGroupsAlike) {
  for (std::uint64_t seed = 0; seed < 60; ++seed) {
    Rng rng(seed);
    GroupCounts groups(rng);
    double scale = 0x1.0p20;
    double unit = scale * (1 + static_cast<double>(rng.below(5000)) / 100);
    double floor = scale * static_cast<double>(rng.below(4000));
    auto most = static_cast<std::int32_t>(rng.below(255));
    for (Isa isa : supported_isas()) {
      std::vector<std::uint8_t> got(groups.sizes.size(), 7);
      kernel_for(isa).group_limits(
          {groups.columns.data(), groups.weights.data(),
           static_cast<std::uint32_t>(groups.columns.size()), groups.sizes.data(),
           groups.factors.data(), 0, got.size(), scale, floor, 1 / unit, most},
          got.data());
      for (std::size_t g = 0; g < got.size(); ++g) {
        SCOPED_TRACE(::testing::Message() << isa_name(isa) << " seed " << seed << " group " << g);
        double base = groups.base(g, scale);
        double least = std::ceil(std::max(0.0, (floor - base) / unit));
        double expected = least > most ? 255 : least;
        bool one_low = got[g] + 1 == expected || (expected == 255 && got[g] == most);
        ASSERT_TRUE(got[g] == expected || one_low) << int{got[g]} << " of " << expected;
        if (got[g] != 255 && got[g] > 0) {  // one less would not reach the floor
          ASSERT_LT(base + (got[g] - 1) * unit, floor + 1e-6 * unit);
        }
      }
    }
  }
}

bool may_reach(const RowLimitTask& task, std::size_t group, std::uint32_t sum) {
  if (task.bounds[group] > largest_bound) return true;
  return (sum << task.shift) + task.bounds[group] >= task.floor;
}

TEST(Kernel, EveryInstructionSetFindsRowsThatReachThresholdsOfTheirOwn) {
  for (Isa isa : supported_isas()) {
    const Kernel& kernel = kernel_for(isa);
    for (std::uint64_t seed = 0; seed < 200; ++seed) {
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " seed " << seed);
      Example example = random_example(seed);
      PlaneProgram program(example.planes.start, example.weights, example.largest);
      Rng rng(seed);
      std::uint8_t bounds[rows_per_line];
      for (std::uint8_t& bound : bounds) {
        bound = static_cast<std::uint8_t>(rng.below(rng.below(4) == 0 ? 256 : 40));
      }
      auto shift = static_cast<std::uint32_t>(rng.below(max_bound_shift + 1));
      auto floor = static_cast<std::uint32_t>(rng.below(((example.largest + 3) << shift) + 60));
      RowLimitTask task{bounds, floor, shift, program.slices(), example.largest};
      RowLimits limits;
      kernel.row_limits(task, limits);
      std::vector<HitLine> hits(example.lines);
      std::size_t found =
          kernel.find(program.view(), 0, example.lines, {.per_row = &limits}, hits.data());
      std::size_t next = 0;
      for (std::uint32_t line = 0; line < example.lines; ++line) {
        bool some = next < found && hits[next].line == line;
        for (std::uint32_t i = 0; i < rows_per_line; ++i) {
          std::uint32_t sum = example.sums[line * rows_per_line + i];
          bool passes = some && ((hits[next].mask[i / 64] >> (i % 64)) & 1) != 0;
          bool may = may_reach(task, i, sum);
          // A threshold fits a byte: of floors that are out of reach some rows may come through.
          bool either = floor >> shift >= 254 && passes;
          ASSERT_TRUE(passes == may || either) << "line " << line << " row " << i;
          if (!passes) continue;
          ASSERT_EQ(hits[next].sum(program.slices(), i / 64, i % 64), sum);
        }
        next += some ? 1 : 0;
      }
      ASSERT_EQ(next, found);
    }
  }
}

TEST(Kernel, EveryInstructionSetBoundsGroupsSideBySideAlike) {
  for (Isa isa : supported_isas()) {
    const Kernel& kernel = kernel_for(isa);
    for (std::uint64_t seed = 0; seed < 100; ++seed) {
      SCOPED_TRACE(::testing::Message() << isa_name(isa) << " seed " << seed);
      Rng rng(seed);
      bool halves = seed % 3 == 0;
      std::vector<std::vector<std::uint8_t>> columns(rng.below(halves ? 20 : 14));
      for (auto& column : columns) {
        column.resize(rows_per_line);
        for (auto& count : column) {
          count = static_cast<std::uint8_t>(rng.below(halves ? 16 : rng.below(9) == 0 ? 256 : 30));
        }
      }
      auto stored = columns;
      std::vector<const std::uint8_t*> starts;
      for (auto& column : stored) {
        for (std::size_t g = 0; halves && g < rows_per_line / 2; ++g) {
          column[g] = static_cast<std::uint8_t>(column[g] | column[g + rows_per_line / 2] << 4);
        }
        starts.push_back(column.data());
      }
      std::vector<std::uint8_t> units(rows_per_line);
      for (auto& unit : units) unit = static_cast<std::uint8_t>(rng.below(256));
      auto per_unit = static_cast<std::uint16_t>(rng.below(seed % 4 == 0 ? 65'535 : 900));
      std::vector<std::uint8_t> sums(rows_per_line);
      std::vector<std::uint8_t> bounds(rows_per_line);
      kernel.column_bases({starts.data(), static_cast<std::uint32_t>(starts.size()), halves,
                           units.data(), per_unit},
                          sums.data(), bounds.data());
      for (std::size_t g = 0; g < rows_per_line; ++g) {
        std::uint32_t sum = 0;
        for (const auto& column : columns) sum += column[g];
        ASSERT_EQ(sums[g], std::min(sum, 255U));
        std::uint64_t exact = std::uint64_t{sum} * units[g] * per_unit;
        std::uint64_t bound = sum >= 255 ? 255 : std::min<std::uint64_t>(255, (exact >> 16) + 1);
        ASSERT_EQ(bounds[g], bound) << "group " << g;
      }
    }
  }
}

TEST(Kernel, EveryInstructionSetKeepsTheBestTotalsAlike) {
  for (Isa isa : supported_isas()) {
    for (std::uint64_t seed = 0; seed < 20; ++seed) {
      Rng rng(seed);
      std::vector<std::uint8_t> sums(rows_per_line);
      std::vector<std::uint8_t> bounds(rows_per_line);
      for (auto& sum : sums) sum = static_cast<std::uint8_t>(rng.below(255));
      for (auto& bound : bounds) bound = static_cast<std::uint8_t>(rng.below(256));
      std::vector<std::uint16_t> best(best_totals_size);
      for (auto& total : best) total = static_cast<std::uint16_t>(rng.below(3000));
      std::vector<std::uint16_t> expected = best;
      auto shift = static_cast<std::uint32_t>(seed % (max_bound_shift + 1));
      for (std::size_t g = 0; g < rows_per_line; ++g) {
        std::uint32_t total = bounds[g] > largest_bound ? 0 : (sums[g] << shift) + bounds[g];
        auto& place = expected[g % best_totals_size];
        place = static_cast<std::uint16_t>(std::max<std::uint32_t>(place, total));
      }
      kernel_for(isa).best_totals({sums.data(), bounds.data(), shift}, best.data());
      ASSERT_EQ(best, expected) << isa_name(isa) << " seed " << seed;
    }
  }
}

}  // namespace
}  // namespace rankveil::kernels

// Samples are whole lines, or, where rows stand group by group, single rows (see segment_sample.h).
#include "rankveil/ranking/scan/first_guess.h"

#include <algorithm>
#include <functional>
#include <vector>

#include "rankveil/ranking/scan/hit_rows.h"

namespace rankveil {

using kernels::HitLine;
using kernels::rows_per_line;
using kernels::words_per_line;

namespace {

// A guess looks at lines / per_sampled lines, at least `least` and at most `most`, and at least
// `min_rank` sampled rows must reach it. Scores that take few values need no close guess.
struct SampleSize {
  std::uint32_t per_sampled;
  std::uint32_t least;
  std::uint32_t most;
  std::uint32_t min_rank;
};
constexpr SampleSize counting_sample{128, 8, 64, 6};
constexpr SampleSize bounding_sample{48, 32, 128, 12};
// A cautious guess is reached by this many times as many sampled rows.
constexpr std::uint32_t caution = 4;

// Room for the lines of a sample: one for each thread, so that it stays cached.
HitLine* line_buffer(std::uint32_t lines) {
  thread_local std::vector<HitLine> buffer;
  if (buffer.size() < lines) buffer.resize(lines);
  return buffer.data();
}

// Lines with the sums of all their rows. Row i of the lines, line.line * 512 and so on, stands at
// position first + i * step.
struct Sample {
  HitLine* lines = nullptr;
  std::uint32_t count = 0;
  std::uint32_t slices = 0;  // of the sums
  std::uint32_t largest = 0;
  std::uint32_t step = 1;
  std::uint32_t first = 0;

  std::uint32_t rows() const { return count * rows_per_line; }
  std::uint32_t position(const HitLine& line, std::uint32_t word, std::uint32_t bit) const {
    return first + (line.line * rows_per_line + word * 64 + bit) * step;
  }
};

// Lines spread evenly over the segment.
Sample sample_lines(const SegmentPlan& plan, const PlaneProgram& program, const SampleSize& size) {
  std::uint32_t whole_lines = plan.segment().rows / rows_per_line;
  std::uint32_t count = std::clamp(whole_lines / size.per_sampled, size.least, size.most);
  count = std::min(count, whole_lines / 4);
  Sample sample{line_buffer(count), count, program.slices(), program.largest()};
  kernels::Program view = program.view();
  HitLine* next = sample.lines;
  for (std::uint32_t line : sampled_lines(view, count, whole_lines)) {
    kernels::kernel_in_use().find(view, line, line + 1, {}, next++);
  }
  return sample;
}

// The segment's sample of single rows.
Sample sample_rows(const SegmentPlan& plan, const Summing& sums) {
  if (!plan.segment().sample || plan.segment().sample->rows == 0) return {};
  const SegmentSample& rows = *plan.segment().sample;
  FeedList list(rows.attributes, rows.rows, plan.wishes());
  std::optional<PlaneProgram> program = same_sums(sums, list.feeds());
  if (!program) return {};
  std::uint32_t count = lines_of(rows.rows);
  Sample sample{line_buffer(count), count,     program->slices(),
                program->largest(), rows.step, rows.position(0)};
  kernels::kernel_in_use().find(program->view(), 0, count, {}, sample.lines);
  for (std::uint32_t w = 0; w < words_per_line; ++w) {
    std::uint64_t& mask = sample.lines[count - 1].mask[w];
    mask = used_mask(rows.rows, (count - 1) * words_per_line + w, mask);
  }
  return sample;
}

void mask_reaching(const HitLine& line, std::uint32_t slices, std::uint32_t threshold,
                   std::uint64_t* mask) {
  std::uint64_t carry[words_per_line];
  std::fill(std::begin(carry), std::end(carry), ~std::uint64_t{0});
  for (std::uint32_t i = 0; i < slices; ++i) {
    const std::uint64_t* slice = line.slices[i];
    if ((threshold >> i) & 1) {
      for (std::uint32_t w = 0; w < words_per_line; ++w) carry[w] &= slice[w];
    } else {
      for (std::uint32_t w = 0; w < words_per_line; ++w) carry[w] |= slice[w];
    }
  }
  for (std::uint32_t w = 0; w < words_per_line; ++w) mask[w] = line.mask[w] & carry[w];
}

std::uint64_t rows_reaching(const Sample& sample, std::uint32_t sum) {
  return kernels::kernel_in_use().count(sample.lines, sample.count, sample.slices, sum);
}

// The largest sum that at least `wanted` rows of the sample reach.
std::uint32_t sum_reached_by(const Sample& sample, std::uint64_t wanted) {
  std::uint32_t low = 0;
  std::uint32_t high = sample.largest;
  while (low < high) {
    std::uint32_t middle = (low + high + 1) / 2;
    if (rows_reaching(sample, middle) >= wanted) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// How many of the sample's best rows stand for about `rows` rows of the segment.
std::uint64_t sample_rank(const SegmentPlan& plan, const Sample& sample, std::uint64_t rows,
                          std::uint64_t least) {
  std::uint64_t share = (sample.rows() * rows + plan.segment().rows - 1) / plan.segment().rows;
  return std::max(least, share);
}

// Exact scores of the sampled rows that reach `sum`.
std::vector<std::int64_t> scores_of(const SegmentPlan& plan, const Sample& sample,
                                    const Summing& sums, std::uint32_t sum) {
  std::uint32_t slices = sample.slices;
  std::vector<std::int64_t> scores;
  for (std::uint32_t i = 0; i < sample.count; ++i) {
    const HitLine& line = sample.lines[i];
    std::uint64_t reaching[words_per_line];
    mask_reaching(line, slices, sum, reaching);
    auto those = [&](std::uint32_t word, std::uint64_t) { return reaching[word % words_per_line]; };
    for_each_bit(line, those, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = sample.position(line, word, bit);
      std::uint32_t row_sum = line.sum(slices, word, bit);
      scores.push_back(plan.base_at(position) + score_of(sums, plan, position, row_sum));
    });
  }
  return scores;
}

// The score of the `wanted`-th best sampled row, looking only at rows with high sums.
Guess score_reached_by(const SegmentPlan& plan, const Sample& sample, const Summing& sums,
                       std::uint64_t wanted) {
  std::uint32_t sum = sum_reached_by(sample, caution * wanted);
  bool vague = rows_reaching(sample, sum) > caution * caution * wanted;
  if (sums.bounds != nullptr && vague) return {};
  std::vector<std::int64_t> scores = scores_of(plan, sample, sums, sum);
  if (scores.size() < wanted) return {};
  auto place = scores.begin() + static_cast<std::ptrdiff_t>(wanted - 1);
  std::nth_element(scores.begin(), place, scores.end(), std::greater<>());
  return {*place, *std::min_element(place, scores.end())};
}

// What the main run gives its rows; 0 without groups.
std::int64_t main_base(const SegmentPlan& plan) {
  std::optional<std::uint32_t> run = plan.segment().main_run();
  return run ? plan.bases().of(plan.segment().groups->runs[*run].group) : 0;
}

std::uint64_t rows_through(const SegmentPlan& plan, const Sample& sample, const Summing& sums,
                           std::int64_t score) {
  std::uint64_t rows = rows_reaching(sample, sum_for(score - main_base(plan), sums));
  return rows * plan.segment().rows / sample.rows();
}

}  // namespace

std::vector<std::uint32_t> sampled_lines(const kernels::Program& program, std::uint32_t count,
                                         std::uint32_t lines) {
  std::vector<std::uint32_t> sampled(count);
  for (std::uint32_t i = 0; i < count; ++i) {
    sampled[i] = static_cast<std::uint32_t>(std::uint64_t{2 * i + 1} * lines / (2 * count));
    for (std::uint32_t p = 0; p < program.plane_count; ++p) {
      __builtin_prefetch(program.planes[p] + std::size_t{sampled[i]} * words_per_line);
    }
  }
  return sampled;
}

Guess guess_floor(const SegmentPlan& plan, const Summing& sums, std::uint32_t k) {
  if (!sums.program || !plan.filter().is_all()) return {};
  std::optional<std::uint32_t> run = plan.segment().main_run();
  bool one_base = !plan.grouped() || run.has_value();
  bool counting = sums.are_scores() && one_base;
  const SampleSize& size = counting ? counting_sample : bounding_sample;
  Sample sample = one_base ? sample_lines(plan, *sums.program, size) : sample_rows(plan, sums);
  std::uint64_t rows = std::uint64_t{k} * (counting ? 3 : 2);
  std::uint64_t wanted = sample_rank(plan, sample, rows, size.min_rank);
  if (sample.count == 0 || wanted * 8 > sample.rows()) return {};
  if (!counting) {
    Guess guess = score_reached_by(plan, sample, sums, wanted);
    bool bounded = sums.bounds != nullptr && guess.likely != no_floor;
    if (bounded) guess.reaching = rows_through(plan, sample, sums, guess.likely);
    return guess;
  }
  // A scan that counts soon finds a threshold of its own.
  return {main_base(plan) + sum_reached_by(sample, wanted) * sums.unit, no_floor};
}

}  // namespace rankveil

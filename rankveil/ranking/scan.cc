// Three ways to scan, all with the same answer.
//
// Counting: the kernel's sums are the scores themselves, up to a common factor. Rows come in row
// order, so a later row with the k-th best score can never get in: candidates are counted per sum
// and the threshold rises as soon as k rows reach it. No heap, no sort.
//
// Bounding: the kernel's sums are upper bounds of the scores (weights rounded to few bits), or
// exact but for the constant of the row's group. Rows whose bound reaches the k-th best score so
// far are scored exactly. With groups, each line has its own threshold, that of its best group; or
// each 64 rows, where groups are very small.
//
// Plain: scores of all rows are added up one by one. For queries without planes, or with more
// than a kernel takes.
//
// The first two start from a guess: the score that, a sample of lines says, two or three times k
// rows reach.
#include "rankveil/ranking/scan.h"

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <numeric>

#include "rankveil/base/parallel.h"
#include "rankveil/ranking/top_buffer.h"

namespace rankveil {

using kernels::HitLine;
using kernels::rows_per_line;
using kernels::words_per_line;

namespace {

constexpr std::uint32_t lines_per_call = 32;
// Bounds are sums of rounded weights; a larger limit bounds closer, but leaves less for rounding
// up.
constexpr std::int64_t bound_limit = 230;
// How many lines a first guess looks at: one in `per_sampled`, from `least` to `most`; and how many
// sampled rows must reach it. Scores that take few values need no close guess.
struct SampleSize {
  std::uint32_t per_sampled;
  std::uint32_t least;
  std::uint32_t most;
  std::uint32_t least_rank;
};
constexpr SampleSize counting_sample{128, 8, 64, 6};
constexpr SampleSize bounding_sample{48, 32, 128, 12};
// Lines of up to this many runs have one threshold for all their words.
constexpr std::size_t most_runs_by_line = 40;
// A query that reads this much will not find it in a cache next time.
constexpr std::size_t far_bytes = 4 << 20;

std::int64_t total_of(const std::vector<Feed>& feeds) {
  std::int64_t total = 0;
  for (const Feed& feed : feeds) total += feed.weight;
  return total;
}

std::int64_t common_factor(const std::vector<Feed>& feeds) {
  std::int64_t factor = 0;
  for (const Feed& feed : feeds) factor = std::gcd(factor, feed.weight);
  return factor;
}

// The whole number of units nearest to a weight.
std::int64_t rounded(std::int64_t weight, double per_unit) {
  return std::llround(static_cast<double>(weight) * per_unit);
}

// How far rounded weights are off in all; the largest number there is if their sum is too large for
// a kernel, or nothing is left of them.
std::int64_t rounding_error(const std::vector<Feed>& feeds, std::int64_t unit) {
  std::int64_t error = 0;
  std::int64_t sum = 0;
  double per_unit = 1.0 / static_cast<double>(unit);
  for (const Feed& feed : feeds) {
    std::int64_t units = rounded(feed.weight, per_unit);
    sum += units;
    error += std::abs(feed.weight - units * unit);
  }
  return sum == 0 || sum > kernels::largest_sum ? INT64_MAX : error;
}

// The unit that rounds the weights best: one of a few from the least that can do to twice that, or
// a multiple of the common factor by a power of two, which leaves the bits of strengths whole.
std::int64_t choose_unit(const std::vector<Feed>& feeds, std::int64_t factor) {
  constexpr std::int64_t steps = 12;
  std::int64_t least = total_of(feeds) / bound_limit + 1;
  std::int64_t best = least;
  std::int64_t best_error = INT64_MAX;
  auto consider = [&](std::int64_t unit) {
    std::int64_t error = rounding_error(feeds, unit);
    if (error >= best_error) return;
    best = unit;
    best_error = error;
  };
  while (factor < least) factor *= 2;
  consider(factor);
  for (std::int64_t i = 0; i <= steps; ++i) consider(least + least * i / steps);
  return best;
}

}  // namespace

// Weights are rounded to whole units. What is rounded down counts as if every row had it: as slack.
// So the low bits of strengths are not read at all.
Summing choose_sums(const std::vector<Feed>& feeds) {
  Summing sums;
  if (feeds.empty()) return sums;
  sums.unit = common_factor(feeds);
  sums.exact = total_of(feeds) / sums.unit <= kernels::largest_sum;
  if (!sums.exact) sums.unit = choose_unit(feeds, sums.unit);
  std::vector<const std::uint64_t*> planes;
  std::vector<std::uint32_t> weights;
  planes.reserve(feeds.size());
  weights.reserve(feeds.size());
  std::int64_t largest = 0;
  double per_unit = 1.0 / static_cast<double>(sums.unit);
  for (const Feed& feed : feeds) {
    std::int64_t units = rounded(feed.weight, per_unit);
    largest += units;
    sums.slack += std::max<std::int64_t>(0, feed.weight - units * sums.unit);
    if (units == 0) continue;
    planes.push_back(feed.plane);
    weights.push_back(static_cast<std::uint32_t>(units));
  }
  bool fits = largest <= kernels::largest_sum && planes.size() <= kernels::most_planes;
  if (planes.empty() || !fits) return sums;  // every weight would round to the same
  sums.program.emplace(std::move(planes), weights, static_cast<std::uint32_t>(largest));
  return sums;
}

namespace {

// Clears the bits of deleted rows and of the padding behind the last row.
std::uint64_t live_mask(const SegmentPlan& plan, std::uint32_t word, std::uint64_t mask) {
  std::uint32_t rows = plan.segment().rows;
  if (std::uint64_t{word} * 64 + 64 > rows) {
    std::uint32_t used = rows > word * 64 ? rows - word * 64 : 0;
    mask &= used == 0 ? 0 : ~std::uint64_t{0} >> (64 - used);
  }
  if (plan.slot().deleted != nullptr && !plan.grouped()) mask &= ~(*plan.slot().deleted)[word];
  return mask;
}

// Calls visit(word, bit, hit line) for every passing live row.
template <typename Visit>
void for_each_row(const SegmentPlan& plan, const HitLine& hit, const Visit& visit) {
  std::uint32_t passing = 0;  // words with passing rows; mostly one, somewhere
  for (std::uint32_t i = 0; i < words_per_line; ++i) {
    passing |= static_cast<std::uint32_t>(hit.mask[i] != 0) << i;
  }
  for (; passing != 0; passing &= passing - 1) {
    auto i = static_cast<std::uint32_t>(std::countr_zero(passing));
    std::uint32_t word = hit.line * words_per_line + i;
    for (std::uint64_t left = live_mask(plan, word, hit.mask[i]); left != 0; left &= left - 1) {
      visit(i, static_cast<std::uint32_t>(std::countr_zero(left)));
    }
  }
}

// Where kernels put what they find: one for each thread, so that it stays cached.
HitLine* hit_buffer() {
  thread_local HitLine buffer[lines_per_call];
  return buffer;
}

// Room for span_thresholds of `runs` runs.
std::uint8_t* window_scratch(std::size_t runs) {
  thread_local std::vector<std::uint8_t> scratch;
  if (scratch.size() < runs * kernels::window_levels) scratch.resize(runs * kernels::window_levels);
  return scratch.data();
}

// ---- A first guess ----

// Lines spread evenly over the segment, with the sums of all their rows.
struct Sample {
  std::unique_ptr<HitLine[]> lines;
  std::uint32_t count;
};

Sample sample_of(const SegmentPlan& plan, const PlaneProgram& program, const SampleSize& size) {
  std::uint32_t whole_lines = plan.segment().rows / rows_per_line;
  std::uint32_t count = std::clamp(whole_lines / size.per_sampled, size.least, size.most);
  count = std::min(count, whole_lines / 4);
  Sample sample{std::make_unique_for_overwrite<HitLine[]>(count), count};
  kernels::Program view = program.view();
  auto line_of = [&](std::uint32_t i) {
    return static_cast<std::uint32_t>(std::uint64_t{2 * i + 1} * whole_lines / (2 * count));
  };
  for (std::uint32_t i = 0; i < count; ++i) {
    for (std::uint32_t p = 0; p < view.plane_count; ++p) {
      __builtin_prefetch(view.planes[p] + std::size_t{line_of(i)} * words_per_line);
    }
  }
  for (std::uint32_t i = 0; i < count; ++i) {
    std::uint32_t line = line_of(i);
    HitLine& hit = sample.lines[i];
    kernels::kernel_in_use().find(view, line, line + 1, {}, &hit);
    if (plan.slot().deleted == nullptr) continue;
    for (std::uint32_t w = 0; w < words_per_line; ++w) {
      hit.mask[w] = live_mask(plan, line * words_per_line + w, hit.mask[w]);
    }
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

// The largest sum that at least `wanted` rows of the sample reach.
std::uint32_t sum_reached_by(const Sample& sample, const PlaneProgram& program,
                             std::uint32_t wanted) {
  std::uint32_t low = 0;
  std::uint32_t high = program.largest();
  while (low < high) {
    std::uint32_t middle = (low + high + 1) / 2;
    std::uint32_t count =
        kernels::kernel_in_use().count(sample.lines.get(), sample.count, program.slices(), middle);
    if (count >= wanted) {
      low = middle;
    } else {
      high = middle - 1;
    }
  }
  return low;
}

// How many of the sample's best rows stand for about `rows` rows of the segment.
std::uint64_t sample_rank(const SegmentPlan& plan, std::size_t lines, std::uint64_t rows,
                          std::uint64_t least) {
  std::uint64_t sampled = lines * rows_per_line;
  std::uint64_t share = (sampled * rows + plan.segment().rows - 1) / plan.segment().rows;
  return std::max(least, share);
}

// The exact score of the `wanted`-th best sampled row, looking only at rows with high sums.
std::int64_t score_reached_by(const SegmentPlan& plan, const Sample& sample, const Summing& sums,
                              std::uint32_t wanted) {
  const PlaneProgram& program = *sums.program;
  std::uint32_t sum = sum_reached_by(sample, program, 4 * wanted);
  std::vector<std::int64_t> scores;  // of planes alone at first
  std::vector<std::uint32_t> groups;
  for (std::uint32_t i = 0; i < sample.count; ++i) {
    HitLine& line = sample.lines[i];
    mask_reaching(line, program.slices(), sum, line.mask);
    for_each_row(plan, line, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = line.line * rows_per_line + word * 64 + bit;
      scores.push_back(sums.exact ? line.sum(program.slices(), word, bit) * sums.unit
                                  : plan.planes_score(position));
      if (!plan.grouped()) return;
      groups.push_back(plan.segment().group_at(position));
      plan.bases().prefetch(groups.back());
    });
  }
  for (std::size_t i = 0; i < groups.size(); ++i) scores[i] += plan.bases().of(groups[i]);
  if (scores.size() < wanted) return no_floor;
  auto place = scores.begin() + (wanted - 1);
  std::nth_element(scores.begin(), place, scores.end(), std::greater<>());
  return *place;
}

std::int64_t guess_floor(const SegmentPlan& plan, const Summing& sums, std::uint32_t k) {
  if (!sums.program) return no_floor;
  bool counting = sums.exact && !plan.grouped();
  const SampleSize& size = counting ? counting_sample : bounding_sample;
  Sample sample = sample_of(plan, *sums.program, size);
  std::uint64_t rows = std::uint64_t{k} * (counting ? 3 : 2);
  std::uint64_t wanted = sample_rank(plan, sample.count, rows, size.least_rank);
  if (sample.count == 0 || wanted * 8 > sample.count * rows_per_line) return no_floor;
  auto rank = static_cast<std::uint32_t>(wanted);
  if (counting) return sum_reached_by(sample, *sums.program, rank) * sums.unit;
  return score_reached_by(plan, sample, sums, rank);
}

}  // namespace

struct ScanPlan::Choice {
  const SegmentPlan* plan;
  std::uint32_t k;
  std::int64_t floor;
  Summing sums;
  std::int64_t guess;
};

namespace {

using Choice = ScanPlan::Choice;

// The least sum that can mean `score` or more; 255 when none can.
std::uint8_t sum_for(std::int64_t score, const Summing& sums) {
  score -= sums.slack;
  if (score <= 0) return 0;
  std::int64_t sum = (score + sums.unit - 1) / sums.unit;
  return static_cast<std::uint8_t>(sum > sums.program->largest() ? 255 : sum);
}

class CountingScan : public UnitScan {
 public:
  CountingScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan),
        sums_(choice.sums),
        k_(choice.k),
        threshold_(sum_for(floor, choice.sums)) {
    candidates_.reserve(std::size_t{4} * std::min<std::uint32_t>(k_, 1024));
  }

  void advance(std::uint32_t begin, std::uint32_t end) override {
    kernels::Program program = sums_.program->view();
    HitLine* hits = hit_buffer();
    for (; begin < end && threshold_ <= sums_.program->largest(); begin += lines_per_call) {
      std::uint32_t stop = std::min(end, begin + lines_per_call);
      std::size_t found = kernels::kernel_in_use().find(
          program, begin, stop, {static_cast<std::uint8_t>(threshold_), nullptr}, hits);
      for (std::size_t i = 0; i < found; ++i) collect(hits[i]);
    }
  }

  UnitScan* as_unit() override { return sums_.program->view().unit ? this : nullptr; }

  std::span<const std::uint64_t* const> planes() const override {
    kernels::Program program = sums_.program->view();
    return {program.planes, program.plane_count};
  }

  std::uint8_t threshold() const override { return static_cast<std::uint8_t>(threshold_); }

  void collect(const HitLine& hit) override {
    for_each_row(plan_, hit, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t sum = hit.sum(sums_.program->slices(), word, bit);
      if (sum < threshold_) return;
      candidates_.push_back({hit.line * rows_per_line + word * 64 + bit, sum});
      ++count_[sum];
      // Once k rows reach the threshold, a later row has to do better.
      for (++reaching_; reaching_ >= k_ && threshold_ < 255; ++threshold_) {
        reaching_ -= count_[threshold_];
      }
    });
  }

  std::vector<Hit> take() override {
    std::uint32_t place[256];  // where the next candidate with a sum goes
    std::uint32_t above = 0;
    for (std::uint32_t sum = sums_.program->largest() + 1; sum-- > 0;) {
      place[sum] = above;
      above += count_[sum];
    }
    std::vector<Hit> best(std::min<std::size_t>(k_, candidates_.size()));
    for (const Candidate& candidate : candidates_) {
      std::uint32_t i = place[candidate.sum]++;
      if (i < best.size()) {
        best[i] = {RowId{plan_.slot().first_row + candidate.row}, candidate.sum * sums_.unit};
      }
    }
    return best;
  }

 private:
  struct Candidate {
    std::uint32_t row;
    std::uint32_t sum;
  };

  const SegmentPlan& plan_;
  const Summing& sums_;
  std::uint32_t k_;
  std::uint32_t threshold_;
  std::uint32_t reaching_ = 0;
  std::uint32_t count_[256] = {};
  std::vector<Candidate> candidates_;
};

class BoundingScan : public Scan {
 public:
  BoundingScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan), sums_(choice.sums), buffer_(choice.k, floor) {
    pending_.reserve(most_pending + rows_per_line);
    if (!plan_.grouped()) return;
    std::size_t lines = lines_of(plan_.segment().rows);
    per_word_ = plan_.segment().groups->runs.size() > lines * most_runs_by_line;
    std::size_t count = per_word_ ? lines * words_per_line : lines;
    thresholds_ = std::make_unique_for_overwrite<std::uint8_t[]>(count);
  }

  void advance(std::uint32_t begin, std::uint32_t end) override {
    kernels::Program program = sums_.program->view();
    HitLine* hits = hit_buffer();
    for (std::uint32_t stop; begin < end; begin = stop) {
      if (stale_ || begin >= thresholds_end_) refresh(begin, end);
      stop = std::min(end, begin + lines_per_call);
      kernels::Threshold threshold{threshold_, per_word_ ? nullptr : thresholds_.get(),
                                   per_word_ ? thresholds_.get() : nullptr};
      std::size_t found = kernels::kernel_in_use().find(program, begin, stop, threshold, hits);
      for (std::size_t i = 0; i < found; ++i) collect(hits[i]);
    }
  }

  std::vector<Hit> take() override {
    settle();
    return buffer_.take();
  }

 private:
  struct Pending {
    std::uint32_t position;
    std::uint32_t group;
    std::int64_t score;  // without the group's base
  };

  void collect(const HitLine& hit) {
    for_each_row(plan_, hit, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = hit.line * rows_per_line + word * 64 + bit;
      std::uint32_t sum = hit.sum(sums_.program->slices(), word, bit);
      Pending row{position, 0, 0};
      if (plan_.grouped()) {
        std::uint32_t run = plan_.segment().run_at(position);
        if (sum < run_threshold_[run - first_run_]) return;  // only its neighbours could pass
        row.group = plan_.segment().groups->runs[run].group;
        plan_.bases().prefetch(row.group);
        __builtin_prefetch(&plan_.segment().groups->order[position]);
      }
      row.score = sums_.exact ? sum * sums_.unit : plan_.planes_score(position);
      pending_.push_back(row);
    });
    if (pending_.size() >= most_pending) settle();
  }

  // Adds bases and turns positions into rows, many at a time: each may have to come from far.
  void settle() {
    for (const Pending& row : pending_) {
      plan_.grouped() ? settle_grouped(row) : add(row.position, row.score);
    }
    pending_.clear();
    stale_ = buffer_.floor() >= refreshed_floor_ + (plan_.grouped() ? sums_.unit : 1);
  }

  void settle_grouped(const Pending& row) {
    std::int64_t score = row.score + plan_.bases().of(row.group);
    if (score >= buffer_.floor()) add(plan_.segment().groups->order[row.position], score);
  }

  void add(std::uint32_t row, std::int64_t score) {
    if (plan_.slot().is_deleted(row)) return;
    buffer_.add({RowId{plan_.slot().first_row + row}, score});
  }

  // Thresholds that fit the buffer's floor, for lines [begin, end).
  void refresh(std::uint32_t begin, std::uint32_t end) {
    stale_ = false;
    refreshed_floor_ = buffer_.floor();
    if (plan_.grouped()) {
      thresholds_end_ = end;
      refresh_lines(begin, end);
    } else {
      thresholds_end_ = UINT32_MAX;
      threshold_ = sum_for(buffer_.floor(), sums_);
    }
  }

  // The threshold of a line is the least of its runs'. Only where lines touch very many runs, words
  // have thresholds of their own: elsewhere a few more candidates cost less.
  void refresh_lines(std::uint32_t begin, std::uint32_t end) {
    const auto& first_run = plan_.segment().groups->first_run;
    std::size_t word = std::size_t{begin} * words_per_line;
    std::size_t words = std::min(std::size_t{end} * words_per_line, first_run.size() - 1) - word;
    std::uint32_t low = first_run[word];
    std::size_t count = first_run[word + words] + 1 - low;
    refresh_runs(low, count);
    if (!per_word_ && count * 2 < end - begin) return fill_lines(begin, end, count);
    kernels::kernel_in_use().span_thresholds(
        {first_run.data() + word, words, per_word_ ? 1 : words_per_line, run_threshold_.get(),
         window_scratch(count)},
        thresholds_.get() + (per_word_ ? word : begin));
  }

  // Thresholds of runs [first, first + count).
  void refresh_runs(std::uint32_t first, std::size_t count) {
    auto runs = plan_.segment().groups->runs.items().subspan(first, count);
    std::uint32_t first_group = runs.front().group;
    std::size_t groups = runs.back().group + 1 - first_group;
    if (groups > run_threshold_size_) {
      run_threshold_ = std::make_unique_for_overwrite<std::uint8_t[]>(groups);
      run_threshold_size_ = groups;
    }
    first_run_ = first;
    plan_.bases().thresholds(first_group, groups,
                             {buffer_.floor() - sums_.slack, sums_.unit, sums_.program->largest()},
                             run_threshold_.get());
    if (groups == count) return;
    // Some groups have no rows here. Runs ascend by group, so none is written before it is read.
    for (std::size_t i = 0; i < count; ++i) {
      run_threshold_[i] = run_threshold_[runs[i].group - first_group];
    }
  }

  // The same as span_thresholds, run by run, for runs of several lines.
  void fill_lines(std::uint32_t begin, std::uint32_t end, std::size_t count) {
    auto runs = plan_.segment().groups->runs.items();
    std::uint8_t* lines = thresholds_.get();
    lines[begin] = 255;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t run = first_run_ + i;
      std::uint32_t stop = run + 1 < runs.size() ? runs[run + 1].begin : plan_.segment().rows;
      std::uint32_t first = std::max(begin, runs[run].begin / rows_per_line);
      std::uint32_t after = std::min(end, (stop - 1) / rows_per_line + 1);
      if (first >= after) continue;
      bool starts = runs[run].begin % rows_per_line == 0;
      lines[first] = starts ? run_threshold_[i] : std::min(lines[first], run_threshold_[i]);
      std::fill(lines + first + 1, lines + after, run_threshold_[i]);
    }
  }

  const SegmentPlan& plan_;
  const Summing& sums_;
  TopBuffer buffer_;
  static constexpr std::size_t most_pending = 64;
  std::vector<Pending> pending_;
  bool stale_ = true;
  std::int64_t refreshed_floor_ = no_floor;
  std::uint8_t threshold_ = 0;
  std::uint32_t thresholds_end_ = 0;
  bool per_word_ = false;                          // or per line
  std::unique_ptr<std::uint8_t[]> thresholds_;     // null without groups
  std::unique_ptr<std::uint8_t[]> run_threshold_;  // per run, from first_run_ on
  std::size_t run_threshold_size_ = 0;
  std::uint32_t first_run_ = 0;
};

class PlainScan : public Scan {
 public:
  explicit PlainScan(const Choice& choice)
      : plan_(*choice.plan), buffer_(choice.k, choice.floor), scores_(rows_per_line) {}

  void advance(std::uint32_t begin, std::uint32_t end) override {
    for (std::uint32_t line = begin; line < end; ++line) {
      plan_.planes_scores(line, line + 1, scores_.data());
      std::uint32_t first = line * rows_per_line;
      std::uint32_t count = std::min(rows_per_line, plan_.segment().rows - first);
      for (std::uint32_t i = 0; i < count; ++i) add(first + i, scores_[i]);
    }
  }

  std::vector<Hit> take() override { return buffer_.take(); }

 private:
  void add(std::uint32_t position, std::int64_t score) {
    std::uint32_t row = position;
    if (plan_.grouped()) {
      score += plan_.base_at(position);
      row = plan_.segment().groups->order[position];
    }
    if (!plan_.slot().is_deleted(row)) {
      buffer_.add({RowId{plan_.slot().first_row + row}, score});
    }
  }

  const SegmentPlan& plan_;
  TopBuffer buffer_;
  std::vector<std::int64_t> scores_;
};

}  // namespace

ScanPlan::ScanPlan(const SegmentPlan& segment, std::uint32_t k, std::int64_t floor, bool alone) {
  Choice choice{&segment, k, floor, choose_sums(segment.feeds()), no_floor};
  std::size_t bytes = segment.feeds().size() * segment.segment().rows / 8;
  if (choice.sums.program) choice.sums.program->expect_far(alone && bytes >= far_bytes);
  choice.guess = std::max(floor, guess_floor(segment, choice.sums, k));
  choice_ = std::make_unique<const Choice>(std::move(choice));
}

ScanPlan::~ScanPlan() = default;
ScanPlan::ScanPlan(ScanPlan&&) noexcept = default;

bool ScanPlan::guessed() const { return choice_->guess > choice_->floor; }

std::unique_ptr<Scan> ScanPlan::start(bool from_floor) const {
  std::int64_t floor = from_floor ? choice_->floor : choice_->guess;
  if (!choice_->sums.program) return std::make_unique<PlainScan>(*choice_);
  if (choice_->sums.exact && !choice_->plan->grouped()) {
    return std::make_unique<CountingScan>(*choice_, floor);
  }
  return std::make_unique<BoundingScan>(*choice_, floor);
}

std::vector<Hit> merge_best(std::vector<Hit> left, const std::vector<Hit>& right, std::uint32_t k) {
  if (left.empty()) return right;
  if (right.empty()) return left;
  std::vector<Hit> merged(left.size() + right.size());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), merged.begin(), ranks_before);
  if (merged.size() > k) merged.resize(k);
  return merged;
}

namespace {

std::vector<Hit> scan_lines(const ScanPlan& plan, std::uint32_t lines, std::uint32_t k,
                            std::uint32_t threads, bool from_floor) {
  std::vector<std::vector<Hit>> parts(threads);
  parallel_for(threads, threads, [&](std::size_t i) {
    auto scan = plan.start(from_floor);
    auto begin = static_cast<std::uint32_t>(std::uint64_t{lines} * i / threads);
    auto end = static_cast<std::uint32_t>(std::uint64_t{lines} * (i + 1) / threads);
    scan->advance(begin, end);
    parts[i] = scan->take();
  });
  std::vector<Hit> best = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) best = merge_best(std::move(best), parts[i], k);
  return best;
}

}  // namespace

std::vector<Hit> best_of_segment(const SegmentPlan& segment, std::uint32_t k, std::int64_t floor,
                                 std::uint32_t threads) {
  std::uint32_t lines = lines_of(segment.segment().rows);
  if (lines == 0 || k == 0) return {};
  std::uint32_t parts = std::clamp<std::uint32_t>(threads, 1, lines);
  ScanPlan plan(segment, k, floor, true);
  std::vector<Hit> best = scan_lines(plan, lines, k, parts, false);
  if (best.size() < k && plan.guessed()) best = scan_lines(plan, lines, k, parts, true);
  return best;
}

}  // namespace rankveil

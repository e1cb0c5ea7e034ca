// Five ways to scan, all with the same answer.
//
// Counting: the kernel's sums are the scores themselves, up to a common factor. Rows come in row
// order, so a later row with the k-th best score can never get in: candidates are counted per sum
// and the threshold rises as soon as k rows reach it. No heap, no sort.
//
// Main run: the same where all rows but a few are of one group. Those few are scored one by one.
//
// Bounding: the kernel's sums are upper bounds of the scores (weights rounded to few bits, or
// strengths bounded in one bitmap a value), or exact but for the constant of the row's group. Rows
// whose bound reaches the k-th best score so far are scored exactly. With groups, each line has its
// own threshold, that of its best group; or each 64 rows, where groups are very small; or a few
// lines together, where they are very large and sums do not fit a byte. Lines whose groups have
// nothing that a query asks for are passed over (group_reach.h).
//
// Plain: scores of all rows are added up one by one. For queries without planes, or with more
// than a kernel takes.
//
// By columns: many small groups, in another order (column_scan.h).
//
// All but the plain one start from a guess (first_guess.h).
#include "rankveil/ranking/scan/scan.h"

#include <algorithm>
#include <cassert>

#include "rankveil/base/parallel.h"
#include "rankveil/ranking/scan/column_scan.h"
#include "rankveil/ranking/scan/first_guess.h"
#include "rankveil/ranking/scan/hit_rows.h"
#include "rankveil/ranking/scan/sum_counter.h"
#include "rankveil/ranking/scan/top_buffer.h"

namespace rankveil {

using kernels::HitLine;
using kernels::rows_per_line;
using kernels::words_per_line;

namespace {

constexpr std::uint32_t lines_per_call = 32;
// Lines of up to this many runs have one threshold for all their words.
constexpr std::size_t most_runs_by_line = 40;

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

}  // namespace

struct ScanPlan::Choice {
  const SegmentPlan* plan;
  std::uint32_t k;
  Summing sums;
  std::unique_ptr<const ColumnPlan> columns;  // or null
  std::vector<std::int64_t> starts;           // falling, to the floor
  std::vector<std::uint8_t> reach;            // by run: its rows have no larger sums; or empty
};

namespace {

using Choice = ScanPlan::Choice;

// Calls collect(hit) for every line of [begin, end) with rows that the counter may want.
template <typename Collect>
void find_wanted(const Summing& sums, const RowFilter& filter, const SumCounter& counter,
                 std::uint32_t begin, std::uint32_t end, const Collect& collect) {
  kernels::Program program = sums.program->view();
  HitLine* hits = hit_buffer();
  for (std::uint32_t stop; begin < end && !counter.is_done(); begin = stop) {
    begin = filter.first_open(begin, end);
    stop = filter.first_closed(begin, std::min(end, begin + lines_per_call));
    if (begin == end) return;
    std::size_t found = kernels::kernel_in_use().find(
        program, begin, stop, {static_cast<std::uint16_t>(counter.threshold()), nullptr}, hits);
    for (std::size_t i = 0; i < found; ++i) collect(hits[i]);
  }
}

class CountingScan : public Scan {
 public:
  CountingScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan),
        sums_(choice.sums),
        slices_(choice.sums.program->slices()),
        counter_(choice.sums, choice.k, sum_for(floor, choice.sums)) {}

  void advance(std::uint32_t begin, std::uint32_t end) override {
    find_wanted(sums_, plan_.filter(), counter_, begin, end,
                [&](const HitLine& hit) { collect(hit); });
  }

  std::vector<Hit> take() override { return counter_.take(plan_.slot().first_row, 0); }

 private:
  void collect(const HitLine& hit) {
    for_each_hit(plan_, hit, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t sum = hit.sum(slices_, word, bit);
      if (sum >= counter_.threshold()) {
        counter_.add(hit.line * rows_per_line + word * 64 + bit, sum);
      }
    });
  }

  const SegmentPlan& plan_;
  const Summing& sums_;
  std::uint32_t slices_;
  SumCounter counter_;
};

class MainRunScan : public Scan {
 public:
  MainRunScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan),
        sums_(choice.sums),
        k_(choice.k),
        floor_(floor),
        run_(*plan_.segment().main_run()),
        base_(plan_.bases().of(plan_.segment().groups->runs[run_].group)),
        counter_(choice.sums, choice.k, sum_for(floor - base_, choice.sums)) {}

  void advance(std::uint32_t begin, std::uint32_t end) override {
    std::uint32_t first = plan_.segment().groups->runs[run_].begin;
    std::uint32_t after = plan_.segment().run_end(run_);
    std::uint32_t begin_position = begin * rows_per_line;
    std::uint32_t end_position = std::min(end * rows_per_line, plan_.segment().rows);
    add_others(begin_position, std::min(first, end_position));
    add_others(std::max(after, begin_position), end_position);
    find_wanted(sums_, plan_.filter(), counter_, begin, end,
                [&](const HitLine& hit) { collect(hit, first, after); });
  }

  std::vector<Hit> take() override {
    std::vector<Hit> best = counter_.take(0, base_);
    const auto& order = plan_.segment().groups->order;
    for (const Hit& hit : best) __builtin_prefetch(&order[+hit.row]);
    for (Hit& hit : best) hit.row = RowId{plan_.slot().first_row + order[+hit.row]};
    keep_best(others_, k_);
    return merge_best(std::move(best), std::move(others_), k_);
  }

 private:
  // Inside a run, rows come in order, so that positions tell which comes first. Rows themselves
  // come from far: only those of the answer are looked up.
  void collect(const HitLine& hit, std::uint32_t first, std::uint32_t after) {
    for_each_hit(plan_, hit, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = hit.line * rows_per_line + word * 64 + bit;
      std::uint32_t sum = hit.sum(sums_.program->slices(), word, bit);
      if (sum < counter_.threshold() || position < first || position >= after) return;
      counter_.add(position, sum);
    });
  }

  void add_others(std::uint32_t begin, std::uint32_t end) {
    for (std::uint32_t position = begin; position < end; ++position) {
      if (!plan_.filter().test(position)) continue;
      std::uint32_t row = plan_.segment().groups->order[position];
      std::int64_t score = plan_.planes_score(position) + plan_.base_at(position);
      if (score >= floor_) others_.push_back({RowId{plan_.slot().first_row + row}, score});
    }
  }

  const SegmentPlan& plan_;
  const Summing& sums_;
  std::uint32_t k_;
  std::int64_t floor_;
  std::uint32_t run_;
  std::int64_t base_;  // of the run
  SumCounter counter_;
  std::vector<Hit> others_;
};

class BoundingScan : public Scan {
 public:
  BoundingScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan),
        sums_(choice.sums),
        reach_(choice.reach),
        buffer_(choice.k, floor, choice.sums.bounds != nullptr),
        by_call_(plan_.grouped() && sums_.program->largest() > kernels::largest_sum) {
    pending_.reserve(most_pending + rows_per_line);
    if (!plan_.grouped() || by_call_) return;
    std::size_t lines = lines_of(plan_.segment().rows);
    per_word_ = plan_.segment().groups->runs.size() > lines * most_runs_by_line;
    std::size_t count = per_word_ ? lines * words_per_line : lines;
    thresholds_ = std::make_unique_for_overwrite<std::uint8_t[]>(count);
  }

  void advance(std::uint32_t begin, std::uint32_t end) override {
    kernels::Program program = sums_.program->view();
    HitLine* hits = hit_buffer();
    for (std::uint32_t stop; begin < end; begin = stop) {
      begin = plan_.filter().first_open(begin, end);
      stop = plan_.filter().first_closed(begin, std::min(end, begin + lines_per_call));
      if (begin == end) return;
      if (by_call_) {
        threshold_ = least_threshold(begin, stop);
      } else if (stale_ || begin >= thresholds_end_) {
        refresh(begin, end);
      }
      if (!reach_.empty()) {
        begin = first_open(begin, end);
        stop = first_closed(begin, std::min(end, begin + lines_per_call));
        if (begin == end) return;
      }
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
    std::uint32_t sum;
  };

  void collect(const HitLine& hit) {
    for_each_hit(plan_, hit, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = hit.line * rows_per_line + word * 64 + bit;
      std::uint32_t sum = hit.sum(sums_.program->slices(), word, bit);
      Pending row{position, 0, sum};
      if (plan_.grouped()) {
        std::uint32_t run = plan_.segment().run_at(position);
        // Perhaps only its neighbours could pass.
        if (!by_call_ && sum < run_threshold_[run - first_run_]) return;
        row.group = plan_.segment().groups->runs[run].group;
        plan_.bases().prefetch(row.group);
        __builtin_prefetch(&plan_.segment().groups->order[position]);
      }
      if (sums_.bounds != nullptr) sums_.bounds->prefetch(position);
      pending_.push_back(row);
    });
    if (pending_.size() >= most_pending) settle();
  }

  // Scores rows, many at a time: what each takes may have to come from far.
  void settle() {
    for (const Pending& row : pending_) {
      std::int64_t score = score_of(sums_, plan_, row.position, row.sum);
      plan_.grouped() ? settle_grouped(row, score) : add(row.position, score);
    }
    pending_.clear();
    stale_ = buffer_.floor() >= refreshed_floor_ + (plan_.grouped() ? sums_.unit : 1);
  }

  void settle_grouped(const Pending& row, std::int64_t score) {
    score += plan_.bases().of(row.group);
    if (score >= buffer_.floor()) add(plan_.segment().groups->order[row.position], score);
  }

  void add(std::uint32_t row, std::int64_t score) {
    buffer_.add({RowId{plan_.slot().first_row + row}, score});
  }

  // Lines without a run that can pass are closed.
  bool is_open(std::uint32_t line) const {
    assert(!per_word_ && "runs are too large for that where they have bounds");
    return thresholds_[line] < 255;
  }
  std::uint32_t first_open(std::uint32_t line, std::uint32_t end) const {
    while (line < end && !is_open(line)) ++line;
    return line;
  }
  std::uint32_t first_closed(std::uint32_t line, std::uint32_t end) const {
    while (line < end && is_open(line)) ++line;
    return line;
  }

  // The least of the runs that lines [begin, end) touch.
  std::uint16_t least_threshold(std::uint32_t begin, std::uint32_t end) const {
    const Segment& segment = plan_.segment();
    std::uint32_t last = std::min(segment.rows, end * rows_per_line) - 1;
    std::uint16_t least = UINT16_MAX;
    for (std::uint32_t run = segment.run_at(begin * rows_per_line); run <= segment.run_at(last);
         ++run) {
      std::int64_t base = plan_.bases().of(segment.groups->runs[run].group);
      least = std::min(least, sum_for(buffer_.floor() - base, sums_));
    }
    return least;
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
    if (groups != count) {
      // Some groups have no rows here. Runs ascend by group, so none is written before it is read.
      for (std::size_t i = 0; i < count; ++i) {
        run_threshold_[i] = run_threshold_[runs[i].group - first_group];
      }
    }
    if (!reach_.empty()) close_runs(first, count);
  }

  // Runs whose rows do not reach their threshold.
  void close_runs(std::uint32_t first, std::size_t count) {
    const std::uint8_t* reach = reach_.data() + first;
    for (std::size_t i = 0; i < count; ++i) {
      run_threshold_[i] = reach[i] < run_threshold_[i] ? 255 : run_threshold_[i];
    }
  }

  // The same as span_thresholds, run by run, for runs of several lines.
  void fill_lines(std::uint32_t begin, std::uint32_t end, std::size_t count) {
    auto runs = plan_.segment().groups->runs.items();
    std::uint8_t* lines = thresholds_.get();
    lines[begin] = 255;
    for (std::size_t i = 0; i < count; ++i) {
      std::size_t run = first_run_ + i;
      std::uint32_t stop = plan_.segment().run_end(run);
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
  const std::vector<std::uint8_t>& reach_;
  TopBuffer buffer_;
  bool by_call_;  // one threshold for the lines of a call to the kernel
  static constexpr std::size_t most_pending = 64;
  std::vector<Pending> pending_;
  bool stale_ = true;
  std::int64_t refreshed_floor_ = no_floor;
  std::uint16_t threshold_ = 0;
  std::uint32_t thresholds_end_ = 0;
  bool per_word_ = false;                          // or per line
  std::unique_ptr<std::uint8_t[]> thresholds_;     // null without groups
  std::unique_ptr<std::uint8_t[]> run_threshold_;  // per run, from first_run_ on
  std::size_t run_threshold_size_ = 0;
  std::uint32_t first_run_ = 0;
};

class PlainScan : public Scan {
 public:
  PlainScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan), buffer_(choice.k, floor), scores_(rows_per_line) {}

  void advance(std::uint32_t begin, std::uint32_t end) override {
    const RowFilter& filter = plan_.filter();
    for (std::uint32_t line = filter.first_open(begin, end); line < end;
         line = filter.first_open(line + 1, end)) {
      plan_.planes_scores(line, line + 1, scores_.data());
      std::uint32_t first = line * rows_per_line;
      std::uint32_t count = std::min(rows_per_line, plan_.segment().rows - first);
      for (std::uint32_t i = 0; i < count; ++i) {
        if (filter.test(first + i)) add(first + i, scores_[i]);
      }
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
    buffer_.add({RowId{plan_.slot().first_row + row}, score});
  }

  const SegmentPlan& plan_;
  TopBuffer buffer_;
  std::vector<std::int64_t> scores_;
};

}  // namespace

namespace {

// Thresholds of groups take a byte, unless there are few groups.
std::int64_t most_exact(const SegmentPlan& plan) {
  if (!plan.grouped() || plan.segment().main_run()) return kernels::largest_wide_sum;
  std::size_t runs = plan.segment().groups->runs.size();
  bool few = runs * lines_per_call <= lines_of(plan.segment().rows);
  return few ? kernels::largest_wide_sum : kernels::largest_sum;
}

// What a scan begins with.
struct Start {
  Summing sums;
  Guess guess;
};

// Bounds save reading, but let more rows through than belong in the answer.
bool bounds_pay(const SegmentPlan& plan, const Guess& guess) {
  std::size_t planes_saved = plan.feeds().size() - plan.bounds()->feeds().size();
  return plan.memory().looking_pays(guess.reaching, planes_saved, plan.segment().rows);
}

Start choose_start(const SegmentPlan& plan, std::uint32_t k) {
  Start start;
  if (plan.bounds() != nullptr) {
    start.sums = choose_sums(*plan.bounds(), most_exact(plan));
    start.guess = guess_floor(plan, start.sums, k);
    if (bounds_pay(plan, start.guess)) return start;
  }
  start.sums = choose_sums(plan.feeds(), most_exact(plan));
  start.guess = guess_floor(plan, start.sums, k);
  return start;
}

std::vector<std::uint8_t> reach_of(const SegmentPlan& plan, const Summing& sums) {
  if (!sums.program || sums.program->largest() > kernels::largest_sum) return {};
  if (plan.has_grades()) return {};
  const std::optional<GroupReach>& reach = plan.segment().reach;
  return reach ? reach_sums(plan, *reach, sums) : std::vector<std::uint8_t>();
}

}  // namespace

ScanPlan::ScanPlan(const SegmentPlan& segment, std::uint32_t k, std::int64_t floor) {
  std::unique_ptr<const ColumnPlan> columns = ColumnPlan::of(segment);
  Start start = columns ? Start{{}, columns->guess(k)} : choose_start(segment, k);
  Choice choice{&segment, k, std::move(start.sums), std::move(columns), {}, {}};
  choice.reach = reach_of(segment, choice.sums);
  std::size_t planes = choice.sums.program ? choice.sums.program->view().plane_count : 0;
  bool far = segment.memory().is_far(planes, segment.segment().rows);
  if (choice.sums.program) choice.sums.program->expect_far(far);
  for (std::int64_t first : {start.guess.likely, start.guess.cautious}) {
    if (first != no_floor && first > floor) choice.starts.push_back(first);
  }
  choice.starts.push_back(floor);
  choice_ = std::make_unique<const Choice>(std::move(choice));
}

ScanPlan::~ScanPlan() = default;
ScanPlan::ScanPlan(ScanPlan&&) noexcept = default;

std::size_t ScanPlan::attempts() const { return choice_->starts.size(); }

bool ScanPlan::bounded() const { return choice_->sums.bounds != nullptr; }

bool ScanPlan::passes_over_groups() const { return !choice_->reach.empty(); }

bool ScanPlan::by_columns() const { return choice_->columns != nullptr; }

std::uint32_t ScanPlan::lines() const {
  return by_columns() ? choice_->columns->lines() : lines_of(choice_->plan->segment().rows);
}

std::unique_ptr<Scan> ScanPlan::start(std::size_t attempt) const {
  std::int64_t floor = choice_->starts[attempt];
  if (by_columns()) return choice_->columns->start(choice_->k, floor);
  if (!choice_->sums.program) return std::make_unique<PlainScan>(*choice_, floor);
  if (!choice_->sums.are_scores()) return std::make_unique<BoundingScan>(*choice_, floor);
  if (!choice_->plan->grouped()) return std::make_unique<CountingScan>(*choice_, floor);
  if (choice_->plan->segment().main_run()) return std::make_unique<MainRunScan>(*choice_, floor);
  return std::make_unique<BoundingScan>(*choice_, floor);
}

std::vector<Hit> merge_best(std::vector<Hit> left, std::vector<Hit> right, std::uint32_t k) {
  if (left.empty()) return right;
  if (right.empty()) return left;
  std::vector<Hit> merged(left.size() + right.size());
  std::merge(left.begin(), left.end(), right.begin(), right.end(), merged.begin(), ranks_before);
  if (merged.size() > k) merged.resize(k);
  return merged;
}

namespace {

std::vector<Hit> scan_lines(const ScanPlan& plan, std::uint32_t k, std::uint32_t threads,
                            std::size_t attempt) {
  std::uint32_t lines = plan.lines();
  std::vector<std::vector<Hit>> parts(threads);
  parallel_for(threads, threads, [&](std::size_t i) {
    auto scan = plan.start(attempt);
    auto begin = static_cast<std::uint32_t>(std::uint64_t{lines} * i / threads);
    auto end = static_cast<std::uint32_t>(std::uint64_t{lines} * (i + 1) / threads);
    scan->advance(begin, end);
    parts[i] = scan->take();
  });
  std::vector<Hit> best = std::move(parts[0]);
  for (std::size_t i = 1; i < parts.size(); ++i) {
    best = merge_best(std::move(best), std::move(parts[i]), k);
  }
  return best;
}

}  // namespace

std::vector<Hit> best_of_segment(const SegmentPlan& segment, std::uint32_t k, std::int64_t floor,
                                 std::uint32_t threads) {
  if (segment.segment().rows == 0 || k == 0) return {};
  ScanPlan plan(segment, k, floor);
  std::uint32_t parts = std::clamp<std::uint32_t>(threads, 1, plan.lines());
  std::vector<Hit> best;
  for (std::size_t attempt = 0; attempt < plan.attempts() && best.size() < k; ++attempt) {
    best = scan_lines(plan, k, parts, attempt);
  }
  return best;
}

}  // namespace rankveil

// Four ways to scan, all with the same answer.
//
// Counting: the kernel's sums are the scores themselves, up to a common factor. Rows come in row
// order, so a later row with the k-th best score can never get in: candidates are counted per sum
// and the threshold rises as soon as k rows reach it. No heap, no sort. Where all rows but a few
// are of one group, those few are scored one by one.
//
// Bounding: the kernel's sums are upper bounds of the scores (weights rounded to few bits, or
// strengths bounded in one bitmap a value), or exact but for the constant of the row's group. Rows
// whose bound reaches the k-th best score so far are scored exactly. With groups, each line has the
// threshold of its best group; lines that none of their rows can reach are passed over, and
// group_reach.h finds more of them.
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

namespace {

constexpr std::uint32_t lines_per_call = 32;

// Where kernels put what they find: one for each thread, so that it stays cached.
HitLine* hit_buffer() {
  thread_local HitLine buffer[lines_per_call];
  return buffer;
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

// The rows whose sums are scores, up to a factor and what their group gives to all of them: all
// rows, or those of the main run.
struct Counted {
  std::uint32_t begin;
  std::uint32_t end;
  std::int64_t base;
};

Counted counted_rows(const SegmentPlan& plan) {
  const Segment& segment = plan.segment();
  if (!plan.grouped()) return {0, segment.rows, 0};
  std::uint32_t run = *segment.main_run();
  const GroupRun& main = segment.groups->runs[run];
  return {main.begin, segment.run_end(run), plan.bases().of(main.group)};
}

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
        program, begin, stop, {static_cast<std::uint16_t>(counter.threshold())}, hits);
    for (std::size_t i = 0; i < found; ++i) collect(hits[i]);
  }
}

class CountingScan : public Scan {
 public:
  CountingScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan),
        sums_(choice.sums),
        k_(choice.k),
        floor_(floor),
        counted_(counted_rows(plan_)),
        counter_(choice.sums, choice.k, sum_for(floor - counted_.base, choice.sums)) {}

  void advance(std::uint32_t begin, std::uint32_t end) override {
    std::uint32_t first = begin * rows_per_line;
    std::uint32_t after = std::min(end * rows_per_line, plan_.segment().rows);
    add_others(first, std::min(counted_.begin, after));
    add_others(std::max(counted_.end, first), after);
    find_wanted(sums_, plan_.filter(), counter_, begin, end,
                [&](const HitLine& hit) { collect(hit); });
  }

  std::vector<Hit> take() override {
    if (!plan_.grouped()) return counter_.take(plan_.slot().first_row, 0);
    std::vector<Hit> best = counter_.take(0, counted_.base);
    const auto& order = plan_.segment().groups->order;
    for (const Hit& hit : best) __builtin_prefetch(&order[+hit.row]);
    for (Hit& hit : best) hit.row = RowId{plan_.slot().first_row + order[+hit.row]};
    keep_best(others_, k_);
    return merge_best(std::move(best), std::move(others_), k_);
  }

 private:
  // Inside a run, rows come in order, so that positions tell which comes first. Rows themselves
  // come from far: only those of the answer are looked up.
  void collect(const HitLine& hit) {
    for_each_hit(plan_, counted_.end, hit, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = hit.line * rows_per_line + word * 64 + bit;
      std::uint32_t sum = hit.sum(sums_.program->slices(), word, bit);
      if (sum >= counter_.threshold() && position >= counted_.begin) counter_.add(position, sum);
    });
  }

  // Rows beside the main run.
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
  Counted counted_;
  SumCounter counter_;
  std::vector<Hit> others_;
};

class BoundingScan : public Scan {
 public:
  BoundingScan(const Choice& choice, std::int64_t floor)
      : plan_(*choice.plan),
        sums_(choice.sums),
        reach_(choice.reach),
        buffer_(choice.k, floor, choice.sums.bounds != nullptr) {
    pending_.reserve(max_pending + rows_per_line);
    if (!plan_.grouped()) return;
    assert(sums_.program->largest() <= kernels::largest_sum && "limits of groups take a byte");
    line_limits_.resize(lines_of(plan_.segment().rows));
  }

  void advance(std::uint32_t begin, std::uint32_t end) override {
    for (std::uint32_t stop; begin < end; begin = stop) {
      begin = plan_.filter().first_open(begin, end);
      stop = plan_.filter().first_closed(begin, std::min(end, begin + lines_per_call));
      if (begin == end) return;
      if (plan_.grouped()) {
        find_open(begin, stop);
      } else {
        find(begin, stop, {sum_for(buffer_.floor(), sums_)});
      }
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

  void find(std::uint32_t begin, std::uint32_t end, const kernels::Threshold& threshold) {
    HitLine* hits = hit_buffer();
    std::size_t found =
        kernels::kernel_in_use().find(sums_.program->view(), begin, end, threshold, hits);
    for (std::size_t i = 0; i < found; ++i) collect(hits[i]);
  }

  // Passes over lines whose rows cannot reach the floor.
  void find_open(std::uint32_t begin, std::uint32_t end) {
    limit_lines(begin, end);
    kernels::Threshold threshold{.per_line = line_limits_.data()};
    auto is_open = [&](std::uint32_t line) { return line_limits_[line] < closed; };
    for (std::uint32_t first = begin; first < end;) {
      std::uint32_t last = first;
      while (last < end && is_open(last)) ++last;
      if (first < last) find(first, last, threshold);
      first = last + 1;
    }
  }

  // The limit of a line is the least of the runs it touches.
  void limit_lines(std::uint32_t begin, std::uint32_t end) {
    const Segment& segment = plan_.segment();
    std::uint32_t last = std::min(segment.rows, end * rows_per_line) - 1;
    first_run_ = segment.run_at(begin * rows_per_line);
    std::size_t count = segment.run_at(last) + 1 - first_run_;
    limit_runs(count);
    std::fill(line_limits_.begin() + begin, line_limits_.begin() + end, closed);
    for (std::size_t i = 0; i < count; ++i) {
      std::uint32_t first = segment.groups->runs[first_run_ + i].begin / rows_per_line;
      std::uint32_t after = (segment.run_end(first_run_ + i) - 1) / rows_per_line + 1;
      for (std::uint32_t line = std::max(begin, first); line < std::min(end, after); ++line) {
        line_limits_[line] = std::min(line_limits_[line], run_limits_[i]);
      }
    }
  }

  // The least sums with which rows of runs [first_run_, first_run_ + count) reach the floor.
  void limit_runs(std::size_t count) {
    auto runs = plan_.segment().groups->runs.items().subspan(first_run_, count);
    std::uint32_t first_group = runs.front().group;
    std::size_t groups = runs.back().group + 1 - first_group;
    run_limits_.resize(groups);
    plan_.bases().limits(first_group, groups,
                         {buffer_.floor() - sums_.slack, sums_.unit, sums_.program->largest()},
                         run_limits_.data());
    for (std::size_t i = 0; i < count; ++i) {
      // Groups without rows here are left out. Runs ascend by group: none is overwritten unread.
      std::uint8_t limit = run_limits_[runs[i].group - first_group];
      bool in_reach = reach_.empty() || reach_[first_run_ + i] >= limit;
      run_limits_[i] = in_reach ? limit : closed;
    }
  }

  void collect(const HitLine& hit) {
    for_each_hit(plan_, plan_.segment().rows, hit, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = hit.line * rows_per_line + word * 64 + bit;
      std::uint32_t sum = hit.sum(sums_.program->slices(), word, bit);
      Pending row{position, 0, sum};
      if (plan_.grouped()) {
        std::uint32_t run = plan_.segment().run_at(position);
        if (sum < run_limits_[run - first_run_]) return;  // perhaps its neighbours pass
        row.group = plan_.segment().groups->runs[run].group;
        __builtin_prefetch(&plan_.segment().groups->order[position]);
      }
      if (sums_.bounds != nullptr) sums_.bounds->prefetch(position);
      pending_.push_back(row);
    });
    if (pending_.size() >= max_pending) settle();
  }

  // Scores rows, many at a time: what each takes may have to come from far.
  void settle() {
    for (const Pending& row : pending_) {
      std::int64_t score = score_of(sums_, plan_, row.position, row.sum);
      plan_.grouped() ? settle_grouped(row, score) : add(row.position, score);
    }
    pending_.clear();
  }

  // Neighbours are often of one group.
  void settle_grouped(const Pending& row, std::int64_t score) {
    if (row.group != known_group_) {
      known_group_ = row.group;
      known_base_ = plan_.bases().of(row.group);
    }
    score += known_base_;
    if (score >= buffer_.floor()) add(plan_.segment().groups->order[row.position], score);
  }

  void add(std::uint32_t row, std::int64_t score) {
    buffer_.add({RowId{plan_.slot().first_row + row}, score});
  }

  static constexpr std::size_t max_pending = 64;
  static constexpr std::uint8_t closed = 255;  // no row has such a sum

  const SegmentPlan& plan_;
  const Summing& sums_;
  const std::vector<std::uint8_t>& reach_;
  TopBuffer buffer_;
  std::vector<Pending> pending_;
  std::uint32_t known_group_ = UINT32_MAX;
  std::int64_t known_base_ = 0;
  // With groups, for the lines of the last call to the kernel:
  std::vector<std::uint8_t> line_limits_;  // by line
  std::uint32_t first_run_ = 0;
  std::vector<std::uint8_t> run_limits_;  // by run, from first_run_ on
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

// Limits of groups take a byte.
std::int64_t max_bounding(const SegmentPlan& plan) {
  return plan.grouped() ? kernels::largest_sum : kernels::largest_wide_sum;
}

// Rows of a main run are counted, without limits.
std::int64_t max_exact(const SegmentPlan& plan) {
  bool one_base = !plan.grouped() || plan.segment().main_run();
  return one_base ? kernels::largest_wide_sum : kernels::largest_sum;
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
    // What bounds let through is never counted, so that groups have limits.
    start.sums = choose_sums(*plan.bounds(), max_bounding(plan));
    start.guess = guess_floor(plan, start.sums, k);
    if (bounds_pay(plan, start.guess)) return start;
  }
  start.sums = choose_sums(plan.feeds(), max_exact(plan));
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
  bool one_base = !choice_->plan->grouped() || choice_->plan->segment().main_run();
  if (choice_->sums.are_scores() && one_base)
    return std::make_unique<CountingScan>(*choice_, floor);
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

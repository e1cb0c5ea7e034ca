#include "rankveil/ranking/scan/column_scan.h"

#include <algorithm>
#include <cmath>
#include <functional>
#include <numeric>
#include <span>

#include "rankveil/ranking/scan/hit_rows.h"
#include "rankveil/ranking/scan/top_buffer.h"

namespace rankveil {

using kernels::HitLine;
using kernels::rows_per_line;

namespace {

constexpr std::uint32_t lines_at_once = 32;

// How many lines a guess looks at, and how many of their rows must reach it.
constexpr std::uint32_t max_sampled_lines = 28;
constexpr std::uint64_t min_rank = 10;
constexpr std::uint64_t max_rank = 32;
constexpr std::int32_t cautious_sums = 2;  // a cautious guess is this much lower

// Sums of counts are of a byte: the average weight may be this many times the common one.
constexpr double max_times = 2;

// The largest whole number that divides all weights, which are whole; 1 if there are none.
double common_weight(std::span<const ShareColumn> asked) {
  std::int64_t common = 0;
  for (const ShareColumn& column : asked) {
    common = std::gcd(common, static_cast<std::int64_t>(column.weight));
  }
  return static_cast<double>(std::max<std::int64_t>(1, common));
}

}  // namespace

class ColumnPlan::ColumnScan : public Scan {
 public:
  ColumnScan(const ColumnPlan& plan, std::uint32_t k, std::int64_t floor)
      : plan_(plan), buffer_(k, floor) {
    pending_.reserve(max_pending + rows_per_line);
  }

  void advance(std::uint32_t begin, std::uint32_t end) override {
    if (begin >= end) return;
    const auto& first_line = plan_.columns_->first_line;
    for (std::uint32_t block = plan_.columns_->block_at(begin); begin < end; ++block) {
      std::uint32_t stop = std::min(end, first_line[block + 1]);
      set_limits(block);
      for (; begin < stop; begin += lines_at_once)
        find(begin, std::min(stop, begin + lines_at_once));
      begin = stop;
      if (pending_.size() >= max_pending) settle();
    }
  }

  std::vector<Hit> take() override {
    settle();
    return buffer_.take();
  }

 private:
  struct Pending {
    std::uint32_t position;
    std::uint32_t slot;
    std::uint32_t sum;
  };
  static constexpr std::size_t max_pending = 64;

  void set_limits(std::uint32_t block) {
    first_slot_ = block * GroupColumns::slots_per_block;
    const PlaneProgram& program = *plan_.sums_.program;
    if (buffer_.floor() != stepped_floor_) {
      stepped_floor_ = buffer_.floor();
      floor_steps_ = plan_.steps_of(stepped_floor_);
    }
    kernels::kernel_in_use().row_limits({plan_.bounds_.get() + first_slot_, floor_steps_,
                                         plan_.shift_, program.slices(), program.largest()},
                                        limits_);
  }

  void find(std::uint32_t begin, std::uint32_t end) {
    kernels::Threshold threshold{.per_row = &limits_};
    std::size_t found =
        kernels::kernel_in_use().find(plan_.sums_.program->view(), begin, end, threshold, hits_);
    for (std::size_t i = 0; i < found; ++i) collect(hits_[i]);
  }

  void collect(const HitLine& hit) {
    auto all = [](std::uint32_t, std::uint64_t mask) { return mask; };
    for_each_bit(hit, all, [&](std::uint32_t word, std::uint32_t bit) {
      std::uint32_t position = hit.line * rows_per_line + word * 64 + bit;
      __builtin_prefetch(&plan_.columns_->order[position]);
      std::uint32_t slot = first_slot_ + word * 64 + bit;
      __builtin_prefetch(&plan_.columns_->groups[slot]);
      pending_.push_back({position, slot, hit.sum(plan_.sums_.program->slices(), word, bit)});
    });
  }

  // Many at a time: what each takes may have to come from far.
  void settle() {
    for (const Pending& each : pending_) {
      std::uint32_t row = plan_.columns_->order[each.position];
      if (row == GroupColumns::nobody) continue;
      std::int64_t score = each.sum * plan_.sums_.unit + plan_.base(each.slot);
      buffer_.add({RowId{plan_.segment_->slot().first_row + row}, score});
    }
    pending_.clear();
  }

  const ColumnPlan& plan_;
  TopBuffer buffer_;
  std::uint32_t first_slot_ = 0;  // of the block
  std::int64_t stepped_floor_ = INT64_MIN;
  std::uint32_t floor_steps_ = 0;  // of that floor
  std::vector<Pending> pending_;
  kernels::RowLimits limits_;
  HitLine hits_[lines_at_once];
};

ColumnPlan::ColumnPlan(const SegmentPlan& segment, const GroupColumns& columns)
    : segment_(&segment),
      columns_(&columns),
      list_(columns.attributes, columns.lines() * rows_per_line, segment.wishes()),
      sums_(choose_sums(list_.feeds())) {}

std::unique_ptr<ColumnPlan> ColumnPlan::of(const SegmentPlan& segment) {
  const auto& columns = segment.segment().group_columns;
  return columns && segment.filter().is_all() ? of(segment, *columns) : nullptr;
}

std::unique_ptr<ColumnPlan> ColumnPlan::of(const SegmentPlan& segment,
                                           const GroupColumns& columns) {
  const std::vector<ShareColumn>& asked = segment.bases().columns();
  double weight = common_weight(asked);
  double times = 0;
  for (const ShareColumn& column : asked) times += column.weight / weight;
  if (times > max_times * static_cast<double>(asked.size())) return nullptr;
  std::unique_ptr<ColumnPlan> plan(new ColumnPlan(segment, columns));
  if (!plan->sums_.program || !plan->sums_.are_scores()) return nullptr;
  plan->weight_ = weight;
  for (const ShareColumn& column : asked) {
    const std::uint8_t* counts = columns.counts_of(column.attribute, column.value);
    if (counts == nullptr) continue;
    plan->counts_.insert(plan->counts_.end(), static_cast<std::size_t>(column.weight / weight),
                         counts);
  }
  if (!plan->choose_steps()) return nullptr;
  plan->add_shares();
  std::size_t planes = plan->list_.feeds().size();
  plan->sums_.program->expect_far(segment.memory().is_far(planes, segment.segment().rows));
  return plan;
}

bool ColumnPlan::choose_steps() {
  constexpr double largest_bound = kernels::largest_bound - 2.0;  // room for rounding
  double per_share = weight_ * segment_->bases().scale() / static_cast<double>(sums_.unit);
  double most = per_share * columns_->largest_factor * static_cast<double>(counts_.size());
  if (most > largest_bound) return false;
  while (shift_ < kernels::max_bound_shift && most * (2U << shift_) <= largest_bound) ++shift_;
  double unit = columns_->largest_unit / UINT8_MAX;
  double per_unit = std::ldexp(per_share * unit, 16 + static_cast<int>(shift_));
  if (per_unit >= UINT16_MAX - 1) return false;
  // One more than needed, whatever was rounded.
  steps_per_unit_ = static_cast<std::uint16_t>(per_unit + 1.5);
  return true;
}

void ColumnPlan::add_shares() {
  std::size_t slots = columns_->groups.size();
  shares_ = std::make_unique_for_overwrite<std::uint8_t[]>(slots);
  bounds_ = std::make_unique_for_overwrite<std::uint8_t[]>(slots);
  std::vector<const std::uint8_t*> counts = counts_;
  for (std::uint32_t block = 0; block < columns_->blocks(); ++block) {
    std::size_t slot = std::size_t{block} * GroupColumns::slots_per_block;
    kernels::kernel_in_use().column_bases(
        {counts.data(), static_cast<std::uint32_t>(counts.size()), columns_->is_halved(block),
         columns_->units.data() + slot, steps_per_unit_},
        shares_.get() + slot, bounds_.get() + slot);
    for (const std::uint8_t*& each : counts) each += columns_->bytes_of(block);
  }
}

std::int64_t ColumnPlan::base(std::size_t slot) const {
  const GroupColumns::Group& group = columns_->groups[slot];
  bool known = group.size > 0 && shares_[slot] < UINT8_MAX;
  if (!known) return segment_->bases().of(group.number);
  return segment_->bases().from(group.factor, weight_ * shares_[slot], group.size);
}

std::uint32_t ColumnPlan::steps_of(std::int64_t score) const {
  // Bases are rounded to whole numbers, perhaps up.
  double steps = static_cast<double>(score - 1) / static_cast<double>(sums_.unit);
  steps = std::floor(std::ldexp(steps, static_cast<int>(shift_)) - 0x1p-10);
  return static_cast<std::uint32_t>(std::clamp(steps, 0.0, 1e6));
}

std::int64_t ColumnPlan::score_of(std::int32_t steps) const {
  double score = std::ldexp(static_cast<double>(sums_.unit), -static_cast<int>(shift_)) * steps;
  return static_cast<std::int64_t>(score);
}

Guess ColumnPlan::guess(std::uint32_t k) const {
  std::uint32_t count = std::min(max_sampled_lines, lines() / 4);
  std::uint64_t rows = std::uint64_t{count} * rows_per_line;
  std::uint64_t share = rows * k * 2 / (segment_->segment().rows + 1) + 1;
  std::uint64_t rank = std::max(min_rank, share);
  if (count == 0 || rank > max_rank) return {};
  const kernels::Kernel& kernel = kernels::kernel_in_use();
  kernels::Program program = sums_.program->view();
  std::uint16_t best[kernels::best_totals_size] = {};
  for (std::uint32_t line : sampled_lines(program, count, lines())) {
    const std::uint8_t* bounds =
        bounds_.get() + std::size_t{columns_->block_at(line)} * GroupColumns::slots_per_block;
    std::uint8_t sums[rows_per_line];
    kernel.sums(program, line, line + 1, sums);
    kernel.best_totals({sums, bounds, shift_}, best);
  }
  auto place = std::begin(best) + static_cast<std::ptrdiff_t>(rank - 1);
  std::nth_element(std::begin(best), place, std::end(best), std::greater<>());
  std::int32_t steps = *place - 1;  // bounds are up to a step too high
  std::int32_t cautious = steps - (cautious_sums << shift_);
  return {score_of(std::max(0, steps)), score_of(std::max(0, cautious))};
}

std::unique_ptr<Scan> ColumnPlan::start(std::uint32_t k, std::int64_t floor) const {
  return std::make_unique<ColumnScan>(*this, k, floor);
}

}  // namespace rankveil

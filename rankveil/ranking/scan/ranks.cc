// Scores and ranks of all rows.
//
// Where the kernel's sums are the scores (one byte a row), ranks come from counting: how many rows
// have each sum. With groups the same holds for each pair of group and sum. Only scores that take
// too many values are sorted.
#include <algorithm>
#include <cassert>
#include <numeric>

#include "rankveil/ranking/scan/scan.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

namespace {

// Sums of all positions. REQUIRES: a program. The memory is this thread's, until the next call.
std::span<std::uint8_t> sums_of(const SegmentPlan& plan, const Summing& sums) {
  thread_local std::vector<std::uint8_t> bytes;
  std::uint32_t lines = lines_of(plan.segment().rows);
  bytes.resize(std::size_t{lines} * kernels::rows_per_line);
  kernels::kernel_in_use().sums(sums.program->view(), 0, lines, bytes.data());
  return std::span(bytes).first(plan.segment().rows);
}

// Calls visit(row in segment, score) for every row, in the order of positions.
template <typename Visit>
void for_each_score(const SegmentPlan& plan, const Visit& visit) {
  constexpr std::uint32_t chunk = 16;
  std::uint32_t rows = plan.segment().rows;
  std::vector<std::int64_t> scores(std::size_t{chunk} * kernels::rows_per_line);
  std::size_t run = 0;
  for (std::uint32_t line = 0; line < lines_of(rows); line += chunk) {
    std::uint32_t end = std::min(lines_of(rows), line + chunk);
    plan.planes_scores(line, end, scores.data());
    std::uint32_t first = line * kernels::rows_per_line;
    std::uint32_t last = std::min(rows, end * kernels::rows_per_line);
    for (std::uint32_t position = first; position < last; ++position) {
      std::int64_t score = scores[position - first] + plan.constant();
      std::uint32_t row = position;
      if (plan.grouped()) {
        const GroupLayout& groups = *plan.segment().groups;
        while (run + 1 < groups.runs.size() && groups.runs[run + 1].begin <= position) ++run;
        score += plan.bases().of(groups.runs[run].group);
        row = groups.order[position];
      }
      visit(row, score);
    }
  }
}

using Ranks = std::vector<std::uint32_t>;

// Turns counts per class, a higher class being a higher score, into the rank of its first row.
void first_ranks(std::span<std::uint32_t> counts) {
  std::uint32_t above = 0;
  for (std::size_t c = counts.size(); c-- > 0;) {
    std::uint32_t count = counts[c];
    counts[c] = above + 1;
    above += count;
  }
}

// `next[c]`: the rank of the next row of class c.
template <typename Class>
void count_through(std::span<const Class> class_of_row, Class gone, Ranks& next, Ranks& ranks) {
  for (std::size_t row = 0; row < class_of_row.size(); ++row) {
    Class c = class_of_row[row];
    ranks[row] = c == gone ? 0 : next[c]++;
  }
}

constexpr std::uint32_t gone_class = UINT32_MAX;

void ranks_of_classes(std::span<const std::uint32_t> class_of_row, std::size_t classes,
                      RankKind kind, Ranks& ranks) {
  Ranks next(classes, 0);
  for (std::uint32_t c : class_of_row) {
    if (c != gone_class) ++next[c];
  }
  first_ranks(next);
  if (kind == RankKind::Ordinal) return count_through(class_of_row, gone_class, next, ranks);
  for (std::size_t row = 0; row < class_of_row.size(); ++row) {
    std::uint32_t c = class_of_row[row];
    ranks[row] = c == gone_class ? 0 : next[c];
  }
}

// 255 is no sum: largest_sum is 254.
constexpr std::uint8_t gone_byte = 255;

void mark_deleted(const SegmentSlot& slot, std::span<std::uint8_t> sums) {
  if (slot.deleted == nullptr) return;
  for (std::uint32_t row = 0; row < slot.segment->rows; ++row) {
    if (slot.is_deleted(row)) sums[row] = gone_byte;
  }
}

// One segment, exact sums.
void counted_ranks(const SegmentPlan& plan, const Summing& sums, RankKind kind, Ranks& ranks) {
  std::span<std::uint8_t> bytes = sums_of(plan, sums);
  mark_deleted(plan.slot(), bytes);
  const kernels::Kernel& kernel = kernels::kernel_in_use();
  Ranks next(256, 0);
  kernel.histogram({bytes.data(), bytes.size()}, next.data());
  std::uint32_t classes = sums.program->largest() + 1;
  first_ranks(std::span(next).first(classes));
  std::fill(next.begin() + classes, next.end(), 0);
  if (kind == RankKind::Ordinal) {
    return count_through<std::uint8_t>(bytes, gone_byte, next, ranks);
  }
  kernel.lookup({bytes.data(), bytes.size(), next.data(), classes}, ranks.data());
}

// One segment with groups, exact sums: the score of a row is decided by its run and its sum.
void grouped_ranks(const SegmentPlan& plan, const Summing& sums, RankKind kind, Ranks& ranks) {
  const GroupLayout& groups = *plan.segment().groups;
  std::span<const std::uint8_t> bytes = sums_of(plan, sums);
  std::size_t width = std::size_t{sums.program->largest()} + 1;
  auto score_of = [&](std::size_t run, std::size_t sum) {
    return plan.bases().of(groups.runs[run].group) + static_cast<std::int64_t>(sum) * sums.unit;
  };
  std::vector<std::int64_t> distinct;
  std::vector<std::uint32_t> seen_in(width, UINT32_MAX);  // the last run a sum occurred in
  for (std::uint32_t run = 0; run < groups.runs.size(); ++run) {
    for (std::uint32_t p = groups.runs[run].begin; p < plan.segment().run_end(run); ++p) {
      if (seen_in[bytes[p]] != run) distinct.push_back(score_of(run, bytes[p]));
      seen_in[bytes[p]] = run;
    }
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::uint32_t> classes(plan.segment().rows, gone_class);
  std::vector<std::uint32_t> class_of(width);
  std::fill(seen_in.begin(), seen_in.end(), UINT32_MAX);
  for (std::uint32_t run = 0; run < groups.runs.size(); ++run) {
    for (std::uint32_t p = groups.runs[run].begin; p < plan.segment().run_end(run); ++p) {
      std::uint32_t row = groups.order[p];
      if (plan.slot().is_deleted(row)) continue;
      if (seen_in[bytes[p]] != run) {
        auto place = std::lower_bound(distinct.begin(), distinct.end(), score_of(run, bytes[p]));
        class_of[bytes[p]] = static_cast<std::uint32_t>(place - distinct.begin());
        seen_in[bytes[p]] = run;
      }
      classes[row] = class_of[bytes[p]];
    }
  }
  ranks_of_classes(classes, distinct.size(), kind, ranks);
}

void sorted_ranks(const std::vector<std::int64_t>& scores, RankKind kind, Ranks& ranks) {
  std::vector<std::int64_t> distinct;
  for (std::int64_t score : scores) {
    if (score != no_score) distinct.push_back(score);
  }
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::uint32_t> classes(scores.size(), gone_class);
  for (std::size_t row = 0; row < scores.size(); ++row) {
    if (scores[row] == no_score) continue;
    auto place = std::lower_bound(distinct.begin(), distinct.end(), scores[row]);
    classes[row] = static_cast<std::uint32_t>(place - distinct.begin());
  }
  ranks_of_classes(classes, distinct.size(), kind, ranks);
}

}  // namespace

Scores Index::scores(const Query& query, const Weights* weights) const {
  Scores all;
  scores(query, all, weights);
  return all;
}

void Index::scores(const Query& query, Scores& all, const Weights* weights) const {
  QueryPlan plan(*state_, query, state_->weights_or_own(weights));
  all.values.resize(rows());
  all.unit = plan.unit;
  for (const SegmentSlot& slot : state_->slots) {
    SegmentPlan segment(slot, plan);
    Summing sums = choose_sums(segment.feeds());
    std::int64_t* out = all.values.data() + slot.first_row;
    if (sums.program && sums.exact && !segment.grouped()) {
      std::span<const std::uint8_t> bytes = sums_of(segment, sums);
      for (std::uint32_t row = 0; row < slot.segment->rows; ++row) {
        out[row] = bytes[row] * sums.unit + segment.constant();
      }
    } else {
      for_each_score(segment, [&](std::uint32_t row, std::int64_t score) { out[row] = score; });
    }
    if (slot.deleted == nullptr) continue;
    for (std::uint32_t row = 0; row < slot.segment->rows; ++row) {
      if (slot.is_deleted(row)) out[row] = no_score;
    }
  }
}

std::vector<std::uint32_t> Index::ranks(const Query& query, RankKind kind,
                                        const Weights* weights) const {
  std::vector<std::uint32_t> all;
  ranks(query, kind, all, weights);
  return all;
}

void Index::ranks(const Query& query, RankKind kind, std::vector<std::uint32_t>& out,
                  const Weights* weights) const {
  out.resize(rows());
  if (state_->slots.size() == 1) {
    QueryPlan plan(*state_, query, state_->weights_or_own(weights));
    SegmentPlan segment(state_->slots[0], plan);
    Summing sums = choose_sums(segment.feeds());
    if (sums.program && sums.exact) {
      return segment.grouped() ? grouped_ranks(segment, sums, kind, out)
                               : counted_ranks(segment, sums, kind, out);
    }
  }
  sorted_ranks(scores(query, weights).values, kind, out);
}

RowRank Index::rank_of(RowId row, const Query& query, const Weights* weights) const {
  assert(is_live(row) && "only live rows have a rank");
  Scores all = scores(query, weights);
  RowRank found{all.values[+row], all.unit, 1, 1};
  for (std::size_t other = 0; other < all.values.size(); ++other) {
    std::int64_t score = all.values[other];
    if (score > found.score) {
      ++found.competition;
      ++found.ordinal;
    } else if (score == found.score && other < +row) {
      ++found.ordinal;
    }
  }
  return found;
}

}  // namespace rankveil

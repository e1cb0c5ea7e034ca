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
  std::size_t next_run = 0;
  std::int64_t base = 0;
  for (std::uint32_t line = 0; line < lines_of(rows); line += chunk) {
    std::uint32_t end = std::min(lines_of(rows), line + chunk);
    plan.planes_scores(line, end, scores.data());
    std::uint32_t first = line * kernels::rows_per_line;
    std::uint32_t last = std::min(rows, end * kernels::rows_per_line);
    for (std::uint32_t position = first; position < last; ++position) {
      std::int64_t score = scores[position - first];
      std::uint32_t row = position;
      if (plan.grouped()) {
        const GroupLayout& groups = *plan.segment().groups;
        bool starts = next_run < groups.runs.size() && groups.runs[next_run].begin == position;
        if (starts) base = plan.bases().of(groups.runs[next_run++].group);
        score += base;
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
void count_through(std::span<const Class> class_of_row, Ranks& next, Ranks& ranks) {
  for (std::size_t row = 0; row < class_of_row.size(); ++row) {
    ranks[row] = next[class_of_row[row]]++;
  }
}

void ranks_of_classes(std::span<const std::uint32_t> class_of_row, std::size_t classes,
                      RankKind kind, Ranks& ranks) {
  Ranks next(classes, 0);
  for (std::uint32_t c : class_of_row) ++next[c];
  first_ranks(next);
  if (kind == RankKind::Ordinal) return count_through(class_of_row, next, ranks);
  for (std::size_t row = 0; row < class_of_row.size(); ++row) ranks[row] = next[class_of_row[row]];
}

// How often each byte occurs. Several tables, so that equal neighbours do not wait for each other.
Ranks histogram(std::span<const std::uint8_t> bytes) {
  constexpr std::size_t tables = 8;
  std::uint32_t count[tables][256] = {};
  for (std::size_t i = 0; i < bytes.size(); ++i) ++count[i % tables][bytes[i]];
  Ranks total(256, 0);
  for (const auto& table : count) {
    for (std::size_t b = 0; b < 256; ++b) total[b] += table[b];
  }
  return total;
}

// One segment, exact sums.
void counted_ranks(const SegmentPlan& plan, const Summing& sums, RankKind kind, Ranks& ranks) {
  std::span<const std::uint8_t> bytes = sums_of(plan, sums);
  Ranks next = histogram(bytes);
  first_ranks(next);
  if (kind == RankKind::Ordinal) return count_through(bytes, next, ranks);
  for (std::size_t row = 0; row < bytes.size(); ++row) ranks[row] = next[bytes[row]];
}

// One segment with groups, exact sums: the score of a row is decided by its run and its sum.
void grouped_ranks(const SegmentPlan& plan, const Summing& sums, RankKind kind, Ranks& ranks) {
  const GroupLayout& groups = *plan.segment().groups;
  std::span<const std::uint8_t> bytes = sums_of(plan, sums);
  std::size_t width = std::size_t{sums.program->largest()} + 1;
  std::vector<std::int64_t> bases;
  for (const GroupRun& run : groups.runs.items()) bases.push_back(plan.bases().of(run.group));
  auto score_of = [&](std::size_t run, std::size_t sum) {
    return bases[run] + static_cast<std::int64_t>(sum) * sums.unit;
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
  std::vector<std::uint32_t> classes(plan.segment().rows);
  std::vector<std::uint32_t> class_of(width);
  std::fill(seen_in.begin(), seen_in.end(), UINT32_MAX);
  for (std::uint32_t run = 0; run < groups.runs.size(); ++run) {
    for (std::uint32_t p = groups.runs[run].begin; p < plan.segment().run_end(run); ++p) {
      std::uint32_t row = groups.order[p];
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
  std::vector<std::int64_t> distinct = scores;
  std::sort(distinct.begin(), distinct.end());
  distinct.erase(std::unique(distinct.begin(), distinct.end()), distinct.end());
  std::vector<std::uint32_t> classes(scores.size());
  for (std::size_t row = 0; row < scores.size(); ++row) {
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
        out[row] = bytes[row] * sums.unit;
      }
    } else {
      for_each_score(segment, [&](std::uint32_t row, std::int64_t score) { out[row] = score; });
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
  assert(+row < rows() && "a row of this index");
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

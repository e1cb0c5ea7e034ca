// The best k rows by their sums, when rows come in order: a later row with the k-th best sum can
// never get in, so rows are only counted. For the files of ranking/ only.
#pragma once

#include <algorithm>
#include <cstdint>
#include <vector>

#include "rankveil/ranking/index.h"
#include "rankveil/ranking/scan/summing.h"

namespace rankveil {

class SumCounter {
 public:
  SumCounter(const Summing& sums, std::uint32_t k, std::uint32_t threshold)
      : unit_(sums.unit), largest_(sums.program->largest()), k_(k), threshold_(threshold) {
    candidates_.reserve(std::size_t{4} * std::min<std::uint32_t>(k_, 1024));
    std::fill(count_, count_ + largest_ + 1, 0);
  }

  // Rows with lower sums are not wanted any more. Above the largest sum: no row is.
  std::uint32_t threshold() const { return threshold_; }
  bool is_done() const { return threshold_ > largest_; }

  void add(std::uint32_t row, std::uint32_t sum) {
    candidates_.push_back({row, sum});
    ++count_[sum];
    // Once k rows reach the threshold, a later row has to do better.
    for (++reaching_; reaching_ >= k_ && !is_done(); ++threshold_) reaching_ -= count_[threshold_];
  }

  // Best first. Rows are counted from `first_row`, scores from `base`.
  std::vector<Hit> take(std::uint32_t first_row, std::int64_t base) const {
    std::uint32_t place[kernels::largest_wide_sum + 1];  // where the next candidate with a sum goes
    std::uint32_t above = 0;
    for (std::uint32_t sum = largest_ + 1; sum-- > 0;) {
      place[sum] = above;
      above += count_[sum];
    }
    std::vector<Hit> best(std::min<std::size_t>(k_, candidates_.size()));
    for (const Candidate& candidate : candidates_) {
      std::uint32_t i = place[candidate.sum]++;
      if (i < best.size()) {
        best[i] = {RowId{first_row + candidate.row}, base + candidate.sum * unit_};
      }
    }
    return best;
  }

 private:
  struct Candidate {
    std::uint32_t row;
    std::uint32_t sum;
  };

  std::int64_t unit_;
  std::uint32_t largest_;
  std::uint32_t k_;
  std::uint32_t threshold_;
  std::uint32_t reaching_ = 0;
  std::vector<Candidate> candidates_;
  std::uint32_t count_[kernels::largest_wide_sum + 1];  // up to largest_
};

}  // namespace rankveil

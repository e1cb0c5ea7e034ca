#include "rankveil/utility/measures.h"

#include <algorithm>
#include <cassert>
#include <cmath>
#include <numeric>

namespace rankveil::utility {

namespace {

double share(std::uint64_t part, std::size_t whole) {
  return whole == 0 ? 1 : static_cast<double>(part) / static_cast<double>(whole);
}

std::uint32_t distance(std::uint32_t left, std::uint32_t right) {
  return left < right ? right - left : left - right;
}

double discounted_gain(std::span<const std::int64_t> scores) {
  double total = 0;
  for (std::size_t i = 0; i < scores.size(); ++i) {
    total += static_cast<double>(scores[i]) / std::log2(static_cast<double>(i) + 2);
  }
  return total;
}

// Pairs of equal neighbours, for a list in which equals stand together.
template <typename Equal>
std::uint64_t tied_pairs(std::span<const ScorePair> sorted, const Equal& equal) {
  std::uint64_t pairs = 0;
  std::uint64_t run = 0;
  for (std::size_t i = 1; i < sorted.size(); ++i) {
    run = equal(sorted[i - 1], sorted[i]) ? run + 1 : 0;
    pairs += run;
  }
  return pairs;
}

// Sorts by served score and returns how many pairs were strictly out of order: a merge sort.
std::uint64_t sort_counting_swaps(std::span<ScorePair> scores, std::span<ScorePair> room) {
  if (scores.size() < 2) return 0;
  std::size_t half = scores.size() / 2;
  auto left = scores.first(half);
  auto right = scores.subspan(half);
  std::uint64_t swaps = sort_counting_swaps(left, room) + sort_counting_swaps(right, room);
  std::size_t l = 0;
  std::size_t r = 0;
  for (std::size_t out = 0; out < scores.size(); ++out) {
    bool take_left = r == right.size() || (l < left.size() && left[l].served <= right[r].served);
    if (!take_left) swaps += left.size() - l;
    room[out] = take_left ? left[l++] : right[r++];
  }
  std::copy_n(room.begin(), scores.size(), scores.begin());
  return swaps;
}

}  // namespace

double aul(std::span<const RankPair> ranks, std::uint32_t k) {
  std::uint64_t total = 0;
  std::uint64_t rows = 0;
  std::uint32_t beyond = k == UINT32_MAX ? k : k + 1;
  for (const auto& [truth, served] : ranks) {
    if (truth > k && served > k) continue;
    total += distance(std::min(truth, beyond), std::min(served, beyond));
    ++rows;
  }
  if (rows == 0) return 0;
  return static_cast<double>(total) / static_cast<double>(rows) / k;
}

double overlap(std::span<const RowId> truth, std::span<const RowId> served) {
  assert(truth.size() == served.size() && "top-k lists of the same rows are equally long");
  std::vector<RowId> left(truth.begin(), truth.end());
  std::vector<RowId> right(served.begin(), served.end());
  std::sort(left.begin(), left.end());
  std::sort(right.begin(), right.end());
  std::vector<RowId> both;
  std::set_intersection(left.begin(), left.end(), right.begin(), right.end(),
                        std::back_inserter(both));
  return share(both.size(), truth.size());
}

double fair(std::span<const std::int64_t> served_scores, std::int64_t last) {
  auto reaching = std::count_if(served_scores.begin(), served_scores.end(),
                                [last](std::int64_t score) { return score >= last; });
  return share(static_cast<std::uint64_t>(reaching), served_scores.size());
}

double ndcg(std::span<const std::int64_t> truth_scores,
            std::span<const std::int64_t> served_scores) {
  assert(truth_scores.size() == served_scores.size() && "top-k lists are equally long");
  double best = discounted_gain(truth_scores);
  return best == 0 ? 1 : discounted_gain(served_scores) / best;
}

// Knight's way: in the order of true scores, the pairs that are out of order by served score are
// the discordant ones.
double tau_b(std::vector<ScorePair> scores) {
  std::uint64_t n = scores.size();
  std::uint64_t pairs = n < 2 ? 0 : n * (n - 1) / 2;
  std::sort(scores.begin(), scores.end(), [](const ScorePair& left, const ScorePair& right) {
    return left.truth != right.truth ? left.truth < right.truth : left.served < right.served;
  });
  auto same_truth = [](const auto& a, const auto& b) { return a.truth == b.truth; };
  auto same_served = [](const auto& a, const auto& b) { return a.served == b.served; };
  auto same = [&](const auto& a, const auto& b) { return same_truth(a, b) && same_served(a, b); };
  std::uint64_t tied_truth = tied_pairs(scores, same_truth);
  std::uint64_t tied_both = tied_pairs(scores, same);
  std::vector<ScorePair> room(scores.size());
  std::uint64_t discordant = sort_counting_swaps(scores, room);
  std::uint64_t tied_served = tied_pairs(scores, same_served);
  if (tied_truth == pairs || tied_served == pairs) return tied_truth == tied_served ? 1 : 0;
  std::uint64_t concordant = pairs - tied_truth - tied_served + tied_both - discordant;
  double difference = static_cast<double>(concordant) - static_cast<double>(discordant);
  return difference / std::sqrt(static_cast<double>(pairs - tied_truth) *
                                static_cast<double>(pairs - tied_served));
}

}  // namespace rankveil::utility

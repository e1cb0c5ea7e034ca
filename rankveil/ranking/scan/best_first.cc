// Nobody can guess how two scores compare, and a wrong guess costs more than all else. So rows are
// first spread over buckets by the high bits of their scores, which takes no guesses; what is left
// to compare are the few rows that share a bucket.
#include "rankveil/ranking/scan/best_first.h"

#include <algorithm>
#include <bit>
#include <span>
#include <utility>

namespace rankveil {

namespace {

constexpr std::uint32_t bucket_bits = 8;
// With fewer rows, or where few of many are wanted, buckets do not pay.
constexpr std::uint32_t least_kept = 32;
constexpr std::size_t most_per_kept = 10;

void keep_best_by_comparing(std::vector<Hit>& hits, std::uint32_t k) {
  if (hits.size() > k) {
    std::nth_element(hits.begin(), hits.begin() + k, hits.end(), ranks_before);
    hits.resize(k);
  }
  std::sort(hits.begin(), hits.end(), ranks_before);
}

// Buckets of equal width, the best scores in the first.
class Buckets {
 public:
  explicit Buckets(std::span<const Hit> hits) {
    std::int64_t least = hits[0].score;
    best_ = hits[0].score;
    for (const Hit& hit : hits) {
      least = std::min(least, hit.score);
      best_ = std::max(best_, hit.score);
    }
    auto width = static_cast<std::uint32_t>(std::bit_width(distance(least)));
    shift_ = width > bucket_bits ? width - bucket_bits : 0;
    for (const Hit& hit : hits) ++end_[of(hit)];
    for (std::size_t i = 1; i < count; ++i) end_[i] += end_[i - 1];
  }

  std::size_t of(const Hit& hit) const { return distance(hit.score) >> shift_; }
  std::uint32_t begin(std::size_t bucket) const { return bucket == 0 ? 0 : end_[bucket - 1]; }
  std::uint32_t end(std::size_t bucket) const { return end_[bucket]; }

  static constexpr std::size_t count = std::size_t{1} << bucket_bits;

 private:
  // Scores are whole numbers of any sign, far apart perhaps.
  std::uint64_t distance(std::int64_t score) const {
    return static_cast<std::uint64_t>(best_) - static_cast<std::uint64_t>(score);
  }

  std::int64_t best_;
  std::uint32_t shift_;
  std::uint32_t end_[count] = {};
};

void keep_best_by_buckets(std::vector<Hit>& hits, std::uint32_t k) {
  Buckets buckets(hits);
  std::size_t last = 0;
  while (last + 1 < Buckets::count && buckets.end(last) < k) ++last;
  std::uint32_t next[Buckets::count];
  for (std::size_t i = 0; i <= last; ++i) next[i] = buckets.begin(i);
  std::vector<Hit> kept(std::size_t{buckets.end(last)} + 1);
  for (const Hit& hit : hits) {
    std::size_t bucket = buckets.of(hit);
    // What is not wanted goes behind the others, one over the other.
    std::uint32_t nowhere = buckets.end(last);
    std::uint32_t& place = bucket <= last ? next[bucket] : nowhere;
    kept[place++] = hit;
  }
  for (std::size_t i = 0; i < last; ++i) {
    std::sort(kept.begin() + buckets.begin(i), kept.begin() + buckets.end(i), ranks_before);
  }
  // Of the last bucket perhaps only a few.
  kept.resize(buckets.end(last));
  auto wanted = kept.begin() + std::min(k, buckets.end(last));
  auto rest = kept.begin() + buckets.begin(last);
  if (wanted != kept.end()) std::nth_element(rest, wanted, kept.end(), ranks_before);
  std::sort(rest, wanted, ranks_before);
  kept.erase(wanted, kept.end());
  hits = std::move(kept);
}

}  // namespace

void keep_best(std::vector<Hit>& hits, std::uint32_t k) {
  bool bucketed = k >= least_kept && hits.size() >= least_kept && hits.size() <= k * most_per_kept;
  bucketed ? keep_best_by_buckets(hits, k) : keep_best_by_comparing(hits, k);
}

}  // namespace rankveil

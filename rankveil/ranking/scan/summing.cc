#include "rankveil/ranking/scan/summing.h"

#include <algorithm>
#include <cmath>
#include <numeric>
#include <span>

namespace rankveil {

namespace {

// Bounds are sums of rounded weights; a larger limit bounds closer, but leaves less for rounding
// up.
constexpr std::int64_t bound_limit = 230;

std::int64_t total_of(const std::vector<Feed>& feeds) {
  std::int64_t total = 0;
  for (const Feed& feed : feeds) total += feed.weight;
  return total;
}

std::int64_t common_factor(const std::vector<Feed>& feeds) {
  std::int64_t factor = feeds.front().weight;
  for (const Feed& feed : feeds) {
    if (feed.weight % factor != 0) factor = std::gcd(factor, feed.weight);
  }
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

// No program when there would be nothing to add up, or too much.
std::optional<PlaneProgram> program_of(const std::vector<Feed>& feeds, std::int64_t unit,
                                       std::int64_t most) {
  std::vector<const std::uint64_t*> planes;
  std::vector<std::uint32_t> weights;
  planes.reserve(feeds.size());
  weights.reserve(feeds.size());
  std::int64_t largest = 0;
  double per_unit = 1.0 / static_cast<double>(unit);
  for (const Feed& feed : feeds) {
    std::int64_t units = rounded(feed.weight, per_unit);
    largest += units;
    if (units == 0) continue;
    planes.push_back(feed.plane);
    weights.push_back(static_cast<std::uint32_t>(units));
  }
  bool fits = !planes.empty() && planes.size() <= kernels::max_planes && largest <= most;
  if (!fits) return std::nullopt;
  return PlaneProgram(std::move(planes), weights, static_cast<std::uint32_t>(largest));
}

}  // namespace

// Weights are rounded to whole units. What is rounded down counts as if every row had it: as slack.
// So the low bits of strengths are not read at all.
Summing choose_sums(const std::vector<Feed>& feeds, std::int64_t max_exact) {
  Summing sums;
  if (feeds.empty()) return sums;
  sums.unit = common_factor(feeds);
  sums.exact = total_of(feeds) / sums.unit <= max_exact;
  if (!sums.exact) sums.unit = choose_unit(feeds, sums.unit);
  double per_unit = 1.0 / static_cast<double>(sums.unit);
  for (const Feed& feed : feeds) {
    std::int64_t units = rounded(feed.weight, per_unit);
    sums.slack += std::max<std::int64_t>(0, feed.weight - units * sums.unit);
  }
  sums.program = program_of(feeds, sums.unit, sums.exact ? max_exact : kernels::largest_sum);
  return sums;
}

Summing choose_sums(const BoundFeeds& bounds, std::int64_t max_exact) {
  Summing sums = choose_sums(bounds.feeds(), max_exact);
  sums.bounds = &bounds;
  sums.slack += bounds.constant();
  return sums;
}

std::uint16_t sum_for(std::int64_t score, const Summing& sums) {
  score -= sums.slack;
  if (score <= 0) return 0;
  std::int64_t sum = (score + sums.unit - 1) / sums.unit;
  return static_cast<std::uint16_t>(std::min<std::int64_t>(sum, sums.program->largest() + 1));
}

std::int64_t score_of(const Summing& sums, const SegmentPlan& plan, std::uint32_t position,
                      std::uint32_t sum) {
  if (sums.are_scores()) return sum * sums.unit;
  if (sums.bounds == nullptr) return plan.planes_score(position);
  if (!sums.exact) return sums.bounds->score(position);
  return sum * sums.unit + sums.bounds->constant() - sums.bounds->excess(position);
}

std::vector<std::uint8_t> reach_sums(const SegmentPlan& plan, const GroupReach& reach,
                                     const Summing& sums) {
  FeedList list(reach.attributes, reach.places, plan.wishes());
  std::optional<PlaneProgram> program = same_sums(sums, list.feeds());
  if (!program || program->largest() > kernels::largest_sum) return {};
  std::uint32_t lines = lines_of(reach.places);
  std::vector<std::uint8_t> most(std::size_t{lines} * kernels::rows_per_line);
  kernels::kernel_in_use().sums(program->view(), 0, lines, most.data());
  return most;
}

std::optional<PlaneProgram> same_sums(const Summing& sums, const std::vector<Feed>& feeds) {
  return program_of(feeds, sums.unit, kernels::largest_wide_sum);
}

}  // namespace rankveil

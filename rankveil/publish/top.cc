#include "rankveil/publish/top.h"

#include <algorithm>
#include <cassert>
#include <functional>

namespace rankveil::publish {

namespace {

// The k-th largest score. A sample tells a floor that about twice as many scores pass, so that only
// few are sorted; where the sample misled, all of them are.
double kth_score(const std::vector<double>& scores, std::size_t k) {
  std::vector<double> few;
  constexpr std::size_t sample_size = 4096;
  if (scores.size() > 8 * sample_size && k < scores.size() / 16) {
    std::vector<double> sample;
    std::size_t stride = scores.size() / sample_size;
    for (std::size_t i = 0; i < scores.size(); i += stride) sample.push_back(scores[i]);
    std::size_t at = std::min(sample.size() - 1, 2 * k / stride + 16);
    std::nth_element(sample.begin(), sample.begin() + static_cast<std::ptrdiff_t>(at), sample.end(),
                     std::greater<>());
    double floor = sample[at];
    std::copy_if(scores.begin(), scores.end(), std::back_inserter(few),
                 [&](double score) { return score >= floor; });
  }
  if (few.size() < k) few = scores;
  auto kth = few.begin() + static_cast<std::ptrdiff_t>(k - 1);
  std::nth_element(few.begin(), kth, few.end(), std::greater<>());
  return *kth;
}

}  // namespace

Top find_top(const Points& points, std::uint32_t k_q, Ties ties) {
  assert(k_q >= 1 && k_q <= points.rows() && "the demand was checked");
  Top top;
  top.threshold = kth_score(points.scores, k_q);
  for (Row row = 0; row < points.rows(); ++row) {
    if (points.scores[row] >= top.threshold) top.rows.push_back(row);
  }
  std::stable_sort(top.rows.begin(), top.rows.end(),
                   [&](Row a, Row b) { return points.scores[a] > points.scores[b]; });
  top.tied = static_cast<Row>(top.rows.size()) - k_q;
  if (ties == Ties::Cut) top.rows.resize(k_q);
  return top;
}

}  // namespace rankveil::publish

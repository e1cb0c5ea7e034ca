#include "bench/figures/lab/checks.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <string_view>

namespace rankveil::figures {
namespace {

struct Pair {
  double x, low, high;
};

std::vector<Pair> common(const Series& low, const Series& high, double from) {
  std::vector<Pair> pairs;
  for (std::size_t i = 0; i < low.xs.size(); ++i) {
    auto found = std::find(high.xs.begin(), high.xs.end(), low.xs[i]);
    if (found == high.xs.end() || low.xs[i] < from) continue;
    pairs.push_back(
        {low.xs[i], low.ys[i], high.ys[static_cast<std::size_t>(found - high.xs.begin())]});
  }
  return pairs;
}

std::string way(const Series& series) {
  std::string text;
  for (double y : series.ys) text += fmt::format("{}{:.3f}", text.empty() ? "" : " → ", y);
  return text;
}

// Whether a step goes the other way by min_step or more. `sign` 1: the way is upward.
bool turns_back(const Series& series, double sign) {
  for (std::size_t i = 1; i < series.ys.size(); ++i) {
    if (sign * (series.ys[i] - series.ys[i - 1]) <= -min_step) return true;
  }
  return false;
}

Finding goes(const Series& series, double sign) {
  if (series.ys.size() < 2) return {false, way(series)};
  bool moves = sign * (series.ys.back() - series.ys.front()) >= min_step;
  return {moves && !turns_back(series, sign), way(series)};
}

}  // namespace

Finding stays_below(const Series& low, const Series& high, double from) {
  std::vector<Pair> pairs = common(low, high, from);
  if (pairs.empty()) return {false, "no points to compare"};
  auto difference = [](const Pair& pair) { return pair.low - pair.high; };
  Pair worst = pairs[0];
  double sum = 0;
  for (const Pair& pair : pairs) {
    if (difference(pair) > difference(worst)) worst = pair;
    sum += difference(pair);
  }
  double most = difference(worst);
  return {most <= 0 && sum < 0, fmt::format("{:.3f} {} at {}, where it is closest", std::fabs(most),
                                            most <= 0 ? "below" : "above", number_text(worst.x))};
}

Finding well_below(const Series& low, const Series& high, double share) {
  Finding finding = stays_below(low, high);
  double low_sum = 0, high_sum = 0;
  for (const Pair& pair : common(low, high, 0)) {
    low_sum += pair.low;
    high_sum += pair.high;
  }
  if (high_sum <= 0) return {false, "no points to compare"};
  return {finding.holds && low_sum <= share * high_sum,
          fmt::format("on average {:.2f} times the other; {}", low_sum / high_sum, finding.value)};
}

Finding rises(const Series& series) { return goes(series, 1); }
Finding falls(const Series& series) { return goes(series, -1); }

Finding is_flat(const Series& series) {
  if (series.ys.empty()) return {false, ""};
  auto [low, high] = std::minmax_element(series.ys.begin(), series.ys.end());
  std::string_view slope = falls(series).holds ? "; falls" : rises(series).holds ? "; rises" : "";
  return {*high - *low <= max_flat,
          fmt::format("{}; range {:.3f}{}", way(series), *high - *low, slope)};
}

Finding rises_slightly(const Series& series) {
  if (series.ys.size() < 2) return {false, way(series)};
  double rise = series.ys.back() - series.ys.front();
  return {!turns_back(series, 1) && rise > 0 && rise <= max_flat, way(series)};
}

Finding is_near(const Series& series, double value, double tolerance, double from) {
  std::vector<double> ys;
  for (std::size_t i = 0; i < series.ys.size(); ++i) {
    if (series.xs[i] >= from) ys.push_back(series.ys[i]);
  }
  if (ys.empty()) return {false, "no points"};
  auto [low, high] = std::minmax_element(ys.begin(), ys.end());
  return {*low >= value - tolerance && *high <= value + tolerance,
          fmt::format("between {:.3f} and {:.3f}", *low, *high)};
}

Finding goes_up_then_down(const Series& series) {
  if (series.ys.size() < 3) return {false, way(series)};
  auto top = std::max_element(series.ys.begin(), series.ys.end());
  bool holds = *top - series.ys.front() >= min_step && *top - series.ys.back() >= min_step;
  return {holds,
          fmt::format("{:.3f} first, {:.3f} at {}, {:.3f} last", series.ys.front(), *top,
                      number_text(series.xs[static_cast<std::size_t>(top - series.ys.begin())]),
                      series.ys.back())};
}

}  // namespace rankveil::figures

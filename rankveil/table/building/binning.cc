#include "rankveil/table/building/binning.h"

#include <fmt/format.h>

#include <algorithm>
#include <cassert>
#include <cmath>
#include <limits>
#include <string_view>

#include "rankveil/table/number_text.h"

namespace rankveil {
namespace {

// fmt prints the shortest digits that read back as the same number, hence distinct ones for
// distinct numbers. Adding 0 turns -0 into 0.
std::string label(std::string_view sign, double edge) {
  return fmt::format("{}{}", sign, edge + 0.0);
}

// "-5--2" reads badly, so a hyphen joins only numbers without a sign.
std::string range_label(double from, double to) {
  return fmt::format("{}{}{}", from + 0.0, from < 0 ? " to " : "-", to + 0.0);
}

double into_finite(double number) {
  constexpr double largest = std::numeric_limits<double>::max();
  return std::clamp(number, -largest, largest);
}

double decade_of(double width) { return std::floor(std::log10(width)); }

// Rounds to a multiple of 10^decade. Multiplying or dividing by an exact power of ten leaves the
// double nearest to the short decimal.
double rounded_to(double edge, double decade) {
  if (!(std::abs(decade) <= 22)) return edge;
  double power = std::pow(10.0, std::abs(decade));
  double rounded =
      decade < 0 ? std::nearbyint(edge * power) / power : std::nearbyint(edge / power) * power;
  return std::isfinite(rounded) ? rounded : edge;
}

// The first multiple of 10^decade above `number`.
double next_multiple(double number, double decade) {
  double step = std::pow(10.0, decade);
  double below = std::floor(number / step);
  double next = rounded_to((below + 1) * step, decade);
  return next > number ? next : rounded_to((below + 2) * step, decade);
}

// To a hundredth of the decade of `width`, for labels people can read.
double rounded_edge(double edge, double width) { return rounded_to(edge, decade_of(width) - 2); }

// Edge `i` of `bins`, in a form whose differences cannot overflow.
double even_edge(double smallest, double largest, std::uint32_t i, std::uint32_t bins) {
  double range = largest - smallest;
  if (std::isfinite(range * i)) return smallest + range * i / bins;
  double part = static_cast<double>(i) / bins;
  return smallest * (1 - part) + largest * part;
}

// Where a cut near `position` may fall without parting equal numbers: the nearer end of the run of
// equal numbers that lies there, or the farther one when the nearer is not behind `previous`.
std::size_t cut_near(std::span<const double> sorted, std::size_t position, std::size_t previous) {
  auto run = std::equal_range(sorted.begin(), sorted.end(), sorted[position]);
  auto first = static_cast<std::size_t>(run.first - sorted.begin());
  auto end = static_cast<std::size_t>(run.second - sorted.begin());
  bool first_is_nearer = position - first <= end - position;
  return first > previous && (first_is_nearer || end == sorted.size()) ? first : end;
}

}  // namespace

std::uint32_t bin_of(std::span<const double> edges, double number) {
  assert(!std::isnan(number) && "a NaN has no bin; treat it as missing");
  // Halving without a branch on the comparison: millions of numbers come in no order.
  std::size_t bin = 0;
  std::size_t left = edges.size();
  while (left > 0) {
    std::size_t half = (left + 1) / 2;
    bin += edges[bin + half - 1] <= number ? half : 0;
    left -= half;
  }
  return static_cast<std::uint32_t>(bin);
}

std::vector<std::string> bin_labels(std::span<const double> edges) {
  if (edges.empty()) return {"all"};
  std::vector<std::string> labels = {label("<", edges.front())};
  for (std::size_t i = 1; i < edges.size(); ++i) {
    labels.push_back(range_label(edges[i - 1], edges[i]));
  }
  labels.push_back(label(">=", edges.back()));
  return labels;
}

std::optional<std::vector<double>> labelled_edges(std::span<const std::string> labels) {
  if (labels.size() < 2 || !labels.front().starts_with("<")) return {};
  std::vector<double> edges;
  std::string edge = labels.front().substr(1);
  for (std::size_t i = 1; i < labels.size(); ++i) {
    auto begin = number_from_text(edge);
    if (!begin) return {};
    edges.push_back(*begin);
    if (i + 1 == labels.size()) break;
    std::string_view rest = labels[i];
    if (!rest.starts_with(edge)) return {};
    rest.remove_prefix(edge.size());
    rest.remove_prefix(rest.starts_with(" to ") ? 4 : rest.starts_with("-") ? 1 : rest.size());
    edge = rest;
  }
  if (labels.back() != ">=" + edge || !std::is_sorted(edges.begin(), edges.end())) return {};
  return edges;
}

std::optional<std::size_t> labelled_bin(std::span<const std::string> labels, double number) {
  auto edges = labelled_edges(labels);
  if (!edges || std::isnan(number)) return {};
  return bin_of(*edges, number);
}

std::vector<double> equal_width_edges(double smallest, double largest, std::uint32_t bins) {
  assert(!std::isnan(smallest) && !std::isnan(largest) && "a range needs two numbers");
  smallest = into_finite(smallest);
  largest = into_finite(largest);
  std::vector<double> edges;
  double width = largest / bins - smallest / bins;
  for (std::uint32_t i = 1; i < bins; ++i) {
    double exact = even_edge(smallest, largest, i, bins);
    double last = edges.empty() ? smallest : edges.back();
    for (double edge : {rounded_edge(exact, width), exact}) {
      if (edge <= last || edge > largest) continue;
      edges.push_back(edge);
      break;
    }
  }
  return edges;
}

std::vector<double> quantile_edges(std::span<const double> sorted, std::uint32_t bins) {
  std::vector<double> edges;
  std::size_t previous = 0;
  for (std::uint32_t i = 1; i < bins && !sorted.empty(); ++i) {
    auto position = static_cast<std::size_t>(std::uint64_t{sorted.size()} * i / bins);
    if (position < previous) continue;
    std::size_t cut = cut_near(sorted, position, previous);
    if (cut <= previous || cut == sorted.size() || std::isinf(sorted[cut])) continue;
    edges.push_back(sorted[cut]);
    previous = cut;
  }
  return edges;
}

std::vector<double> coarse_edges(std::span<const double> edges, double smallest, double largest,
                                 double range) {
  if (edges.empty()) return {};
  double decade = decade_of(range) - 1;
  std::vector<double> coarse;
  for (double edge : edges) {
    double rounded = rounded_to(edge, decade);
    bool parts = rounded > smallest && rounded <= largest;
    if (parts && (coarse.empty() || rounded > coarse.back())) coarse.push_back(rounded);
  }
  if (coarse.empty()) coarse.push_back(next_multiple(smallest, decade));
  return coarse;
}

double usual_range(std::span<const double> sorted) {
  std::size_t cut = sorted.size() / 20;
  double usual = sorted[sorted.size() - 1 - cut] - sorted[cut];
  return usual > 0 ? usual : sorted.back() - sorted.front();
}

}  // namespace rankveil

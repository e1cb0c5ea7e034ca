// How numbers become categories.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

namespace rankveil {

// Edges e_1 < ... < e_m cut the numbers into m + 1 bins: below e_1, [e_1, e_2), ..., from e_m up.

// The bin of `number`, from 0. Infinities fall into the first and last bin. REQUIRES: not NaN.
std::uint32_t bin_of(std::span<const double> edges, double number);
// "<18", "18-25", ..., ">=50": one per bin, distinct, short, in order. Bins that begin below zero
// read "-5 to 5". No edges: the one bin is "all".
std::vector<std::string> bin_labels(std::span<const double> edges);
// The bin whose label a number falls under, where these are labels of bins; nothing otherwise.
std::optional<std::size_t> labelled_bin(std::span<const std::string> labels, double number);
// The edges that have these labels, as exactly as labels say; nothing where these are none of bins.
std::optional<std::vector<double>> labelled_edges(std::span<const std::string> labels);
// `bins` bins of one width between smallest and largest; fewer when they are equal or too close to
// tell apart. Edges are rounded to about a hundredth of the width, so that labels stay readable.
// Best given the smallest and largest finite number; an infinity counts as the largest double.
std::vector<double> equal_width_edges(double smallest, double largest, std::uint32_t bins);
// Bins of about equally many numbers; equal numbers stay together. `sorted` ascends, without NaN.
// Every edge is one of the finite numbers, and no bin is empty.
std::vector<double> quantile_edges(std::span<const double> sorted, std::uint32_t bins);

// Edges computed from private numbers tell somebody's exact number, so labels show rounder ones:
// multiples of the power of ten that leaves two digits of `range` (41000 for 40833.23 in a range of
// 86420). Edges that coincide then, or leave no number on one side, are dropped; at least one stays
// when there was one. REQUIRES: 0 < range <= largest - smallest, when there are edges.
std::vector<double> coarse_edges(std::span<const double> edges, double smallest, double largest,
                                 double range);
// How far apart the outermost numbers are without a twentieth on each side, so that one outlier
// does not set the scale; with it when the rest are equal. REQUIRES: `sorted` ascends, not empty.
double usual_range(std::span<const double> sorted);

}  // namespace rankveil

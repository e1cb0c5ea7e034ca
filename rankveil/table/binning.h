// How numbers become categories.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil {

// Edges e_1 < ... < e_m cut the numbers into m + 1 bins: below e_1, [e_1, e_2), ..., from e_m up.

// The bin of `number`, from 0. REQUIRES: not NaN.
std::uint32_t bin_of(std::span<const double> edges, double number);
// "<18", "18-25", ..., ">=50": one per bin, distinct, short, in order.
std::vector<std::string> bin_labels(std::span<const double> edges);
// `bins` bins of one width between smallest and largest; fewer when they are equal.
std::vector<double> equal_width_edges(double smallest, double largest, std::uint32_t bins);
// Bins of about equally many numbers; equal numbers stay together. `sorted` ascends.
std::vector<double> quantile_edges(std::span<const double> sorted, std::uint32_t bins);

}  // namespace rankveil

// Whether numbers say what a paper says they do. Each check can fail, and gives the numbers it
// looked at. U_aul lies between 0 and about 0.5, which is what lists that share no row have.
#pragma once

#include <string>

#include "bench/figures/lab/figure.h"

namespace rankveil::figures {

struct Finding {
  bool holds = false;
  std::string value;
};

// Steps that are smaller say nothing.
inline constexpr double min_step = 0.01;
// What still counts as "no significant impact": a tenth of the scale.
inline constexpr double max_flat = 0.05;

// Nowhere above, and below on average, over the x of both from `from` on. None: does not hold.
Finding stays_below(const Series& low, const Series& high, double from = 0);
// The same, and on average at most `share` of the other.
Finding well_below(const Series& low, const Series& high, double share = 0.8);
// No step back by min_step or more, and the whole way is longer than that.
Finding rises(const Series& series);
Finding falls(const Series& series);
// Highest less lowest is at most max_flat. That is five times min_step, so a series that falls
// or rises may be flat, too: the value then says which way it goes.
Finding is_flat(const Series& series);
// No step back by min_step or more; the last is above the first, by at most max_flat.
Finding rises_slightly(const Series& series);
// At every x from `from` on.
Finding is_near(const Series& series, double value, double tolerance, double from = 0);
// Highest somewhere inside, by min_step or more above both ends.
Finding goes_up_then_down(const Series& series);

}  // namespace rankveil::figures

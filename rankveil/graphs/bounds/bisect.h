// The least number from which on something holds.
#pragma once

namespace rankveil::bound {

// REQUIRES: `holds` is false up to some number between low and high and true from there on.
// Exact to the last bits: halves the interval until it has no inside.
template <typename Holds>
double least_argument(double low, double high, const Holds& holds) {
  while (true) {
    double middle = low + (high - low) / 2;
    if (middle <= low || middle >= high) return high;
    (holds(middle) ? high : low) = middle;
  }
}

}  // namespace rankveil::bound

// The normal distribution, and what shifting it gives away.
#pragma once

namespace rankveil::bound {

double normal_cdf(double x);
double normal_tail(double x);  // 1 - cdf, exact far out, too
// Where the tail has that probability. REQUIRES: probability in (0, 1).
double normal_tail_inverse(double probability);

// The least delta for which a standard normal and the same shifted by `shift` differ by at most a
// factor e^epsilon plus delta on every set:
//   Phi(shift/2 - epsilon/shift) - e^epsilon Phi(-shift/2 - epsilon/shift)
// REQUIRES: shift > 0, epsilon >= 0.
double shifted_normal_delta(double epsilon, double shift);
// The least epsilon with that delta or less; 0 when epsilon = 0 has it already.
// REQUIRES: shift > 0, delta in (0, 1).
double shifted_normal_epsilon(double delta, double shift);

}  // namespace rankveil::bound

// The constant c' of the noiseless-privacy theorems: how many standard deviations of a sum hide
// one person in it.
//
// The paper asks for the least c with two properties: the tail of a normal variable beyond
// c - 1/(2c) is below delta1; and, as a second condition, c is at least
// sqrt(eps1 (k/s + 1/2)). No step of the proof uses the second one, so sound bounds leave it out.
#pragma once

#include <cstdint>

namespace rankveil::bound {

// The first condition, in closed form by Lambert's W. REQUIRES: delta1 > 0.
double tail_constant(double delta1);
// The same by bisection of the printed inequality, to check the closed form with.
double tail_constant_by_bisection(double delta1);

// The second condition as printed. REQUIRES: s > 0, eps1 > 0.
double crowd_constant(double k, double s, double eps1);
// And as it must read when eps1 is the epsilon that comes out: (k + s/2) / sigma.
double crowd_constant_of_itself(double k, double s, double sigma);

}  // namespace rankveil::bound

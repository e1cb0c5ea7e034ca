// Lambert's W: the inverse of w e^w.
#pragma once

namespace rankveil::bound {

// The principal branch, to about 1e-15 of the value. REQUIRES: x >= 0.
double lambert_w(double x);

}  // namespace rankveil::bound

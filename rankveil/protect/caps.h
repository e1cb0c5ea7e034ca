// How likely a value may look after a release, given how common it is.
//
// A value held by at most 1/l of a group may rise to 1/l. A more common one is above that before
// anything is served; it may rise part of the way to certainty:
//   cap = 1/l                      if share <= 1/l
//   cap = 1 - (1 - share) / gamma  otherwise
// With gamma = l / (l - 1), the default, (cap - share) / (1 - share) is exactly 1/l for common
// values and at most 1/l for all. gamma = 1 lets common values gain nothing; infinity does not
// protect them. A value that is declared not sensitive has the cap 1, however common it is.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/demand.h"

namespace rankveil {

// A share this little above 1/l counts as 1/l: shares are counted, and rounded.
inline constexpr double share_tolerance = 1e-12;

double cap_of(double share, std::uint32_t l, double gamma);
// `spared`: by value, 1: declared not sensitive. Empty: none is.
std::vector<double> caps_of(const std::vector<double>& shares, std::uint32_t l, double gamma,
                            const std::vector<std::uint8_t>& spared = {});

// demand.gamma, or its default.
double gamma_of(const Demand& demand);

}  // namespace rankveil

#include "rankveil/protect/caps.h"

#include <cmath>

namespace rankveil {

double cap_of(double share, std::uint32_t l, double gamma) {
  double even = 1.0 / l;
  return share <= even + share_tolerance ? even : 1 - (1 - share) / gamma;
}

std::vector<double> caps_of(const std::vector<double>& shares, std::uint32_t l, double gamma,
                            const std::vector<std::uint8_t>& spared) {
  std::vector<double> caps;
  caps.reserve(shares.size());
  for (std::size_t x = 0; x < shares.size(); ++x) {
    bool is_spared = !spared.empty() && spared[x] != 0;
    caps.push_back(is_spared ? 1 : cap_of(shares[x], l, gamma));
  }
  return caps;
}

double gamma_of(const Demand& demand) {
  return demand.gamma == 0 ? demand.l / (demand.l - 1.0) : demand.gamma;
}

}  // namespace rankveil

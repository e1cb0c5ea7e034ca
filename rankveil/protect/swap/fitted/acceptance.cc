#include "rankveil/protect/swap/fitted/acceptance.h"

namespace rankveil::fitted {

namespace {

// Numbers from 0 to 1 in parts of 2^127. A power below is at most some 2^12 parts off, so what is
// kept of it, parts of 2^64, is right.
using Parts = unsigned __int128;
constexpr Parts one = Parts{1} << 127;

constexpr Parts times(Parts a, Parts b) {
  auto low_a = static_cast<std::uint64_t>(a);
  auto low_b = static_cast<std::uint64_t>(b);
  Parts middle = (a >> 64) * low_b + (b >> 64) * low_a + (static_cast<Parts>(low_a) * low_b >> 64);
  return 2 * (a >> 64) * (b >> 64) + (middle >> 63);
}

// e^(-1 / 1024): the sum of (-1)^k / (1024^k k!).
constexpr Parts fine_step() {
  Parts sum = 0;
  Parts term = one;
  for (unsigned k = 1; term > 0; ++k) {
    sum = k % 2 != 0 ? sum + term : sum - term;
    term /= 1024 * k;
  }
  return sum;
}

constexpr Parts coarse_step() {
  Parts power = one;
  for (int i = 0; i < score_unit; ++i) power = times(power, fine_step());
  return power;
}

template <std::size_t size>
constexpr std::array<std::uint64_t, size> powers_of(Parts step) {
  std::array<std::uint64_t, size> powers{};
  Parts power = one;
  for (std::uint64_t& kept : powers) {
    kept = power == one ? ~std::uint64_t{0} : static_cast<std::uint64_t>(power >> 63);
    power = times(power, step);
  }
  return powers;
}

}  // namespace

constinit const std::array<std::uint64_t, 1024> fine_powers = powers_of<1024>(fine_step());
constinit const std::array<std::uint64_t, 40> coarse_powers = powers_of<40>(coarse_step());

}  // namespace rankveil::fitted

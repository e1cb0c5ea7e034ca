#include "rankveil/protect/swap/fitted/acceptance.h"

namespace rankveil::fitted {

namespace {

// Numbers from 0 to 1 in parts of 2^127. A power below is at most some 2^12 parts off, so what is
// kept of it, parts of 2^64, is right.
using PowerParts = unsigned __int128;
constexpr PowerParts all_parts = PowerParts{1} << 127;

constexpr PowerParts product(PowerParts a, PowerParts b) {
  auto low_a = static_cast<std::uint64_t>(a);
  auto low_b = static_cast<std::uint64_t>(b);
  PowerParts middle =
      (a >> 64) * low_b + (b >> 64) * low_a + (static_cast<PowerParts>(low_a) * low_b >> 64);
  return 2 * (a >> 64) * (b >> 64) + (middle >> 63);
}

// e^(-1 / 1024): the sum of (-1)^k / (1024^k k!).
constexpr PowerParts fine_step() {
  PowerParts sum = 0;
  PowerParts term = all_parts;
  for (unsigned k = 1; term > 0; ++k) {
    sum = k % 2 != 0 ? sum + term : sum - term;
    term /= PowerParts{1024} * k;
  }
  return sum;
}

constexpr PowerParts coarse_step() {
  PowerParts power = all_parts;
  for (int i = 0; i < score_unit; ++i) power = product(power, fine_step());
  return power;
}

template <std::size_t size>
constexpr std::array<std::uint64_t, size> powers_of(PowerParts step) {
  std::array<std::uint64_t, size> powers{};
  PowerParts power = all_parts;
  for (std::uint64_t& kept : powers) {
    kept = power == all_parts ? ~std::uint64_t{0} : static_cast<std::uint64_t>(power >> 63);
    power = product(power, step);
  }
  return powers;
}

}  // namespace

constinit const std::array<std::uint64_t, 1024> fine_powers = powers_of<1024>(fine_step());
constinit const std::array<std::uint64_t, 40> coarse_powers = powers_of<40>(coarse_step());

}  // namespace rankveil::fitted

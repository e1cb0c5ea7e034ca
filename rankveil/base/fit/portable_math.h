// exp and log of plain additions and multiplications: the same bits on every processor and with
// every C library. Good to about 1e-15.
#pragma once

#include <bit>
#include <cstdint>

namespace rankveil::fit {

// Four numbers at a time; where the processor takes two, the compiler takes turns.
using Four = double __attribute__((vector_size(32)));
using FourBits = std::int64_t __attribute__((vector_size(32)));

inline constexpr std::uint32_t four = 4;

// 0 for everything below -700. REQUIRES: x <= 700.
[[gnu::always_inline]] inline Four exp_of(Four x) {
  constexpr double round_by = 0x1.8p52;  // adding it rounds to a whole number
  Four whole = x * 0x1.71547652b82fep0 + round_by;
  FourBits power = std::bit_cast<FourBits>(whole) << 52;
  whole -= round_by;
  Four rest = (x - whole * 0x1.62e42fefa0000p-1) - whole * 0x1.cf79abc9e3b3ap-40;
  Four sum = rest * (1.0 / 6227020800.0) + 1.0 / 479001600.0;
  sum = sum * rest + 1.0 / 39916800.0;
  sum = sum * rest + 1.0 / 3628800.0;
  sum = sum * rest + 1.0 / 362880.0;
  sum = sum * rest + 1.0 / 40320.0;
  sum = sum * rest + 1.0 / 5040.0;
  sum = sum * rest + 1.0 / 720.0;
  sum = sum * rest + 1.0 / 120.0;
  sum = sum * rest + 1.0 / 24.0;
  sum = sum * rest + 1.0 / 6.0;
  sum = sum * rest + 0.5;
  sum = sum * rest + 1.0;
  sum = sum * rest + 1.0;
  Four scaled = std::bit_cast<Four>(std::bit_cast<FourBits>(sum) + power);
  return std::bit_cast<Four>(std::bit_cast<FourBits>(scaled) & (x > -700.0));
}

// REQUIRES: x > 0, normal.
[[gnu::always_inline]] inline double log_of(double x) {
  auto bits = std::bit_cast<std::uint64_t>(x);
  // x = m 2^e with m from sqrt(1/2) to sqrt(2)
  auto shifted = static_cast<std::int64_t>(bits - 0x3fe6a09e667f3bcdU);
  std::int64_t power = shifted >> 52;
  double m = std::bit_cast<double>(bits - (static_cast<std::uint64_t>(power) << 52));
  double t = (m - 1) / (m + 1);
  double s = t * t;
  double sum = 1.0 / 23;
  for (int k = 21; k >= 1; k -= 2) sum = sum * s + 1.0 / k;
  return static_cast<double>(power) * 0x1.62e42fefa39efp-1 + 2 * t * sum;
}

}  // namespace rankveil::fit

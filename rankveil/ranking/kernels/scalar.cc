// Plain 64-bit words: runs everywhere.
#include "rankveil/ranking/kernels/body.h"

namespace rankveil::kernels {

namespace {

struct ScalarLanes {
  using Reg = std::uint64_t;
  static constexpr std::uint32_t words = 1;

  static Reg load(const std::uint64_t* from) { return *from; }
  static void store(std::uint64_t* to, Reg value) { *to = value; }
  static Reg load_bytes(const std::uint8_t* from) {
    Reg value;
    std::memcpy(&value, from, sizeof value);
    return value;
  }
  static void store_bytes(std::uint8_t* to, Reg value) { std::memcpy(to, &value, sizeof value); }
  static Reg fill_bytes(std::uint32_t byte) { return Reg{byte} * 0x0101010101010101U; }
  // op(a, b) for each byte of two words.
  template <typename Op>
  static Reg each_byte(Reg a, Reg b, const Op& op) {
    Reg made = 0;
    for (std::uint32_t bit = 0; bit < 64; bit += 8) {
      made |= Reg{op((a >> bit) & 255, (b >> bit) & 255)} << bit;
    }
    return made;
  }
  static Reg add_bytes(Reg a, Reg b) {
    return each_byte(a, b, [](Reg x, Reg y) { return x + y < 255 ? x + y : 255; });
  }
  static Reg take_bytes(Reg a, Reg b) {
    return each_byte(a, b, [](Reg x, Reg y) { return x > y ? x - y : 0; });
  }
  template <std::uint32_t shift>
  static Reg shift_bytes(Reg a) {
    return (a >> shift) & fill_bytes(0xFFU >> shift);
  }
  static Reg at_least_bytes(Reg a, Reg b) {
    return each_byte(a, b, [](Reg x, Reg y) { return Reg{x >= y ? 255U : 0U}; });
  }
  static std::uint8_t lacking_bits(Reg bytes, std::uint32_t mask) {
    std::uint32_t bits = 0;
    for (std::uint32_t i = 0; i < 8; ++i) bits |= ((bytes >> (8 * i)) & mask) == 0 ? 1U << i : 0U;
    return static_cast<std::uint8_t>(bits);
  }
  static Reg bound_bytes(Reg sums, Reg units, std::uint16_t per_unit) {
    return each_byte(sums, units, [&](Reg sum, Reg unit) {
      Reg bound = (sum * unit * per_unit >> 16) + 1;
      return sum == 255 || bound > 255 ? 255 : bound;
    });
  }
  static Reg fill(std::uint64_t word) { return word; }
  static Reg zero() { return 0; }
  static Reg ones() { return ~Reg{0}; }
  static Reg inverse(Reg a) { return ~a; }
  static Reg either(Reg a, Reg b) { return a | b; }
  static Reg both(Reg a, Reg b) { return a & b; }
  static Reg sum3(Reg a, Reg b, Reg c) { return a ^ b ^ c; }
  static Reg carry3(Reg a, Reg b, Reg c) { return (a & b) | ((a ^ b) & c); }
  static bool any(Reg value) { return value != 0; }
  static std::uint32_t nonzero(Reg value) { return value != 0 ? 1 : 0; }
  static void write_bytes(const Reg* slices, std::uint32_t count, std::uint8_t* out) {
    for (std::uint32_t row = 0; row < 64; ++row) {
      std::uint32_t sum = 0;
      for (std::uint32_t i = 0; i < count; ++i) {
        sum |= static_cast<std::uint32_t>((slices[i] >> row) & 1) << i;
      }
      out[row] = static_cast<std::uint8_t>(sum);
    }
  }
};

}  // namespace

const Kernel& scalar_kernel() {
  static constexpr Kernel kernel = Body<ScalarLanes>::kernel(Isa::Scalar);
  return kernel;
}

}  // namespace rankveil::kernels

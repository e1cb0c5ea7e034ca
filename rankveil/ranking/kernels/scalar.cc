// Plain 64-bit words: runs everywhere.
#include "rankveil/ranking/kernels/body.h"

namespace rankveil::kernels {

namespace {

struct ScalarLanes {
  using Reg = std::uint64_t;
  static constexpr std::uint32_t words = 1;

  static Reg load(const std::uint64_t* from) { return *from; }
  static void store(std::uint64_t* to, Reg value) { *to = value; }
  static Reg fill(std::uint64_t word) { return word; }
  static Reg zero() { return 0; }
  static Reg ones() { return ~Reg{0}; }
  static Reg inverse(Reg a) { return ~a; }
  static Reg both(Reg a, Reg b) { return a & b; }
  static Reg sum3(Reg a, Reg b, Reg c) { return a ^ b ^ c; }
  static Reg carry3(Reg a, Reg b, Reg c) { return (a & b) | ((a ^ b) & c); }
  static bool any(Reg value) { return value != 0; }
  static std::uint32_t nonzero(Reg value) { return value != 0 ? 1 : 0; }
  static Reg widen(const std::uint8_t* bytes) { return *bytes; }
  static Reg lacks(Reg words64, std::int64_t mask) {
    return (words64 & static_cast<Reg>(mask)) != 0 ? zero() : ones();
  }
  static std::size_t lookup(const LookupTask&, std::uint32_t*) { return 0; }
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

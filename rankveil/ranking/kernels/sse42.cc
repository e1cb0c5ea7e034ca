// 128 bits at a time. Compiled with -msse4.2.
#include <nmmintrin.h>

#include "rankveil/ranking/kernels/body.h"

namespace rankveil::kernels {

namespace {

struct Sse42Lanes {
  using Reg = __m128i;
  static constexpr std::uint32_t words = 2;

  static Reg load(const std::uint64_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static void store(std::uint64_t* to, Reg value) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
  }
  static Reg load_bytes(const std::uint8_t* from) {
    return _mm_loadu_si128(reinterpret_cast<const __m128i*>(from));
  }
  static void store_bytes(std::uint8_t* to, Reg value) {
    _mm_storeu_si128(reinterpret_cast<__m128i*>(to), value);
  }
  static Reg add_bytes(Reg a, Reg b) { return _mm_adds_epu8(a, b); }
  static Reg fill_bytes(std::uint32_t byte) { return _mm_set1_epi8(static_cast<char>(byte)); }
  static Reg take_bytes(Reg a, Reg b) { return _mm_subs_epu8(a, b); }
  template <std::uint32_t shift>
  static Reg shift_bytes(Reg a) {
    return both(_mm_srli_epi16(a, shift), fill_bytes(0xFFU >> shift));
  }
  static Reg at_least_bytes(Reg a, Reg b) { return _mm_cmpeq_epi8(_mm_max_epu8(a, b), a); }
  static std::uint16_t lacking_bits(Reg bytes, std::uint32_t mask) {
    Reg lacking = _mm_cmpeq_epi8(both(bytes, fill_bytes(mask)), zero());
    return static_cast<std::uint16_t>(_mm_movemask_epi8(lacking));
  }
  static Reg bound_bytes(Reg sums, Reg units, std::uint16_t per_unit) {
    const Reg factor = _mm_set1_epi16(static_cast<short>(per_unit));
    auto bound = [&](Reg sum, Reg unit) {
      Reg product = _mm_mulhi_epu16(_mm_mullo_epi16(sum, unit), factor);
      return _mm_add_epi16(_mm_min_epu16(product, _mm_set1_epi16(254)), _mm_set1_epi16(1));
    };
    Reg low = bound(_mm_unpacklo_epi8(sums, zero()), _mm_unpacklo_epi8(units, zero()));
    Reg high = bound(_mm_unpackhi_epi8(sums, zero()), _mm_unpackhi_epi8(units, zero()));
    Reg unknown = _mm_cmpeq_epi8(sums, ones());
    return _mm_or_si128(_mm_packus_epi16(low, high), unknown);
  }
  static Reg fill(std::uint64_t word) { return _mm_set1_epi64x(static_cast<std::int64_t>(word)); }
  static Reg zero() { return _mm_setzero_si128(); }
  static Reg ones() { return _mm_set1_epi64x(-1); }
  static Reg inverse(Reg a) { return _mm_xor_si128(a, ones()); }
  static Reg either(Reg a, Reg b) { return _mm_or_si128(a, b); }
  static Reg both(Reg a, Reg b) { return _mm_and_si128(a, b); }
  static Reg sum3(Reg a, Reg b, Reg c) { return _mm_xor_si128(_mm_xor_si128(a, b), c); }
  static Reg carry3(Reg a, Reg b, Reg c) {
    return _mm_or_si128(_mm_and_si128(a, b), _mm_and_si128(_mm_xor_si128(a, b), c));
  }
  static bool any(Reg value) { return _mm_testz_si128(value, value) == 0; }
  static std::uint32_t nonzero(Reg value) {
    Reg zeros = _mm_cmpeq_epi64(value, zero());
    return static_cast<std::uint32_t>(_mm_movemask_pd(_mm_castsi128_pd(zeros))) ^ 0x3;
  }
  // 16 rows at a time: two bytes of the slice copied over the register, one bit kept in each.
  static void write_bytes(const Reg* slices, std::uint32_t count, std::uint8_t* out) {
    const Reg pick = _mm_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1);
    const Reg bits = _mm_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
    alignas(16) std::uint16_t pieces[max_slices][8];
    for (std::uint32_t i = 0; i < count; ++i) {
      _mm_store_si128(reinterpret_cast<__m128i*>(pieces[i]), slices[i]);
    }
    for (std::uint32_t piece = 0; piece < 8; ++piece) {
      Reg sums = zero();
      for (std::uint32_t i = 0; i < count; ++i) {
        Reg copied = _mm_shuffle_epi8(_mm_cvtsi32_si128(pieces[i][piece]), pick);
        Reg set = _mm_cmpeq_epi8(_mm_and_si128(copied, bits), bits);
        sums = _mm_or_si128(sums, _mm_and_si128(set, _mm_set1_epi8(static_cast<char>(1U << i))));
      }
      _mm_storeu_si128(reinterpret_cast<__m128i*>(out + piece * 16), sums);
    }
  }
};

}  // namespace

const Kernel& sse42_kernel() {
  static constexpr Kernel kernel = Body<Sse42Lanes>::kernel(Isa::Sse42);
  return kernel;
}

}  // namespace rankveil::kernels

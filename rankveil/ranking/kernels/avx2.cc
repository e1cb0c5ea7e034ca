// 256 bits at a time. Compiled with -mavx2.
#include <immintrin.h>

#include "rankveil/ranking/kernels/body.h"

namespace rankveil::kernels {

namespace {

struct Avx2Lanes {
  using Reg = __m256i;
  static constexpr std::uint32_t words = 4;

  static Reg load(const std::uint64_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store(std::uint64_t* to, Reg value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
  }
  static Reg load_bytes(const std::uint8_t* from) {
    return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(from));
  }
  static void store_bytes(std::uint8_t* to, Reg value) {
    _mm256_storeu_si256(reinterpret_cast<__m256i*>(to), value);
  }
  static Reg add_bytes(Reg a, Reg b) { return _mm256_adds_epu8(a, b); }
  static Reg fill_bytes(std::uint32_t byte) { return _mm256_set1_epi8(static_cast<char>(byte)); }
  static Reg take_bytes(Reg a, Reg b) { return _mm256_subs_epu8(a, b); }
  template <std::uint32_t shift>
  static Reg shift_bytes(Reg a) {
    return both(_mm256_srli_epi16(a, shift), fill_bytes(0xFFU >> shift));
  }
  static Reg at_least_bytes(Reg a, Reg b) { return _mm256_cmpeq_epi8(_mm256_max_epu8(a, b), a); }
  static std::uint32_t lacking_bits(Reg bytes, std::uint32_t mask) {
    Reg lacking = _mm256_cmpeq_epi8(both(bytes, fill_bytes(mask)), zero());
    return static_cast<std::uint32_t>(_mm256_movemask_epi8(lacking));
  }
  static Reg bound_bytes(Reg sums, Reg units, std::uint16_t per_unit) {
    const Reg factor = _mm256_set1_epi16(static_cast<short>(per_unit));
    auto bound = [&](Reg sum, Reg unit) {
      Reg product = _mm256_mulhi_epu16(_mm256_mullo_epi16(sum, unit), factor);
      return _mm256_add_epi16(_mm256_min_epu16(product, _mm256_set1_epi16(254)),
                              _mm256_set1_epi16(1));
    };
    Reg low = bound(_mm256_unpacklo_epi8(sums, zero()), _mm256_unpacklo_epi8(units, zero()));
    Reg high = bound(_mm256_unpackhi_epi8(sums, zero()), _mm256_unpackhi_epi8(units, zero()));
    Reg unknown = _mm256_cmpeq_epi8(sums, ones());
    return _mm256_or_si256(_mm256_packus_epi16(low, high), unknown);
  }
  static Reg fill(std::uint64_t word) {
    return _mm256_set1_epi64x(static_cast<std::int64_t>(word));
  }
  static Reg zero() { return _mm256_setzero_si256(); }
  static Reg ones() { return _mm256_set1_epi64x(-1); }
  static Reg inverse(Reg a) { return _mm256_xor_si256(a, ones()); }
  static Reg either(Reg a, Reg b) { return _mm256_or_si256(a, b); }
  static Reg both(Reg a, Reg b) { return _mm256_and_si256(a, b); }
  static Reg sum3(Reg a, Reg b, Reg c) { return _mm256_xor_si256(_mm256_xor_si256(a, b), c); }
  static Reg carry3(Reg a, Reg b, Reg c) {
    return _mm256_or_si256(_mm256_and_si256(a, b), _mm256_and_si256(_mm256_xor_si256(a, b), c));
  }
  static bool any(Reg value) { return _mm256_testz_si256(value, value) == 0; }
  static std::uint32_t nonzero(Reg value) {
    Reg zeros = _mm256_cmpeq_epi64(value, zero());
    return static_cast<std::uint32_t>(_mm256_movemask_pd(_mm256_castsi256_pd(zeros))) ^ 0xF;
  }
  // 32 rows at a time: four bytes of the slice copied over the register, one bit kept in each.
  static void write_bytes(const Reg* slices, std::uint32_t count, std::uint8_t* out) {
    const Reg pick = _mm256_setr_epi8(0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 2,
                                      2, 2, 2, 3, 3, 3, 3, 3, 3, 3, 3);
    const Reg bits = _mm256_set1_epi64x(static_cast<std::int64_t>(0x8040201008040201U));
    alignas(32) std::uint32_t pieces[max_slices][8];
    for (std::uint32_t i = 0; i < count; ++i) {
      _mm256_store_si256(reinterpret_cast<__m256i*>(pieces[i]), slices[i]);
    }
    for (std::uint32_t piece = 0; piece < 8; ++piece) {
      Reg sums = zero();
      for (std::uint32_t i = 0; i < count; ++i) {
        Reg copied =
            _mm256_shuffle_epi8(_mm256_set1_epi32(static_cast<int>(pieces[i][piece])), pick);
        Reg set = _mm256_cmpeq_epi8(_mm256_and_si256(copied, bits), bits);
        sums = _mm256_or_si256(sums,
                               _mm256_and_si256(set, _mm256_set1_epi8(static_cast<char>(1U << i))));
      }
      _mm256_storeu_si256(reinterpret_cast<__m256i*>(out + piece * 32), sums);
    }
  }
};

}  // namespace

const Kernel& avx2_kernel() {
  static constexpr Kernel kernel = Body<Avx2Lanes>::kernel(Isa::Avx2);
  return kernel;
}

}  // namespace rankveil::kernels

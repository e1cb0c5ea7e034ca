// 512 bits at a time: a full adder is two instructions. Compiled with -mavx512f/bw/vl/dq.
#include <immintrin.h>

#include "rankveil/ranking/kernels/body.h"

namespace rankveil::kernels {

namespace {

struct Avx512Lanes {
  using Reg = __m512i;
  static constexpr std::uint32_t words = 8;

  static Reg load(const std::uint64_t* from) {
    Reg value = _mm512_loadu_si512(from);
    // g++ would otherwise read memory twice, once for each use, and spill in between.
    asm("" : "+v"(value));
    return value;
  }
  static void store(std::uint64_t* to, Reg value) { _mm512_storeu_si512(to, value); }
  static Reg load_bytes(const std::uint8_t* from) { return _mm512_loadu_si512(from); }
  static void store_bytes(std::uint8_t* to, Reg value) { _mm512_storeu_si512(to, value); }
  static Reg add_bytes(Reg a, Reg b) { return _mm512_adds_epu8(a, b); }
  static Reg fill_bytes(std::uint32_t byte) { return _mm512_set1_epi8(static_cast<char>(byte)); }
  static Reg take_bytes(Reg a, Reg b) { return _mm512_subs_epu8(a, b); }
  template <std::uint32_t shift>
  static Reg shift_bytes(Reg a) {
    return _mm512_and_si512(_mm512_srli_epi16(a, shift), fill_bytes(0xFFU >> shift));
  }
  static Reg at_least_bytes(Reg a, Reg b) { return _mm512_movm_epi8(_mm512_cmpge_epu8_mask(a, b)); }
  static std::uint64_t lacking_bits(Reg bytes, std::uint32_t mask) {
    return _mm512_testn_epi8_mask(bytes, fill_bytes(mask));
  }
  static Reg bound_bytes(Reg sums, Reg units, std::uint16_t per_unit) {
    const Reg factor = _mm512_set1_epi16(static_cast<short>(per_unit));
    auto bound = [&](Reg sum, Reg unit) {
      Reg product = _mm512_mulhi_epu16(_mm512_mullo_epi16(sum, unit), factor);
      return _mm512_add_epi16(_mm512_min_epu16(product, _mm512_set1_epi16(254)),
                              _mm512_set1_epi16(1));
    };
    Reg low = bound(_mm512_unpacklo_epi8(sums, zero()), _mm512_unpacklo_epi8(units, zero()));
    Reg high = bound(_mm512_unpackhi_epi8(sums, zero()), _mm512_unpackhi_epi8(units, zero()));
    __mmask64 unknown = _mm512_cmpeq_epi8_mask(sums, ones());
    return _mm512_mask_mov_epi8(_mm512_packus_epi16(low, high), unknown, ones());
  }
  static Reg fill(std::uint64_t word) { return _mm512_set1_epi64(static_cast<std::int64_t>(word)); }
  static Reg zero() { return _mm512_setzero_si512(); }
  static Reg ones() { return _mm512_set1_epi64(-1); }
  static Reg inverse(Reg a) { return _mm512_ternarylogic_epi64(a, a, a, 0x55); }
  static Reg either(Reg a, Reg b) { return _mm512_or_si512(a, b); }
  static Reg both(Reg a, Reg b) { return _mm512_and_si512(a, b); }
  static Reg sum3(Reg a, Reg b, Reg c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
  static Reg carry3(Reg a, Reg b, Reg c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }
  static bool any(Reg value) { return _mm512_test_epi64_mask(value, value) != 0; }
  static std::uint32_t nonzero(Reg value) { return _mm512_test_epi64_mask(value, value); }
  static void write_bytes(const Reg* slices, std::uint32_t count, std::uint8_t* out) {
    alignas(64) std::uint64_t pieces[max_slices][8];
    for (std::uint32_t i = 0; i < count; ++i) _mm512_store_si512(pieces[i], slices[i]);
    for (std::uint32_t piece = 0; piece < 8; ++piece) {
      Reg sums = zero();
      for (std::uint32_t i = 0; i < count; ++i) {
        sums = _mm512_mask_add_epi8(sums, pieces[i][piece], sums,
                                    _mm512_set1_epi8(static_cast<char>(1U << i)));
      }
      _mm512_storeu_si512(out + piece * 64, sums);
    }
  }
};

}  // namespace

const Kernel& avx512_kernel() {
  static constexpr Kernel kernel = Body<Avx512Lanes>::kernel(Isa::Avx512);
  return kernel;
}

}  // namespace rankveil::kernels

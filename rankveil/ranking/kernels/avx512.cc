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
  static Reg zero() { return _mm512_setzero_si512(); }
  static Reg ones() { return _mm512_set1_epi64(-1); }
  static Reg both(Reg a, Reg b) { return _mm512_and_si512(a, b); }
  static Reg sum3(Reg a, Reg b, Reg c) { return _mm512_ternarylogic_epi64(a, b, c, 0x96); }
  static Reg carry3(Reg a, Reg b, Reg c) { return _mm512_ternarylogic_epi64(a, b, c, 0xE8); }
  static bool any(Reg value) { return _mm512_test_epi64_mask(value, value) != 0; }
  static Reg widen(const std::uint8_t* bytes) {
    return _mm512_cvtepu8_epi64(_mm_loadl_epi64(reinterpret_cast<const __m128i*>(bytes)));
  }
  static Reg lacks(Reg words64, std::int64_t mask) {
    return _mm512_movm_epi64(_mm512_testn_epi64_mask(words64, _mm512_set1_epi64(mask)));
  }
  static void write_bytes(const Reg* slices, std::uint32_t count, std::uint8_t* out) {
    alignas(64) std::uint64_t pieces[most_slices][8];
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
  using Code = Body<Avx512Lanes>;
  static constexpr Kernel kernel{Isa::Avx512,  &Code::find,       &Code::sums,
                                 &Code::bases, &Code::thresholds, &Code::word_thresholds,
                                 &Code::count};
  return kernel;
}

}  // namespace rankveil::kernels

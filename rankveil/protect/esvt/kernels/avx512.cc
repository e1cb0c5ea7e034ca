// 512 bits at a time. Compiled with -mavx512bw and what it needs.
#include <immintrin.h>

#include "rankveil/protect/esvt/kernels/tuple_search_body.h"

namespace rankveil::kernels {

namespace {

__m128i half(__m256i all) { return _mm256_castsi256_si128(all); }
__m128i other_half(__m256i all) { return _mm256_extracti128_si256(all, 1); }
__m256i half(__m512i all) { return _mm512_castsi512_si256(all); }
__m256i other_half(__m512i all) { return _mm512_extracti64x4_epi64(all, 1); }
std::uint32_t least_of_eight(__m128i numbers) {
  return static_cast<std::uint32_t>(_mm_extract_epi16(_mm_minpos_epu16(numbers), 0));
}

struct Memory {
  using Vector = __m512i;
  static Vector load(const void* from) { return _mm512_loadu_si512(from); }
  static void store(void* to, Vector value) { _mm512_storeu_si512(to, value); }
  static Vector highest() { return _mm512_set1_epi8(-1); }
};

struct Bytes : Memory {
  using Cost = std::uint8_t;
  static constexpr std::uint32_t width = 64;
  static __m512i sum(const Cost* a, const Cost* b) { return _mm512_adds_epu8(load(a), load(b)); }
  static __m512i least(__m512i a, __m512i b) { return _mm512_min_epu8(a, b); }
  static __m128i narrowed(__m512i all) {
    __m256i two = _mm256_min_epu8(half(all), other_half(all));
    return _mm_min_epu8(half(two), other_half(two));
  }
  static Cost least_in(__m512i all) {
    __m128i four = narrowed(all);
    // Two bytes as one number: the lower of both, with zeros above.
    return static_cast<Cost>(least_of_eight(_mm_min_epu8(four, _mm_srli_epi16(four, 8))));
  }
  static std::uint64_t below(__m512i all, Cost limit) {
    return _mm512_cmplt_epu8_mask(all, _mm512_set1_epi8(static_cast<char>(limit)));
  }
};

struct Words : Memory {
  using Cost = std::uint16_t;
  static constexpr std::uint32_t width = 32;
  static __m512i sum(const Cost* a, const Cost* b) { return _mm512_adds_epu16(load(a), load(b)); }
  static __m512i least(__m512i a, __m512i b) { return _mm512_min_epu16(a, b); }
  static __m128i narrowed(__m512i all) {
    __m256i two = _mm256_min_epu16(half(all), other_half(all));
    return _mm_min_epu16(half(two), other_half(two));
  }
  static Cost least_in(__m512i all) { return static_cast<Cost>(least_of_eight(narrowed(all))); }
  static std::uint64_t below(__m512i all, Cost limit) {
    return _mm512_cmplt_epu16_mask(all, _mm512_set1_epi16(static_cast<std::int16_t>(limit)));
  }
};

}  // namespace

const TupleSearchKernel& avx512_tuple_search() {
  static constexpr TupleSearchKernel kernel{
      Isa::Avx512,
      &SearchBody<VectorLanes<Bytes>>::run,
      &SearchBody<VectorLanes<Words>>::run,
      &SearchBody<PlainLanes<std::uint32_t>>::run,
      &SearchBody<PlainLanes<std::uint64_t>>::run,
      &SearchBody<PlainLanes<Wide128>>::run,
  };
  return kernel;
}

}  // namespace rankveil::kernels

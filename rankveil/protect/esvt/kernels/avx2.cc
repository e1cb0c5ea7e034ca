// 256 bits at a time. Compiled with -mavx2.
#include <immintrin.h>

#include "rankveil/protect/esvt/kernels/tuple_search_body.h"

namespace rankveil::kernels {

namespace {

__m128i halves_least8(__m256i all) {
  return _mm_min_epu8(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}
__m128i halves_least16(__m256i all) {
  return _mm_min_epu16(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}
std::uint32_t least_of_eight(__m128i numbers) {
  return static_cast<std::uint32_t>(_mm_extract_epi16(_mm_minpos_epu16(numbers), 0));
}

struct Memory {
  using Vector = __m256i;
  static Vector load(const void* from) {
    return _mm256_loadu_si256(static_cast<const __m256i*>(from));
  }
  static void store(void* to, Vector value) {
    _mm256_storeu_si256(static_cast<__m256i*>(to), value);
  }
  static Vector highest() { return _mm256_set1_epi8(-1); }
};

struct Bytes : Memory {
  using Cost = std::uint8_t;
  static constexpr std::uint32_t width = 32;
  static __m256i sum(const Cost* a, const Cost* b) { return _mm256_adds_epu8(load(a), load(b)); }
  static __m256i least(__m256i a, __m256i b) { return _mm256_min_epu8(a, b); }
  static __m128i narrowed(__m256i all) { return halves_least8(all); }
  static Cost least_in(__m256i all) {
    __m128i half = narrowed(all);
    // Two bytes as one number: the lower of both, with zeros above.
    return static_cast<Cost>(least_of_eight(_mm_min_epu8(half, _mm_srli_epi16(half, 8))));
  }
  // Bit i: number i is below the limit, which is above 0.
  static std::uint32_t below(__m256i all, Cost limit) {
    __m256i most = _mm256_set1_epi8(static_cast<char>(limit - 1));
    return static_cast<std::uint32_t>(
        _mm256_movemask_epi8(_mm256_cmpeq_epi8(_mm256_min_epu8(all, most), all)));
  }
};

struct Words : Memory {
  using Cost = std::uint16_t;
  static constexpr std::uint32_t width = 16;
  static __m256i sum(const Cost* a, const Cost* b) { return _mm256_adds_epu16(load(a), load(b)); }
  static __m256i least(__m256i a, __m256i b) { return _mm256_min_epu16(a, b); }
  static __m128i narrowed(__m256i all) { return halves_least16(all); }
  static Cost least_in(__m256i all) { return static_cast<Cost>(least_of_eight(narrowed(all))); }
  static std::uint32_t below(__m256i all, Cost limit) {
    __m256i most = _mm256_set1_epi16(static_cast<std::int16_t>(limit - 1));
    __m256i yes = _mm256_cmpeq_epi16(_mm256_min_epu16(all, most), all);
    __m128i packed = _mm_packs_epi16(_mm256_castsi256_si128(yes), _mm256_extracti128_si256(yes, 1));
    return static_cast<std::uint32_t>(_mm_movemask_epi8(packed));
  }
};

}  // namespace

const TupleSearchKernel& avx2_tuple_search() {
  static constexpr TupleSearchKernel kernel{
      Isa::Avx2,
      &SearchBody<VectorLanes<Bytes>>::run,
      &SearchBody<VectorLanes<Words>>::run,
      &SearchBody<PlainLanes<std::uint32_t>>::run,
      &SearchBody<PlainLanes<std::uint64_t>>::run,
      &SearchBody<PlainLanes<Wide128>>::run,
  };
  return kernel;
}

}  // namespace rankveil::kernels

// 256 bits at a time. Compiled with -mavx2.
#include <immintrin.h>

#include "rankveil/protect/kernels/tuple_search_body.h"

namespace rankveil::kernels {

namespace {

__m256i load(const void* from) { return _mm256_loadu_si256(static_cast<const __m256i*>(from)); }
void store(void* to, __m256i value) { _mm256_storeu_si256(static_cast<__m256i*>(to), value); }
__m128i halves_least8(__m256i all) {
  return _mm_min_epu8(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}
__m128i halves_least16(__m256i all) {
  return _mm_min_epu16(_mm256_castsi256_si128(all), _mm256_extracti128_si256(all, 1));
}
std::uint32_t least_of_eight(__m128i numbers) {
  return static_cast<std::uint32_t>(_mm_extract_epi16(_mm_minpos_epu16(numbers), 0));
}

struct Bytes {
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

struct Words {
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

template <typename Kind>
struct Avx2Lanes {
  using Cost = typename Kind::Cost;
  using Sum = std::uint32_t;

  static Cost least_sum(const Cost* left, const Cost* right, std::uint32_t count) {
    return Kind::least_in(least_of(left, right, count));
  }
  template <std::uint32_t known>
  static Sum least_sums(const Cost* left, const Cost* right, const std::uint32_t* first,
                        std::uint32_t groups) {
    if constexpr (known > 0) groups = known;
    Sum rest = 0;
    for (std::uint32_t g = 0; g < groups; ++g) {
      std::uint32_t at = first[g] - first[0];
      rest += least_sum(left + at, right + at, first[g + 1] - first[g]);
    }
    return rest;
  }
  static bool any_below(const Cost* left, const Cost* right, std::uint32_t count, Cost limit) {
    return Kind::below(least_of(left, right, count), limit) != 0;
  }
  static Cost add(const Cost* left, const Cost* right, std::uint32_t count, Cost* sums) {
    __m256i least = _mm256_set1_epi8(-1);
    for (std::uint32_t i = 0; i < count; i += Kind::width) {
      __m256i sum = Kind::sum(left + i, right + i);
      store(sums + i, sum);
      least = Kind::least(least, sum);
    }
    return Kind::least_in(least);
  }
  static std::uint32_t below(const Cost* costs, std::uint32_t count, Cost limit,
                             Candidate<Cost>* out) {
    std::uint32_t found = 0;
    for (std::uint32_t i = 0; i < count; i += Kind::width) {
      for (std::uint32_t bits = Kind::below(load(costs + i), limit); bits != 0; bits &= bits - 1) {
        out[found++].lane = i + static_cast<std::uint32_t>(__builtin_ctz(bits));
      }
    }
    return found;
  }

 private:
  // Of the sums: one vector that has the least among its numbers.
  static __m256i least_of(const Cost* left, const Cost* right, std::uint32_t count) {
    __m256i least = Kind::sum(left, right);
    for (std::uint32_t i = Kind::width; i < count; i += Kind::width) {
      least = Kind::least(least, Kind::sum(left + i, right + i));
    }
    return least;
  }
};

}  // namespace

const TupleSearchKernel& avx2_tuple_search() {
  static constexpr TupleSearchKernel kernel{
      Isa::Avx2,
      &SearchBody<Avx2Lanes<Bytes>>::run,
      &SearchBody<Avx2Lanes<Words>>::run,
      &SearchBody<PlainLanes<std::uint32_t>>::run,
      &SearchBody<PlainLanes<std::uint64_t>>::run,
      &SearchBody<PlainLanes<Wide128>>::run,
  };
  return kernel;
}

}  // namespace rankveil::kernels

#include <immintrin.h>

#include "bench/versus/topk/peers/fast_scan_kernels.h"

namespace rankveil::versus {
namespace {

__m512i load(const std::uint8_t* bytes) { return _mm512_loadu_si512(bytes); }

// Two 16-entry tables a byte, as FAISS does it.
template <std::uint32_t used>
struct Nibbles {
  __m512i low[used];
  __m512i high[used];

  explicit Nibbles(const Scan& scan) {
#pragma GCC unroll 16
    for (std::uint32_t i = 0; i < used; ++i) {
      low[i] = _mm512_maskz_broadcast_i32x4(
          0xFFFF, _mm_load_si128(reinterpret_cast<const __m128i*>(scan.tables[i])));
      high[i] = _mm512_maskz_broadcast_i32x4(
          0xFFFF, _mm_load_si128(reinterpret_cast<const __m128i*>(scan.tables[i] + 16)));
    }
  }
  __m512i operator()(std::uint32_t i, __m512i codes) const {
    const __m512i nibble = _mm512_set1_epi8(0x0F);
    __m512i a = _mm512_shuffle_epi8(low[i], _mm512_and_si512(codes, nibble));
    __m512i b = _mm512_shuffle_epi8(high[i], _mm512_and_si512(_mm512_srli_epi16(codes, 4), nibble));
    return _mm512_add_epi8(a, b);
  }
};

// One 128-entry table a byte that holds two or three attributes: what VBMI makes possible.
template <std::uint32_t used>
struct Packed {
  __m512i low[used];
  __m512i high[used];

  explicit Packed(const Scan& scan) {
#pragma GCC unroll 16
    for (std::uint32_t i = 0; i < used; ++i) {
      low[i] = load(scan.tables[i]);
      high[i] = load(scan.tables[i] + 64);
    }
  }
  __m512i operator()(std::uint32_t i, __m512i codes) const {
    return _mm512_permutex2var_epi8(low[i], codes, high[i]);
  }
};

template <template <std::uint32_t> typename LookUp, std::uint32_t used>
std::uint8_t scan_blocks(const Scan& scan) {
  const LookUp<used> look_up(scan);
  std::uint8_t floor = scan.floor;
  __m512i floors = _mm512_set1_epi8(static_cast<char>(floor));
  const std::uint8_t* block_codes = scan.codes + scan.first_block * scan.planes * block_rows;
  for (std::uint64_t block = scan.first_block; block < scan.end_block;
       ++block, block_codes += scan.planes * block_rows) {
    __m512i sum = _mm512_setzero_si512();
#pragma GCC unroll 16
    for (std::uint32_t i = 0; i < used; ++i) {
      sum = _mm512_add_epi8(sum, look_up(i, load(block_codes + scan.plane[i] * block_rows)));
    }
    std::uint64_t rows = _mm512_cmpge_epu8_mask(sum, floors);
    if (rows == 0) continue;
    alignas(64) std::uint8_t scores[block_rows];
    _mm512_store_si512(scores, sum);
    floor = scan.sink(scan.context, block, rows, scores);
    floors = _mm512_set1_epi8(static_cast<char>(floor));
  }
  return floor;
}

template <template <std::uint32_t> typename LookUp, std::uint32_t used>
std::uint8_t dispatch(const Scan& scan) {
  if constexpr (used == 0) {
    return scan.floor;
  } else {
    if (scan.used == used) return scan_blocks<LookUp, used>(scan);
    return dispatch<LookUp, used - 1>(scan);
  }
}

}  // namespace

std::uint8_t scan_nibbles_avx512(const Scan& scan) { return dispatch<Nibbles, max_planes>(scan); }
std::uint8_t scan_packed_vbmi(const Scan& scan) { return dispatch<Packed, max_planes>(scan); }

}  // namespace rankveil::versus

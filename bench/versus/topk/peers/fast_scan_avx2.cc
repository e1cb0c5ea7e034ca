#include <immintrin.h>

#include "bench/versus/topk/peers/fast_scan_kernels.h"

namespace rankveil::versus {
namespace {

__m256i load(const std::uint8_t* bytes) {
  return _mm256_loadu_si256(reinterpret_cast<const __m256i*>(bytes));
}

__m256i broadcast(const std::uint8_t* bytes) {
  return _mm256_broadcastsi128_si256(_mm_load_si128(reinterpret_cast<const __m128i*>(bytes)));
}

__m256i look_up(__m256i codes, __m256i low_table, __m256i high_table) {
  const __m256i nibble = _mm256_set1_epi8(0x0F);
  __m256i low = _mm256_shuffle_epi8(low_table, _mm256_and_si256(codes, nibble));
  __m256i high =
      _mm256_shuffle_epi8(high_table, _mm256_and_si256(_mm256_srli_epi16(codes, 4), nibble));
  return _mm256_add_epi8(low, high);
}

std::uint64_t reaching(__m256i scores, __m256i floor) {
  __m256i reached = _mm256_cmpeq_epi8(_mm256_max_epu8(scores, floor), scores);
  return static_cast<std::uint32_t>(_mm256_movemask_epi8(reached));
}

// Sixteen registers do not hold twenty tables, so each table that is fetched serves 64 rows. With
// `used` and `planes` known the compiler unrolls everything.
template <std::uint32_t used>
std::uint8_t scan_blocks(const Scan& scan) {
  std::uint8_t floor = scan.floor;
  __m256i floors = _mm256_set1_epi8(static_cast<char>(floor));
  const std::uint8_t* block_codes = scan.codes + scan.first_block * scan.planes * block_rows;
  for (std::uint64_t block = scan.first_block; block < scan.end_block;
       ++block, block_codes += scan.planes * block_rows) {
    __m256i left = _mm256_setzero_si256();
    __m256i right = _mm256_setzero_si256();
#pragma GCC unroll 16
    for (std::uint32_t i = 0; i < used; ++i) {
      const std::uint8_t* codes = block_codes + scan.plane[i] * block_rows;
      __m256i low = broadcast(scan.tables[i]);
      __m256i high = broadcast(scan.tables[i] + 16);
      left = _mm256_add_epi8(left, look_up(load(codes), low, high));
      right = _mm256_add_epi8(right, look_up(load(codes + 32), low, high));
    }
    std::uint64_t rows = reaching(left, floors) | reaching(right, floors) << 32;
    if (rows == 0) continue;
    alignas(64) std::uint8_t scores[block_rows];
    _mm256_store_si256(reinterpret_cast<__m256i*>(scores), left);
    _mm256_store_si256(reinterpret_cast<__m256i*>(scores + 32), right);
    floor = scan.sink(scan.context, block, rows, scores);
    floors = _mm256_set1_epi8(static_cast<char>(floor));
  }
  return floor;
}

template <std::uint32_t used>
std::uint8_t dispatch(const Scan& scan) {
  if constexpr (used == 0) {
    return scan.floor;
  } else {
    return scan.used == used ? scan_blocks<used>(scan) : dispatch<used - 1>(scan);
  }
}

}  // namespace

std::uint8_t scan_nibbles_avx2(const Scan& scan) { return dispatch<max_planes>(scan); }

}  // namespace rankveil::versus

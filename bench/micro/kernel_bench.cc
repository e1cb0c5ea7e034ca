// The kernels alone, on planes that stay in the first-level cache, one for each instruction set.
#include <benchmark/benchmark.h>

#include <algorithm>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/ranking/scan/plane_program.h"
#include "rankveil/ranking/store/planes.h"

namespace rankveil {
namespace {

constexpr std::uint32_t lines = 16;  // 20 planes of 1 KiB
constexpr std::uint32_t rows = lines * kernels::rows_per_line;

DensePlanes random_planes(std::size_t count) {
  DensePlanes planes(count, rows);
  Rng rng(1);
  for (std::size_t plane = 0; plane < count; ++plane) {
    for (std::uint32_t row = 0; row < rows; ++row) {
      if (rng.below(4) == 0) planes.set(plane, row);
    }
  }
  return planes;
}

bool is_supported(Isa isa) {
  std::vector<Isa> supported = supported_isas();
  return std::find(supported.begin(), supported.end(), isa) != supported.end();
}

// A threshold that no row reaches: what a scan does nearly all the time.
void find(benchmark::State& state, Isa isa, std::uint32_t weight) {
  if (!is_supported(isa)) {
    state.SkipWithError("this CPU lacks the instructions");
    return;
  }
  DensePlanes planes = random_planes(20);
  std::vector<const std::uint64_t*> pointers;
  for (std::size_t i = 0; i < 20; ++i) pointers.push_back(planes.plane(i));
  std::vector<std::uint32_t> weights(20, weight);
  PlaneProgram program(pointers, weights, 20 * weight);
  std::vector<kernels::HitLine> hits(lines);
  const kernels::Kernel& kernel = kernels::kernel_for(isa);
  kernels::Threshold threshold{.uniform = static_cast<std::uint8_t>(20 * weight)};
  for (auto _ : state) {
    benchmark::ClobberMemory();
    benchmark::DoNotOptimize(kernel.find(program.view(), 0, lines, threshold, hits.data()));
  }
  state.SetItemsProcessed(state.iterations() * rows);
}

BENCHMARK_CAPTURE(find, avx512_unit, Isa::Avx512, 1);
BENCHMARK_CAPTURE(find, avx2_unit, Isa::Avx2, 1);
BENCHMARK_CAPTURE(find, sse42_unit, Isa::Sse42, 1);
BENCHMARK_CAPTURE(find, scalar_unit, Isa::Scalar, 1);
BENCHMARK_CAPTURE(find, avx512_weighted, Isa::Avx512, 5);
BENCHMARK_CAPTURE(find, avx2_weighted, Isa::Avx2, 5);
BENCHMARK_CAPTURE(find, sse42_weighted, Isa::Sse42, 5);
BENCHMARK_CAPTURE(find, scalar_weighted, Isa::Scalar, 5);

}  // namespace
}  // namespace rankveil

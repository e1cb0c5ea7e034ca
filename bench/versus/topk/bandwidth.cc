#include "bench/versus/topk/bandwidth.h"

#include <algorithm>
#include <chrono>
#include <vector>

#include "bench/versus/topk/huge_buffer.h"

namespace rankveil::versus {
namespace {

constexpr std::size_t buffer_bytes = std::size_t{1} << 30;
constexpr std::size_t line_bytes = 64;
constexpr int passes = 7;

// One cache line at a time from each stream. The compiler makes vector instructions of the inner
// loop.
std::uint64_t xor_lines(const std::vector<const std::uint64_t*>& streams, std::size_t words) {
  constexpr std::size_t line_words = line_bytes / sizeof(std::uint64_t);
  std::uint64_t sums[line_words] = {};
  for (std::size_t word = 0; word + line_words <= words; word += line_words) {
    for (const std::uint64_t* stream : streams) {
      for (std::size_t i = 0; i < line_words; ++i) sums[i] ^= stream[word + i];
    }
  }
  std::uint64_t sum = 0;
  for (std::uint64_t part : sums) sum ^= part;
  return sum;
}

}  // namespace

double read_bandwidth(int streams) {
  static const HugeBuffer buffer(buffer_bytes);
  std::size_t words = buffer_bytes / sizeof(std::uint64_t) / static_cast<std::size_t>(streams);
  // Parts that begin a few lines off a power of two do not fight for the same cache sets.
  words = words / 4096 * 4096;
  std::vector<const std::uint64_t*> starts;
  for (std::size_t i = 0; i < static_cast<std::size_t>(streams); ++i) {
    starts.push_back(reinterpret_cast<const std::uint64_t*>(buffer.data()) + i * words +
                     i * 5 * 8 * (streams > 1));
  }
  std::size_t used = streams > 1 ? words - 8192 : words;
  double best = 0;
  volatile std::uint64_t sink = 0;
  for (int pass = 0; pass < passes; ++pass) {
    auto start = std::chrono::steady_clock::now();
    sink = sink ^ xor_lines(starts, used);
    std::chrono::duration<double> seconds = std::chrono::steady_clock::now() - start;
    double bytes = static_cast<double>(used * sizeof(std::uint64_t)) * streams;
    best = std::max(best, bytes / seconds.count() / 1e9);
  }
  return best;
}

}  // namespace rankveil::versus

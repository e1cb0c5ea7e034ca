// Tables of numbers to rank, as skyline and top-k papers make them up (Borzsonyi et al. 2001).
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>

#include "rankveil/publish/points.h"

namespace rankveil::publish {

enum class Spread {
  Uniform,         // every number independent, in [0, 1)
  Correlated,      // rows that are good at one thing are good at all
  AntiCorrelated,  // rows that are good at one thing are bad at others
};

std::string_view spread_name(Spread spread);  // "uniform", "correlated", "anti-correlated"
std::optional<Spread> spread_from_name(std::string_view name);

struct MadeUp {
  std::uint32_t rows = 10'000;
  std::uint32_t dimensions = 5;
  Spread spread = Spread::Uniform;
  std::uint64_t seed = 1;
};

// Numbers in [0, 1]; scores are their sums. A row depends on the seed and its number alone, so a
// bigger table begins with the smaller one. REQUIRES: 1 to most_dimensions dimensions.
Points make_up(const MadeUp& options);

}  // namespace rankveil::publish

// The parts of the benchmark, each answering for some of the speed we ask of schemes.
#pragma once

#include <span>
#include <string_view>

#include "bench/versus/protect/bench.h"

namespace rankveil::versus {

struct Part {
  std::string_view name;
  std::string_view title;
  void (*run)(Bench& bench);
};

std::span<const Part> all_parts();

// Top-k queries on what schemes made of two tables, against the same tables unprotected.
void run_serving(Bench& bench);

// Ten public attributes, but only so many public vectors that a group has about 500 rows.
TableShape grouped_shape(const Pace& pace);
inline constexpr std::uint32_t rows_a_group = 500;

// The first five public attributes, then the first two.
std::vector<std::vector<AttributeId>> usual_ladder();

}  // namespace rankveil::versus

// Which instruction sets this machine has.
#pragma once

#include <optional>
#include <string_view>
#include <vector>

namespace rankveil {

// Ascending: each one includes what stands before it.
enum class Isa { Scalar, Sse42, Avx2, Avx512 };

std::string_view isa_name(Isa isa);  // "scalar", "sse42", "avx2", "avx512"
std::optional<Isa> isa_from_name(std::string_view name);
// All that run here, ascending; never empty.
std::vector<Isa> supported_isas();

}  // namespace rankveil

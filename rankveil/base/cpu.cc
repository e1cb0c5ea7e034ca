#include "rankveil/base/cpu.h"

#include <array>

namespace rankveil {

namespace {

constexpr std::array<std::string_view, 4> names = {"scalar", "sse42", "avx2", "avx512"};

bool supports(Isa isa) {
#if defined(__x86_64__)
  __builtin_cpu_init();
  switch (isa) {
    case Isa::Scalar:
      return true;
    case Isa::Sse42:
      return __builtin_cpu_supports("sse4.2") && __builtin_cpu_supports("popcnt");
    case Isa::Avx2:
      return __builtin_cpu_supports("avx2") && __builtin_cpu_supports("bmi2");
    case Isa::Avx512:
      return __builtin_cpu_supports("avx512f") && __builtin_cpu_supports("avx512bw") &&
             __builtin_cpu_supports("avx512vl") && __builtin_cpu_supports("avx512dq");
  }
#endif
  return isa == Isa::Scalar;
}

}  // namespace

std::string_view isa_name(Isa isa) { return names[static_cast<std::size_t>(isa)]; }

std::optional<Isa> isa_from_name(std::string_view name) {
  for (std::size_t i = 0; i < names.size(); ++i) {
    if (names[i] == name) return static_cast<Isa>(i);
  }
  return std::nullopt;
}

std::vector<Isa> supported_isas() {
  std::vector<Isa> found;
  for (Isa isa : {Isa::Scalar, Isa::Sse42, Isa::Avx2, Isa::Avx512}) {
    if (supports(isa)) found.push_back(isa);
  }
  return found;
}

}  // namespace rankveil

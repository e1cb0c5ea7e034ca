#include "rankveil/ranking/kernels/kernel.h"

#include <fmt/core.h>

#include <algorithm>
#include <cstdlib>

namespace rankveil::kernels {

const Kernel& kernel_for(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::Sse42:
      return sse42_kernel();
    case Isa::Avx2:
      return avx2_kernel();
    case Isa::Avx512:
      return avx512_kernel();
#endif
    default:
      return scalar_kernel();
  }
}

namespace {

const char* requested() { return std::getenv("RANKVEIL_ISA"); }

bool runs_here(Isa isa) {
  auto supported = supported_isas();
  return std::find(supported.begin(), supported.end(), isa) != supported.end();
}

const Kernel& choose() {
  if (const char* name = requested()) {
    auto isa = isa_from_name(name);
    if (isa && runs_here(*isa)) return kernel_for(*isa);
  }
  return kernel_for(supported_isas().back());
}

}  // namespace

const Kernel& kernel_in_use() {
  static const Kernel& chosen = choose();
  return chosen;
}

std::string requested_isa_problem() {
  const char* name = requested();
  if (name == nullptr) return {};
  auto isa = isa_from_name(name);
  if (isa && runs_here(*isa)) return {};
  std::string available;
  for (Isa supported : supported_isas()) {
    available += (available.empty() ? "" : ", ") + std::string(isa_name(supported));
  }
  return fmt::format("RANKVEIL_ISA={} does not run here; this machine has {}", name, available);
}

}  // namespace rankveil::kernels

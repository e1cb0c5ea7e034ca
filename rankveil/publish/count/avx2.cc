// Compiled with -mavx2 -mpopcnt.
#include "rankveil/publish/count/body.h"

namespace rankveil::publish::count {

const Kernel& avx2_kernel() {
  static constexpr Kernel kernel{Isa::Avx2, &Body::shared};
  return kernel;
}

}  // namespace rankveil::publish::count

// Compiled with -msse4.2 -mpopcnt.
#include "rankveil/publish/count/body.h"

namespace rankveil::publish::count {

const Kernel& sse42_kernel() {
  static constexpr Kernel kernel{Isa::Sse42, &Body::shared};
  return kernel;
}

}  // namespace rankveil::publish::count

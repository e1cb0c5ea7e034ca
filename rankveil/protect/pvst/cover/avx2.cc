// 256 bits at a time. Compiled with -mavx2.
#include "rankveil/protect/pvst/cover/body.h"

namespace rankveil::cover {

const Kernel& avx2_kernel() {
  static constexpr Kernel kernel{Isa::Avx2, &Body::first_free, &Body::fewest, &Body::keep_wanted};
  return kernel;
}

}  // namespace rankveil::cover

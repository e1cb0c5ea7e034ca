// 512 bits at a time. Compiled with -mavx512f.
#include "rankveil/protect/pvst/cover/body.h"

namespace rankveil::cover {

const Kernel& avx512_kernel() {
  static constexpr Kernel kernel{Isa::Avx512, &Body::first_free, &Body::fewest, &Body::keep_wanted};
  return kernel;
}

}  // namespace rankveil::cover

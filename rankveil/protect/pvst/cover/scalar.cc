// Whatever registers every machine has.
#include "rankveil/protect/pvst/cover/body.h"

namespace rankveil::cover {

const Kernel& scalar_kernel() {
  static constexpr Kernel kernel{Isa::Scalar, &Body::first_free, &Body::fewest, &Body::keep_wanted};
  return kernel;
}

}  // namespace rankveil::cover

// For any processor.
#include "rankveil/publish/count/body.h"

namespace rankveil::publish::count {

const Kernel& scalar_kernel() {
  static constexpr Kernel kernel{Isa::Scalar, &Body::shared};
  return kernel;
}

}  // namespace rankveil::publish::count

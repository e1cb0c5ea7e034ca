#include "rankveil/publish/count/kernel.h"

#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::publish::count {

const Kernel& kernel_for(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::Sse42:
      return sse42_kernel();
    case Isa::Avx2:
    case Isa::Avx512:
      return avx2_kernel();
#endif
    default:
      return scalar_kernel();
  }
}

const Kernel& kernel_in_use() { return kernel_for(kernels::kernel_in_use().isa); }

}  // namespace rankveil::publish::count

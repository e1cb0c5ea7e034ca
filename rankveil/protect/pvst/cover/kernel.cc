#include "rankveil/protect/pvst/cover/kernel.h"

#include "rankveil/ranking/kernels/kernel.h"

namespace rankveil::cover {

const Kernel& kernel_for(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::Avx2:
      return avx2_kernel();
    case Isa::Avx512:
      return avx512_kernel();
#endif
    default:
      return scalar_kernel();
  }
}

const Kernel& kernel_in_use() { return kernel_for(kernels::kernel_in_use().isa); }

}  // namespace rankveil::cover

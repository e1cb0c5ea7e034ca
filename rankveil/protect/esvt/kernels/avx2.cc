// 256 bits at a time. Compiled with -mavx2.
#include "rankveil/protect/esvt/kernels/tuple_search_body.h"

namespace rankveil::kernels {

const TupleSearchKernel& avx2_tuple_search() {
  static constexpr TupleSearchKernel kernel = kernel_of(Isa::Avx2);
  return kernel;
}

}  // namespace rankveil::kernels

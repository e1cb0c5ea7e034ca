// Whatever registers every machine has.
#include "rankveil/protect/esvt/kernels/tuple_search_body.h"

namespace rankveil::kernels {

const TupleSearchKernel& plain_tuple_search() {
  static constexpr TupleSearchKernel kernel = kernel_of(Isa::Scalar);
  return kernel;
}

}  // namespace rankveil::kernels

#include "rankveil/protect/esvt/kernels/tuple_search.h"

namespace rankveil::kernels {

const TupleSearchKernel& tuple_search_for(Isa isa) {
  switch (isa) {
#if defined(__x86_64__)
    case Isa::Avx2:
    case Isa::Avx512:  // wider registers were no faster
      return avx2_tuple_search();
#endif
    default:
      return plain_tuple_search();
  }
}

}  // namespace rankveil::kernels

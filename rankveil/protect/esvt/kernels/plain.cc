// Plain loops, as wide as the compiler makes them for any machine.
#include "rankveil/protect/esvt/kernels/tuple_search_body.h"

namespace rankveil::kernels {

const TupleSearchKernel& plain_tuple_search() {
  static constexpr TupleSearchKernel kernel{
      Isa::Scalar,
      &SearchBody<PlainLanes<std::uint8_t>>::run,
      &SearchBody<PlainLanes<std::uint16_t>>::run,
      &SearchBody<PlainLanes<std::uint32_t>>::run,
      &SearchBody<PlainLanes<std::uint64_t>>::run,
      &SearchBody<PlainLanes<Wide128>>::run,
  };
  return kernel;
}

}  // namespace rankveil::kernels

// Compiled with -mavx2 where there is such a thing.
#include "rankveil/base/fit/pass_body.h"

namespace rankveil::fit {

double pass_over_avx2(const PieceTask& task) { return pass_over(task); }

}  // namespace rankveil::fit

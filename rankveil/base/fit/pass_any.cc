// For any processor.
#include "rankveil/base/fit/pass_body.h"

namespace rankveil::fit {

double pass_over_any(const PieceTask& task) { return pass_over(task); }

}  // namespace rankveil::fit

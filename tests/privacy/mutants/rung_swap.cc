#include "tests/privacy/mutants/rung_swap.h"

#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/swap/circles.h"

namespace rankveil::testing_support {

Result<Protection> protect_rung_swap(const Task& task) {
  return protect_circles(task, climb(task));
}

}  // namespace rankveil::testing_support

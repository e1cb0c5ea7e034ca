#include "rankveil/graphs/bounds/guarantee.h"

#include <fmt/core.h>

namespace rankveil::bound {

std::string_view mode_name(Mode mode) { return mode == Mode::Paper ? "paper" : "sound"; }

void warn_of_size(Guarantee& guarantee) {
  if (guarantee.delta >= 1) {
    guarantee.warnings.push_back(
        fmt::format("delta is {:.4g}: a delta of 1 or more promises nothing", guarantee.delta));
  }
  if (guarantee.epsilon >= 1 && guarantee.mode == Mode::Paper) {
    guarantee.warnings.push_back(fmt::format(
        "epsilon is {:.4g}: the lemma behind this theorem needs it below 1", guarantee.epsilon));
  }
}

}  // namespace rankveil::bound

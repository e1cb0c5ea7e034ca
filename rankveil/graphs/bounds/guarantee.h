// What a theorem on noiseless privacy says: for every two data sets that differ in one person,
//   Pr[output in B] <= e^epsilon Pr[other output in B] + delta.
//
// There are two ways to read the theorems. `Paper` evaluates the printed formulas, repaired only
// where they cannot be evaluated at all; results carry warnings. `Sound` is what can be proved, for
// intervals B and shifts of a sum by at most s.
#pragma once

#include <string>
#include <string_view>
#include <vector>

namespace rankveil::bound {

enum class Mode { Paper, Sound };
std::string_view mode_name(Mode mode);  // "paper", "sound"

struct Guarantee {
  double epsilon = 0;
  double delta = 0;
  Mode mode = Mode::Sound;
  std::vector<std::string> assumptions = {};  // sentences: what the result rests on
  std::vector<std::string> warnings = {};     // sentences: why it may be worth less than it seems
};

// Adds the warnings that numbers alone call for: epsilon of 1 or more, delta of 1 or more.
void warn_of_size(Guarantee& guarantee);

}  // namespace rankveil::bound

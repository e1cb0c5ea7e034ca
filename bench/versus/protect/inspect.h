// Whether profiles are what a scheme owes, read back one strength at a time.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/protect/task.h"

namespace rankveil::versus {

// What every row and private attribute must be like.
enum class Form {
  Sets,  // at least l values that match fully, the own one among them; or shares, counted short
  EqualSets,   // the same with exactly l values, and no shares
  Equivalent,  // at least l values, strengths that add up to 1
  Conserved,   // strengths add up to 1, and over all rows with a signal to how often values occur
  Posterior,   // strengths add up to 1, but for rounding
  AtMostOne,   // one value that matches fully, or none
  Nothing,     // no strength at all
};

// A number that differs when any strength differs (but for one chance in 2^64).
std::uint64_t digest(const Task& task, const Profiles& profiles);

// Empty when all is well, else a sentence that names the first row that is not.
std::string wrong_in(const Task& task, const Protection& made, Form form);

}  // namespace rankveil::versus

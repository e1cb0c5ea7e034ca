// pvst by the pseudo-code as the paper prints it: what the fast one is held against and timed with.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/task.h"

namespace rankveil::versus {

// Per row and private attribute the set of values as bits. For every row all others are scored
// anew, again and again until each set has l values. Spared are two things that the printed text
// would pay for: how often a value is asked for is counted once, and the printed score (cover less
// a sigmoid of the loss) is compared as the order it means, without exponentials. It uses one
// thread.
//
// REQUIRES: a table without public attributes, of at most 64 values each; every set can be filled.
std::vector<std::uint64_t> plain_pvst(const Task& task);

}  // namespace rankveil::versus

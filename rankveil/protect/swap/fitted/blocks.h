// Private columns that share a coin, and in which order blocks of them are exchanged.
#pragma once

#include <string>
#include <vector>

#include "rankveil/protect/swap/fitted/units.h"
#include "rankveil/protect/task.h"

namespace rankveil::fitted {

struct Block {
  std::string name;  // block_name
  std::vector<PrivateId> attributes;
  bool varies = false;  // inside persons: what is exchanged are histories
};

// The task's `together`, and every other attribute alone, in the order of a keyed hash of their
// names: it stays from build to build.
std::vector<Block> blocks_of(const Task& task, const Persons& units);

}  // namespace rankveil::fitted

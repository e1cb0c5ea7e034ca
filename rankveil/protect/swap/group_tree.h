// A tree that cuts rows by their public values where what is shown is predicted to differ most.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/swap/fitted/fitted_swap.h"
#include "rankveil/protect/task.h"

namespace rankveil {

struct GroupNode {
  std::int32_t coordinate = -1;  // below 0: a leaf
  std::int32_t threshold = 0;    // rows with less there go left
  std::uint32_t left = 0;        // of a leaf: the number of its group
  std::uint32_t right = 0;

  static void items(auto& self, auto visit) {
    visit(self.coordinate);
    visit(self.threshold);
    visit(self.left);
    visit(self.right);
  }
};

// A row's place on a coordinate is the sum of the weights of its public values: whole numbers, so
// that every machine finds the same leaf.
struct GroupTree {
  std::uint32_t coordinates = 0;
  std::vector<std::vector<std::int32_t>> weights;  // [public column][code, coordinate]
  std::vector<GroupNode> nodes;                    // the root first, each before those below it
};

// One leaf for every 256 rows that show something, at least one, at most 4,096, each of 50 persons
// or more.
GroupTree grow_group_tree(const Task& task, const fitted::FittedSwap& swap);

}  // namespace rankveil

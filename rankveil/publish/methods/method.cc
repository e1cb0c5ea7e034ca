#include "rankveil/publish/methods/method.h"

#include <algorithm>
#include <string>

#include "rankveil/publish/methods/exact.h"
#include "rankveil/publish/methods/grasp.h"
#include "rankveil/publish/methods/greedy_deletion.h"
#include "rankveil/publish/methods/greedy_insertion.h"
#include "rankveil/publish/methods/mondrian.h"
#include "rankveil/publish/methods/perfect.h"
#include "rankveil/publish/methods/theta.h"

namespace rankveil::publish {

namespace {

std::vector<Method> make_methods() {
  return {
      {.name = "perfect-recall",
       .summary = "one box around the whole top, whatever else it holds",
       .select = perfect_recall},
      {.name = "perfect-precision",
       .summary = "that box and the least score of the top, which tells the top apart",
       .select = perfect_precision},
      {.name = "mondrian",
       .summary = "the top split at medians while both halves keep k",
       .counts_boxes = true,
       .select = mondrian},
      {.name = "greedy-deletion",
       .summary = "shrink the box around the top, edge by edge, until it is precise",
       .select = greedy_deletion},
      {.name = "greedy-insertion",
       .summary = "let a box grow from the best row while it stays precise",
       .counts_boxes = true,
       .select = greedy_insertion},
      {.name = "grasp",
       .summary = "grow boxes by one of the best insertions at random, then exchange rows",
       .options = {"alpha", "starts", "seed"},
       .counts_boxes = true,
       .select = grasp},
      {.name = "theta",
       .summary = "greedy deletion, then random exchanges among the nearly best",
       .options = {"theta", "rounds", "seed"},
       .counts_boxes = true,
       .select = theta},
      {.name = "theta-rapid",
       .summary = "the same with single insertions and deletions",
       .options = {"theta", "rounds", "seed"},
       .counts_boxes = true,
       .select = theta_rapid},
      {.name = "exact",
       .summary = "the box with the most of the top that any box can have; for small tops",
       .options = {"node-budget"},
       .counts_boxes = true,
       .select = exact},
  };
}

}  // namespace

std::span<const Method> methods() {
  static const std::vector<Method> all = make_methods();
  return all;
}

const Method* find_method(std::string_view name) {
  auto found = std::ranges::find(methods(), name, &Method::name);
  return found == methods().end() ? nullptr : &*found;
}

std::vector<std::string> method_names() {
  std::vector<std::string> names;
  for (const Method& method : methods()) names.emplace_back(method.name);
  return names;
}

}  // namespace rankveil::publish

// What a publication must meet, and how its boxes are looked for.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/base/result.h"
#include "rankveil/publish/points.h"

namespace rankveil::publish {

// What happens to rows whose score equals that of the last of the top.
enum class Ties {
  Include,  // all of them belong to the top, which may then be longer than asked
  Cut,      // the top is as long as asked; equal scores go by row order
};

struct Demand {
  std::uint32_t top = 100;             // k_q: how many of the best are to be published
  std::uint32_t k = 10;                // k_p: members that every group has at least
  double precision = 0.7;              // true positives among the members of every group, at least
  std::string method = "theta-rapid";  // see method.h
  Ties ties = Ties::Include;
  std::uint64_t seed = 1;  // of methods that draw: the same seed gives the same answer

  double theta = 0.04;        // theta, theta-rapid: how far below the best a drawn step may be
  std::uint32_t rounds = 0;   // theta, theta-rapid: steps at most; 0: 3 and 6, as in the thesis
  std::uint32_t alpha = 3;    // grasp: how many of the best insertions are drawn from
  std::uint32_t starts = 10;  // grasp: constructions until one succeeds
  std::uint64_t node_budget = 20'000'000;  // exact: boxes looked at for one group, at most
};

// Whether so many true positives among so many members are precise enough. One rule for all
// methods; the slack is for products such as 0.7 * 30.
inline bool precise_enough(std::uint64_t positives, std::uint64_t members, double precision) {
  return static_cast<double>(positives) + 1e-9 >= precision * static_cast<double>(members);
}

// Refuses what no table of `rows` rows, `complete` of them without missing values, could give: an
// unknown method, a precision outside (0, 1], k or top of 0 or above the number of rows.
Status check_demand(const Demand& demand, Row rows, Row complete);

}  // namespace rankveil::publish

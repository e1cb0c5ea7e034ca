// The k-anonymous ranking query: the top of a ranking as boxes that hold enough rows and few that
// do not belong.
//
//   auto formed = form_groups(points, {.top = 100, .k = 10, .precision = 0.7});
//   for (const Group& group : formed->groups) show(group.box, group.members.size());
//
// A group's members are all rows inside its box that no earlier group has, true positives or not.
// Every group has at least k members and at least the precision asked for. Groups are formed until
// the top is covered or the method finds no further box.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/publish/demand.h"
#include "rankveil/publish/points.h"
#include "rankveil/publish/top.h"

namespace rankveil::publish {

struct Group {
  Box box;
  std::optional<double> least_score = {};  // rows below it are no members: PerfectPrecision alone
  double score_low = 0;                    // over all members, never narrower
  double score_high = 0;
  std::uint32_t true_positives = 0;
  std::vector<Row> members = {};  // ascending; for the owner alone

  double precision() const {
    return static_cast<double>(true_positives) / static_cast<double>(members.size());
  }
};

struct Formed {
  Top top;
  std::vector<Group> groups;  // empty: no box meets the demand, or the method found none
  bool gave_up = false;       // exact: the node budget was spent; there may be more boxes

  std::uint64_t true_positives() const;
  std::uint64_t members() const;
  double covered() const;    // share of the top that is published
  double precision() const;  // over all groups; 0: there are none
};

// Refuses what check_demand refuses, and more than `most_dimensions` ranking attributes.
Result<Formed> form_groups(const Points& points, const Demand& demand);

// The next weaker demands that the method meets with one group at least, found by trying.
struct Nearest {
  std::optional<double> precision = {};  // the highest found at the same k, in hundredths
  std::optional<std::uint32_t> k = {};   // the highest found at the same precision, from 2
};
// REQUIRES: form_groups took the demand and formed no group.
Nearest nearest_demand(const Points& points, const Demand& demand);

}  // namespace rankveil::publish

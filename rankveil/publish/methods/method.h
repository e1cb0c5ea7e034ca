// All methods by name: the one table that help, figures and `form_groups` read.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/base/random.h"
#include "rankveil/publish/count/counter.h"
#include "rankveil/publish/count/field.h"
#include "rankveil/publish/demand.h"

namespace rankveil::publish {

// What a method sees when it is asked for the next group: what is left of the field.
struct Round {
  const Points& points;
  const Field& field;
  const Counter* counter;  // there when the method counts boxes
  const Demand& demand;
  double threshold;  // the least score of the top
  Rng& rng;

  // Whether a box with these counts may be published.
  bool accepts(const Counts& counts) const {
    return counts.members >= demand.k &&
           precise_enough(counts.positives, counts.members, demand.precision);
  }
};

// A box to publish.
struct Selection {
  Edges edges;
  bool above_threshold = false;  // rows below the threshold are no members: PerfectPrecision alone
};

// What a method found: boxes that meet the demand and share no point. None: it found no box.
struct Selected {
  std::vector<Selection> selections = {};
  bool gave_up = false;  // exact: the node budget was spent before the search ended
};

struct Method {
  std::string_view name;
  std::string_view summary;
  std::vector<std::string_view> options = {};  // fields of Demand it reads, as flags
  bool counts_boxes = false;
  Selected (*select)(const Round& round) = nullptr;
};

std::span<const Method> methods();
const Method* find_method(std::string_view name);
std::vector<std::string> method_names();

}  // namespace rankveil::publish

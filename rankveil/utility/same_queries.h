// The same query for two indexes that number attributes or values differently.
#pragma once

#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/ranking/query.h"
#include "rankveil/ranking/weights.h"

namespace rankveil::utility {

// Attributes and values agree by name. An index that grew by appending has its values in another
// order than a table that was read at once; and values no row has may be missing from one of them.
class SameQueries {
 public:
  // Refuses schemas whose attributes differ in name, or are public here and private there. Only
  // private attributes of the truth may be missing from the served index: they match nothing there.
  static Result<SameQueries> between(const Schema& truth, const Schema& served);

  // A query of the truth, as the served index understands it. A value the served index does not
  // know matches no row there.
  Query to_served(const Query& query) const;
  Weights to_served(const Weights& weights) const;

 private:
  static constexpr std::uint32_t not_served = UINT32_MAX;
  std::vector<std::uint32_t> attributes_;  // by attribute of the truth
  std::size_t served_attributes_ = 0;
  std::vector<std::vector<ValueId>> values_;  // missing_value: not known there
};

// Refuses schemas that weigh an attribute differently. REQUIRES: SameQueries::between(...).
Status check_same_weights(const Schema& truth, const Schema& served);

}  // namespace rankveil::utility

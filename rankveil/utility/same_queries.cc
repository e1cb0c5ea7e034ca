#include "rankveil/utility/same_queries.h"

#include <fmt/core.h>

#include <algorithm>

namespace rankveil::utility {

namespace {

constexpr const char* way_out = "measure with the table and policy that the index was made of";

Error only_in(const char* whose, const char* other, const std::string& name) {
  return bad_input(fmt::format("{} has an attribute {} and {} has none of that name; {}", whose,
                               name, other, way_out));
}

const char* role_of(const Attribute& attribute) {
  return attribute.is_private() ? "private" : "public";
}

Status check_same_attributes(const Schema& truth, const Schema& served) {
  for (const Attribute& attribute : served.attributes) {
    if (!truth.find(attribute.name)) return only_in("the index", "the table", attribute.name);
  }
  for (const Attribute& attribute : truth.attributes) {
    auto there = served.find(attribute.name);
    // A private attribute may have been left out of the score: that is part of what is lost.
    if (!there && attribute.is_private()) continue;
    if (!there) return only_in("the table", "the index", attribute.name);
    if (attribute.visibility == served[*there].visibility) continue;
    return bad_input(fmt::format("attribute {} is {} in the table and {} in the index; {}",
                                 attribute.name, role_of(attribute), role_of(served[*there]),
                                 way_out));
  }
  return {};
}

std::vector<ValueId> translate(const Domain& from, const Domain& to) {
  std::vector<ValueId> values;
  for (const std::string& text : from.values()) {
    values.push_back(to.find(text).value_or(missing_value));
  }
  return values;
}

}  // namespace

Result<SameQueries> SameQueries::between(const Schema& truth, const Schema& served) {
  if (auto checked = check_same_attributes(truth, served); !checked) return checked.error();
  SameQueries same;
  for (const Attribute& attribute : truth.attributes) {
    auto there = served.find(attribute.name);
    same.attributes_.push_back(there ? +*there : not_served);
    same.values_.push_back(there ? translate(attribute.domain, served[*there].domain)
                                 : std::vector<ValueId>{});
  }
  same.served_attributes_ = served.size();
  return same;
}

Query SameQueries::to_served(const Query& query) const {
  Query served{std::vector<std::vector<ValueId>>(served_attributes_)};
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    if (attributes_[i] == not_served) continue;
    std::vector<ValueId>& wanted = served.wanted[attributes_[i]];
    for (ValueId value : query.wanted[i]) {
      ValueId there = values_[i][+value];
      if (there != missing_value) wanted.push_back(there);
    }
    std::sort(wanted.begin(), wanted.end());
  }
  return served;
}

Weights SameQueries::to_served(const Weights& weights) const {
  Weights served = weights;
  served.units.resize(served_attributes_);
  for (std::size_t i = 0; i < attributes_.size(); ++i) {
    if (attributes_[i] == not_served) continue;
    served.units[attributes_[i]] = weights.units[i];
  }
  return served;
}

Status check_same_weights(const Schema& truth, const Schema& served) {
  for (const Attribute& attribute : truth.attributes) {
    auto found = served.find(attribute.name);
    if (!found) continue;
    double there = served[*found].weight;
    if (attribute.weight == there) continue;
    return bad_input(
        fmt::format("attribute {} weighs {:g} in the table and {:g} in the index, so a "
                    "difference would say nothing about protection; {}",
                    attribute.name, attribute.weight, there, way_out));
  }
  return {};
}

}  // namespace rankveil::utility

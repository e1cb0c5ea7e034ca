// A request whose names and values are found in a schema: what the engine, and its plain twin in
// testing/, answer.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankveil/ranking/asking/grades.h"
#include "rankveil/ranking/asking/request.h"
#include "rankveil/ranking/weights.h"

namespace rankveil {

// Nothing is negated: what is not known passes no test but that for null, as in SQL.
struct BoundCondition {
  enum class Kind { Test, And, Or };
  Kind kind = Kind::Test;
  std::vector<BoundCondition> parts;  // of And and Or
  AttributeId attribute{};            // of Test: a public one
  std::vector<bool> passing;          // by value
  bool null_passes = false;
};

// Adds weight x (sum over values x of grade(x) M(x)) / full_grade to a score. Where profiles are
// sets, and for the signals of grouped ones at one level, the best grade in the set counts.
struct BoundWish {
  AttributeId attribute;
  Grades grades;
  WishText text;

  bool operator==(const BoundWish&) const = default;
};

// By value, 1 for the last and the domain's size for the best; a row without a value has 0.
struct BoundKey {
  AttributeId attribute;
  std::vector<std::uint32_t> digits;
};

struct BoundRequest {
  std::optional<BoundCondition> where;
  std::vector<BoundWish> wishes;
  Weights weights;  // one a wish
  std::vector<BoundKey> keys;
  bool prefer_first = false;
  std::optional<std::uint32_t> k;
  std::uint32_t offset = 0;
  std::vector<AttributeId> columns;  // public, each once
  std::vector<AttributeId> facets;   // public, each once
  bool explain = false;
};

// Wishes without a weight take that of their attribute in `weights`. Plain values of one attribute
// with one weight are one wish. Refuses names and values that are not there, private attributes
// where rows or columns are chosen, and what grades_of refuses.
Result<BoundRequest> bind_request(const Schema& schema, const std::vector<double>& weights,
                                  const Request& request);

// Grades of these wishes are multiples of 1 / grade_steps; 1 where all of them are all or nothing.
std::uint32_t grade_steps(const std::vector<BoundWish>& wishes);

// The weights of a schema's attributes.
std::vector<double> attribute_weights(const Schema& schema);

}  // namespace rankveil

// The digits of a sort key, row by row (sort_keys.h).
#pragma once

#include <cstdint>
#include <span>
#include <utility>
#include <vector>

#include "rankveil/ranking/asking/row_sets.h"
#include "rankveil/ranking/asking/sort_keys.h"

namespace rankveil {

class KeyReader {
 public:
  KeyReader(const Index::State& state, const BoundKey& key);

  // Whether digits are the places of values, each of which has its rows in a plane.
  bool is_whole() const { return !graded_; }
  std::int64_t best() const { return best_; }
  // Values with their digits, the best first.
  std::span<const std::uint32_t> values() const { return values_; }
  std::uint32_t digit_of(std::uint32_t value) const { return key_->digits[value]; }

  std::int64_t digit(std::size_t segment, std::uint32_t position) const;
  const AttributePlanes& planes(std::size_t segment) const;

 private:
  std::int64_t shown_digit(std::size_t segment, std::uint32_t position) const;
  std::int64_t signal(const AttributePlanes& planes, std::uint32_t position) const;
  std::int64_t shared(std::uint32_t group) const;

  const Index::State* state_;
  const BoundKey* key_;
  bool graded_;
  std::int64_t best_;
  std::vector<std::uint32_t> values_;
};

}  // namespace rankveil

// How far beliefs moved, case by case: a case is one attribute of one row, and its gain the largest
// (after - before) / (1 - before) over the values it may have.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>

#include "rankveil/base/json.h"

namespace rankveil::audit {

class GainCounts {
 public:
  GainCounts() = default;
  explicit GainCounts(double bound) : bound_(bound) {}

  // `inside`: an attribute in the block of one that the adversary knows.
  void add(double gain, bool inside = false);
  void add(const GainCounts& other);

  double bound() const { return bound_; }  // 1/l
  std::uint64_t cases() const { return cases_; }
  std::uint64_t inside() const { return inside_; }
  double largest() const { return largest_; }
  // Cases with a gain above `gain_limit(bound, i)`; of those inside; of the others.
  std::uint64_t above(std::size_t i) const { return above_[i]; }
  std::uint64_t inside_above(std::size_t i) const { return inside_above_[i]; }
  double share_above(std::size_t i) const;
  double share_above_elsewhere(std::size_t i) const;

  // "a gain above 0.333 in 12.0% of 4,000 cases, above 0.7 in 0.1%, the largest 0.81"
  std::string text() const;

 private:
  friend Json to_json(const GainCounts& counts);
  friend std::optional<GainCounts> gain_counts_from_json(const Json& json);

  double bound_ = 0;
  std::uint64_t cases_ = 0, inside_ = 0;
  std::array<std::uint64_t, 4> above_ = {}, inside_above_ = {};
  double largest_ = 0;
};

// 1/l, 0.03 more, 0.2 more, and 0.7.
inline constexpr std::size_t gain_limits = 4;
double gain_limit(double bound, std::size_t i);

Json to_json(const GainCounts& counts);
std::optional<GainCounts> gain_counts_from_json(const Json& json);

}  // namespace rankveil::audit

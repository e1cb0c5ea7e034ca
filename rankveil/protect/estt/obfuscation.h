// Values that are given up so that every set has l different ones.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/table/ids.h"

namespace rankveil {

// For one attribute. Missing values count as a value of their own.
class Obfuscator {
 public:
  // REQUIRES: l <= domain.
  Obfuscator(std::uint32_t l, std::uint32_t domain) : l_(l), seen_(domain, 0) {}

  // Replacements are first looked for among the values of the public group.
  void start_group(std::span<const ValueId> values);

  // How many values a set lacks to have l different ones.
  std::uint32_t lacking(const std::vector<ValueId>& values) const;

  // The values of a set's members, some of them replaced until l are different. As many true values
  // stay as can: one of each, and no more are replaced than new ones are needed. Values that occur
  // most often give way first. A set of fewer than l members gets members that nobody is. The new
  // values are drawn by `secret`: each is the one among those allowed that it ranks highest.
  // changed[i] is set to 1 for members whose value was replaced, and for all in a set with made-up
  // members.
  void obfuscate(std::uint64_t secret, std::vector<ValueId>& values,
                 std::span<std::uint8_t> changed) const;

 private:
  ValueId replacement(std::uint64_t secret, const std::vector<ValueId>& taken) const;

  std::uint32_t l_;
  std::uint32_t stamp_ = 0;
  std::vector<std::uint32_t> seen_;    // per value: the stamp of the last group that has it
  std::vector<ValueId> group_values_;  // of the group, once each
};

}  // namespace rankveil

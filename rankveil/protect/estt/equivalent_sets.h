// A group of rows cut into equivalent sets, and what the sets cost.
//
// A set costs, for each private attribute, as many values as it lacks to have l different ones:
// that many must be replaced (or, in a set of fewer than l rows, added).
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/protect/estt/code_rows.h"

namespace rankveil {

// All sets have `set_size` rows but the last, which also has what is left over; a group of fewer
// rows is one set. A row that is left over never stands alone where there is a set to join: one
// more member takes no value away, so joining costs nothing, while a row alone costs l - 1 values
// an attribute.
struct EquivalentSets {
  std::uint32_t set_size = 2;
  std::vector<std::uint32_t> rows;  // of the group, set by set
  std::uint64_t cost = 0;
  std::uint64_t bound = 0;  // no partition costs less

  std::uint32_t count() const {
    return set_count(static_cast<std::uint32_t>(rows.size()), set_size);
  }
  std::span<const std::uint32_t> set(std::uint32_t i) const;
  bool proven() const { return cost == bound; }

  static std::uint32_t set_count(std::uint32_t rows, std::uint32_t set_size);
};

// How many different values the members have, counted up to `enough`.
std::uint32_t distinct_values(const CodeRows& rows, std::span<const std::uint32_t> set,
                              std::uint32_t attribute, std::uint32_t enough);
std::uint64_t set_cost(const CodeRows& rows, std::span<const std::uint32_t> set, std::uint32_t l);
std::uint64_t total_cost(const CodeRows& rows, const EquivalentSets& sets, std::uint32_t l);

// What every partition into `sets` sets costs at least:
//   sum over attributes of max(0, sets x l - sum over values of min(count, sets)).
// Proof. Let set i have d_i different values of the attribute. It costs max(0, l - d_i), so all
// sets cost at least sets x l - sum d_i. The sum counts pairs of a value and a set that has it; a
// value that occurs c times is in at most min(c, sets) sets. For pairs of rows this is the number
// of rows with the majority value that cannot all meet another value.
std::uint64_t cost_bound(const CodeRows& rows, std::uint32_t sets, std::uint32_t l);
// One attribute's part of it.
std::uint64_t cost_bound(const CodeRows& rows, std::uint32_t attribute, std::uint32_t sets,
                         std::uint32_t l);

}  // namespace rankveil

// Randomised response on values, scored by what it tells: a yardstick.
//
// A row says the same as under `rr`. Its profile is the posterior: how likely each value is, given
// what it says and the shares of its public group. With n_x rows of value x in the group, d values
// in the domain and s said, value x has the strength
//   n_x c(x) / sum over y of n_y c(y),  c(s) = d, c(y) = l - 1 for every other y;
// "no value" is one of the y, and takes its part of the strength away. Strengths are rounded to
// multiples of 1/demand.levels; the report has the largest rounding.
//
// Promises    the likelihoods of a profile under any two values differ at most by the factor
//             d / (l - 1), for a domain of d values (or by its inverse).
// Not         a gain of at most 1/l: small domains and rare values give more away.
// Groups      of at least demand.min_group rows, up the ladder where there are fewer (ladder.h).
// Falls back  rows without a group, and rows that take no part: shares.
// Stable      what a row says depends on the key and the row (responses.h); the strengths move with
//             the shares of its group.
// Cost        two keyed hashes per row and attribute, and one division per value.
#pragma once

#include <cstdint>
#include <span>

#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_rr_mean(const Task& task);

// What one answer means in one group.
class RrMeanStrengths {
 public:
  // `counts`: how many rows of the group have each value, and how many have none, last. `said`: a
  // value, or the domain's size for "no value".
  RrMeanStrengths(std::span<const std::uint32_t> counts, std::uint32_t said, std::uint32_t l,
                  std::uint32_t levels);

  // In steps of 1/levels.
  std::uint32_t steps(std::uint32_t value) const;
  // What that stands for, in [0, 1].
  double exact(std::uint32_t value) const;

 private:
  std::uint64_t part(std::uint32_t value) const;

  std::span<const std::uint32_t> counts_;
  std::uint32_t said_;
  std::uint64_t truth_, other_;  // parts of an answer: the own one, each other one
  std::uint64_t levels_;
  std::uint64_t all_ = 0;
};

}  // namespace rankveil

// Which public values other rows share with the victim: what an adversary can count offline.
#pragma once

#include <compare>
#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/attack/target.h"

namespace rankveil::attack {

// Bit i: the row has the victim's value of public attribute i. Attributes from the 64th on, and
// those of which the victim has no value, have no bit.
using Mask = std::uint64_t;

struct MaskCount {
  Mask mask;
  std::uint32_t rows;

  bool operator==(const MaskCount&) const = default;
};

// Rows that the victim passes only if it matches a value, and rows that pass it only if it does
// not, when some of its own public values are asked for. It has the highest score there is, so the
// former are half of those level with it.
struct Reach {
  double above = 0;
  double below = 0;

  bool operator==(const Reach&) const = default;
  friend bool operator<(const Reach& a, const Reach& b) {
    return a.above != b.above ? a.above < b.above : a.below < b.below;
  }
};

// How many rows have each mask, the victim included; by ascending mask.
std::vector<MaskCount> count_agreement(const Knowledge& knowledge, std::uint32_t victim);

// The rows other than the victim that differ from it in the least weight, nearest first; of equals
// the first ones. `agreement` is what count_agreement() says.
std::vector<std::uint32_t> closest_rows(const Knowledge& knowledge, std::uint32_t victim,
                                        std::span<const MaskCount> agreement, std::size_t count);

// Of `agreement`, what can matter to a query for all attributes of `asked` but two at most: rows
// that may come within `weight` of the victim then. Few of many.
std::vector<MaskCount> near_agreement(const Knowledge& knowledge,
                                      std::span<const MaskCount> agreement, Mask asked,
                                      std::int64_t weight);

// When the attributes of `subset` are asked for and a match weighs `weight`. Goes over all masks.
Reach count_reach(const Knowledge& knowledge, std::span<const MaskCount> agreement, Mask subset,
                  std::int64_t weight);

// The same for every query that leaves out two attributes of `asked` at most: one pass over all
// masks instead of one for each query.
//
//   ReachCounts counts(knowledge, near_agreement(knowledge, agreement, asked, weight), asked,
//   weight); counts.without(0);       // count_reach(knowledge, agreement, asked, weight)
//   counts.without(0b101);   // count_reach(knowledge, agreement, asked & ~0b101, weight)
class ReachCounts {
 public:
  ReachCounts(const Knowledge& knowledge, std::span<const MaskCount> near, Mask asked,
              std::int64_t weight);
  // REQUIRES: at most two attributes, all of `asked`.
  Reach without(Mask dropped) const;

 private:
  // Rows, by how far behind the victim they are. The halves that they count for are added later, so
  // that these are whole numbers.
  struct Rows {
    std::int64_t level = 0;
    std::int64_t below_twice = 0;

    void add(const Rows& other, std::int64_t times);
  };
  Rows rows_at(std::int64_t gap) const;
  void add(Mask missing, std::int64_t gap, std::int64_t rows, std::span<const std::int64_t> units);
  Rows& pair(std::size_t a, std::size_t b) { return pairs_[a * 64 + b]; }

  std::int64_t weight_;
  Rows all_;                   // nothing left out
  std::vector<Rows> singles_;  // more by leaving out one attribute
  std::vector<Rows> pairs_;    // more by leaving out two than by each of them
};

}  // namespace rankveil::attack

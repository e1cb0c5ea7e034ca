// What a query gives every row of a group: its shares of the values asked for.
//
//   base(group) = round(scale x factor x sum over columns of weight x count / size)
//
// A scan needs the exact number of few groups only, those that own a candidate; for the others a
// threshold will do, which is cheaper by far. So where the sums are small enough for floats, only
// they are added up beforehand, and a base is worked out when asked for.
#pragma once

#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "rankveil/ranking/state.h"

namespace rankveil {

// An asked value of a private attribute.
struct ShareColumn {
  std::size_t place;  // of its counts in ShareTable::counts
  double weight;      // a whole number
};

// Rows of a group reach `floor` when their sum times `unit`, and their group's base, do. No sum is
// above `most`.
struct ReachTask {
  std::int64_t floor;
  std::int64_t unit;
  std::uint32_t most;
};

class GroupBases {
 public:
  GroupBases() = default;  // no groups
  // `scale` is a power of two; bases stay below 2^51. `kind` has to outlive this.
  GroupBases(const ProfileKind& kind, std::span<const ShareColumn> columns, double scale);

  // A whole number. Equal shares give equal numbers whatever their group's size.
  std::int64_t of(std::uint32_t group) const;

  // Asks for what of(group) will need: it may have to come from far.
  void prefetch(std::uint32_t group) const {
    if (sums_ == nullptr) return;
    __builtin_prefetch(&kind_->factors[group]);
    __builtin_prefetch(&kind_->shares.sizes[group]);
  }

  // out[i] = the least sum with which rows of group first + i reach the floor, or one less; 255
  // when none does.
  void thresholds(std::uint32_t first, std::size_t count, const ReachTask& task,
                  std::uint8_t* out) const;

 private:
  const ProfileKind* kind_ = nullptr;
  double scale_ = 1;
  std::unique_ptr<float[]> sums_;  // per group, or
  std::vector<double> bases_;      // per group, when sums may be too large for that
};

}  // namespace rankveil

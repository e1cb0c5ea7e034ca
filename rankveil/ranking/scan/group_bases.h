// What a query gives every row of a group: its shares of the values asked for.
//
//   base(group) = round(scale x factor x sum over columns of weight x count / size)
//
// A scan needs the exact number of few groups only, those that own a candidate; for all others a
// lower bound of the sums that can reach the floor will do, which is cheaper by far. Nothing is
// kept from one question to the next.
#pragma once

#include <cmath>
#include <cstdint>
#include <vector>

#include "rankveil/ranking/store/state.h"

namespace rankveil {

// An asked value of a private attribute.
struct ShareColumn {
  std::size_t place;            // of its counts in ShareTable::counts
  double weight;                // a whole number
  std::uint32_t attribute = 0;  // among the private ones
  std::uint32_t value = 0;
};

// A row reaches `floor` if sum x unit + base(group) >= floor. No sum is above `most`.
struct ReachTask {
  std::int64_t floor;
  std::int64_t unit;
  std::uint32_t most;
};

class GroupBases {
 public:
  GroupBases() = default;  // no groups
  // `scale` is a power of two; bases stay below 2^51. `kind` has to outlive this.
  GroupBases(const ProfileKind& kind, std::vector<ShareColumn> columns, double scale);

  const std::vector<ShareColumn>& columns() const { return columns_; }
  double scale() const { return scale_; }

  // A whole number. Equal shares give equal numbers whatever their group's size.
  std::int64_t of(std::uint32_t group) const;
  // The base of a group with this factor, sum of weight x count, and size: rounded half up,
  // exactly. So rows whose planes and bases add up to the same have the same score, however it is
  // split between the two. A double is off by less than 2^-52 of itself, which hardly ever matters.
  std::int64_t from(double factor, double sum, double size) const {
    double about = factor * sum / size * scale_;
    auto down = static_cast<std::int64_t>(about);
    double rest = about - static_cast<double>(down);
    std::int64_t base = rest >= 0.5 ? down + 1 : down;
    bool sure = std::abs(rest - 0.5) > about * 0x1p-52;
    return sure ? base : rounded(base, factor * sum, size);
  }

  // out[i] = the least sum with which rows of group first + i reach the floor, or one less; 255
  // when none does.
  void limits(std::uint32_t first, std::size_t count, const ReachTask& task,
              std::uint8_t* out) const;

 private:
  std::int64_t rounded(std::int64_t estimate, double factor_sum, double size) const;

  const ProfileKind* kind_ = nullptr;
  std::vector<ShareColumn> columns_;
  std::vector<const std::uint32_t*> counts_;  // by column: of all groups
  std::vector<double> weights_;               // by column
  double scale_ = 1;
};

}  // namespace rankveil

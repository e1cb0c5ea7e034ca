// What a query gives every row of a group: its shares of the values asked for.
//
//   base(group) = round(scale x factor x sum over columns of weight x count / size)
//
// A scan needs the exact number of few groups only, those that own a candidate; for the others a
// threshold will do, which is cheaper by far. So where the sums are small enough for floats, only
// they are added up, and a base is worked out when asked for. Nothing is added up before anybody
// asks: a scan of groups in columns (column_scan.h) has its own sums.
#pragma once

#include <cmath>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/base/lazy.h"
#include "rankveil/ranking/store/state.h"

namespace rankveil {

// An asked value of a private attribute.
struct ShareColumn {
  std::size_t place;            // of its counts in ShareTable::counts
  double weight;                // a whole number
  std::uint32_t attribute = 0;  // among the private ones
  std::uint32_t value = 0;
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
  GroupBases(const ProfileKind& kind, std::vector<ShareColumn> columns, double scale);

  const ProfileKind& kind() const { return *kind_; }
  const std::vector<ShareColumn>& columns() const { return columns_; }
  double scale() const { return scale_; }

  // A whole number. Equal shares give equal numbers whatever their group's size.
  std::int64_t of(std::uint32_t group) const {
    if (counted_as_ == CountedAs::Whole) return from_counts(group);
    return from(kind_->factors[group], static_cast<double>(added().sums[group]),
                kind_->shares.sizes[group]);
  }

  // The same as of(group), for who asks for very few: nothing is added up for the others.
  std::int64_t from_counts(std::uint32_t group) const;
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

  // Asks for what of(group) will need: it may have to come from far.
  void prefetch(std::uint32_t group) const {
    __builtin_prefetch(&kind_->factors[group]);
    __builtin_prefetch(&kind_->shares.sizes[group]);
  }

  // out[i] = the least sum with which rows of group first + i reach the floor, or one less; 255
  // when none does.
  void thresholds(std::uint32_t first, std::size_t count, const ReachTask& task,
                  std::uint8_t* out) const;

 private:
  // Which counts of the kind are added up: those of a byte or two give sums, in floats.
  enum class CountedAs { Bytes, Narrow, Whole };
  struct Added {
    std::unique_ptr<float[]> sums;  // per group, or
    std::vector<double> bases;      // per group, of whole counts
  };

  const Added& added() const {
    return lazy_->get([&] { return add_up(); });
  }
  CountedAs smallest_counts() const;
  Added add_up() const;
  std::int64_t rounded(std::int64_t estimate, double factor_sum, double size) const;

  const ProfileKind* kind_ = nullptr;
  std::vector<ShareColumn> columns_;
  double scale_ = 1;
  CountedAs counted_as_ = CountedAs::Whole;
  std::optional<Lazy<Added>> lazy_;  // none without groups
};

}  // namespace rankveil

// How far served strengths are from what they stand for.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/protect/chance/fewer_bitmaps.h"

namespace rankveil {

// Of one attribute. Levels of a value may be rounded once more, all rows alike, when all of them
// are known (fewer_bitmaps.h): so the smallest and the largest strength behind each level are kept.
class Rounding {
 public:
  Rounding(std::uint32_t domain, std::uint32_t levels);

  // A row whose `strength` of a value, in [0, 1], became `level`; value by value, each at most
  // once, until it ends. Values that were not added have strength 0: rounding lifts those as well.
  void add(std::uint32_t value, std::uint32_t level, double strength) {
    row_.push_back({value, level, strength});
  }
  void end_row();
  // What was added to another one. REQUIRES: of the same attribute.
  void add(const Rounding& other);

  // The largest distance of a strength from what is served: the nearest level of its value's set,
  // or none in rows without any level.
  double largest(std::span<const StrengthSet> sets) const;

 private:
  struct Range {
    double least = 2;
    double most = -1;  // below the least: no row has the level
  };
  struct Strength {
    std::uint32_t value;
    std::uint32_t level;
    double exact;
  };
  std::uint32_t levels_;
  std::vector<Range> ranges_;          // [value][level]
  std::vector<std::uint64_t> listed_;  // [value]: rows that added it, of those with a level
  std::uint64_t rows_ = 0;             // with a level
  double silent_ = 0;                  // the largest of rows without any level
  std::vector<Strength> row_;          // that has not ended
};

// One for each attribute.
std::vector<Rounding> no_rounding(const LevelProfiles& profiles);
double largest_rounding(const std::vector<Rounding>& attributes, const StrengthSets& sets);

}  // namespace rankveil

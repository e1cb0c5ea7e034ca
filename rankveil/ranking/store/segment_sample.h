// A few rows of a segment, evenly spread, with planes of their own: what a first guess looks at.
//
// Where rows stand group by group, whole lines say little about the best rows, which may all be in
// groups that no line was taken from. A sample of single rows has some of every large group, and
// next to nothing has to be fetched for it.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/store/planes.h"

namespace rankveil {

struct SegmentSample {
  std::uint32_t rows = 0;
  std::uint32_t step = 1;
  std::vector<AttributePlanes> attributes;  // as the segment's; they count sampled rows

  // Where the segment's planes have a sampled row.
  std::uint32_t position(std::uint32_t sampled) const { return sampled * step + step / 2; }
};

// Which positions are sampled: every 16th, fewer from 524,288 rows on. Without planes.
SegmentSample sample_of(std::uint32_t rows);
SegmentSample sample_planes(const std::vector<AttributePlanes>& attributes, std::uint32_t rows);

}  // namespace rankveil

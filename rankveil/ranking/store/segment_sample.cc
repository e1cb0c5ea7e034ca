#include "rankveil/ranking/store/segment_sample.h"

#include <algorithm>

namespace rankveil {

namespace {

constexpr std::uint32_t min_step = 16;
constexpr std::uint32_t max_sampled = 64 * kernels::rows_per_line;

}  // namespace

SegmentSample sample_of(std::uint32_t rows) {
  SegmentSample sample;
  sample.step = std::max(min_step, rows / max_sampled);
  sample.rows = (rows + sample.step - sample.step / 2 - 1) / sample.step;
  return sample;
}

SegmentSample sample_planes(const std::vector<AttributePlanes>& attributes, std::uint32_t rows) {
  SegmentSample sample = sample_of(rows);
  std::vector<std::uint32_t> positions(sample.rows);
  for (std::uint32_t i = 0; i < sample.rows; ++i) positions[i] = sample.position(i);
  std::size_t before = 0;
  for (const AttributePlanes& attribute : attributes) {
    sample.attributes.push_back(planes_at(positions, attribute, before));
    before += attribute.bitmaps();
  }
  return sample;
}

}  // namespace rankveil

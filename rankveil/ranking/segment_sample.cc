#include "rankveil/ranking/segment_sample.h"

#include <algorithm>
#include <memory>

namespace rankveil {

namespace {

constexpr std::uint32_t least_step = 16;
constexpr std::uint32_t most_sampled = 64 * kernels::rows_per_line;

void take_bits(const SegmentSample& sample, const std::uint64_t* from, std::uint64_t* to) {
  for (std::uint32_t i = 0; i < sample.rows; ++i) {
    std::uint32_t position = sample.position(i);
    to[i / 64] |= ((from[position / 64] >> (position % 64)) & 1) << (i % 64);
  }
}

std::vector<std::uint32_t> sampled_rows(const SegmentSample& sample,
                                        std::span<const std::uint32_t> positions) {
  std::vector<std::uint32_t> rows;
  for (std::uint32_t position : positions) {
    std::uint32_t i = position / sample.step;
    if (i < sample.rows && sample.position(i) == position) rows.push_back(i);
  }
  return rows;
}

std::size_t bitmaps(const AttributePlanes& attribute) {
  return static_cast<std::size_t>(
      std::count_if(attribute.planes.begin(), attribute.planes.end(),
                    [](const Plane& plane) { return plane.bits != nullptr; }));
}

AttributePlanes sampled(const SegmentSample& sample, const AttributePlanes& attribute,
                        std::size_t skew) {
  AttributePlanes made;
  made.bits = attribute.bits;
  auto dense = std::make_shared<DensePlanes>(bitmaps(attribute), sample.rows, skew);
  made.owners.push_back(dense);
  std::size_t next = 0;
  for (const Plane& plane : attribute.planes) {
    Plane& mine = made.planes.emplace_back();
    if (plane.bits != nullptr) {
      take_bits(sample, plane.bits, dense->plane(next));
      mine.bits = dense->plane(next++);
    } else if (!plane.rows.empty()) {
      auto rows = std::make_shared<std::vector<std::uint32_t>>(sampled_rows(sample, plane.rows));
      mine.rows = *rows;
      made.owners.push_back(std::move(rows));
    }
  }
  return made;
}

}  // namespace

SegmentSample sample_planes(const std::vector<AttributePlanes>& attributes, std::uint32_t rows) {
  SegmentSample sample;
  sample.step = std::max(least_step, rows / most_sampled);
  sample.rows = (rows + sample.step - sample.step / 2 - 1) / sample.step;
  std::size_t before = 0;
  for (const AttributePlanes& attribute : attributes) {
    sample.attributes.push_back(sampled(sample, attribute, before));
    before += bitmaps(attribute);
  }
  return sample;
}

}  // namespace rankveil

#include "rankveil/ranking/store/moved_planes.h"

#include <algorithm>
#include <memory>

#include "rankveil/base/bits.h"
#include "rankveil/base/parallel.h"

namespace rankveil {

namespace {

// The same plane with row r at position[r].
void move_bits(const Plane& from, const std::vector<std::uint32_t>& position, std::uint64_t* to) {
  for_each_set_bit(from.bits, (position.size() + 63) / 64, [&](std::size_t row) {
    std::uint32_t place = position[row];
    to[place / 64] |= std::uint64_t{1} << (place % 64);
  });
}

Plane moved_rows(const Plane& from, const std::vector<std::uint32_t>& position,
                 AttributePlanes& owner) {
  auto rows = std::make_shared<std::vector<std::uint32_t>>();
  rows->reserve(from.rows.size());
  for (std::uint32_t row : from.rows) rows->push_back(position[row]);
  std::sort(rows->begin(), rows->end());
  rows->erase(std::unique(rows->begin(), rows->end()), rows->end());
  owner.owners.push_back(rows);
  return {nullptr, *rows};
}

std::size_t dense_count(std::span<const AttributePlanes> attributes) {
  std::size_t count = 0;
  for (const auto& attribute : attributes) count += attribute.bitmaps();
  return count;
}

}  // namespace

std::vector<AttributePlanes> moved_planes(std::span<const AttributePlanes> attributes,
                                          const std::vector<std::uint32_t>& position,
                                          std::uint32_t rows, std::size_t skew) {
  auto dense = std::make_shared<DensePlanes>(dense_count(attributes), rows, skew);
  std::vector<std::size_t> first(attributes.size() + 1, 0);
  for (std::size_t i = 0; i < attributes.size(); ++i) {
    first[i + 1] = first[i] + attributes[i].bitmaps();
  }
  std::vector<AttributePlanes> all(attributes.size());
  parallel_for(attributes.size(), 0, [&](std::size_t i) {
    AttributePlanes& made = all[i];
    made.bits = attributes[i].bits;
    made.owners.push_back(dense);
    std::size_t next = first[i];
    for (const Plane& plane : attributes[i].planes) {
      if (plane.bits == nullptr) {
        made.planes.push_back(moved_rows(plane, position, made));
      } else {
        move_bits(plane, position, dense->plane(next));
        made.planes.push_back({dense->plane(next++), {}});
      }
    }
  });
  return all;
}

}  // namespace rankveil

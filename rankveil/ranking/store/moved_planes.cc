#include "rankveil/ranking/store/moved_planes.h"

#include <algorithm>
#include <bit>
#include <memory>

namespace rankveil {

namespace {

// The same plane with row r at position[r].
void move_bits(const Plane& from, const std::vector<std::uint32_t>& position, std::uint64_t* to) {
  auto words = (position.size() + 63) / 64;
  for (std::size_t word = 0; word < words; ++word) {
    for (std::uint64_t left = from.bits[word]; left != 0; left &= left - 1) {
      std::uint32_t place = position[word * 64 + static_cast<std::size_t>(std::countr_zero(left))];
      to[place / 64] |= std::uint64_t{1} << (place % 64);
    }
  }
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
  std::size_t next = 0;
  std::vector<AttributePlanes> all;
  for (const auto& attribute : attributes) {
    AttributePlanes& made = all.emplace_back();
    made.bits = attribute.bits;
    made.owners.push_back(dense);
    for (const Plane& plane : attribute.planes) {
      if (plane.bits == nullptr) {
        made.planes.push_back(moved_rows(plane, position, made));
      } else {
        move_bits(plane, position, dense->plane(next));
        made.planes.push_back({dense->plane(next++), {}});
      }
    }
  }
  return all;
}

}  // namespace rankveil

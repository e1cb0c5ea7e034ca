// Planes whose rows stand elsewhere.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/ranking/store/planes.h"

namespace rankveil {

// The same planes with row r at position[r]; `rows` positions in all, of which some may be
// nobody's, and some those of several rows: then a plane has what any of them has. `skew`: planes
// elsewhere that are read together with these.
std::vector<AttributePlanes> moved_planes(std::span<const AttributePlanes> attributes,
                                          const std::vector<std::uint32_t>& position,
                                          std::uint32_t rows, std::size_t skew);

}  // namespace rankveil

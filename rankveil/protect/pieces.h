// Profiles filled by several threads: attributes and rows cut into pieces that do not meet.
#pragma once

#include <cstdint>
#include <functional>
#include <vector>

#include "rankveil/ranking/profiles.h"

namespace rankveil {

// Rows [begin, end) of one attribute.
struct Piece {
  PrivateId attribute;
  std::uint32_t begin;
  std::uint32_t end;
};

// Every row of every attribute is in one piece. Threads may call set() on different pieces at the
// same time.
std::vector<Piece> pieces_of(const LevelProfiles& profiles);

// Runs `fill` on every piece, on up to `threads` threads (0: all cores).
void fill_in_pieces(const LevelProfiles& profiles, std::uint32_t threads,
                    const std::function<void(const Piece&)>& fill);

}  // namespace rankveil

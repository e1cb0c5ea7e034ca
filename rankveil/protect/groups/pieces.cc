#include "rankveil/protect/groups/pieces.h"

#include <algorithm>
#include <span>

#include "rankveil/base/parallel.h"

namespace rankveil {

namespace {

// Whole words of a bitmap, and enough work to be worth a thread's while.
constexpr std::uint32_t piece_rows = 64 * 512;

}  // namespace

std::vector<Piece> pieces_of(const LevelProfiles& profiles) {
  std::vector<Piece> pieces;
  std::uint32_t rows = profiles.rows();
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    // Lists of rows grow at their end: one thread fills all of them.
    std::uint32_t step = profiles.has_bitmaps(PrivateId{j}) ? piece_rows : std::max(rows, 1U);
    for (std::uint32_t begin = 0; begin < rows; begin += std::min(step, rows - begin)) {
      pieces.push_back({PrivateId{j}, begin, begin + std::min(step, rows - begin)});
    }
  }
  return pieces;
}

void fill_in_pieces(const LevelProfiles& profiles, std::uint32_t threads,
                    const std::function<void(const Piece&)>& fill) {
  std::vector<Piece> pieces = pieces_of(profiles);
  parallel_for(pieces.size(), threads, [&](std::size_t i) { fill(pieces[i]); });
}

void fill_in_wide_pieces(const LevelProfiles& profiles, std::uint32_t threads,
                         const std::function<void(const WidePiece&)>& fill) {
  std::vector<WidePiece> pieces;
  std::vector<PrivateId> together;
  std::uint32_t rows = profiles.rows();
  for (std::uint32_t j = 0; j < profiles.domain_sizes().size(); ++j) {
    PrivateId attribute{j};
    if (profiles.has_bitmaps(attribute)) {
      together.push_back(attribute);
    } else {
      pieces.push_back({{attribute}, 0, rows});
    }
  }
  constexpr std::uint32_t step = piece_rows / 8;
  for (std::uint32_t begin = 0; begin < rows; begin += std::min(step, rows - begin)) {
    pieces.push_back({together, begin, begin + std::min(step, rows - begin)});
  }
  parallel_for(pieces.size(), threads, [&](std::size_t i) { fill(pieces[i]); });
}

SetWriter::SetWriter(LevelProfiles& profiles, PrivateId attribute)
    : profiles_(profiles),
      attribute_(attribute),
      has_bitmaps_(profiles.has_bitmaps(attribute)),
      domain_(profiles.domain_sizes()[+attribute]) {}

void SetWriter::flush() {
  if (block_ == no_block) return;
  profiles_.add_block(attribute_, block_, std::span(words_).first(domain_));
  words_.fill(0);
}

}  // namespace rankveil

// Profiles filled by several threads: attributes and rows cut into pieces that do not meet.
#pragma once

#include <array>
#include <cstdint>
#include <functional>
#include <vector>

#include "rankveil/ranking/profiles.h"
#include "rankveil/ranking/store/planes.h"

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

// Rows [begin, end) of several attributes.
struct WidePiece {
  std::vector<PrivateId> attributes;
  std::uint32_t begin;
  std::uint32_t end;
};

// The same for work that goes row by row: attributes that may be cut by rows stay together.
void fill_in_wide_pieces(const LevelProfiles& profiles, std::uint32_t threads,
                         const std::function<void(const WidePiece&)>& fill);

// Writes the sets of one attribute row by row, 64 rows of a bitmap together.
//
//   SetWriter writer(profiles, attribute);
//   for each row, ascending: for each value of its set: writer.add(row, value);
//
// REQUIRES: profiles of one level. The last rows are there when the writer is gone.
class SetWriter {
 public:
  SetWriter(LevelProfiles& profiles, PrivateId attribute);
  ~SetWriter() { flush(); }
  SetWriter(const SetWriter&) = delete;
  SetWriter& operator=(const SetWriter&) = delete;

  PrivateId attribute() const { return attribute_; }

  void add(RowId row, ValueId value) {
    if (!has_bitmaps_) return profiles_.set(row, attribute_, value);
    if (+row / 64 != block_) {
      flush();
      block_ = +row / 64;
    }
    words_[+value] |= std::uint64_t{1} << (+row % 64);
  }

 private:
  static constexpr std::uint32_t no_block = 0xFFFFFFFF;
  void flush();

  LevelProfiles& profiles_;
  PrivateId attribute_;
  bool has_bitmaps_;
  std::uint32_t domain_;
  std::uint32_t block_ = no_block;
  std::array<std::uint64_t, dense_domain> words_ = {};
};

}  // namespace rankveil

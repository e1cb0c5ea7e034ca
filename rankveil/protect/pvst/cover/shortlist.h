// What is left to choose from after the first choice, kept for all rows that begin with the same
// one: few candidates are anybody's first choice, so that a large group asks for the same list
// again and again.
#pragma once

#include <atomic>
#include <cstdint>
#include <memory>
#include <mutex>
#include <vector>

#include "rankveil/base/aligned_words.h"
#include "rankveil/protect/pvst/cover/group.h"

namespace rankveil::cover {

// The first candidates of a group, in its order, that have a value in each of some attributes, and
// not the one that candidate `first` has there.
class Shortlist {
 public:
  // Ends with the line of the group in which it gets that many.
  Shortlist(const Group& group, const std::vector<std::uint32_t>& attributes, std::uint32_t first,
            std::uint32_t enough);

  std::uint32_t lines() const { return lines_; }
  // The position in the group of the i-th candidate here.
  std::uint32_t position(std::uint32_t i) const { return positions_[i]; }
  // The candidates with that code; null if nobody has it.
  const std::uint64_t* plane(std::uint32_t j, std::uint32_t code) const {
    std::uint32_t number = plane_of_[first_code_[j] + code];
    return number == 0 ? nullptr : words_.data() + number * stride_;
  }
  const std::uint64_t* empty_plane() const { return words_.data(); }
  const std::uint64_t* last_line() const { return last_line_.data(); }
  // Those that are not here are in this line of the group, or later.
  std::uint32_t next_line() const { return next_line_; }

 private:
  void collect(const Group& group, const std::vector<std::uint32_t>& attributes,
               std::uint32_t first, std::uint32_t enough);
  void lay_out_planes(const Group& group);

  std::vector<std::uint32_t> positions_;
  std::uint32_t next_line_ = 0;
  std::uint32_t lines_ = 0;
  std::size_t stride_ = 0;
  std::vector<std::uint32_t> first_code_;  // [attribute], and one more: in plane_of_
  std::vector<std::uint32_t> plane_of_;    // 0: nobody has the code
  AlignedWords words_;
  LineBits last_line_ = {};
};

// What makes lists pay in large groups. Tests use smaller numbers.
struct ShortlistUse {
  std::uint32_t enough = 4 * positions_per_line;  // candidates
  std::uint32_t asked = 256;                      // how often before a list is made
};

// The lists of one group, each made when it has been asked for often enough. For several threads.
class Shortlists {
 public:
  // REQUIRES: the group is built, and stays as it is.
  Shortlists(const Group& group, std::uint32_t l, ShortlistUse use = {});

  // For a row whose first choice was `first` and whose sets are to grow in `open`; null if there is
  // no such list.
  const Shortlist* find(std::uint32_t first, const std::vector<std::uint32_t>& open);

 private:
  struct Slot {
    std::atomic<std::uint32_t> asked = 0;
    std::atomic<const Shortlist*> ready = nullptr;
    std::once_flag made_once;
    std::unique_ptr<Shortlist> list;
  };

  const Group& group_;
  ShortlistUse use_;
  // Attributes whose sets are to grow after one choice, as a rule.
  std::vector<std::uint32_t> open_;
  std::vector<Slot> slots_;  // per position in the first line
};

}  // namespace rankveil::cover

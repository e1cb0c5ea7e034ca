// What is known of the order of rows with equal scores.
//
// Ties go by one fixed order that the adversary does not know. A query whose scores it knows shows
// a part of it: rows with equal scores, in order. Such a part is a chain.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rankveil::attack {

// A row and its score in a query, in units of weight. Rows are called by small numbers (slots).
struct ScoredRow {
  std::uint32_t slot;
  std::int64_t score;
};

class Ties {
 public:
  // Where a row stands in a chain: rows of one group had equal scores, smaller places went first.
  // Rows that were not returned share the last place of their group.
  struct Place {
    std::uint32_t group = 0;
    std::uint32_t position = 0;  // 0: nothing is known
  };
  static constexpr std::uint32_t not_returned = UINT32_MAX;

  // The answer to a query with known scores, best first; rows whose score is not known are left
  // out. Returns the chain's number.
  std::uint32_t add_chain(std::span<const ScoredRow> returned);
  // A row that the query of `chain` could have returned and did not.
  void add_missing(std::uint32_t chain, ScoredRow row);

  std::uint32_t chains() const { return static_cast<std::uint32_t>(chains_.size()); }
  std::uint32_t groups(std::uint32_t chain) const {
    return static_cast<std::uint32_t>(chains_[chain].group_scores.size());
  }
  Place place(std::uint32_t chain, std::uint32_t slot) const {
    const auto& places = chains_[chain].places;
    return slot < places.size() ? places[slot] : Place{};
  }
  // Whether `first` is known to go before `second`.
  bool before(std::uint32_t first, std::uint32_t second) const;

 private:
  struct Chain {
    std::vector<Place> places;               // by slot
    std::vector<std::int64_t> group_scores;  // descending
  };
  static Place& place_for(Chain& chain, std::uint32_t slot);
  std::vector<Chain> chains_;
};

}  // namespace rankveil::attack

// Persons who are alike in all that models look at: among a hundred of them or more, vectors are
// rearranged uniformly, and what that promises assumes no model.
//
// Those who are in no class trade among each other. Where they would be fewer than a class must be,
// the smallest class trades with them: of a few alone, everybody could tell whose values are whose.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/protect/swap/fitted/units.h"

namespace rankveil::fitted {

class Alike {
 public:
  static constexpr std::uint32_t few = UINT32_MAX;

  // By all public columns of all their rows. `members`: the units that count.
  Alike(const Task& task, const Persons& units, std::span<const std::uint32_t> members);

  // The class of the i-th member; few: it is in none.
  std::uint32_t of(std::size_t i) const { return of_[i]; }
  std::uint32_t classes() const { return classes_; }

  // Those whose rows show different things are no longer alike. `shown`: a code a row.
  void tell_apart(const Persons& units, std::span<const std::uint32_t> members,
                  const std::vector<std::uint16_t>& shown);

 private:
  struct Kind;
  std::vector<Kind> kinds_of(const Persons& units, std::span<const std::uint32_t> members);
  void keep_large(const Persons& units, std::span<const std::uint32_t> members);

  std::vector<std::uint32_t> of_;
  std::uint32_t classes_ = 0;
};

}  // namespace rankveil::fitted

// Persons who are alike in all that models look at: among a hundred of them or more, vectors are
// rearranged uniformly, and what that promises assumes no model.
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
  Alike(const Task& task, const Units& units, std::span<const std::uint32_t> members);

  // The class of the i-th member; few: it is in none.
  std::uint32_t of(std::size_t i) const { return of_[i]; }
  std::uint32_t classes() const { return classes_; }

  // Those whose rows show different things are no longer alike. `shown`: a code a row.
  void tell_apart(const Units& units, std::span<const std::uint32_t> members,
                  const std::vector<std::uint16_t>& shown);

 private:
  void keep_large();

  std::vector<std::uint32_t> of_;
  std::uint32_t classes_ = 0;
};

}  // namespace rankveil::fitted

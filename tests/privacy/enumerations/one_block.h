// What somebody believes who sees one block of a table, by summing over all coins and all truths.
//
//   OneBlock seen(all, prior, 1.0 / 3, kernels);
//   seen.kept(0, z);            // that row 0 kept its value, given that arrangement z is shown
//   seen.belief(0, x, z);       // that row 0 has the value x
//   seen.if_moved(0, x, z);     // the same, told that row 0 did not keep its value: R of T9
#pragma once

#include "tests/privacy/enumerations/rearrangement.h"

namespace rankveil::enumerations {

class OneBlock {
 public:
  // `prior` is what he believes; `kernels` is what is done. REQUIRES: a kernel for each set of
  // coins.
  OneBlock(std::vector<Arrangement> all, Law prior, double p, Kernels kernels);

  std::size_t size() const { return all_.size(); }
  std::size_t rows() const { return all_.front().size(); }
  const Arrangement& arrangement(std::size_t z) const { return all_[z]; }

  double shown(std::size_t z) const;  // how likely z is seen
  double coins(Coins coins, std::size_t z) const;
  double kept(std::size_t row, std::size_t z) const;
  double belief(std::size_t row, int value, std::size_t z) const;
  double if_moved(std::size_t row, int value, std::size_t z) const;
  double before(std::size_t row, int value) const;

  // How far what is shown moves the probability of any set of coins, at most.
  double coins_show() const;

 private:
  // The sum of Pr(coins, truth, z) over all that `counts` takes.
  template <typename Counts>
  double sum(std::size_t z, const Counts& counts) const;

  std::vector<Arrangement> all_;
  Law prior_;
  double p_;
  Kernels kernels_;
};

}  // namespace rankveil::enumerations

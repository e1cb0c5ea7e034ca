// What somebody believes who sees two blocks of a table, swapped one after the other: T10.
//
//   TwoBlocks people(firsts, seconds, law);              // who has which values in both blocks
//   TwoBlocks::Swap second = people.exact_second(p);     // by the law of block 2 given what is
//   shown people.see(second, p, z1, z2).kept_second(row);
//
// Block 1 is always drawn by its exact law. Block 2 is drawn by a law that may depend on what block
// 1 shows.
#pragma once

#include <functional>

#include "tests/privacy/enumerations/rearrangement.h"

namespace rankveil::enumerations {

// [first truth][second truth]: probability.
using JointLaw = std::vector<Law>;

// [row][first value][second value].
using JointModel = std::vector<std::vector<std::vector<double>>>;

// What is possible once both blocks are shown, by coins and truths. Sums to 1.
class Beliefs {
 public:
  struct World {
    Coins first;
    Coins second;
    std::size_t truth1;
    std::size_t truth2;
  };
  using Event = std::function<bool(const World&)>;

  void add(const World& world, double chance) { worlds_.push_back({world, chance}); }
  void scale();  // to 1; what the sum was is `shown()`

  double shown() const { return shown_; }
  double of(const Event& event) const;
  double of(const Event& event, const Event& given) const { return both(event, given) / of(given); }

 private:
  double both(const Event& one, const Event& other) const;

  struct Weighed {
    World world;
    double chance;
  };
  std::vector<Weighed> worlds_;
  double shown_ = 0;
};

class TwoBlocks {
 public:
  // Independent people, of whom is known which values they have together in each block.
  TwoBlocks(const Arrangement& firsts, const Arrangement& seconds, JointModel model);

  const std::vector<Arrangement>& firsts() const { return firsts_; }
  const std::vector<Arrangement>& seconds() const { return seconds_; }
  std::size_t rows() const { return firsts_.front().size(); }
  Law first_law() const;

  // [z1]: by which law the movers of block 2 are drawn when block 1 shows z1.
  using SecondLaws = std::vector<Law>;
  SecondLaws exact_second(double p) const;       // of the whole arrangement, given all of z1
  SecondLaws row_by_row_second(double p) const;  // the product of what each row's z1 says of it
  SecondLaws public_second() const;              // as if block 1 did not exist

  Beliefs see(const SecondLaws& laws, double p, std::size_t z1, std::size_t z2) const;

  // Where nothing but block 1 was shown yet: Pr(truths, z1), and Pr(z1) by its sum.
  JointLaw after_first(double p, std::size_t z1) const;

 private:
  std::vector<Arrangement> firsts_;
  std::vector<Arrangement> seconds_;
  JointModel model_;
  JointLaw law_;
};

JointModel random_joint_model(Rng& rng, std::size_t rows, std::size_t values);
JointModel copies(std::size_t rows);  // each row may have any of `rows` values, twice the same

}  // namespace rankveil::enumerations

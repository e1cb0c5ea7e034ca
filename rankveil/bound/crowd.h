// People whose data nobody knows exactly: the moments of what each adds to a published sum.
//
// The theorems on noiseless privacy take the uncertainty about other people for the noise that
// hides one of them. All they ask of a person's data is its moments.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/result.h"

namespace rankveil::bound {

// Of one person's data, a random number.
struct Moments {
  double variance = 0;
  double third = 0;           // E (D - mean)^3, signed
  double absolute_third = 0;  // E |D - mean|^3
  double fourth = 0;          // E (D - mean)^4
  double raw_third = 0;       // E D^3
  double raw_fourth = 0;      // E D^4
};

// Somebody who has one of these values, each as likely as another. No values: always 0.
Moments moments_of(std::span<const double> values);
// Somebody who counts as 1 with probability p, else 0.
Moments moments_of_share(double p);

// So many people of one kind.
struct Kind {
  Moments moments;
  std::uint64_t people = 1;
};
using Crowd = std::vector<Kind>;

std::uint64_t people_in(const Crowd& crowd);

// Sums over all people whose data is not known.
struct Sums {
  double people = 0;
  double variance = 0;
  // The same without the person the adversary is after, whose own uncertainty hides nobody. Not
  // above `variance`.
  double variance_of_others = 0;
  double variance_3_2 = 0;  // of variance^(3/2)
  double third = 0;
  double absolute_third = 0;
  double fourth = 0;
  double raw_third = 0;
  double raw_fourth = 0;
};

// Everybody is unknown but a share of the people, in expectation: any of them alike.
Sums expected_sums(const Crowd& crowd, double known_share);
// The same whoever is known: every sum at its worst over all choices of that many people (rounded
// up). Variances at their least, all others at their largest.
Sums worst_sums(const Crowd& crowd, double known_share);

}  // namespace rankveil::bound

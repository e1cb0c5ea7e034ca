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

// Sums for any share of known people. Sorts once; each question then takes logarithmic time.
class CrowdSums {
 public:
  explicit CrowdSums(const Crowd& crowd);

  // Everybody is unknown but a share of the people, in expectation: any of them alike.
  Sums expected(double known_share) const;
  // The same whoever is known: every sum at its worst over all choices of that many people (rounded
  // up). Variances at their least, all others at their largest.
  Sums worst(double known_share) const;

 private:
  // What the first people of an order add up to.
  class Ordered {
   public:
    using Field = double (*)(const Moments&);
    enum class First { Least, Largest };
    Ordered(const Crowd& crowd, Field field, First first);
    double sum_of(std::uint64_t people) const;
    double total() const { return sums_.back(); }

   private:
    std::vector<double> amounts_;        // of each kind, in order
    std::vector<std::uint64_t> people_;  // up to each kind
    std::vector<double> sums_;           // likewise; both start with 0
  };

  std::uint64_t people_;
  double largest_variance_;
  Ordered variance_, variance_3_2_, third_, absolute_third_, fourth_, raw_third_, raw_fourth_;
};

Sums expected_sums(const Crowd& crowd, double known_share);
Sums worst_sums(const Crowd& crowd, double known_share);

}  // namespace rankveil::bound

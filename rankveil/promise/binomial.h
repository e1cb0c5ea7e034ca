// How likely so many successes are in so many independent trials: exact, for tests of a rate.
#pragma once

#include <cstdint>
#include <optional>

namespace rankveil {

// The probability of at least `count` successes in `trials` with probability `rate` each. Right to
// about 1e-12, for up to 10^9 trials. REQUIRES: rate in [0, 1].
double binomial_tail(std::uint64_t trials, double rate, std::uint64_t count);

// The smallest count that `rate` reaches with probability at most `alpha`: who sees so many
// successes may say that the rate is higher, and errs with probability `alpha` at most.
// trials + 1: no count is that rare.
std::uint64_t critical_count(std::uint64_t trials, double rate, double alpha);

// The smallest rate at which `count` is reached with probability `probability` or more. Nothing
// when there are fewer trials than that. REQUIRES: probability in (0, 1).
std::optional<double> rate_that_reaches(std::uint64_t trials, std::uint64_t count,
                                        double probability);

}  // namespace rankveil

// Laws of schemes that look at a row's whole vector: known by running them.
#pragma once

#include <memory>

#include "rankveil/audit/likelihood.h"

namespace rankveil::audit {

// Sets are a function of the private vector and its public group: a vector leads to the profiles
// that the scheme gives it, and to no others.
Result<std::unique_ptr<const Likelihood>> pvst_law(const Scene& scene);

// What a workload can tell apart is a function of the vector; among values that no query tells
// apart, all choices are alike.
Result<std::unique_ptr<const Likelihood>> esvt_law(const Scene& scene);

}  // namespace rankveil::audit

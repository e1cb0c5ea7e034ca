// Laws of schemes whose rows give answers by chance: rr, rr-mean, ldp and capped.
#pragma once

#include <memory>

#include "rankveil/audit/likelihood.h"

namespace rankveil::audit {

Result<std::unique_ptr<const Likelihood>> rr_law(const Scene& scene);
Result<std::unique_ptr<const Likelihood>> rr_mean_law(const Scene& scene);
Result<std::unique_ptr<const Likelihood>> capped_law(const Scene& scene);

// Strengths of ldp hang on shares that are estimated from what all rows say. So answers are read
// off the profiles first: those under which the estimate comes out at just these profiles.
Result<std::unique_ptr<const Likelihood>> ldp_law(const Scene& scene);

}  // namespace rankveil::audit

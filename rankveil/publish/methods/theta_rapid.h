// theta-rapid: as theta, with single insertions and single deletions in place of exchanges.
//
// There are as many of them as true positives, where exchanges are a product; an exchange takes two
// rounds, so there are twice as many (6).
//
// Source      k-ARQ thesis, section 5.3 (the spec's algorithm 8).
#pragma once

#include "rankveil/publish/methods/method.h"

namespace rankveil::publish {

Selected theta_rapid(const Round& round);

}  // namespace rankveil::publish

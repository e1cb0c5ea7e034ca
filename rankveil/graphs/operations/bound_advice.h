// What to change where a bound promises nothing.
#pragma once

#include <functional>
#include <string>

#include "rankveil/graphs/operations/bound.h"

namespace rankveil::api {

// A sentence, or nothing where deltas are below 1: of all attributes, or of some point of a sweep.
// `bound_of` computes a bound; it is asked a few times with more people.
std::string advice_for(const BoundRequest& request, const BoundResult& result,
                       const std::function<Result<BoundResult>(const BoundRequest&)>& bound_of);

}  // namespace rankveil::api

// Which parameters a theorem looks at. One that is given and not looked at must be said.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "rankveil/graphs/operations/bound.h"

namespace rankveil::api {

bool is_swept(const BoundRequest& request, std::string_view parameter);

// Whether the request's theorem, in its mode and beside what else is given, reads a parameter.
// Names are those of the flags: "k", "half-lines"; one that is not known is read. REQUIRES: the
// theorem is chosen, 1 to 5.
bool reads(const BoundRequest& request, std::string_view parameter);

// A sentence about those of request.named that are not read; empty: all are.
std::string unread_note(const BoundRequest& request);

}  // namespace rankveil::api

// A release read back from the sets that were published (cloaked_sets_text).
#pragma once

#include <cstdint>
#include <memory>
#include <string_view>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/graphs/release/release.h"

namespace rankveil::graph {

// The release of `original` that the text publishes, a set a line; `names` are the numbers of its
// nodes, ascending. Its k is the size of the smallest set.
//
// Refuses, naming the line: what is no set; somebody who is in two sets, in none, or not in the
// graph; and lists that are not those of the set's users. So it takes what ca, be and random
// publish, and not the edited lists of ia: whose they are is told nowhere.
Result<Release> read_published_sets(std::shared_ptr<const Graph> original,
                                    const std::vector<std::uint64_t>& names, std::string_view text,
                                    const std::vector<std::string>& texts = {});

}  // namespace rankveil::graph

// Reads what a ranking stands on: the score, its columns and their scores, and columns beside them.
#pragma once

#include <string>
#include <vector>

#include "rankveil/api/publish.h"
#include "rankveil/connect/columns.h"
#include "rankveil/publish/points.h"
#include "rankveil/publish/score.h"

namespace rankveil::api {

// Refuses when there is no score, or two of them.
Result<publish::Score> score_of(const RankingInput& input);

struct RankedTable {
  publish::Points points;
  std::vector<connect::TextColumn> texts;
  std::uint64_t incomplete = 0;
};

// Refuses rows that lack a ranking value unless they come last, and a score that is not monotone.
Result<RankedTable> read_ranked(const RankingInput& input, const publish::Score& score,
                                const std::vector<std::string>& texts);

}  // namespace rankveil::api

// What the base shares of a ranking alone tell about a row, to somebody with a model of people:
// level `share`.
//
// Shares of a group are about everybody in it, so no coin hides them. Who knows what people with
// these public values are usually like learns from them what is special about this group: that a
// clinic's patients have one illness, say.
//
// Case   a row and a value that the model of other people, by all public columns, holds for less
//        likely than not. Its gain is (share - before) / (1 - before).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankveil/audit/people/coded_rows.h"
#include "rankveil/audit/people/effort.h"
#include "rankveil/audit/people/gain_counts.h"
#include "rankveil/audit/tally.h"
#include "rankveil/ranking/profiles.h"

namespace rankveil::audit {

struct ShareTask {
  const CodedRows& truth;  // of the table, public columns first
  std::uint32_t publics = 0;
  const GroupedProfiles& profiles;
  const CodedRows* population = nullptr;  // other people; null: rows left out
  Effort effort = {};
  double bound = 1;  // 1/l
  std::uint64_t seed = 1;
  std::uint32_t threads = 0;
};

struct ShareJudgement {
  std::vector<GainCounts> gains;  // [private attribute]
  std::vector<Tally> guesses, guesses_before;
};

// At most 20,000 rows are judged, and as many learnt from as the effort allows. Nothing: too few to
// learn from.
std::optional<ShareJudgement> judge_shares(const ShareTask& task);

}  // namespace rankveil::audit

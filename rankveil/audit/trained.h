// The insider: knows the true values of half of the rows, trusts nothing that is said about the
// defense, and learns from that half what profiles mean.
//
// What is learnt    how often a row has the value that its profile speaks for, the more the louder
//                   it speaks; and, by counting, which values rows with one profile really have, in
//                   the whole table and in their public group.
// What is done      for every other row a bet on the value whose likelihood rose most.
// How it is judged  a bet on a value that a share s of like rows has is won with at most what the
//                   promise allows for s, whatever was learnt. Under swap s is what a model of the
//                   known half gives the row by all public columns. Of bets with different s the
//                   binomial law of their mean is the widest (Hoeffding 1956), so that an exact
//                   binomial test of all bets is on the safe side. There is one test for each
//                   attribute and none for all together: schemes that keep or trade whole vectors
//                   win all bets on a row at once, or none.
// Not               a promise breaker by itself: half of the true values are given away already.
//                   Somebody who also knew who traded with whom would learn more.
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankveil/audit/finding.h"
#include "rankveil/audit/levels.h"

namespace rankveil::audit {

// One finding for each private attribute, without promise and verdict; none where there was nothing
// to bet on, or the domain is too large to count. Under schemes that toss coins one more, about
// all: which rows kept their values, by all public columns together (people/coin_level.h); `coins`,
// where that was found out already. Like rows are those that the ladder of the mechanism puts
// together (like_rows.h).
std::vector<Finding> judge_trained(const Observed& observed, std::uint64_t seed,
                                   std::uint32_t threads,
                                   const std::optional<Finding>& coins = std::nullopt);

}  // namespace rankveil::audit

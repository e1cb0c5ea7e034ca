// Polymorphic value sets with true values (PVST).
//
// Per private attribute a row matches at least l values that rows with the same public values
// really have: its own, and those of other rows, taken whole one after the other. Next comes the
// row that brings a new value to most sets that are not full yet; among those the one with the
// least loss (the sum of weight times number of queries that ask for it over its values that differ
// from the own ones); among those the first in row order. All its values go into all sets, so some
// grow past l. A missing value is covered like any other: its set starts empty.
//
// Promises    a right guess at most once in l, against adversaries up to `knowledgeable`.
// Not         against who knows the mechanism: the sets are a function of the private vector, so
//             simulating pvst inverts it.
// Falls back  a set cannot be filled when the row's public group has fewer than l values of that
//             attribute. These are counted as short, and served by demand.fallback: the shares of
//             the nearest coarser group, nothing, or the whole domain. Set sizes count the others.
//             Rows whose public values nobody shares are counted as unique.
// Cover       comes from rows that take part; the others have shares.
// Cost        bitmaps of a group's different private vectors, cheapest first: mostly a short look
//             at their beginning per vector, at worst one pass over them per added row. Large
//             groups keep what is left after frequent first choices: up to 512 lists of some 2,000
//             vectors, 40 kB each for ten attributes of eight values, 0.7 MB at most.
// Source      Gao and Zhang 2019, algorithm 2; its score read as (most cover, least loss), and its
//             endless loop ended by the fallback.
#pragma once

#include "rankveil/protect/task.h"

namespace rankveil {

Result<Protection> protect_pvst(const Task& task);

}  // namespace rankveil

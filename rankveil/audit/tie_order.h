// Whether the order of rows that nobody can tell apart follows their private values.
//
// Rows with the same public values have equal scores in every query that asks for nothing private.
// Whatever order they come in, it must not hang on private values: were it the order of incomes,
// one query would sort people by income. Here one such query is asked for each of the largest
// public groups, and the order is compared with each private attribute.
//
// Test          permutation test within groups: how far apart the mean places of rows with
// different
//               values are, all groups together, and each group by itself. Rows that an answer left
//               out stand behind those that it returned.
// False alarms  in at most 1% of audits, all attributes together (Bonferroni).
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/arena.h"
#include "rankveil/audit/finding.h"

namespace rankveil::audit {

// One finding for each private attribute; none when no group has two rows. Rows of `truth` are
// numbered as in the arena. Asks at most `queries` queries.
Result<std::vector<Finding>> check_ties(const Arena& arena, const Table& truth, std::uint64_t seed,
                                        std::uint32_t queries = 20);

// How likely an order follows values as closely as this one does, or more closely, if it has
// nothing to do with them. A block: rows nobody can tell apart, with their places; equal places are
// those of rows whose order is not known.
struct TieBlock {
  std::vector<std::uint32_t> rows;
  std::vector<double> places;
};
double chance_of_order(const std::vector<TieBlock>& blocks, const Column& values, double alpha,
                       std::uint64_t seed);

}  // namespace rankveil::audit

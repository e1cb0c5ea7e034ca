// Whether ids, or the order of rows, tell private values.
//
//   for (const Telling& telling : what_ids_tell(table, l)) warn(telling.attribute,
//   telling.pattern);
//
// Ids are rarely chance: numbers given out clinic by clinic, in order of diagnosis, with a letter
// for the department. Where rows whose ids are alike share a private value, whoever sees an id and
// what its neighbours show knows more than the neighbours' columns say.
//
// Patterns  the orders of id_patterns.h: the last number, beginnings, ends and lengths of ids, and
//           for what_order_tells the order of rows itself. In each, every row is guessed from its
//           4 and from its 32 nearest neighbours: households are found as well as departments.
//           Not found: what makes no neighbours of rows that share a value in one of these orders,
//           such as a value hashed into the middle of an id, or every seventh number.
// Test      Rows at even places are guessed from those at odd ones, and the other way round. A
// guess is
//           made where a neighbour value's share exceeds its share in the row's public block
//           (alike_blocks.h) by a gain of more than 1/l. If ids have nothing to do with private
//           values but for what public columns say, values within a block and half are in random
//           order, and right guesses of a value are at most a sum of binomials; so the tail is
//           bounded exactly (Hoeffding 1963), not simulated.
// Alarms    false ones in at most 1e-6 of calls, over all columns, values, patterns, windows and
// halves
//           together (Bonferroni). Told only where at least 1% of the rows are guessed, and where
//           these guesses are right often enough for a mean gain of more than 1/l.
// Cost      a few passes a pattern and column; docs/reference/policy.md has a measured figure.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

// "Rows stand side by side by <pattern>, and share <attribute>."
struct Telling {
  std::string attribute;
  std::string_view pattern;
  std::uint64_t rows = 0;  // that are guessed
  double gain = 0;         // (right guesses - those by chance) / (guesses - those by chance)
};

// The strongest pattern of each private attribute that ids tell. `some_rows`: rows to look at, a
// mark a row; empty: all. A person with several rows should have one of them there: that somebody's
// own rows are alike tells nothing of others.
std::vector<Telling> what_ids_tell(const Table& table, std::uint32_t l,
                                   const std::vector<std::uint8_t>& some_rows = {},
                                   std::uint32_t threads = 0);

// The same for the order in which the table has its rows.
std::vector<Telling> what_order_tells(const Table& table, std::uint32_t l,
                                      const std::vector<std::uint8_t>& some_rows = {},
                                      std::uint32_t threads = 0);

}  // namespace rankveil

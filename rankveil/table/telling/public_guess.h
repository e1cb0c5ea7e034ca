// How often all public columns together tell each private one, before any ranking.
//
// Somebody who has other rows of the table guesses each row by the public values that tell most:
// cells of one column, cut by the next one as long as more rows are guessed right, at most six of
// them. Each row is guessed from the others alone (held_out.h), so that a row which nobody
// resembles is not taken for known. Somebody with a better model guesses more.
//
// Rows   20,000 at most, evenly spread: a share is off by at most 1% (three deviations).
#pragma once

#include <cstdint>
#include <optional>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

// Per private attribute: the share of the rows that have a value which is guessed right. `person`:
// a public column that says whose row each is; others of the same person are no public knowledge.
std::vector<double> guessed_from_public(const Table& table, std::uint32_t threads = 0,
                                        std::optional<AttributeId> person = {});

}  // namespace rankveil

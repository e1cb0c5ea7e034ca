// What a leak is worth to who asks: how many requests give one value, and everybody's.
//
//   Worth worth = worth_of({.kind = Kind::Filter, .rows = 2000, .values = 200'000, .page = 2000});
//   worth.one_value      18 requests
//
// Worked out from counts that the operator knows: how many rows, how many values there may be, how
// many rows an answer shows. Nobody's value is read for it. Numbers are taken to be spread evenly;
// where they lie close together, fewer requests do.
//
// Promises    what `demonstrate` needs on average, within a tenth, where values are spread evenly
// and
//             an answer shows all rows that fit.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/probe/way.h"

namespace rankveil::probe {

struct WorthInput {
  Kind kind = Kind::Filter;  // how the field acts: as an order or as a condition
  std::uint64_t rows = 0;
  std::uint64_t values = 0;  // how many a row may have: greatest less least, and one more
  std::uint64_t page = 0;    // rows in an answer
  bool ordered = true;       // values are compared, not only told apart
};

struct Worth {
  double one_value = 0;  // requests for one person's exact value
  double everybody = 0;  // requests for all exact values
  double ranks = 0;      // requests for the order of all rows; 0: no way to it is known
  std::string how = {};  // one sentence
};

Worth worth_of(const WorthInput& input);

// How many groups of equal rows a listing in the order of a field shows, where equal rows come in
// the order of `ties`: each step back in that order begins a new group. A lower bound on how many
// values there are. REQUIRES: `ties` has all of `listing`.
struct TieGroups {
  std::vector<std::vector<std::string>> groups;
};
TieGroups groups_by_ties(const std::vector<std::string>& listing,
                         const std::vector<std::string>& ties);

}  // namespace rankveil::probe

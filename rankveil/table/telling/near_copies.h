// Private columns that say nearly the same.
//
// Each private column has a coin and an exchange of its own. Of two columns that nearly follow from
// each other, values that fit tell that both are true; so such columns belong together.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

struct NearCopies {
  std::vector<std::string> columns;  // two or more, in the order of the schema
  // Of the pairs that joined them, the least that one says of the other: mutual information over
  // the smaller of the two entropies. Above 1/2.
  double shared = 0;
};

using ColumnLists = std::vector<std::vector<std::string>>;

// Groups of private columns in which each has more than half of its entropy, or of the other's,
// in common with another of the group. Entropies of the rows' values, a missing one being a value,
// put right for the number of rows (Miller and Madow 1955): in few rows many values look
// dependent. Two columns that stand in one list of `settled` are not asked about.
// Cost: a pass over the first 300,000 rows for each pair of private columns.
std::vector<NearCopies> near_copies(const Table& table, const ColumnLists& settled = {},
                                    std::uint32_t threads = 0);

// "together = [["race", "birth"]]": the lists there are, with these copies joined.
std::string together_key(ColumnLists lists, const std::vector<NearCopies>& copies);

// "apart = [["race", "birth"]]": the lists there are, and these.
std::string apart_key(ColumnLists lists, const std::vector<NearCopies>& copies);

// What proposes to join them in front of a policy's text: comments, and the key behind a mark, to
// be had by taking the mark away. Nothing for none.
std::string together_hint(const ColumnLists& lists, const std::vector<NearCopies>& copies);

}  // namespace rankveil

// What somebody who has placed people in groups guesses about one sensitive column.
//
// Before the publication he bets on the table's commonest value. Of a group that shows its values
// he knows how often each occurs; of one that shows a range, that the value lies in it, and then
// takes the table's values there as they occur. About whom he has not placed, and about a group
// that withholds the column, he knows no more than before.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "rankveil/connect/columns.h"
#include "rankveil/publish/release/publication.h"

namespace rankveil::publish {

// What a group tells whoever has placed somebody in it.
struct GroupGuess {
  std::size_t group = 0;  // its place among the groups
  double largest = 0;     // belief in one value
  double rise = 0;        // of the belief in one value above its share in the table, at most
};

struct ColumnGuess {
  std::string column;
  std::uint64_t victims = 0;
  double right = 0;                     // expected right guesses; equals share a guess
  double right_before = 0;              // the same without the publication
  double largest = 0;                   // of all beliefs in one value that a group tells
  double gain = 0;                      // largest (after - before) / (1 - before)
  std::uint64_t certain = 0;            // victims whose group leaves one value only
  double candidates = 0;                // values that seem possible: mean of exp(entropy)
  bool is_shown = false;                // by the group of some victim who was placed
  bool is_number = false;               // all values of the table are numbers
  double commonest = 0;                 // share of the table's commonest value
  std::vector<GroupGuess> groups = {};  // those that show it and have a victim who was placed
};

// A row of the table that is published, and the group it was placed in.
struct Placement {
  std::uint32_t row = 0;
  std::optional<std::size_t> group = {};  // its place among the groups; none: it was not placed
};
ColumnGuess guess_column(const connect::TextColumn& column, std::span<const PublishedGroup> groups,
                         std::span<const Placement> victims);

}  // namespace rankveil::publish

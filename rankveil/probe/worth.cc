#include "rankveil/probe/worth.h"

#include <fmt/core.h>

#include <algorithm>
#include <bit>
#include <cassert>
#include <cmath>
#include <map>

namespace rankveil::probe {
namespace {

double pages_of(const WorthInput& input) {
  if (input.page == 0) return 1;
  return std::ceil(static_cast<double>(input.rows) / static_cast<double>(input.page));
}

// Halvings until one value is left, on average over all values.
double mean_halvings(std::uint64_t values) {
  if (values <= 1) return 0;
  const auto whole = static_cast<double>(std::bit_width(values - 1));
  const double full = std::exp2(whole);
  const auto count = static_cast<double>(values);
  return whole - (full - count) / count;
}

// Intervals that are asked for when all that hold somebody are halved: each of them was a half of
// one that holds somebody and more than one value. `rows` values fall evenly.
double intervals_asked(std::uint64_t rows, std::uint64_t values) {
  double asked = 1;
  double width = static_cast<double>(values);
  for (double intervals = 1; width > 1; intervals *= 2, width /= 2) {
    const double empty =
        std::exp(static_cast<double>(rows) * std::log1p(-std::min(1.0, 1 / intervals)));
    const double last = std::min(1.0, width - 1);  // halves of which some hold one value already
    asked += 2 * intervals * (1 - empty) * last;
  }
  return asked;
}

Worth of_condition(const WorthInput& input) {
  Worth worth;
  worth.one_value = mean_halvings(input.values);
  worth.everybody = intervals_asked(input.rows, input.values);
  worth.how = "asks who lies above a number, and halves what is left";
  return worth;
}

// One row more, in the order that is listed: above or below, then one step for a tie.
Worth of_order(const WorthInput& input) {
  Worth worth;
  worth.ranks = pages_of(input);
  worth.one_value = 2 * mean_halvings(input.values) + 4;
  worth.everybody = static_cast<double>(input.rows) * worth.one_value;
  worth.how = "writes an own row, lists all in the order of the field, and halves what is left";
  return worth;
}

// Values that can only be told apart are guessed one after the other; the last needs no guess.
Worth of_guesses(const WorthInput& input) {
  const auto values = static_cast<double>(input.values);
  Worth worth;
  worth.one_value = values <= 1 ? 0 : (values + 1) / 2 - 1 / values;
  worth.everybody = std::max(0.0, values - 1);
  worth.how = "asks for one value after the other";
  return worth;
}

}  // namespace

Worth worth_of(const WorthInput& input) {
  const bool orders =
      input.kind == Kind::Sort || input.kind == Kind::Relation || input.kind == Kind::Cursor;
  if (orders) return of_order(input);
  return input.ordered ? of_condition(input) : of_guesses(input);
}

TieGroups groups_by_ties(const std::vector<std::string>& listing,
                         const std::vector<std::string>& ties) {
  std::map<std::string, std::size_t> place;
  for (std::size_t i = 0; i < ties.size(); ++i) place[ties[i]] = i;
  TieGroups found;
  for (std::size_t i = 0; i < listing.size(); ++i) {
    assert(place.contains(listing[i]) && "the order of ties has all rows");
    const bool steps_back = i == 0 || place[listing[i]] < place[listing[i - 1]];
    if (steps_back) found.groups.emplace_back();
    found.groups.back().push_back(listing[i]);
  }
  return found;
}

}  // namespace rankveil::probe

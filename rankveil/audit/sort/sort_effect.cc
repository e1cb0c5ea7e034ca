#include "rankveil/audit/sort/sort_effect.h"

#include <fmt/core.h>

#include <algorithm>
#include <optional>
#include <set>
#include <utility>

#include "rankveil/base/format.h"
#include "rankveil/base/random.h"

namespace rankveil::audit {

namespace {

constexpr std::uint32_t deals = 1999;
constexpr std::uint32_t max_rows_dealt = 2000;
constexpr double order_error_rate = 0.001;

// By row, from -1/2 to 1/2; rows that the list leaves out share its end.
std::vector<double> list_places(const OrderedRows& list, std::uint32_t rows) {
  std::vector<double> places(rows, static_cast<double>(list.size()));
  for (std::size_t i = 0; i < list.size(); ++i) {
    if (list[i] < rows) places[list[i]] = static_cast<double>(i);
  }
  double sum = 0;
  for (double place : places) sum += place;
  for (double& place : places) place = (place - sum / rows) / rows;
  return places;
}

// Rows that have a value.
struct ListPlaces {
  std::vector<std::uint32_t> values;
  std::vector<double> up, down;
};

double turned_by(const ListPlaces& places, std::uint32_t domain) {
  std::vector<double> up(domain), down(domain), rows(domain);
  for (std::size_t i = 0; i < places.values.size(); ++i) {
    up[places.values[i]] += places.up[i];
    down[places.values[i]] += places.down[i];
    rows[places.values[i]] += 1;
  }
  double sum = 0;
  for (std::size_t v = 0; v < domain; ++v) sum += rows[v] > 0 ? up[v] * down[v] / rows[v] : 0;
  return -sum;
}

double chance_of(ListPlaces places, std::uint32_t domain, std::uint64_t seed) {
  constexpr double rounding = 1e-9;
  const double seen = turned_by(places, domain);
  Rng rng(seed ^ 0x50e7);
  std::uint32_t as_far = 0;
  for (std::uint32_t deal = 0; deal < deals; ++deal) {
    for (std::size_t i = places.values.size(); i > 1; --i) {
      std::swap(places.values[i - 1], places.values[rng.below(i)]);
    }
    if (turned_by(places, domain) >= seen - rounding) ++as_far;
  }
  return (as_far + 1.0) / (deals + 1.0);
}

// The share of neighbours in the list that have the same value.
double alike_neighbours(const Column& column, const OrderedRows& list) {
  double same = 0, pairs = 0;
  for (std::size_t i = 1; i < list.size(); ++i) {
    if (list[i - 1] >= column.size() || list[i] >= column.size()) continue;
    pairs += 1;
    same += column.value(RowId{list[i - 1]}) == column.value(RowId{list[i]}) ? 1 : 0;
  }
  return pairs > 0 ? same / pairs : 0;
}

double alike_by_chance(const Column& column) {
  std::vector<double> counts(column.domain_size() + std::size_t{1});
  for (std::uint32_t row = 0; row < column.size(); ++row) {
    ValueId value = column.value(RowId{row});
    counts[value == missing_value ? column.domain_size() : +value] += 1;
  }
  double alike = 0;
  for (double count : counts) alike += count * (count - 1);
  auto rows = static_cast<double>(column.size());
  return rows > 1 ? alike / rows / (rows - 1) : 0;
}

std::string order_note(const Effect& effect) {
  switch (effect.acts) {
    case Acts::Rises:
      return fmt::format(
          "the order follows {}: {:.1f}% of neighbours in the list have the same value, and "
          "{:.1f}% "
          "of rows drawn by lot",
          effect.attribute, 100 * effect.share, 100 * effect.elsewhere);
    case Acts::Still:
      return fmt::format(
          "nothing moves when the order by {} is turned: both directions have the same list; is "
          "the "
          "parameter spelt as the service spells it, and does nothing override it?",
          effect.attribute);
    case Acts::Otherwise:
      return fmt::format(
          "the order does not follow {} more than by chance: {:.1f}% of neighbours in the list "
          "have "
          "the same value, and {:.1f}% of rows drawn by lot; the target does not sort by it, or "
          "hides it so well that this cannot tell",
          effect.attribute, 100 * effect.share, 100 * effect.elsewhere);
    case Acts::Unasked:
      return fmt::format("{} has one value only, so that every order is one by it",
                         effect.attribute);
    case Acts::Blind:
      return fmt::format(
          "the audit is blind: lists ordered by {} have no rows; does the service "
          "throttle? set a rate in the target's file",
          effect.attribute);
    case Acts::Refused:
      break;
  }
  return {};
}

bool has_empty(const std::vector<OrderedRows>& lists) {
  return std::ranges::any_of(lists, &OrderedRows::empty);
}

// Rows in either list, in their own order: all of the table's, or where lists are read to row k
// those about which they say something.
std::vector<std::uint32_t> rows_in(const SortLists& lists, std::uint32_t rows) {
  std::set<std::uint32_t> in;
  for (const OrderedRows* list : {&lists.up.front(), &lists.down.front()}) {
    for (std::uint32_t row : *list) {
      if (row < rows) in.insert(row);
    }
  }
  return {in.begin(), in.end()};
}

bool has_two_values(const Column& column) {
  std::optional<ValueId> first;
  for (std::uint32_t row = 0; row < column.size(); ++row) {
    const ValueId value = column.value(RowId{row});
    if (value == missing_value) continue;
    if (first && *first != value) return true;
    first = value;
  }
  return false;
}

ListPlaces places_in_lists(const Table& truth, AttributeId attribute, const SortLists& lists) {
  std::vector<double> up = list_places(lists.up.front(), truth.rows());
  std::vector<double> down = list_places(lists.down.front(), truth.rows());
  ListPlaces places;
  const std::vector<std::uint32_t> rows = rows_in(lists, truth.rows());
  const std::size_t step = 1 + rows.size() / max_rows_dealt;
  for (std::size_t i = 0; i < rows.size(); i += step) {
    const std::uint32_t row = rows[i];
    ValueId value = truth.value(RowId{row}, attribute);
    if (value == missing_value) continue;  // last in both directions, as a rule
    places.values.push_back(+value);
    places.up.push_back(up[row]);
    places.down.push_back(down[row]);
  }
  return places;
}

}  // namespace

Effect effect_of_order(const Table& truth, AttributeId attribute, const SortLists& lists,
                       std::uint64_t seed) {
  const Column& column = truth.column(attribute);
  Effect effect{.attribute = truth.schema()[attribute].name};
  effect.questions = lists.up.size() + lists.down.size();
  effect.elsewhere = alike_by_chance(column);
  if (!lists.doubt.empty()) {
    effect.acts = Acts::Blind;
    effect.note = lists.doubt;
    return effect;
  }
  effect.share = alike_neighbours(column, lists.up.front());
  if (has_empty(lists.up) || has_empty(lists.down)) {
    effect.acts = Acts::Blind;
  } else if (!has_two_values(column)) {
    effect.acts = Acts::Unasked;
  } else if (lists.up == lists.down) {
    effect.acts = Acts::Still;
  } else {
    effect.chance = chance_of(places_in_lists(truth, attribute, lists), column.domain_size(), seed);
    effect.acts = effect.chance <= order_error_rate ? Acts::Rises : Acts::Otherwise;
  }
  effect.note = order_note(effect);
  return effect;
}

}  // namespace rankveil::audit

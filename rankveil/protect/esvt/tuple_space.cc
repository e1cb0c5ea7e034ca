#include "rankveil/protect/esvt/tuple_space.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace rankveil {

namespace {

// The table of products stays below 256 MB even with 128-bit numbers.
constexpr std::uint32_t max_columns = 4096;
// Measured: wider groups make the bound sharper, but cost more than they save.
constexpr std::uint32_t max_lanes_of_two = 256;
constexpr std::uint32_t max_lanes_of_more = 16;

// How many lanes the group may have once an attribute is added.
std::uint32_t max_lanes(const TupleGroup& group) {
  return group.last_place - group.first_place == 1 ? max_lanes_of_two : max_lanes_of_more;
}

std::uint64_t times_asked(const QueryView& view, const std::vector<std::uint32_t>& queries) {
  std::uint64_t times = 0;
  for (std::uint32_t query : queries) times += view.counts[query];
  return times;
}

// How much depends on the attribute: large when few values are asked for often.
double concentration(const QueryView& view, const AttributeView& attribute) {
  double sum = 0;
  for (const auto& queries : attribute.asked_by) {
    auto norm =
        static_cast<double>(attribute.weight) * static_cast<double>(times_asked(view, queries));
    sum += norm * norm;
  }
  return sum;
}

// The classes that are asked for least, in the order of the view.
std::vector<std::uint16_t> least_asked(const QueryView& view, const AttributeView& attribute,
                                       std::uint32_t most) {
  std::vector<std::uint16_t> classes(attribute.asked_by.size());
  std::iota(classes.begin(), classes.end(), std::uint16_t{0});
  if (classes.size() <= most) return classes;
  std::stable_sort(classes.begin(), classes.end(), [&](std::uint16_t a, std::uint16_t b) {
    return times_asked(view, attribute.asked_by[a]) < times_asked(view, attribute.asked_by[b]);
  });
  classes.resize(most);
  std::sort(classes.begin(), classes.end());
  return classes;
}

}  // namespace

TupleOrder order_attributes(const QueryView& view, std::uint32_t fewest) {
  auto count = static_cast<std::uint32_t>(view.attributes.size());
  std::vector<double> weight;
  weight.reserve(count);
  for (const AttributeView& attribute : view.attributes) {
    weight.push_back(concentration(view, attribute));
  }
  TupleOrder order;
  order.attributes.resize(count);
  std::iota(order.attributes.begin(), order.attributes.end(), 0U);
  std::stable_sort(order.attributes.begin(), order.attributes.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return weight[a] > weight[b]; });
  order.first = {0};
  std::uint32_t most = std::max(fewest, max_columns / std::max(1U, count));
  for (std::uint32_t j : order.attributes) {
    const AttributeView& attribute = view.attributes[j];
    auto classes = least_asked(view, attribute, most);
    order.cut = order.cut || classes.size() < attribute.values.size();
    auto& columns = order.column_of.emplace_back(attribute.values.size(), TupleOrder::no_column);
    for (std::uint16_t number : classes) {
      columns[number] = static_cast<std::uint32_t>(order.class_at.size());
      order.class_at.push_back(number);
    }
    order.first.push_back(static_cast<std::uint32_t>(order.class_at.size()));
  }
  return order;
}

std::vector<TupleGroup> group_attributes(const TupleOrder& order) {
  std::vector<TupleGroup> groups;
  for (std::uint32_t place = 0; place < order.places(); ++place) {
    std::uint32_t classes = order.first[place + 1] - order.first[place];
    if (!groups.empty() && groups.back().lanes * classes <= max_lanes(groups.back())) {
      groups.back().lanes *= classes;
      ++groups.back().last_place;
    } else {
      groups.push_back({place, place + 1, classes});
    }
  }
  return groups;
}

std::uint32_t column_in_lane(const TupleOrder& order, const TupleGroup& group, std::uint32_t place,
                             std::uint32_t lane) {
  for (std::uint32_t later = group.last_place - 1; later > place; --later) {
    lane /= order.first[later + 1] - order.first[later];
  }
  return order.first[place] + lane % (order.first[place + 1] - order.first[place]);
}

double largest_objective(const QueryView& view) {
  std::vector<double> weights(view.queries(), 0);
  for (const AttributeView& attribute : view.attributes) {
    std::vector<bool> asked(view.queries(), false);
    for (const auto& queries : attribute.asked_by) {
      for (std::uint32_t query : queries) asked[query] = true;
    }
    for (std::uint32_t query = 0; query < view.queries(); ++query) {
      if (asked[query]) weights[query] += static_cast<double>(attribute.weight);
    }
  }
  double sum = 0;
  for (std::uint32_t query = 0; query < view.queries(); ++query) {
    sum += static_cast<double>(view.counts[query]) * weights[query] * weights[query];
  }
  return sum;
}

template <typename Number>
TupleTables<Number> make_tables(const QueryView& view, const TupleOrder& order) {
  TupleTables<Number> tables;
  std::size_t columns = order.columns();
  for (std::uint64_t count : view.counts) tables.counts.push_back(static_cast<Number>(count));
  tables.norm.assign(columns, 0);
  tables.asks.assign(columns * view.queries(), 0);
  tables.twice.assign(columns * columns, 0);
  std::vector<std::vector<std::pair<std::uint32_t, Number>>> asked(view.queries());
  for (std::uint32_t place = 0; place < order.places(); ++place) {
    const AttributeView& attribute = view.attributes[order.attributes[place]];
    auto weight = static_cast<Number>(attribute.weight);
    for (std::uint32_t column = order.first[place]; column < order.first[place + 1]; ++column) {
      for (std::uint32_t query : attribute.asked_by[order.class_at[column]]) {
        tables.norm[column] += tables.counts[query] * weight * weight;
        tables.asks[query * columns + column] = 2 * tables.counts[query] * weight;
        asked[query].emplace_back(column, weight);
      }
    }
  }
  for (std::uint32_t query = 0; query < view.queries(); ++query) {
    for (const auto& [left, left_weight] : asked[query]) {
      for (const auto& [right, right_weight] : asked[query]) {
        tables.twice[left * columns + right] +=
            2 * tables.counts[query] * left_weight * right_weight;
      }
    }
  }
  return tables;
}

template TupleTables<std::int32_t> make_tables(const QueryView&, const TupleOrder&);
template TupleTables<std::int64_t> make_tables(const QueryView&, const TupleOrder&);
template TupleTables<__int128> make_tables(const QueryView&, const TupleOrder&);

}  // namespace rankveil

#include "rankveil/ranking/asking/value_scale.h"

#include <algorithm>
#include <numeric>
#include <optional>

#include "rankveil/table/building/binning.h"
#include "rankveil/table/number_text.h"

namespace rankveil {

namespace {

std::vector<double> middles(const std::vector<double>& edges) {
  std::vector<double> at = {edges.front()};
  for (std::size_t i = 1; i < edges.size(); ++i) at.push_back(edges[i - 1] / 2 + edges[i] / 2);
  at.push_back(edges.back());
  return at;
}

std::optional<std::vector<double>> numbers_of(const Domain& domain) {
  std::vector<double> numbers;
  for (const std::string& text : domain.values()) {
    auto number = number_from_text(text);
    if (!number) return {};
    numbers.push_back(*number);
  }
  return numbers;
}

std::vector<std::uint32_t> places_by(const std::vector<double>& at) {
  std::vector<std::uint32_t> order(at.size());
  std::iota(order.begin(), order.end(), 0);
  std::ranges::stable_sort(order, {}, [&](std::uint32_t value) { return at[value]; });
  std::vector<std::uint32_t> place(at.size());
  for (std::uint32_t i = 0; i < order.size(); ++i) place[order[i]] = i + 1;
  return place;
}

}  // namespace

ValueScale ValueScale::of(const Domain& domain) {
  ValueScale scale;
  if (auto edges = labelled_edges(domain.values())) {
    scale.kind = Kind::Bins;
    scale.edges = std::move(*edges);
    scale.at = middles(scale.edges);
    // Bins that meet in one edge stand at the same number, but in their order.
    scale.place.resize(scale.at.size());
    std::iota(scale.place.begin(), scale.place.end(), 1);
    return scale;
  }
  if (auto numbers = numbers_of(domain)) {
    scale.kind = Kind::Numbers;
    scale.at = std::move(*numbers);
  } else {
    bool natural = std::ranges::is_sorted(domain.values(), natural_order);
    scale.kind = natural ? Kind::Unordered : Kind::Places;
    scale.at.resize(domain.size());
    std::iota(scale.at.begin(), scale.at.end(), 0);
  }
  scale.place = places_by(scale.at);
  return scale;
}

double ValueScale::quarter_span() const {
  if (at.empty()) return 0;
  auto [low, high] = std::ranges::minmax_element(at);
  return *high / 4 - *low / 4;
}

}  // namespace rankveil

#include "rankveil/protect/swap/fitted/features.h"

#include <algorithm>

#include "rankveil/table/number_text.h"

namespace rankveil::fitted {

Codes::Codes(const Column& column) {
  if (column.is_narrow()) narrow_ = column.narrow().data();
  if (!column.is_narrow()) wide_ = column.wide().data();
}

bool has_order(const Domain& domain) {
  if (domain.size() < 3) return false;
  const auto& values = domain.values();
  bool bins = values.front().starts_with('<') && values.back().starts_with(">=");
  return bins || std::all_of(values.begin(), values.end(), [](const std::string& text) {
           return number_from_text(text).has_value();
         });
}

namespace {

// Neighbours are joined until enough rows have one of them; what is left at the end joins the last.
void join_neighbours(const std::vector<std::uint32_t>& counts, std::uint32_t values,
                     FeatureMap& map) {
  std::uint32_t so_far = 0;
  for (std::uint32_t v = 0; v < values; ++v) {
    map.of_code[v] = static_cast<std::uint16_t>(map.ordered);
    so_far += counts[v];
    if (so_far < min_support) continue;
    ++map.ordered;
    so_far = 0;
  }
  if (map.ordered == 0) {
    std::fill_n(map.of_code.begin(), values, no_feature);
    return;
  }
  for (std::uint32_t v = 0; v < values; ++v) {
    map.of_code[v] = std::min(map.of_code[v], static_cast<std::uint16_t>(map.ordered - 1));
  }
}

}  // namespace

FeatureMap feature_map(const Codes& codes, const Domain& domain,
                       std::span<const std::uint32_t> rows) {
  std::vector<std::uint32_t> counts(domain.size() + 1, 0);
  for (std::uint32_t row : rows) ++counts[codes[row]];
  FeatureMap map;
  map.of_code.assign(counts.size(), no_feature);
  bool ordered = has_order(domain);
  if (ordered) join_neighbours(counts, domain.size(), map);
  map.features = map.ordered;
  for (std::uint32_t code = ordered ? domain.size() : 0; code < counts.size(); ++code) {
    if (counts[code] >= min_support) {
      map.of_code[code] = static_cast<std::uint16_t>(map.features++);
    }
  }
  return map;
}

FeatureColumn feature_column(const Codes& codes, const FeatureMap& map,
                             std::span<const std::uint32_t> rows) {
  FeatureColumn column{map.features, map.ordered, {}};
  column.of_row.reserve(rows.size());
  for (std::uint32_t row : rows) column.of_row.push_back(map[codes[row]]);
  return column;
}

}  // namespace rankveil::fitted

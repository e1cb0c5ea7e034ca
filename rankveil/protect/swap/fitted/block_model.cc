#include "rankveil/protect/swap/fitted/block_model.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/protect/swap/fitted/acceptance.h"

namespace rankveil::fitted {

ValueClasses value_classes(std::span<const std::uint16_t> codes, std::uint32_t domain_size) {
  std::vector<std::uint32_t> counts(domain_size + 1, 0);
  for (std::uint16_t code : codes) ++counts[code];
  std::vector<std::uint32_t> common;
  for (std::uint32_t code = 0; code < counts.size(); ++code) {
    if (counts[code] >= min_value_rows) common.push_back(code);
  }
  std::stable_sort(common.begin(), common.end(),
                   [&](std::uint32_t a, std::uint32_t b) { return counts[a] > counts[b]; });
  if (common.size() > max_value_classes) common.resize(max_value_classes);
  std::sort(common.begin(), common.end());
  ValueClasses classes;
  auto rare = static_cast<std::uint16_t>(common.size());
  classes.of_code.assign(counts.size(), rare);
  std::size_t rows = 0;
  for (std::uint16_t i = 0; i < rare; ++i) {
    classes.of_code[common[i]] = i;
    rows += counts[common[i]];
  }
  classes.fitted = rare + (rows < codes.size() ? 1U : 0U);
  return classes;
}

Sight::Sight(std::vector<std::uint32_t> first_rows, std::vector<std::uint32_t> all_rows)
    : first_rows_(std::move(first_rows)), all_rows_(std::move(all_rows)) {}

void Sight::add(const Codes& codes, const Domain& domain) {
  codes_.push_back(codes);
  maps_.push_back(feature_map(codes, domain, rows(true)));
  of_first_.push_back(feature_column(codes, maps_.back(), first_rows_));
  if (has_histories()) of_all_.push_back(feature_column(codes, maps_.back(), all_rows_));
}

std::uint32_t BlockModel::width() const {
  std::uint32_t all = 0;
  for (const AttributeModel& attribute : attributes) all += attribute.width;
  return all;
}

namespace {

std::int16_t whole_score(double logarithm) {
  double score = std::floor(logarithm * score_unit + 0.5);
  return static_cast<std::int16_t>(
      std::clamp(score, -double{largest_score}, double{largest_score}));
}

}  // namespace

// Intercepts, and what a model makes of a block's other attributes, cancel in exchanges.
void BlockModel::score(const Sight& sight, std::uint32_t row, std::int16_t* out) const {
  double sums[max_value_classes + 1];
  for (const AttributeModel& attribute : attributes) {
    std::uint32_t classes = attribute.model.classes();
    std::fill_n(sums, attribute.width, 0);
    for (std::uint32_t c = 0; c < columns; ++c) {
      std::uint16_t feature = sight.feature(c, row);
      if (feature == no_feature) continue;
      const double* weights = attribute.model.weights(c, feature).data();
      for (std::uint32_t k = 0; k < classes; ++k) sums[k] += weights[k];
    }
    for (std::uint32_t k = 0; k < attribute.width; ++k) *out++ = whole_score(sums[k]);
  }
}

namespace {

// The classes of another attribute of the block, as features.
FeatureColumn column_of_classes(const ValueClasses& classes,
                                const std::vector<std::uint16_t>& codes) {
  FeatureColumn column{classes.fitted, 0, {}};
  column.of_row.reserve(codes.size());
  for (std::uint16_t code : codes) column.of_row.push_back(classes.of_code[code]);
  return column;
}

}  // namespace

BlockModel fit_block(const Sight& sight, const Block& block,
                     const std::vector<std::vector<std::uint16_t>>& own,
                     const std::vector<const Domain*>& domains, std::uint32_t threads) {
  BlockModel made;
  made.columns = sight.columns();
  std::vector<FeatureColumn> classes_of_rows;
  for (std::size_t j = 0; j < own.size(); ++j) {
    AttributeModel& attribute = made.attributes.emplace_back();
    attribute.classes = value_classes(own[j], domains[j]->size());
    const auto& of_code = attribute.classes.of_code;
    attribute.width = of_code.empty() ? 0 : *std::max_element(of_code.begin(), of_code.end()) + 1U;
    classes_of_rows.push_back(column_of_classes(attribute.classes, own[j]));
  }
  for (std::size_t j = 0; j < own.size(); ++j) {
    AttributeModel& attribute = made.attributes[j];
    if (attribute.classes.fitted == 0) continue;
    std::vector<FeatureColumn> columns = sight.features(block.varies);
    for (std::size_t other = 0; other < own.size(); ++other) {
      if (other != j) columns.push_back(classes_of_rows[other]);
    }
    attribute.model = fit_multinomial(columns, classes_of_rows[j].of_row, attribute.classes.fitted,
                                      {.ridge = fit_ridge, .threads = threads});
  }
  return made;
}

}  // namespace rankveil::fitted

#include "rankveil/base/fit/one_hot_rows.h"

#include <algorithm>
#include <cassert>

namespace rankveil::fit {

namespace {

// Finds equal rows: open addressing over numbers of rows.
class SeenRows {
 public:
  SeenRows(OneHotRows& rows, std::size_t most) : rows_(rows) {
    std::size_t size = 16;
    while (size < 2 * most) size *= 2;
    places_.assign(size, empty);
  }

  void add(const std::vector<std::uint32_t>& features, std::uint16_t label) {
    std::size_t at = hash_of(features, label) & (places_.size() - 1);
    while (places_[at] != empty && !is(places_[at], features, label)) {
      at = (at + 1) & (places_.size() - 1);
    }
    if (places_[at] == empty) {
      places_[at] = static_cast<std::uint32_t>(rows_.rows());
      rows_.feature.insert(rows_.feature.end(), features.begin(), features.end());
      rows_.labels.push_back(label);
      rows_.weights.push_back(0);
    }
    rows_.weights[places_[at]] += 1;
  }

 private:
  static constexpr std::uint32_t empty = UINT32_MAX;

  static std::uint64_t hash_of(const std::vector<std::uint32_t>& features, std::uint16_t label) {
    std::uint64_t hash = label + 1;
    for (std::uint32_t feature : features) {
      hash = (hash ^ feature) * 0x9e3779b97f4a7c15U;
      hash ^= hash >> 32;
    }
    return hash;
  }

  bool is(std::uint32_t row, const std::vector<std::uint32_t>& features,
          std::uint16_t label) const {
    return rows_.labels[row] == label &&
           std::equal(features.begin(), features.end(), rows_.row(row));
  }

  OneHotRows& rows_;
  std::vector<std::uint32_t> places_;
};

}  // namespace

OneHotRows one_hot_rows(std::span<const FeatureColumn> columns,
                        std::span<const std::uint16_t> labels) {
  OneHotRows rows;
  rows.columns = static_cast<std::uint32_t>(columns.size());
  for (const FeatureColumn& column : columns) {
    assert(column.of_row.size() == labels.size() && "every row has a place in every column");
    rows.first.push_back(rows.features);
    rows.of_column.push_back(column.features);
    rows.ordered.push_back(column.ordered);
    rows.features += column.features;
  }
  SeenRows seen(rows, labels.size());
  std::vector<std::uint32_t> features(columns.size());
  for (std::size_t r = 0; r < labels.size(); ++r) {
    for (std::size_t c = 0; c < columns.size(); ++c) {
      std::uint16_t own = columns[c].of_row[r];
      features[c] = own == no_feature ? rows.none() : rows.first[c] + own;
    }
    seen.add(features, labels[r]);
  }
  rows.total = static_cast<double>(labels.size());
  return rows;
}

OneHotRows thinned(const OneHotRows& rows, std::size_t step) {
  OneHotRows made{
      rows.columns, rows.features, rows.first, rows.of_column, rows.ordered, {}, {}, {}};
  for (std::size_t r = 0; r < rows.rows(); r += step) {
    made.feature.insert(made.feature.end(), rows.row(r), rows.row(r) + rows.columns);
    made.labels.push_back(rows.labels[r]);
    made.weights.push_back(rows.weights[r]);
    made.total += rows.weights[r];
  }
  return made;
}

}  // namespace rankveil::fit

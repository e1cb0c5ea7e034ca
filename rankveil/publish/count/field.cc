#include "rankveil/publish/count/field.h"

#include <algorithm>
#include <cassert>
#include <numeric>

namespace rankveil::publish {

namespace {

std::vector<double> distinct_values(const std::vector<double>& column, std::span<const Row> rows) {
  std::vector<double> values;
  values.reserve(rows.size());
  for (Row row : rows) values.push_back(column[row]);
  std::sort(values.begin(), values.end());
  values.erase(std::unique(values.begin(), values.end()), values.end());
  return values;
}

// REQUIRES: the value lies between the first and the last.
std::uint32_t place_of(const std::vector<double>& values, double value) {
  auto at = std::lower_bound(values.begin(), values.end(), value);
  auto rank = static_cast<std::uint32_t>(at - values.begin());
  return *at == value ? 2 * rank : 2 * rank - 1;
}

// Rows of [0, n) inside the box and not among `without`, dimension by dimension: the first one is
// read in full and leaves few for the others.
std::vector<Row> rows_inside(const Points& points, const Box& box, std::span<const Row> without) {
  std::vector<Row> inside;
  inside.resize(points.rows());
  std::size_t kept = 0;
  const double* first = points.columns[0].data();
  for (Row row = 0; row < points.rows(); ++row) {
    inside[kept] = row;
    kept += (first[row] >= box.low[0] && first[row] <= box.high[0]) ? 1 : 0;
  }
  inside.resize(kept);
  for (std::size_t d = 1; d < points.dimensions(); ++d) {
    const double* column = points.columns[d].data();
    kept = 0;
    for (Row row : inside) {
      inside[kept] = row;
      kept += (column[row] >= box.low[d] && column[row] <= box.high[d]) ? 1 : 0;
    }
    inside.resize(kept);
  }
  std::vector<Row> sorted(without.begin(), without.end());
  std::sort(sorted.begin(), sorted.end());
  std::vector<Row> others;
  std::set_difference(inside.begin(), inside.end(), sorted.begin(), sorted.end(),
                      std::back_inserter(others));
  return others;
}

}  // namespace

Field::Field(const Points& points, std::span<const Row> positives, std::span<const Row> others) {
  assert(!positives.empty() && "a field is drawn around true positives");
  positives_ = static_cast<std::uint32_t>(positives.size());
  others_begin_ = (positives_ + 63) / 64 * 64;
  rows_.assign(positives.begin(), positives.end());
  rows_.resize(others_begin_);
  Box recall = box_around(points, positives);
  for (Row row : others) {
    if (recall.holds(points, row)) rows_.push_back(row);
  }
  left_.assign(rows_.size(), 1);
  std::fill(left_.begin() + positives_, left_.begin() + others_begin_, std::uint8_t{0});
  positives_left_ = positives_;
  for (const auto& column : points.columns) values_.push_back(distinct_values(column, positives));
  place_points(points);
}

Field Field::of_table(const Points& points, std::span<const Row> positives) {
  return Field(points, positives, rows_inside(points, box_around(points, positives), positives));
}

void Field::place_points(const Points& points) {
  places_.resize(dimensions());
  by_place_.resize(dimensions());
  starts_.resize(dimensions());
  for (std::size_t d = 0; d < dimensions(); ++d) {
    places_[d].assign(size(), 0);
    for (Point point = 0; point < size(); ++point) {
      if (is_left(point)) places_[d][point] = place_of(values_[d], points.columns[d][rows_[point]]);
    }
    sort_by_place(d);
  }
}

// Counting sort. Gaps between the two parts are left out.
void Field::sort_by_place(std::size_t dimension) {
  auto& starts = starts_[dimension];
  const auto& places = places_[dimension];
  starts.assign(2 * values_[dimension].size() + 1, 0);
  for (Point point = 0; point < size(); ++point) {
    if (is_left(point)) ++starts[places[point] + 1];
  }
  std::partial_sum(starts.begin(), starts.end(), starts.begin());
  by_place_[dimension].resize(starts.back());
  std::vector<std::uint32_t> next(starts.begin(), starts.end() - 1);
  for (Point point = 0; point < size(); ++point) {
    if (is_left(point)) by_place_[dimension][next[places[point]]++] = point;
  }
}

std::span<const Point> Field::between(std::size_t dimension, std::uint32_t first,
                                      std::uint32_t last) const {
  const auto& starts = starts_[dimension];
  return std::span(by_place_[dimension]).subspan(starts[first], starts[last] - starts[first]);
}

std::vector<Point> Field::left_positives() const {
  std::vector<Point> left;
  left.reserve(positives_left_);
  for (Point point = 0; point < positives_; ++point) {
    if (is_left(point)) left.push_back(point);
  }
  return left;
}

void Field::remove(Point point) {
  if (!is_left(point)) return;
  left_[point] = 0;
  if (point < positives_) --positives_left_;
}

bool Field::holds(const Edges& edges, Point point) const {
  for (std::size_t d = 0; d < dimensions(); ++d) {
    std::uint32_t at = places_[d][point];
    if (at < 2 * edges.low[d] || at > 2 * edges.high[d]) return false;
  }
  return true;
}

Counts Field::count(const Edges& edges) const {
  Counts counts;
  for (Point point = 0; point < size(); ++point) {
    if (!is_left(point) || !holds(edges, point)) continue;
    ++counts.members;
    if (point < positives_) ++counts.positives;
  }
  return counts;
}

Edges Field::edges_around(std::span<const Point> positives) const {
  assert(!positives.empty() && "a box is drawn around something");
  Edges edges;
  for (std::size_t d = 0; d < dimensions(); ++d) {
    edges.low[d] = edges.high[d] = rank(d, positives.front());
  }
  for (Point positive : positives) stretch(edges, positive);
  return edges;
}

void Field::stretch(Edges& edges, Point positive) const {
  for (std::size_t d = 0; d < dimensions(); ++d) {
    std::uint32_t at = rank(d, positive);
    edges.low[d] = std::min(edges.low[d], at);
    edges.high[d] = std::max(edges.high[d], at);
  }
}

Box Field::box(const Edges& edges) const {
  Box box;
  for (std::size_t d = 0; d < dimensions(); ++d) {
    box.low.push_back(values_[d][edges.low[d]]);
    box.high.push_back(values_[d][edges.high[d]]);
  }
  return box;
}

}  // namespace rankveil::publish

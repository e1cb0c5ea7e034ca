// The part of a table that matters while groups are formed: the true positives that are left, and
// the rows inside the box around them.
//
// Every box that a method draws has its edges at values of true positives, so values are replaced
// by places: in each dimension, a point that equals the r-th distinct value of true positives is at
// place 2r, one between the r-th and the next at 2r + 1. Rows outside the box around all true
// positives are in no box, and are not here.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <vector>

#include "rankveil/publish/points.h"

namespace rankveil::publish {

// A point of the field. True positives come first, best first; then, from `others_begin` on, the
// rest. Numbers in between are no points, so that both parts begin at a word of a bitmap.
using Point = std::uint32_t;

// A box by ranks: from the low-th to the high-th distinct value in each dimension. Only the first
// dimensions() entries mean something.
struct Edges {
  std::array<std::uint32_t, most_dimensions> low = {};
  std::array<std::uint32_t, most_dimensions> high = {};
};

// What lies inside a box.
struct Counts {
  std::uint32_t positives = 0;
  std::uint32_t members = 0;

  double precision() const {
    return members == 0 ? 0 : static_cast<double>(positives) / static_cast<double>(members);
  }
  // Positives less false positives.
  std::int64_t balance() const {
    return 2 * static_cast<std::int64_t>(positives) - static_cast<std::int64_t>(members);
  }
  bool operator==(const Counts&) const = default;
};

class Field {
 public:
  // `positives` best first; `others` are rows that may lie anywhere. REQUIRES: at least one
  // positive.
  Field(const Points& points, std::span<const Row> positives, std::span<const Row> others);
  // Of all rows of the table, `positives` aside.
  static Field of_table(const Points& points, std::span<const Row> positives);

  std::size_t dimensions() const { return values_.size(); }
  std::uint32_t positives() const { return positives_; }
  std::uint32_t others_begin() const { return others_begin_; }
  std::uint32_t size() const { return static_cast<std::uint32_t>(rows_.size()); }
  Row row(Point point) const { return rows_[point]; }
  std::uint32_t place(std::size_t dimension, Point point) const {
    return places_[dimension][point];
  }
  // Of a true positive.
  std::uint32_t rank(std::size_t dimension, Point point) const {
    return places_[dimension][point] / 2;
  }
  std::uint32_t distinct(std::size_t dimension) const {
    return static_cast<std::uint32_t>(values_[dimension].size());
  }
  // Points whose place in the dimension is in [first, last), in no order.
  std::span<const Point> between(std::size_t dimension, std::uint32_t first,
                                 std::uint32_t last) const;

  // Points leave the field when they are published.
  bool is_left(Point point) const { return left_[point] != 0; }
  std::uint32_t positives_left() const { return positives_left_; }
  // True positives that are left, best first.
  std::vector<Point> left_positives() const;
  void remove(Point point);

  bool holds(const Edges& edges, Point point) const;
  // Points inside the box that are left, one by one; for many boxes see counter.h.
  Counts count(const Edges& edges) const;
  // The smallest box around some true positives. REQUIRES: at least one.
  Edges edges_around(std::span<const Point> positives) const;
  // Makes the box hold a true positive.
  void stretch(Edges& edges, Point positive) const;
  Box box(const Edges& edges) const;

 private:
  void place_points(const Points& points);
  void sort_by_place(std::size_t dimension);

  std::uint32_t positives_ = 0;
  std::uint32_t others_begin_ = 0;
  std::vector<Row> rows_;
  std::vector<std::vector<double>> values_;         // distinct ones of true positives, ascending
  std::vector<std::vector<std::uint32_t>> places_;  // by dimension and point
  std::vector<std::vector<Point>> by_place_;
  std::vector<std::vector<std::uint32_t>> starts_;  // of each place in by_place_
  std::vector<std::uint8_t> left_;
  std::uint32_t positives_left_ = 0;
};

}  // namespace rankveil::publish

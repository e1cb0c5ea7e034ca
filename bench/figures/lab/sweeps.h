// The points that both papers compare: sizes of the workload and of the table, numbers of
// attributes, weights of public attributes.
#pragma once

#include <vector>

#include "bench/figures/lab/lab.h"

namespace rankveil::figures {

std::vector<Point> workload_points(const Bed& bed);  // 1, 5, 10 and 20 queries
std::vector<Point> row_points(const Bed& bed);       // one, two and three thirds of the rows
std::vector<Point> public_points(const Bed& bed);    // private attributes as usual
std::vector<Point> private_points(const Bed& bed);   // public attributes as usual
std::vector<Point> weight_points(const Bed& bed);    // public weights 1, 2 and 3

// Two figures that differ in the scheme: the same points for each.
struct Twins {
  Figure first;
  Figure second;
  std::string first_scheme;
  std::string second_scheme;
};
// What a figure expects of a series.
struct Expectation {
  std::string claim;
  Finding (*check)(const Series& series);
};

// Draws one series per scheme and bed, called `name`, and judges it. No check: the paper says
// nothing that could be checked.
struct TwinSweep {
  std::string name;
  std::vector<Point> (*points)(const Bed& bed);
  std::uint32_t k;
  std::vector<Expectation> first;
  std::vector<Expectation> second;
};
void draw_twins(Lab& lab, Twins& twins, const std::vector<TwinSweep>& sweeps);

}  // namespace rankveil::figures

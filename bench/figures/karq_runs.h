// Tables for the k-anonymous ranking query, and how its methods fare on them.
#pragma once

#include <functional>
#include <map>
#include <string>
#include <vector>

#include "bench/figures/lab/figure.h"
#include "rankveil/publish/groups.h"
#include "rankveil/publish/points.h"

namespace rankveil::figures {

inline const std::vector<std::uint32_t> karq_ks = {5, 10, 15, 20};

// Some tables of one kind: made up, or samples of a real one.
struct KarqBed {
  std::string name;
  std::string origin;
  std::vector<publish::Points> tables;
};

std::vector<KarqBed> made_up_beds(std::uint32_t tables);
// Samples of 5,000 rows without repeats, columns brought to 0..1 and added. What is not there
// becomes a note.
std::vector<KarqBed> real_beds(const std::string& folder, std::uint32_t tables,
                               std::vector<std::string>& notes);

// A method as figures call it.
struct KarqMethod {
  std::string name;
  publish::Demand demand = {};
  bool draws = false;  // run with several seeds
};
const std::vector<KarqMethod>& karq_methods();

// All runs of a method at one k.
struct KarqCell {
  double success = 0;    // runs that met both demands, as a share
  double seconds = 0;    // of a run, the median
  double positives = 0;  // true positives in the group, as a share of exact's, where exact has one
  std::uint64_t compared = 0;
  std::vector<double> by_table = {};  // success on each table, over seeds
  std::vector<double> times = {};     // of each run
  std::uint64_t gave_up = 0;          // exact: runs that ended early
};
// By method and k.
using KarqCells = std::map<std::pair<std::string, std::uint32_t>, KarqCell>;
KarqCells run_karq(const KarqBed& bed, std::uint32_t seeds);

// One value by k. Shares have their 95% interval (Wilson, over tables).
Series success_series(const KarqCells& cells, const std::string& method, std::size_t tables);
Series karq_series(const KarqCells& cells, const std::string& method,
                   const std::function<double(const KarqCell&)>& value);

}  // namespace rankveil::figures

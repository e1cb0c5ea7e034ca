// The private vectors of a table, and what it costs a ranking when a row matches their values.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/protect/task.h"

namespace rankveil::cover {

// Weight units times the number of queries that ask for a value, added up. Exact.
using Loss = std::int64_t;

struct Vectors {
  std::vector<const Column*> columns;  // one per private attribute
  std::vector<std::uint32_t> domains;
  std::vector<std::uint32_t> number;    // per row: equal for equal private vectors
  std::uint32_t count = 0;              // of different vectors
  std::vector<Loss> loss;               // per vector: what all its values cost together
  std::vector<std::vector<Loss>> cost;  // [attribute][value]; [domain size] is 0

  std::uint32_t attributes() const { return static_cast<std::uint32_t>(columns.size()); }
  std::uint32_t domain(std::uint32_t j) const { return domains[j]; }
  // The value's number, or the domain's size for a row without one.
  std::uint32_t code(std::uint32_t row, std::uint32_t j) const {
    return columns[j]->is_narrow() ? columns[j]->narrow()[row] : columns[j]->wide()[row];
  }
};

// Refuses workloads whose counts times weights do not fit.
Result<Vectors> vectors_of(const Task& task);

}  // namespace rankveil::cover

// What there is to know about a table before protecting it.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

struct ValueCount {
  std::string value;
  std::uint64_t rows;
};

struct AttributeSummary {
  std::string name;
  bool is_private;
  double weight;
  std::vector<ValueCount> values;  // in domain order, values nobody has included
  std::uint64_t missing;
  std::uint32_t largest_l;  // private: values of the domain, the most that can stay possible
};

// Groups of `least` to `most` rows, and the rows in them.
struct GroupSizeClass {
  std::uint64_t least;
  std::uint64_t most;  // of the last class: UINT64_MAX
  std::uint64_t groups;
  std::uint64_t rows;

  bool has_no_end() const { return most == UINT64_MAX; }
};

// Rows with the same public values form a group: the crowd a row can hide in.
struct GroupSummary {
  std::uint64_t groups;
  std::uint64_t smallest, median, largest;  // sizes; the larger of two middle ones
  std::uint64_t unique_rows;                // rows alone in their group: no ranking can hide them
  std::uint64_t rows_below_21;              // rows in groups too small to protect on their own
  std::vector<GroupSizeClass> sizes;        // small groups first; classes without a group left out
};

struct TableSummary {
  std::uint64_t rows;
  std::vector<AttributeSummary> attributes;
  GroupSummary public_groups;
  std::uint64_t repeated_rows;  // rows equal to an earlier row in every attribute
  std::uint64_t table_bytes;    // codes in memory
};

// Exact. A missing value is a value of its own when rows are compared. Cost: a few reads a cell and
// two hash table accesses a row; about a second for 3,000,000 x 20.
TableSummary summarize(const Table& table);

}  // namespace rankveil

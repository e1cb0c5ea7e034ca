// The table and the queries all contestants meet, made in memory from a seed.
//
// Twenty attributes (ten public, ten private) with small domains and independent Zipf(0.8) values:
// the worst case for pruning, so nobody wins by skipping rows. A query draws all its values from
// the same distributions.
#pragma once

#include <cstdint>
#include <memory>
#include <vector>

#include "rankveil/ranking/weights.h"

namespace rankveil::versus {

struct Table {
  std::uint32_t rows = 0;
  std::uint32_t public_count = 0;
  std::vector<std::uint32_t> domains;              // at most 16 values each
  std::vector<std::vector<std::uint8_t>> columns;  // one per attribute

  std::uint32_t attributes() const { return static_cast<std::uint32_t>(domains.size()); }
  std::uint32_t private_count() const { return attributes() - public_count; }
};

// What the ranking knows about private values.
enum class Kind {
  Exact,   // the row's own value
  Sets,    // two values, each matching in full
  Levels,  // two values, each matching by half; the same value twice matches in full
  Shown,   // a third of the shown value, two thirds of the share in the row's group
};

// How often each private value occurs in each group; rows and columns are both dense.
struct Groups {
  std::uint32_t count = 0;
  std::vector<std::uint32_t> of_row;
  std::vector<std::uint32_t> sizes;                      // at least 1
  std::vector<std::vector<std::uint32_t>> value_counts;  // [private][value * count + group]
};

struct Data {
  std::shared_ptr<const Table> table;
  Kind kind = Kind::Exact;
  std::vector<std::vector<std::uint8_t>> second;  // Sets, Levels: per private attribute
  Groups groups;                                  // Shown
};

// One wanted value per attribute, or `no_wish`.
inline constexpr int no_wish = -1;
struct Question {
  std::vector<int> wanted;
};

std::shared_ptr<const Table> make_table(std::uint32_t rows, std::uint64_t seed);
Data exact_data(std::shared_ptr<const Table> table);
Data set_data(std::shared_ptr<const Table> table, std::uint64_t seed);
Data level_data(std::shared_ptr<const Table> table, std::uint64_t seed);
Data shown_data(std::shared_ptr<const Table> table, std::uint32_t groups, std::uint64_t seed);

// `asked` of the attributes have a wish, spread evenly over public and private ones.
std::vector<Question> make_questions(const Table& table, std::size_t count, std::uint32_t asked,
                                     std::uint64_t seed);

Weights unit_weights(const Table& table);
Weights integer_weights(const Table& table, std::uint64_t seed);  // 1 to 7
Weights real_weights(const Table& table, std::uint64_t seed);     // 0.1 to 2, six decimals

}  // namespace rankveil::versus

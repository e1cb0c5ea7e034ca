// What somebody holds to be possible for a row before seeing its profile: the private vectors of
// rows like it, and how common they are.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil::audit {

// "No value" is one more value, with the domain's size as its code.
std::uint32_t code_of(const Table& table, RowId row, std::uint32_t private_attribute);

struct Prior {
  std::uint32_t width = 0;  // private attributes
  // [attribute]: the codes that occur, ascending. A code's place is where it stands here.
  std::vector<std::vector<std::uint32_t>> codes;
  std::vector<std::vector<double>> shares;  // [attribute][place]; sum 1
  std::vector<std::uint32_t> places;        // [vector][attribute]; different, ascending
  std::vector<std::uint32_t> counts;        // per vector: rows that have it
  std::vector<RowId> example;               // per vector: one of them
  std::vector<std::uint32_t> vector_of;     // per row that it was made of, in their order
  std::uint32_t rows = 0;

  static constexpr std::uint32_t nowhere = 0xFFFFFFFF;
  std::uint32_t vectors() const { return static_cast<std::uint32_t>(counts.size()); }
  std::uint32_t place(std::uint32_t vector, std::uint32_t attribute) const {
    return places[std::size_t{vector} * width + attribute];
  }
  // `nowhere`: no row has that value.
  std::uint32_t find(std::uint32_t attribute, std::uint32_t code) const;
  std::uint32_t find_vector(std::span<const std::uint32_t> places_of_it) const;
};

Prior prior_of(const Table& table, std::span<const RowId> rows);

}  // namespace rankveil::audit

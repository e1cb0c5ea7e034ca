// Rows as columns of codes, whatever they came from: what people models learn from and judge.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/ranking/profiles.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

// "No value" is one more value, with the domain's size as its code.
struct CodedRows {
  std::uint32_t rows = 0;
  std::vector<std::uint32_t> domains;             // [column]: how many codes there are
  std::vector<std::vector<std::uint32_t>> codes;  // [column][row]

  // Those rows alone, in that order.
  CodedRows only(std::span<const std::uint32_t> which) const;
};

// All columns of a table, public ones first.
CodedRows coded(const Table& table);

// What rows show in place of the private columns: the value of each signal, or none. `shows`, per
// row, 1: it shows something of its own.
struct ShownRows {
  CodedRows coded;
  std::vector<std::uint8_t> shows;
};
// REQUIRES: profiles that are signals of one level beside shares, as those of swap are.
ShownRows shown_rows(const Table& table, const GroupedProfiles& profiles);

}  // namespace rankveil::audit

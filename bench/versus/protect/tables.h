// The tables that schemes are timed on, and what is asked of them; made in memory from a seed.
//
// Up to ten public and ten private attributes of 2 to 15 values, each drawn on its own from
// Zipf(0.8): the data of the top-k benchmark. Queries draw all their values alike.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/workload.h"
#include "rankveil/table/table.h"

namespace rankveil::versus {

inline constexpr std::uint32_t max_publics = 10;

struct TableShape {
  std::uint32_t rows = 300'000;
  std::uint32_t publics = max_publics;
  std::vector<std::uint32_t> private_domains = {2, 4, 5, 6, 8, 9, 10, 12, 14, 15};
  double exponent = 0.8;  // of all private attributes
  // Private domains are at least this large: schemes that need l values of each.
  std::uint32_t smallest_domain = 2;
  // Public vectors there are; 0: every public value is drawn on its own. Few of them make public
  // groups of sensible size while there are still ten public attributes.
  std::uint32_t public_kinds = 0;
  // The third private attribute says whether the first two, of two values each, are equal. Any two
  // rows then agree in at least one of the three.
  bool has_parity = false;
};

Table make_table(const TableShape& shape, std::uint64_t seed);

// `count` queries that ask for a value of every attribute, drawn as the values of `shape` are.
Workload make_workload(const TableShape& shape, const Schema& schema, std::uint32_t count,
                       std::uint64_t seed);

}  // namespace rankveil::versus

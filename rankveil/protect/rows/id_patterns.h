// Orders in which ids may say something: rows that stand side by side have ids that are alike.
#pragma once

#include <cstdint>
#include <string_view>
#include <vector>

#include "rankveil/table/row_names.h"

namespace rankveil {

struct IdPattern {
  std::string_view name;             // goes behind "rows stand side by side by"
  std::vector<std::uint32_t> order;  // rows
};

// The order of the last number in the id, of how ids begin (16 characters), of how they end (16
// characters, read backwards), and of how long they are. Ids that are alike in an order stand in
// it as a hash of them has it. Orders that tell no ids apart are left out.
std::vector<IdPattern> id_patterns(const RowNames& ids);

}  // namespace rankveil

// The ids that rows are called by outside: nothing (row numbers), integers, or text.
#pragma once

#include <array>
#include <cstdint>
#include <string>
#include <string_view>
#include <variant>
#include <vector>

#include "rankveil/table/ids.h"

namespace rankveil {

// Rows called 0, 1, 2, ... take no memory.
struct RowNumbers {
  std::uint32_t count = 0;
};

struct IntegerNames {
  std::vector<std::int64_t> values;
};

// All names in one string; row r is bytes [ends[r-1], ends[r]).
struct TextNames {
  std::string bytes;
  std::vector<std::uint64_t> ends;
};

class RowNames {
 public:
  RowNames() = default;
  explicit RowNames(RowNumbers names) : names_(names) {}
  explicit RowNames(IntegerNames names) : names_(std::move(names)) {}
  explicit RowNames(TextNames names) : names_(std::move(names)) {}

  std::uint32_t size() const;
  std::string text(RowId row) const;
  // The same text without memory of its own: a number is written into `digits`. Valid as long as
  // both are.
  using Digits = std::array<char, 20>;
  std::string_view text(RowId row, Digits& digits) const;
  const std::variant<RowNumbers, IntegerNames, TextNames>& kinds() const { return names_; }

 private:
  std::variant<RowNumbers, IntegerNames, TextNames> names_;
};

}  // namespace rankveil

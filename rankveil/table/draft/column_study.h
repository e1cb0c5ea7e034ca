// What one column of a source holds, learned as it streams by.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rankveil/table/building/dictionary.h"
#include "rankveil/table/building/packed_text.h"
#include "rankveil/table/column.h"

namespace rankveil::draft {

inline constexpr std::size_t sampled_rows = 100'000;

struct ColumnFacts {
  static constexpr std::uint16_t no_code = 0xFFFF;

  std::string name;
  std::uint64_t rows = 0;
  std::uint64_t present = 0;  // rows with a value; words for "no value" are none
  std::uint64_t distinct = 0;
  bool is_exact = true;     // false: there are more values than a domain can have
  bool is_numeric = false;  // every value is a finite number
  // Different values in the order they were met, and the rows with each. Not all where !is_exact.
  std::vector<std::string> values = {};
  std::vector<std::uint64_t> counts = {};
  std::vector<std::string> missing = {};  // the words for "no value" that it has
  std::vector<double> numbers = {};       // of the first rows, to cut bins by
  std::vector<std::uint16_t> codes = {};  // of the first rows: the value's number, or no_code

  bool nearly_unique() const { return present > 100 && 2 * distinct > present; }
  // Numbers of the values, most frequent first.
  std::vector<std::size_t> by_frequency() const;
};

class ColumnStudy {
 public:
  explicit ColumnStudy(std::string name) { facts_.name = std::move(name); }

  void add(std::span<const PackedText> texts, Presence present);
  ColumnFacts finish() &&;

 private:
  void add_value(const PackedText& text);
  std::uint16_t meet(const PackedText& text);
  void set_missing_apart();

  ColumnFacts facts_;
  Dictionary values_;
  bool is_numeric_ = true;
};

}  // namespace rankveil::draft

// How a column's texts are read before they are encoded: words for "no value" as none, values that
// a policy calls the same as the first of them.
#pragma once

#include <span>
#include <string>
#include <vector>

#include "rankveil/table/building/dictionary.h"
#include "rankveil/table/building/packed_text.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil {

class ValueReading {
 public:
  // A word for "no value" that the column's domain declares is a value.
  explicit ValueReading(const ColumnPolicy& column);

  bool changes_nothing() const { return read_as_.empty(); }

  // The texts as they are to be read. They point into `texts` or into this object.
  std::vector<PackedText> read(std::span<const PackedText> texts) const;
  // Numbers, with NaN for those that stand for no value.
  std::vector<double> read(std::span<const double> numbers) const;

 private:
  void add(const std::string& text, const std::string& read_as);

  Dictionary texts_;
  std::vector<std::string> read_as_;  // by number of the text; empty: no value
  std::vector<double> missing_numbers_;
};

}  // namespace rankveil

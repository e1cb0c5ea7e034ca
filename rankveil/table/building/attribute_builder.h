// One attribute of a table in the making: text or numbers in, a domain and a column of codes out.
#pragma once

#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <variant>
#include <vector>

#include "rankveil/base/result.h"
#include "rankveil/table/building/dictionary.h"
#include "rankveil/table/building/growing_codes.h"
#include "rankveil/table/building/packed_text.h"
#include "rankveil/table/building/value_reading.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/schema.h"

namespace rankveil {

struct BuiltAttribute {
  Attribute attribute;
  Column column;
  std::vector<std::string> warnings;  // declared values that no row has
};

class AttributeBuilder {
 public:
  // REQUIRES: the role is public or private. Refuses a domain together with bins, and a declared
  // domain that repeats a value.
  static Result<AttributeBuilder> create(const ColumnPolicy& column);

  bool takes_numbers() const { return !std::holds_alternative<std::monostate>(column_.bins); }
  std::size_t rows() const { return codes_.size() + numbers_.size(); }

  // Empty text is a missing value. Refuses, naming the row, and the value when it is public: text
  // that a declared domain lacks, text that is no number where there are bins, more than 65,535
  // different values.
  Status add(std::span<const PackedText> texts, Presence present);
  // The same for numbers that are numbers already; NaN is missing. REQUIRES: takes_numbers().
  Status add(std::span<const double> numbers, Presence present);

  // Refuses a domain of one value or none, private attributes of nearly unique values, and values
  // declared not sensitive that are not there.
  Result<BuiltAttribute> finish() &&;

 private:
  explicit AttributeBuilder(ColumnPolicy column) : column_(std::move(column)), reading_(column_) {}

  bool is_declared() const { return !column_.domain.empty(); }
  Status add_words(std::span<const PackedText> texts, Presence present);
  Status add_texts(std::span<const PackedText> texts, Presence present);
  Status add_numbers(std::span<const double> numbers, Presence present);
  template <bool all_present>
  std::size_t encode(std::span<const PackedText> texts, Presence present);
  Error refused(const PackedText& text, std::size_t row) const;
  Status cut_into_bins();
  Status check_domain(const std::vector<std::string>& values) const;
  std::vector<std::uint16_t> final_order() const;

  ColumnPolicy column_;
  ValueReading reading_;              // what is missing, and what is read as another value
  Dictionary dictionary_;             // of the declared domain, or of the texts met so far
  std::vector<double> edges_;         // of bins, once known
  std::vector<double> numbers_;       // kept while bins wait for all of them; NaN: missing
  std::vector<std::uint16_t> chunk_;  // codes of the chunk at hand
  GrowingCodes codes_;
};

}  // namespace rankveil

// How likely values of a block are, given public columns and what earlier blocks show: one
// multinomial log-linear model an attribute, and its scores in whole numbers.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

#include "rankveil/base/fit/multinomial.h"
#include "rankveil/protect/swap/fitted/blocks.h"
#include "rankveil/protect/swap/fitted/features.h"

namespace rankveil::fitted {

// Values that fewer rows have count as one: a model must not know whose they are.
inline constexpr std::uint32_t min_value_rows = 50;
// So do those beyond the most common ones of very large domains, or scores would fill the memory.
inline constexpr std::uint32_t max_value_classes = 1024;
inline constexpr double fit_ridge = 2;

// Values as a model tells them apart.
struct ValueClasses {
  std::uint32_t fitted = 0;  // classes that the model knows
  // Per code, also of a missing value. Codes that no counted row had, where no others are rare,
  // are the class `fitted`, which scores 0 everywhere.
  std::vector<std::uint16_t> of_code;
};

ValueClasses value_classes(std::span<const std::uint16_t> codes, std::uint32_t domain_size);

// The columns that models look at: public ones, and those shown so far, with the rows that are
// counted. Rows are the first ones of
// persons, and where histories are exchanged all of them.
class Sight {
 public:
  Sight(std::vector<std::uint32_t> first_rows, std::vector<std::uint32_t> all_rows);

  void add(const Codes& codes, const Domain& domain);

  std::uint32_t columns() const { return static_cast<std::uint32_t>(codes_.size()); }
  const FeatureMap& map(std::uint32_t column) const { return maps_[column]; }
  std::uint16_t feature(std::uint32_t column, std::uint32_t row) const {
    return maps_[column][codes_[column][row]];
  }
  const std::vector<std::uint32_t>& rows(bool all) const {
    return all && has_histories() ? all_rows_ : first_rows_;
  }
  const std::vector<FeatureColumn>& features(bool all) const {
    return all && has_histories() ? of_all_ : of_first_;
  }

 private:
  bool has_histories() const { return all_rows_.size() > first_rows_.size(); }

  std::vector<std::uint32_t> first_rows_;
  std::vector<std::uint32_t> all_rows_;
  std::vector<Codes> codes_;
  std::vector<FeatureMap> maps_;
  std::vector<FeatureColumn> of_first_;
  std::vector<FeatureColumn> of_all_;  // empty where every person has one row
};

struct AttributeModel {
  ValueClasses classes;
  std::uint32_t width = 0;  // scores of a row: one for each class of `classes`
  Multinomial model;
};

struct BlockModel {
  std::uint32_t columns = 0;  // of the sight, the first ones
  std::vector<AttributeModel> attributes;

  // Scores of all attributes of a row, side by side.
  std::uint32_t width() const;
  void score(const Sight& sight, std::uint32_t row, std::int16_t* out) const;
};

// `own`: per attribute of the block, the code that each counted row holds.
BlockModel fit_block(const Sight& sight, const Block& block,
                     const std::vector<std::vector<std::uint16_t>>& own,
                     const std::vector<const Domain*>& domains, std::uint32_t threads);

}  // namespace rankveil::fitted

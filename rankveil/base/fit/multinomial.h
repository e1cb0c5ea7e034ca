// Which class a row is likely to be in, by features of which each row has few: a multinomial
// log-linear model,
//   Pr(class k | row) = softmax_k(intercept_k + sum over the row's features of weight_k(feature)).
//
//   std::vector<FeatureColumn> columns = {{.features = 3, .of_row = {0, 2, 1, no_feature, ...}}};
//   Multinomial model = fit_multinomial(columns, classes_of_rows, 5);
//   std::vector<double> likely = model.probabilities({2});
//
// Fitted by minimising sum_r -log Pr(class of r | r) + ridge/2 |weights|^2 until nothing more is to
// be had; intercepts are free. Rows with equal features and class are counted once, with a weight.
//
// Cost     some 10 to 20 passes over the different rows, each rows x columns x classes additions;
//          memory a few numbers a row and 16 times the number of weights.
// Same bits, whatever the number of threads and the instruction set.
#pragma once

#include <cstdint>
#include <span>
#include <vector>

namespace rankveil {

inline constexpr std::uint16_t no_feature = 0xFFFF;

// A column of features that exclude each other: one of them a row, or none.
struct FeatureColumn {
  std::uint32_t features = 0;
  // So many features, the first ones, have an order: ridge keeps neighbours alike (its weights are
  // the steps from one to the next), so that they help each other where rows are few.
  std::uint32_t ordered = 0;
  std::vector<std::uint16_t> of_row;  // feature of each row, or no_feature
};

class Multinomial {
 public:
  Multinomial() = default;
  // `weights`: [feature, those of a column beside each other, columns in order][class].
  Multinomial(std::vector<std::uint32_t> features, std::uint32_t classes,
              std::vector<double> weights, std::vector<double> intercepts);

  std::uint32_t classes() const { return classes_; }
  std::uint32_t columns() const { return static_cast<std::uint32_t>(first_.size()); }
  std::uint32_t features(std::uint32_t column) const { return features_[column]; }
  double intercept(std::uint32_t label) const { return intercepts_[label]; }
  // The weights of a feature in all classes, side by side.
  std::span<const double> weights(std::uint32_t column, std::uint32_t feature) const {
    return std::span(weights_).subspan((first_[column] + feature) * std::size_t{classes_},
                                       classes_);
  }
  // One feature a column, or no_feature.
  std::vector<double> probabilities(std::span<const std::uint16_t> row) const;

 private:
  std::uint32_t classes_ = 0;
  std::vector<std::uint32_t> features_;  // per column
  std::vector<std::size_t> first_;       // per column: its first feature
  std::vector<double> weights_;
  std::vector<double> intercepts_;
};

struct MultinomialOptions {
  double ridge = 2;
  // The fit ends when a step gains less than this a row, twice.
  double tolerance = 1e-5;
  std::uint32_t max_steps = 100;
  std::uint32_t threads = 0;
};

// REQUIRES: columns as long as `labels`; labels below `classes`; features below those of a column.
Multinomial fit_multinomial(std::span<const FeatureColumn> columns,
                            std::span<const std::uint16_t> labels, std::uint32_t classes,
                            const MultinomialOptions& options = {});

}  // namespace rankveil

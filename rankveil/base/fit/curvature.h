// About how fast the fit of a multinomial model curves in each direction, and hence how far a step
// along a gradient should go.
//
// For each class it is taken as share (1 - share) X'X + ridge, with X'X counted on some of the
// rows: features that occur together are told apart from the start, which saves most of the passes.
// The columns with most features count by their diagonal alone when there are too many.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/base/fit/likelihood_pass.h"
#include "rankveil/base/fit/one_hot_rows.h"

namespace rankveil::fit {

// Weights as ridge counts them: in place of the ordered features of a column, the steps from one to
// the next. Both work in place on [feature][class].
void steps_to_weights(const OneHotRows& rows, std::uint32_t width, Numbers& numbers);
void gradient_by_steps(const OneHotRows& rows, std::uint32_t width, Numbers& numbers);

class Curvature {
 public:
  Curvature(const OneHotRows& rows, std::uint32_t classes, std::uint32_t width, double ridge,
            std::uint32_t threads);

  // Divides by the curvature, in steps.
  void divide(Numbers& gradient) const;

 private:
  // A lower triangle, its rows one behind the other as full rows.
  using Triangle = std::vector<double>;
  void choose_dense(const OneHotRows& rows);
  void count_each(const OneHotRows& rows);
  std::vector<double> count_together(const OneHotRows& rows) const;
  void sum_ordered(const OneHotRows& rows, std::vector<double>& counts) const;
  void factor(const std::vector<double>& together, double share);
  void divide_class(std::uint32_t label, Numbers& gradient) const;

  std::uint32_t width_;
  std::uint32_t classes_;
  double ridge_;
  std::uint32_t threads_;
  std::vector<std::uint32_t> dense_;  // features, the intercept last
  std::vector<std::uint32_t> place_;  // per feature: in dense_, or nowhere
  std::vector<double> diagonal_;      // per feature: rows that have it, or one behind it
  std::vector<double> shares_;        // of factors: share (1 - share)
  std::vector<Triangle> factors_;
  std::vector<std::uint32_t> factor_of_;  // per class
};

}  // namespace rankveil::fit

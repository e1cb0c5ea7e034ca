// A linear program in the form that schemes need, solved by COIN-OR CLP:
//   maximise  sum of worth x amount   such that   sum of column x amount = right side,  amount >= 0
//
//   LinearProgram program({0.6, 0.4});
//   for (const Offer& offer : offers) program.add_column(offer.worth, offer.entries);
//   if (auto best = program.solve()) use(best->amounts);
//
// Columns may be added after a solution: the next one starts from there. The result depends on
// nothing but the columns and their order. One object belongs to one thread.
#pragma once

#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <utility>
#include <vector>

namespace rankveil {

struct LinearSolution {
  double value = 0;
  std::vector<double> amounts;  // one per column
  // One per row. With these prices no column is worth more than it costs, up to the solver's
  // tolerance; then no solution is worth more than the price of the right side, `dual_value`.
  std::vector<double> prices;
  double dual_value = 0;
};

// Row and coefficient.
using LinearEntry = std::pair<std::uint32_t, double>;

// Solvers stop a little short of the right side. Moves the amounts so that they meet it up to
// rounding, and stay positive. REQUIRES: columns that do not depend on each other, such as those
// with a positive amount in a solution.
void sharpen(std::span<const std::vector<LinearEntry>> columns,
             const std::vector<double>& right_side, std::vector<double>& amounts);

class LinearProgram {
 public:
  explicit LinearProgram(std::vector<double> right_side);
  ~LinearProgram();
  LinearProgram(const LinearProgram&) = delete;
  LinearProgram& operator=(const LinearProgram&) = delete;

  void add_column(double worth, std::span<const LinearEntry> entries);
  std::size_t columns() const;

  // Nothing if there is no solution, or none best.
  std::optional<LinearSolution> solve();

 private:
  struct Solver;
  std::unique_ptr<Solver> solver_;
};

}  // namespace rankveil

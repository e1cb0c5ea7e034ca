#include "rankveil/protect/capped/linear_program.h"

#include <algorithm>
#include <cmath>
#include <coin/ClpSimplex.hpp>

namespace rankveil {

// Columns wait here until the next solution: adding many at once is much cheaper.
struct LinearProgram::Solver {
  std::vector<double> right_side;
  ClpSimplex simplex;
  std::size_t columns = 0;

  std::vector<CoinBigIndex> starts = {0};
  std::vector<int> rows;
  std::vector<double> coefficients;
  std::vector<double> worths;

  void hand_over() {
    auto count = static_cast<int>(worths.size());
    if (simplex.numberRows() == 0) {
      simplex.loadProblem(count, static_cast<int>(right_side.size()), starts.data(), rows.data(),
                          coefficients.data(), nullptr, nullptr, worths.data(), right_side.data(),
                          right_side.data());
    } else if (count > 0) {
      simplex.addColumns(count, nullptr, nullptr, worths.data(), starts.data(), rows.data(),
                         coefficients.data());
    }
    starts = {0};
    rows.clear();
    coefficients.clear();
    worths.clear();
  }
};

LinearProgram::LinearProgram(std::vector<double> right_side) : solver_(std::make_unique<Solver>()) {
  solver_->right_side = std::move(right_side);
  ClpSimplex& simplex = solver_->simplex;
  simplex.setLogLevel(0);
  simplex.setOptimizationDirection(-1);
  // Both help large programs and only cost small ones accuracy: ours are small.
  simplex.setPerturbation(100);
  simplex.scaling(0);
  simplex.setPrimalTolerance(1e-10);
  simplex.setDualTolerance(1e-10);
}

LinearProgram::~LinearProgram() = default;

void LinearProgram::add_column(double worth, std::span<const LinearEntry> entries) {
  for (auto [row, coefficient] : entries) {
    solver_->rows.push_back(static_cast<int>(row));
    solver_->coefficients.push_back(coefficient);
  }
  solver_->starts.push_back(static_cast<CoinBigIndex>(solver_->rows.size()));
  solver_->worths.push_back(worth);
  ++solver_->columns;
}

std::size_t LinearProgram::columns() const { return solver_->columns; }

std::optional<LinearSolution> LinearProgram::solve() {
  solver_->hand_over();
  ClpSimplex& simplex = solver_->simplex;
  simplex.primal(0);
  if (simplex.status() != 0) return std::nullopt;
  LinearSolution solution;
  solution.value = simplex.objectiveValue();
  const double* amounts = simplex.primalColumnSolution();
  for (std::size_t i = 0; i < solver_->columns; ++i) {
    solution.amounts.push_back(std::max(0.0, amounts[i]));
  }
  const double* prices = simplex.dualRowSolution();
  for (std::size_t row = 0; row < solver_->right_side.size(); ++row) {
    solution.prices.push_back(prices[row]);
    solution.dual_value += prices[row] * solver_->right_side[row];
  }
  return solution;
}

namespace {

// Gauss and Jordan on equations that may be more than there are unknowns, as long as they agree.
class Equations {
 public:
  Equations(std::span<const std::vector<LinearEntry>> columns, std::vector<double> right)
      : unknowns_(columns.size()), right_(std::move(right)) {
    matrix_.assign(right_.size() * unknowns_, 0);
    for (std::size_t i = 0; i < unknowns_; ++i) {
      for (auto [row, coefficient] : columns[i]) cell(row, i) = coefficient;
    }
  }

  std::vector<double> solve() {
    std::vector<double> found(unknowns_, 0);
    std::vector<std::size_t> row_of(unknowns_);
    std::size_t used = 0;
    for (std::size_t i = 0; i < unknowns_ && used < right_.size(); ++i) {
      row_of[i] = right_.size();
      if (!bring_up_pivot(i, used)) continue;
      eliminate(i, used);
      row_of[i] = used++;
    }
    for (std::size_t i = 0; i < unknowns_; ++i) {
      if (row_of[i] < used) found[i] = right_[row_of[i]] / cell(row_of[i], i);
    }
    return found;
  }

 private:
  double& cell(std::size_t row, std::size_t unknown) { return matrix_[row * unknowns_ + unknown]; }

  bool bring_up_pivot(std::size_t unknown, std::size_t used) {
    std::size_t best = used;
    for (std::size_t row = used; row < right_.size(); ++row) {
      if (std::abs(cell(row, unknown)) > std::abs(cell(best, unknown))) best = row;
    }
    if (std::abs(cell(best, unknown)) < 1e-9) return false;
    for (std::size_t i = 0; i < unknowns_; ++i) std::swap(cell(best, i), cell(used, i));
    std::swap(right_[best], right_[used]);
    return true;
  }

  void eliminate(std::size_t unknown, std::size_t used) {
    for (std::size_t row = 0; row < right_.size(); ++row) {
      double factor = row == used ? 0 : cell(row, unknown) / cell(used, unknown);
      if (factor == 0) continue;
      for (std::size_t i = 0; i < unknowns_; ++i) cell(row, i) -= factor * cell(used, i);
      right_[row] -= factor * right_[used];
    }
  }

  std::size_t unknowns_;
  std::vector<double> matrix_;
  std::vector<double> right_;
};

}  // namespace

void sharpen(std::span<const std::vector<LinearEntry>> columns,
             const std::vector<double>& right_side, std::vector<double>& amounts) {
  std::vector<double> missing = right_side;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    for (auto [row, coefficient] : columns[i]) missing[row] -= coefficient * amounts[i];
  }
  std::vector<double> moves = Equations(columns, std::move(missing)).solve();
  for (std::size_t i = 0; i < columns.size(); ++i)
    amounts[i] = std::max(0.0, amounts[i] + moves[i]);
}

}  // namespace rankveil

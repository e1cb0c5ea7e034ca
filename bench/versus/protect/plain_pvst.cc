#include "bench/versus/protect/plain_pvst.h"

#include <bit>
#include <cassert>

namespace rankveil::versus {
namespace {

class PlainPvst {
 public:
  explicit PlainPvst(const Task& task)
      : l_(task.demand.l), rows_(task.table.rows()), width_(task.private_count()) {
    for (std::uint32_t j = 0; j < width_; ++j) count_asked(task, PrivateId{j});
    values_.resize(std::size_t{rows_} * width_);
    for (std::uint32_t j = 0; j < width_; ++j) {
      task.private_column(PrivateId{j}).for_each([&](std::size_t row, std::uint32_t value) {
        values_[row * width_ + j] = static_cast<std::uint8_t>(value);
      });
    }
  }

  std::vector<std::uint64_t> run() const {
    std::vector<std::uint64_t> sets(std::size_t{rows_} * width_, 0);
    for (std::uint32_t row = 0; row < rows_; ++row) fill(row, &sets[std::size_t{row} * width_]);
    return sets;
  }

 private:
  void count_asked(const Task& task, PrivateId attribute) {
    asked_.emplace_back(task.attribute(attribute).domain.size(), 0);
    for (const WorkloadEntry& entry : task.workload.entries) {
      for (ValueId value : entry.query.wanted[+task.private_attribute(attribute)]) {
        asked_.back()[+value] += static_cast<std::uint32_t>(entry.count);
      }
    }
  }

  const std::uint8_t* vector(std::uint32_t row) const {
    return &values_[std::size_t{row} * width_];
  }

  bool is_full(std::uint64_t set) const {
    return static_cast<std::uint32_t>(std::popcount(set)) >= l_;
  }

  void fill(std::uint32_t row, std::uint64_t* sets) const {
    add(row, sets);
    while (!all_full(sets)) add(best(row, sets), sets);
  }

  bool all_full(const std::uint64_t* sets) const {
    for (std::uint32_t j = 0; j < width_; ++j) {
      if (!is_full(sets[j])) return false;
    }
    return true;
  }

  void add(std::uint32_t other, std::uint64_t* sets) const {
    for (std::uint32_t j = 0; j < width_; ++j) sets[j] |= std::uint64_t{1} << vector(other)[j];
  }

  // Values that would add nothing to a set: those in it, or all of them when it is full.
  std::vector<std::uint64_t> useless_values(const std::uint64_t* sets) const {
    std::vector<std::uint64_t> useless(sets, sets + width_);
    for (std::uint64_t& set : useless) set = is_full(set) ? ~std::uint64_t{0} : set;
    return useless;
  }

  // Most cover, then least loss, then first in row order.
  std::uint32_t best(std::uint32_t row, const std::uint64_t* sets) const {
    std::vector<std::uint64_t> useless = useless_values(sets);
    std::uint32_t best_row = 0, best_cover = 0, best_loss = 0;
    for (std::uint32_t other = 0; other < rows_; ++other) {
      std::uint32_t cover = cover_of(other, useless);
      std::uint32_t loss = loss_of(row, other);
      if (cover > best_cover || (cover == best_cover && loss < best_loss)) {
        best_row = other;
        best_cover = cover;
        best_loss = loss;
      }
    }
    assert(best_cover > 0 && "a table of which every set can be filled");
    return best_row;
  }

  std::uint32_t cover_of(std::uint32_t other, const std::vector<std::uint64_t>& useless) const {
    std::uint32_t cover = 0;
    for (std::uint32_t j = 0; j < width_; ++j) {
      cover += static_cast<std::uint32_t>(~useless[j] >> vector(other)[j] & 1);
    }
    return cover;
  }

  std::uint32_t loss_of(std::uint32_t row, std::uint32_t other) const {
    std::uint32_t loss = 0;
    for (std::uint32_t j = 0; j < width_; ++j) {
      std::uint8_t value = vector(other)[j];
      if (value != vector(row)[j]) loss += asked_[j][value];
    }
    return loss;
  }

  std::uint32_t l_;
  std::uint32_t rows_;
  std::uint32_t width_;
  std::vector<std::vector<std::uint32_t>> asked_;  // [attribute][value]
  std::vector<std::uint8_t> values_;               // [row][attribute]
};

}  // namespace

std::vector<std::uint64_t> plain_pvst(const Task& task) { return PlainPvst(task).run(); }

}  // namespace rankveil::versus

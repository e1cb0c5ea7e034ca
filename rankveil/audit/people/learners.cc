#include "rankveil/audit/people/learners.h"

#include <algorithm>
#include <cmath>
#include <numeric>

#include "rankveil/base/random.h"

namespace rankveil::audit {

std::vector<std::uint32_t> drawn(std::vector<std::uint32_t> rows, std::size_t most,
                                 std::uint64_t seed) {
  Rng rng(seed);
  most = std::min(most, rows.size());
  for (std::size_t i = 0; i < most; ++i) {
    std::swap(rows[i], rows[i + rng.below(rows.size() - i)]);
  }
  rows.resize(most);
  std::sort(rows.begin(), rows.end());
  return rows;
}

std::vector<std::uint32_t> all_rows_of(const CodedRows& rows) {
  std::vector<std::uint32_t> all(rows.rows);
  std::iota(all.begin(), all.end(), 0U);
  return all;
}

Learners::Learners(const CodedRows& table, const CodedRows* population, const Effort& effort,
                   std::uint64_t seed, std::uint32_t threads)
    : table_(table),
      population_(population),
      effort_(effort),
      seed_(seed ^ 0x1ea),
      threads_(threads),
      half_of_(table.rows) {
  Rng rng(seed ^ 0x4a1f);
  for (auto& half : half_of_) half = static_cast<std::uint8_t>(rng.below(2));
}

bool Learners::enough() const {
  std::uint32_t people = population_ != nullptr ? population_->rows : table_.rows / 2;
  return people >= least_people;
}

std::array<PeopleLaw, 2> Learners::learn(const LawColumns& columns, double part) const {
  auto most = static_cast<std::size_t>(part * effort_.learnt);
  if (population_ != nullptr) {
    auto some = drawn(all_rows_of(*population_), most, seed_);
    auto law = PeopleLaw::learn(population_->only(some), columns, options());
    return {law, law};
  }
  std::array<PeopleLaw, 2> laws;
  for (std::uint8_t half = 0; half < 2; ++half) {
    std::vector<std::uint32_t> others;
    for (std::uint32_t row = 0; row < table_.rows; ++row) {
      if (half_of_[row] != half) others.push_back(row);
    }
    others = drawn(std::move(others), most, seed_);
    laws[half] = PeopleLaw::learn(table_.only(others), columns, options());
  }
  return laws;
}

ChanceTable chances_of_values(const std::array<PeopleLaw, 2>& laws, const Learners& learners,
                              const CodedRows& rows, std::span<const std::uint32_t> which,
                              std::uint32_t column) {
  std::vector<BlockVector> values;
  for (std::uint32_t code = 0; code < rows.domains[column]; ++code) values.push_back({code});
  ChanceTable table(static_cast<std::uint32_t>(which.size()), rows.domains[column]);
  for (std::uint8_t half = 0; half < 2; ++half) {
    std::vector<std::uint8_t> wanted;
    for (std::uint32_t row : which) wanted.push_back(learners.half_of(row) == half ? 1 : 0);
    laws[half].fill_log_chances(rows, which, wanted, values, table);
  }
  for (double& chance : table.at) chance = std::exp(chance);
  return table;
}

}  // namespace rankveil::audit

// Whom an adversary learns from, and about whom he is asked: other people, or the rows of a table
// in two halves that stand in for each other.
#pragma once

#include <array>
#include <cstdint>
#include <vector>

#include "rankveil/audit/people/effort.h"
#include "rankveil/audit/people/people_law.h"

namespace rankveil::audit {

// So many of the rows, by lot, ascending.
std::vector<std::uint32_t> drawn(std::vector<std::uint32_t> rows, std::size_t most,
                                 std::uint64_t seed);
std::vector<std::uint32_t> all_rows_of(const CodedRows& rows);

inline constexpr std::uint32_t least_people = 200;    // to learn from, and to judge
inline constexpr std::uint32_t most_judged = 20'000;  // rows

class Learners {
 public:
  // `population`: null for the table itself. Both must outlive this.
  Learners(const CodedRows& table, const CodedRows* population, const Effort& effort,
           std::uint64_t seed, std::uint32_t threads);

  bool enough() const;
  // Which of the two laws is asked about a row: the one that did not learn from it.
  std::uint8_t half_of(std::uint32_t row) const { return half_of_[row]; }
  // By half; the same twice where there are other people. From `part` of the effort's rows at most.
  std::array<PeopleLaw, 2> learn(const LawColumns& columns, double part = 1) const;
  LawOptions options() const { return {.lump = effort_.lump, .threads = threads_}; }

 private:
  const CodedRows& table_;
  const CodedRows* population_;
  Effort effort_;
  std::uint64_t seed_;
  std::uint32_t threads_;
  std::vector<std::uint8_t> half_of_;
};

// How likely each value of one column is for `which` of `rows`, by the laws that did not learn from
// them: [row][code].
ChanceTable chances_of_values(const std::array<PeopleLaw, 2>& laws, const Learners& learners,
                              const CodedRows& rows, std::span<const std::uint32_t> which,
                              std::uint32_t column);

}  // namespace rankveil::audit

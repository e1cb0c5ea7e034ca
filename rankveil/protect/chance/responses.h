// Randomised response: what a row says instead of its value.
//
// With probability 1/l the truth; otherwise one of the other answers, each alike. Answers are the
// values of the domain and "no value", which is always one of them: were it only where somebody
// has no value, one row could change what all others say.
#pragma once

#include <cstdint>

#include "rankveil/protect/task.h"

namespace rankveil {

// The answers of rows about one private attribute. An answer depends on the key, the names of row
// and attribute, the row's own value, l and the domain, and on nothing else in the table.
class Responses {
 public:
  Responses(const Task& task, PrivateId attribute);

  // missing_value: no value.
  ValueId of(RowId row) const;

  // Probability of an answer, times l times the number of other answers: whole numbers.
  std::uint64_t truth_parts() const { return others_; }
  std::uint64_t other_parts() const { return l_ - 1; }

 private:
  const Column& column_;
  const Domain& domain_;
  const RowNames& names_;
  KeyedStream stream_;
  std::uint32_t l_;
  std::uint32_t others_;
};

}  // namespace rankveil

// The attacks that `worth` counts, done: for test data, to show the bug to those who doubt it.
//
// Reads what it may not. Fronts allow it for services on this machine only.
#pragma once

#include <cstdint>
#include <map>
#include <optional>
#include <string>

#include "rankveil/probe/asking.h"

namespace rankveil::probe {

struct NumberRange {
  std::int64_t least;
  std::int64_t most;
};

// What was recovered, by row, and what it took.
struct Recovered {
  std::map<std::string, std::int64_t> values;
  std::uint64_t requests = 0;  // of questions and writes
};

// One row's number by a way that keeps rows above a number (`field > ${low}`). Nothing: the row is
// in no answer, or answers fail.
std::optional<Recovered> recover_by_condition(Asker& asker, const std::string& way,
                                              const Field& field, const std::string& row,
                                              NumberRange range);

// Everybody's, or that of at least `most` rows, by a way that keeps rows between two numbers: both
// are left out, or both are kept.
std::optional<Recovered> recover_all_by_condition(Asker& asker, const std::string& way,
                                                  const Field& field, NumberRange range,
                                                  std::size_t most = SIZE_MAX);

// One row's number by a way that lists rows in the order of the field: an own row is written to
// where the other may be, and removed in the end.
std::optional<Recovered> recover_by_order(Asker& asker, Writer& writer, const std::string& way,
                                          const Field& field, const std::string& row,
                                          NumberRange range, const std::string& mark);

}  // namespace rankveil::probe

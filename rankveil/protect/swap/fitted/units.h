// Those who trade: the persons of a task (persons.h), here called units.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/persons.h"

namespace rankveil::fitted {

// Persons with more rows show base shares only, where some private column varies inside persons.
inline constexpr std::uint32_t longest_history = 10;

// Per unit: whether it gets something to show now. Those whose rows all take part and show nothing
// yet; with enough others of the same length where a private column varies inside persons; and none
// in a first release of fewer than GroupSizes::batch. Later, release.h says when newcomers are
// enough.
std::vector<std::uint8_t> units_to_release(const Task& task, const Persons& units);

// Rows of those who will show nothing whoever else comes: their histories are too long, or of a
// length that too few share.
std::uint64_t rows_of_rare_histories(const Task& task);

// Private attributes that differ between rows of a person who takes part, or shows something.
std::vector<bool> varying_attributes(const Task& task, const Persons& units);

}  // namespace rankveil::fitted

// How much models of people may cost, fixed before the first is fitted, by the table alone: the
// same on every machine.
//
//   Effort effort = effort_for(table);
//   if (effort.is_cut()) note(effort.text());
//
// A fit passes over rows x columns x classes some twenty times, a class being a value that enough
// people have. Columns of hundreds of values cost hundreds of times what a yes or no does; so where
// all models together would take too long, fewer acquaintances are introduced, then models learn
// from fewer rows, then rarer values are lumped.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/table/table.h"

namespace rankveil::audit {

struct Effort {
  std::uint32_t learnt = 20'000;  // rows that a model of people learns from
  std::uint32_t shown = 60'000;  // rows that tell the law of an exchange, and that an insider knows
  std::uint32_t sets = 16;       // acquaintances of one kind
  std::uint32_t lump = 10;       // guessed values of fewer people are one class
  double seconds = 0;            // of one core, as these models may take; generous

  bool is_cut() const {
    return learnt < Effort{}.learnt || shown < Effort{}.shown || sets < Effort{}.sets;
  }
  // "Models of people learn from 5,000 rows, and those of what is shown from 10,000 ..."
  std::string text() const;
};

inline constexpr double seconds_for_models = 240;  // of one core

// The most that fits into `seconds`; if nothing does, the least there is.
Effort effort_for(const Table& table, double seconds = seconds_for_models);

}  // namespace rankveil::audit

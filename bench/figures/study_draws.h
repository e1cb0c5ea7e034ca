// The loop that both tables of the study share: every table, every seed, values in both orders.
#pragma once

#include <cstdint>
#include <functional>

#include "bench/figures/lab.h"
#include "bench/figures/study_tables.h"

namespace rankveil::figures {

// How many seeds and rows the options ask for; where they do not say, as many as the study took.
std::uint32_t study_seeds(const LabOptions& options);
std::uint32_t study_rows(const LabOptions& options);

struct StudyDraw {
  const StudyTable& table;
  const Table& rows;  // all of them, their private values pooled in this order
  ValueOrder order;
  std::uint32_t seed;

  // The one by which a table is introduced.
  bool is_first() const { return seed == 1 && order == ValueOrder::Natural; }
};

// Hands over the tables that are asked for. One that cannot be read becomes a note.
void for_each_draw(Lab& lab, const std::function<void(const StudyDraw&)>& take);

}  // namespace rankveil::figures

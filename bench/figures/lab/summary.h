// All verdicts of some reports at a glance, as tables for a page and for a document.
#pragma once

#include <string>
#include <vector>

#include "bench/figures/lab/figure.h"

namespace rankveil::figures {

struct Grid {
  std::string title;
  std::vector<std::string> head;
  std::vector<std::vector<std::string>> rows;
};

struct Summary {
  std::vector<Grid> grids;
  std::size_t reproduced = 0;
  std::size_t judged = 0;
};

// A line per claim and a column per table; for figures of categories a line per category and a
// column per figure, "ours (the study's)".
Summary summarise(const std::vector<Report>& reports);

std::string to_markdown(const Summary& summary);

}  // namespace rankveil::figures

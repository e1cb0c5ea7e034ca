// Bins for numbers, as a draft writes them down.
#pragma once

#include <string>

#include "rankveil/table/draft/column_study.h"
#include "rankveil/table/policy/policy.h"

namespace rankveil::draft {

// Edges for numbers of more than 20 values that stand for amounts; none for codes and few values.
// Amounts that are mostly nothing (how often, how much more) have an edge behind the nothing.
Binning drafted_bins(const ColumnFacts& facts);

// "cut into 8 bins of about as many rows each"; empty for none.
std::string bins_text(const Binning& bins);

}  // namespace rankveil::draft

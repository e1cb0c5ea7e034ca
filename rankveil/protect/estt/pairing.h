// Cuts one public group into equivalent sets, by the pairing that was asked for.
//
// random         consecutive rows, in the order given.
// sorted-weight  pairs: Sorted Weight (windows of 1,024 rows in groups above 5,000); what is left
//                over joins the last set. Larger sets: greedy_sets.
// optimal        pairs: groups of up to 12 rows by trying all; else sorted-weight and
// exchange_pairs;
//                where that does not meet the bound, groups of up to 500 rows by matching. Of an
//                odd number of rows above 12, matching leaves out the three that make one set; that
//                is the optimum unless those three share a value, which the bound then tells.
//                Larger sets: greedy_sets and exchange_members. Never worse than sorted-weight.
#pragma once

#include <cstdint>

#include "rankveil/protect/demand.h"
#include "rankveil/protect/estt/equivalent_sets.h"

namespace rankveil {

struct PairingOptions {
  Pairing pairing = Pairing::Optimal;
  std::uint32_t l = 2;
  std::uint32_t set_size = 2;  // at least l
  std::uint64_t seed = 1;      // of the exchange
  std::uint32_t threads = 1;   // 0: all cores; the result does not depend on it
};

// `rows` in an order that says nothing about their values: windows rely on it.
EquivalentSets cut_into_sets(const CodeRows& rows, const PairingOptions& options);

}  // namespace rankveil

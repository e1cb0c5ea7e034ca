// What the leaks of a field are worth to who asks, from counts alone.
#pragma once

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "rankveil/probe/field.h"
#include "rankveil/probe/finding.h"
#include "rankveil/probe/worth.h"

namespace rankveil::probe {

struct WorthCounts {
  std::uint64_t rows = 0;          // of the listing; 0: not known
  std::uint64_t page = 50;         // rows in an answer
  std::uint64_t values = 200'000;  // that a number may have
};

struct LeakWorth {
  std::string field;
  std::string way;  // by which
  Worth worth;
};

// Of each field that leaks: by its plainest order, and by its plainest condition that compares or,
// where the values are few, tells them apart.
std::vector<LeakWorth> worth_of_leaks(std::span<const Finding> findings,
                                      std::span<const Field> fields, const WorthCounts& counts);

// "by sort: one exact value 39 requests with writes, the order of all 2,000 rows 40 requests"
std::string sentence_of(const LeakWorth& worth);

}  // namespace rankveil::probe

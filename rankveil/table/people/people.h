// Synthetic profiles such as a dating or hiring site would have: skewed, correlated, seeded.
#pragma once

#include <cstdint>
#include <string>

#include "rankveil/base/result.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"

namespace rankveil {

struct PeopleOptions {
  std::uint32_t rows = 300'000;
  std::uint32_t attributes = 20;  // 4 to 20, half public and half private; odd: one more public
  std::uint64_t seed = 1;
};

// Domains of 2 to 15 values, ids from 1, some values missing. Same options, same table, on every
// machine. A row depends on the seed and its number alone: a bigger table begins with the smaller
// one, and fewer attributes are a part of the whole table. Refuses attribute counts outside 4..20.
Result<Table> generate_people(const PeopleOptions& options);

// The policy that fits such a table: l = 3, scheme "swap", k = 10, a ladder, domains declared.
Policy people_policy(const Schema& schema);

}  // namespace rankveil

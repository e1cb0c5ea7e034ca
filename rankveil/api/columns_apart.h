// Private columns that say nearly the same and have coins of their own: what a policy means to have
// so (`apart`), and what it does not say.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"
#include "rankveil/table/telling/near_copies.h"

namespace rankveil {
struct Scheme;
}

namespace rankveil::api {

struct ColumnsApart {
  NearCopies copies;
  // What is gained on exact copies where all that they show agrees: 1 - (1 - 1/l)^coins.
  double gain = 0;
};

// "race, birth say nearly the same and have coins of their own: ..."
std::string to_text(const ColumnsApart& columns);
Json columns_apart_json(const std::vector<ColumnsApart>& columns);

// Near-copies that the policy neither joins nor means to have apart.
std::vector<NearCopies> copies_to_settle(const Policy& policy, const Table& table,
                                         std::uint32_t threads);

struct ApartAsked {
  const Policy& policy;
  const Scheme& scheme;
  bool goes_on = false;  // coins of earlier builds stay as they fell
  std::uint32_t threads = 0;
};

// All that are apart, where the scheme has coins by column. Refuses those that the policy does not
// mean to have so, with both ways out; where a build goes on, a sentence is added to `warnings`.
Result<std::vector<ColumnsApart>> check_columns_apart(const ApartAsked& asked, const Table& table,
                                                      std::vector<std::string>& warnings);

}  // namespace rankveil::api

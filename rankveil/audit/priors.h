// What everybody knows about a row before any ranking: how often each private value occurs among
// rows with its public values.
//
// A group of few rows tells more about each of them than an adversary could know without the table
// itself. So a row whose own group is smaller than `min_group` is looked up among rows that are
// alike in fewer columns, up the ladder to the whole table, as the schemes do.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/protect/groups/ladder.h"
#include "rankveil/protect/not_sensitive.h"
#include "rankveil/ranking/profiles.h"
#include "rankveil/table/table.h"

namespace rankveil::audit {

class Priors {
 public:
  Priors(const Table& table, const std::vector<std::vector<AttributeId>>& ladder,
         std::uint32_t min_group, SparedValues spared = {});

  // The share of the value in the row's group; missing_value: that of rows without one.
  double share(std::uint32_t row, PrivateId attribute, ValueId value) const;
  // Whether nobody guesses the value, because it is declared not sensitive.
  bool spares(PrivateId attribute, ValueId value) const {
    return value != missing_value && spared_.has(attribute, +value);
  }
  // The largest share of a value that may be guessed: how often the best guess from public values
  // alone is right.
  double best(std::uint32_t row, PrivateId attribute) const;
  // The shares of all values in the whole table, [private attribute][value].
  const std::vector<std::vector<double>>& overall() const { return overall_; }
  std::uint32_t domain(PrivateId attribute) const {
    return static_cast<std::uint32_t>(overall_[+attribute].size());
  }

 private:
  NearestGroups groups_;
  SparedValues spared_;
  std::vector<std::vector<double>> overall_;
  std::vector<std::vector<double>> best_;  // [private attribute][group]
};

}  // namespace rankveil::audit

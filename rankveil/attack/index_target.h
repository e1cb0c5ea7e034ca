// An Index in this process as a target.
//
//   IndexTarget target(index, 100, unprotected_row(index.schema()));
//
// Ties go by row, so inserted rows come last among equals. To start anew, make another one: the
// index is shared and never changes.
#pragma once

#include <functional>

#include "rankveil/attack/target.h"
#include "rankveil/ranking/index.h"

namespace rankveil::attack {

// The profile of one new row, given its values: what the defense makes of it. It must be of the
// index's kind (levels, groups).
using MakeProfile = std::function<Result<Profiles>(std::span<const ValueId> values)>;

// Rows that match exactly their own values.
MakeProfile unprotected_row(const Schema& schema);

// One value per attribute, in its domain or missing.
Status check_new_row(const Schema& schema, std::span<const ValueId> values);

class IndexTarget : public Target {
 public:
  // Without `make_profile` the target takes no inserts.
  IndexTarget(Index index, std::uint32_t k, MakeProfile make_profile = {});

  Result<std::vector<std::uint32_t>> query(const Query& query) override;
  Result<std::uint32_t> insert(std::span<const ValueId> values) override;
  bool takes_inserts() const override { return static_cast<bool>(make_profile_); }

 private:
  Index index_;
  std::uint32_t k_;
  MakeProfile make_profile_;
};

}  // namespace rankveil::attack

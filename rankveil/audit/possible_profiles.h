// The profiles that a declared scheme can give a row, where they are few: with these, an attack
// need not settle every value. pvsv adds one value to nearly every set; no query tells who matches
// a value that all match, but whoever knows the scheme does not have to ask.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/audit/known_groups.h"
#include "rankveil/audit/levels.h"
#include "rankveil/audit/profile_kinds.h"
#include "rankveil/base/result.h"

namespace rankveil::audit {

class PossibleProfiles {
 public:
  PossibleProfiles() = default;  // nothing is listed
  PossibleProfiles(PossibleProfiles&&) = default;
  PossibleProfiles& operator=(PossibleProfiles&&) = default;
  // Runs the scheme on the table. Only schemes that draw nothing make few profiles (pvsv,
  // generalise, pvst, drop); of all others nothing is listed.
  static Result<PossibleProfiles> of_scheme(const Table& table, const Mechanism& mechanism,
                                            std::uint32_t threads);

  // All profiles that the row may have in the attribute: those of rows with the same public values,
  // or of all rows where groups play no part. Empty: they are not known.
  std::vector<const Strengths*> of(std::uint32_t attribute, RowId row) const;

 private:
  std::vector<KindNumbers> numbers_;                            // [attribute]
  std::vector<std::uint32_t> group_of_;                         // per row
  std::vector<std::vector<std::vector<std::uint32_t>>> kinds_;  // [attribute][group], each once
};

}  // namespace rankveil::audit

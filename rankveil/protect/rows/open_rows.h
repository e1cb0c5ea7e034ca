// Rows of people who chose to show their own values.
#pragma once

#include <cstdint>
#include <vector>

#include "rankveil/ranking/profiles.h"
#include "rankveil/table/table.h"

namespace rankveil {

// The profiles, with rows marked 1 in `open` matching their own values in full and no others.
// Whatever else they were given, shares or strengths, is taken away.
// Where profiles have groups, each different private vector of open rows becomes a group of its
// own: 4 bytes for each of them and each private value there is.
Profiles with_open_rows(Profiles profiles, const Table& table,
                        const std::vector<std::uint8_t>& open);

// Per row: whether its profile may be the own values of an open row, by its form: a group of its
// own size 1, or, where there are no groups, values that match in full and none in part. Also true
// of rows that show what a scheme gave them; of rows that show nothing it is not.
std::vector<bool> rows_with_own_values(const Profiles& profiles);

}  // namespace rankveil

#include "rankveil/ranking/asking/sort_keys.h"

#include <fmt/core.h>

#include <algorithm>

namespace rankveil {

std::int64_t best_digit(const BoundKey& key, const Schema& schema, bool graded) {
  auto places = static_cast<std::int64_t>(key.digits.size());
  return graded && schema[key.attribute].is_private() ? places * parts_of_place : places;
}

Status check_keys(const BoundRequest& request, const Schema& schema, bool graded) {
  constexpr __int128 limit = static_cast<__int128>(1) << 62;
  __int128 combinations = 1;
  std::string names;
  for (const BoundKey& key : request.keys) {
    names += (names.empty() ? "" : ", ") + schema[key.attribute].name;
    combinations *= best_digit(key, schema, graded) + 1;
    if (combinations <= limit) continue;
    return bad_input(fmt::format(
        "the sort keys {} have more combinations than fit 62 bits; leave out the last of them",
        names));
  }
  return {};
}

std::int64_t rounded_digit(__int128 numerator, __int128 denominator, std::int64_t best) {
  __int128 twice = numerator * parts_of_place * 2 + denominator;
  return std::min(best, static_cast<std::int64_t>(twice / (denominator * 2)));
}

}  // namespace rankveil

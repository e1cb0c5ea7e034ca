#include "rankveil/protect/swap/fitted/coins.h"

#include <algorithm>

namespace rankveil {

std::string block_name(std::vector<std::string> columns) {
  std::sort(columns.begin(), columns.end());
  std::string name;
  for (const std::string& column : columns) {
    if (!name.empty()) name += '\n';
    name += column;
  }
  return name;
}

bool keeps(const SecretKey& key, std::string_view block_name, std::string_view person_or_id,
           std::uint32_t l, std::uint32_t times_shown) {
  return BlockCoins(key, block_name, 1.0 / l).keeps(person_or_id, times_shown);
}

}  // namespace rankveil

#include "rankveil/protect/sets/generalise.h"

#include <algorithm>

namespace rankveil {

namespace {

std::vector<ValueId> block_of(std::uint32_t own, std::uint32_t domain, std::uint32_t l) {
  std::uint32_t blocks = std::max(1U, domain / l);
  std::uint32_t block = std::min(own / l, blocks - 1);
  std::uint32_t end = block + 1 == blocks ? domain : (block + 1) * l;
  std::vector<ValueId> values;
  for (std::uint32_t v = block * l; v < end; ++v) {
    values.push_back(ValueId{static_cast<std::uint16_t>(v)});
  }
  return values;
}

}  // namespace

ValueSets blocks_of(std::uint32_t domain, std::uint32_t l) {
  ValueSets blocks;
  for (std::uint32_t own = 0; own <= domain; ++own) blocks.push_back(block_of(own, domain, l));
  return blocks;
}

Result<Protection> protect_generalise(const Task& task) {
  std::vector<ValueSets> sets;
  for (std::uint32_t domain : task.private_domain_sizes()) {
    sets.push_back(blocks_of(domain, task.demand.l));
  }
  return give_value_sets(task, sets);
}

}  // namespace rankveil

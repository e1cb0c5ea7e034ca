#include "rankveil/protect/swap/fitted/blocks.h"

#include <algorithm>

#include "rankveil/protect/swap/fitted/coins.h"

namespace rankveil::fitted {

namespace {

Block block_with(const Task& task, std::vector<PrivateId> attributes,
                 const std::vector<bool>& varies) {
  Block block;
  std::vector<std::string> names;
  for (PrivateId attribute : attributes) {
    names.push_back(task.attribute(attribute).name);
    if (varies[+attribute]) block.varies = true;
  }
  block.name = block_name(std::move(names));
  block.attributes = std::move(attributes);
  return block;
}

}  // namespace

std::vector<Block> blocks_of(const Task& task, const Persons& units) {
  std::vector<bool> varies = varying_attributes(task, units);
  std::vector<bool> joined(task.private_count(), false);
  std::vector<Block> blocks;
  for (const auto& attributes : task.together) {
    if (attributes.empty()) continue;
    for (PrivateId attribute : attributes) joined[+attribute] = true;
    blocks.push_back(block_with(task, attributes, varies));
  }
  for (std::uint32_t j = 0; j < task.private_count(); ++j) {
    if (!joined[j]) blocks.push_back(block_with(task, {PrivateId{j}}, varies));
  }
  KeyedStream order(task.key, "fitted swap block");
  std::sort(blocks.begin(), blocks.end(), [&](const Block& a, const Block& b) {
    return std::pair(order.number(a.name), a.name) < std::pair(order.number(b.name), b.name);
  });
  return blocks;
}

}  // namespace rankveil::fitted

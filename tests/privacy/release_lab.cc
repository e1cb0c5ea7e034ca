// release_lab INDEX KEY [COLUMN,COLUMN...]...: what each row of an index of `swap` shows, and the
// coins behind it, as CSV. Columns that share a coin follow the key.
//
//   id,group,coin religion,religion,...
//
// For the attackers of tests/privacy, who know everything about their own releases. A value that is
// not shown is empty. Coins are those of a row's first showing.
#include <fmt/core.h>

#include <cstdio>
#include <map>
#include <sstream>
#include <string>
#include <variant>
#include <vector>

#include "rankveil/base/keys/key_file.h"
#include "rankveil/base/keys/keyed.h"
#include "rankveil/protect/swap/fitted/coins.h"
#include "rankveil/ranking/index.h"
#include "rankveil/ranking/index_file.h"

namespace rankveil {
namespace {

int refuse(const std::string& message) {
  fmt::print(stderr, "release_lab: {}\n", message);
  return 2;
}

const Attribute& private_attribute(const Index& index, std::uint32_t j) {
  return index.schema()[AttributeId{index.schema().public_count() + j}];
}

std::string quoted(const std::string& text) {
  std::string made = "\"";
  for (char c : text) made += c == '"' ? std::string("\"\"") : std::string(1, c);
  return made + "\"";
}

// By column: the name of its block.
using Blocks = std::map<std::string, std::string>;

std::vector<std::string> split(const std::string& text) {
  std::vector<std::string> parts;
  std::istringstream stream(text);
  for (std::string part; std::getline(stream, part, ',');) parts.push_back(part);
  return parts;
}

Blocks blocks_of(const Index& index, const std::vector<std::string>& together) {
  Blocks blocks;
  for (std::uint32_t j = 0; j < index.schema().private_count(); ++j) {
    const std::string& column = private_attribute(index, j).name;
    blocks[column] = block_name({column});
  }
  for (const std::string& joined : together) {
    std::vector<std::string> columns = split(joined);
    for (const std::string& column : columns) blocks[column] = block_name(columns);
  }
  return blocks;
}

std::string shown(const Index& index, const LevelProfiles& signals, RowId row, std::uint32_t j) {
  const Domain& domain = private_attribute(index, j).domain;
  for (std::uint32_t v = 0; v < domain.size(); ++v) {
    ValueId value{static_cast<std::uint16_t>(v)};
    if (signals.strength(row, PrivateId{j}, value) > 0) return quoted(domain.text(value));
  }
  return {};
}

std::string line(const Index& index, const GroupedProfiles& profiles, const SecretKey& key,
                 const Blocks& blocks, RowId row) {
  std::string id = index.name(row);
  std::string made = fmt::format("{},{}", quoted(id), profiles.group_of[+row]);
  for (std::uint32_t j = 0; j < index.schema().private_count(); ++j) {
    bool kept = keeps(key, blocks.at(private_attribute(index, j).name), id, index.info().l, 0);
    made += fmt::format(",{:d},{}", kept, shown(index, profiles.signals, row, j));
  }
  return made;
}

int print_all(const Index& index, const SecretKey& key, const Blocks& blocks) {
  Profiles profiles = index.profiles();
  const auto* grouped = std::get_if<GroupedProfiles>(&profiles.kinds());
  if (grouped == nullptr) return refuse("the index has no groups; only swap's has coins");
  fmt::print("id,group");
  for (std::uint32_t j = 0; j < index.schema().private_count(); ++j) {
    std::string name = private_attribute(index, j).name;
    fmt::print(",{},{}", quoted("coin " + name), quoted(name));
  }
  fmt::print("\n");
  for (std::uint32_t row = 0; row < grouped->group_of.size(); ++row) {
    fmt::print("{}\n", line(index, *grouped, key, blocks, RowId{row}));
  }
  return 0;
}

}  // namespace
}  // namespace rankveil

int main(int argc, char** argv) {
  using namespace rankveil;
  if (argc < 3) return refuse("usage: release_lab INDEX KEY [COLUMN,COLUMN...]...");
  auto index = open_index(argv[1]);
  if (!index) return refuse(index.error().message);
  auto key = read_key_file(argv[2]);
  if (!key) return refuse(key.error().message);
  return print_all(*index, *key, blocks_of(*index, {argv + 3, argv + argc}));
}

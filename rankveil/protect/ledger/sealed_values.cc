#include "rankveil/protect/ledger/sealed_values.h"

#include <fmt/core.h>

#include <algorithm>

namespace rankveil {

ValueSeal::ValueSeal(const SecretKey& key, const std::vector<LedgerColumn>& columns,
                     std::uint32_t release) {
  for (const LedgerColumn& column : columns) {
    pads_.emplace_back(key, "sealed value", fmt::format("{}\n{}", release, column.name));
  }
}

std::uint16_t ValueSeal::pad(std::size_t column, std::string_view person, Place place) const {
  return static_cast<std::uint16_t>(
      pads_[column].number(person, place.release << 12 | (place.row & 0xFFF)));
}

std::uint16_t ValueSeal::seal(std::uint16_t code, std::size_t column, std::string_view person,
                              Place place) const {
  return static_cast<std::uint16_t>(code + pad(column, person, place));
}

std::uint16_t ValueSeal::open(std::uint16_t sealed, std::size_t column, std::string_view person,
                              Place place) const {
  return static_cast<std::uint16_t>(sealed - pad(column, person, place));
}

PublicHashes::PublicHashes(const SecretKey& key, const Table& table,
                           const std::vector<std::string>& columns)
    : table_(table) {
  for (const std::string& name : columns) {
    KeyedStream stream(key, "hash of a public value", name);
    auto hash = [&](std::string_view text, std::uint32_t there) {
      return static_cast<std::uint16_t>(stream.number(text, there));
    };
    auto& hashes = hashes_.emplace_back();
    auto found = table.schema().find(name);
    at_.push_back(found && !table.schema()[*found].is_private() ? found : std::nullopt);
    if (at_.back()) {
      for (const std::string& text : table.schema()[*found].domain.values()) {
        hashes.push_back(hash(text, 1));
      }
    }
    hashes.push_back(hash("", 0));
  }
}

std::uint16_t PublicHashes::of(RowId row, std::size_t column) const {
  const auto& hashes = hashes_[column];
  if (!at_[column]) return hashes.back();
  ValueId value = table_.value(row, *at_[column]);
  return value == missing_value ? hashes.back() : hashes[+value];
}

std::optional<ValueId> PublicHashes::value_of(std::uint16_t hash, std::size_t column) const {
  const auto& hashes = hashes_[column];
  auto found = std::ranges::find(hashes, hash);
  if (!at_[column] || found == hashes.end()) return std::nullopt;
  if (found + 1 == hashes.end()) return missing_value;
  return ValueId{static_cast<std::uint16_t>(found - hashes.begin())};
}

NameHash hash_of_name(const SecretKey& key, std::string_view name) {
  return keyed_hash(key, "somebody who left", name);
}

}  // namespace rankveil

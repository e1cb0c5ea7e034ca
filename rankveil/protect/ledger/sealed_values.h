// What a ledger knows of a person's values without saying it: private ones under a pad that the key
// makes, public ones as short keyed hashes.
//
// No pad is used twice in a population: it goes by column, person, row, the ledger's release and
// how often the person was released in it. So ledgers tell who has not the key nothing about
// private values, not even who shares one or has another since the last release. Public hashes do
// say who has the same value, as the index does.
#pragma once

#include <cstdint>
#include <optional>
#include <string_view>
#include <vector>

#include "rankveil/base/keys/keyed.h"
#include "rankveil/protect/ledger/ledger.h"
#include "rankveil/table/table.h"

namespace rankveil {

class ValueSeal {
 public:
  // Where a value stands: the person's `row`-th row (below 4,096) in its `release`.
  struct Place {
    std::uint32_t release;
    std::uint32_t row;
  };

  // `release`: the ledger's (LedgerHead::release).
  ValueSeal(const SecretKey& key, const std::vector<LedgerColumn>& columns, std::uint32_t release);

  std::uint16_t seal(std::uint16_t code, std::size_t column, std::string_view person,
                     Place place) const;
  std::uint16_t open(std::uint16_t sealed, std::size_t column, std::string_view person,
                     Place place) const;

 private:
  std::uint16_t pad(std::size_t column, std::string_view person, Place place) const;
  std::vector<KeyedStream> pads_;
};

class PublicHashes {
 public:
  // Hashes these columns. A column that the table lacks has the hash of a missing value.
  PublicHashes(const SecretKey& key, const Table& table, const std::vector<std::string>& columns);

  std::uint16_t of(RowId row, std::size_t column) const;
  bool has(std::size_t column) const { return at_[column].has_value(); }
  // The first value of the column with this hash. Nothing: none has it, or the table lacks the
  // column.
  std::optional<ValueId> value_of(std::uint16_t hash, std::size_t column) const;

 private:
  const Table& table_;
  std::vector<std::optional<AttributeId>> at_;
  std::vector<std::vector<std::uint16_t>> hashes_;  // [column][value], missing last
};

NameHash hash_of_name(const SecretKey& key, std::string_view name);

}  // namespace rankveil

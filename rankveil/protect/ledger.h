// The owner's book of a release: for which private values each row got what it shows, and since
// when. It stays with the owner beside the key; the next build reads it, and nobody is served it.
//
// A row's private values stand in it as a keyed hash: with the key one can check whether the row
// still has them, without the key it says nothing. How often each value occurs in the whole table,
// and in each group of rows that were released together, stands in it plainly.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <string>
#include <unordered_map>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/keyed.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/report.h"
#include "rankveil/table/table.h"

namespace rankveil {

enum class RowStatus {
  Shown,      // has what its scheme gave it, for good
  Waiting,    // shows nothing until enough new rows have come
  Withdrawn,  // its private values changed: shows nothing until the owner releases it anew
  Gone,       // no longer in the table; should it come back, it is withdrawn
};

using VectorHash = std::array<std::uint64_t, 2>;

struct LedgerEntry {
  VectorHash values = {};
  RowStatus status = RowStatus::Shown;
  std::uint32_t releases = 0;  // how often the row got something to show
  // The rows it last was released among have the same number, which no other batch has. Nobody: it
  // has shown nothing, or its scheme needs no company.
  static constexpr std::uint32_t nobody = UINT32_MAX;
  std::uint32_t group = nobody;
};

// Values of one attribute with how many rows have them, names as in the table.
using FrozenValues = std::vector<std::pair<std::string, std::uint64_t>>;
// A value's place in such a list, and how many rows of a group have it.
using FrozenCount = std::pair<std::uint32_t, std::uint64_t>;

// A public group as it was released (frozen_groups.h).
struct FrozenGroup {
  std::vector<std::optional<std::string>> values;  // in the rung's columns; none: missing
  std::uint64_t rows = 0;
  std::vector<std::vector<FrozenCount>> counts;  // per attribute in `shares`
  std::uint32_t number = 0;                      // LedgerEntry::group of its rows
};
struct FrozenRung {
  std::vector<std::string> columns;
  std::vector<FrozenGroup> groups;
};

struct Ledger {
  Json parameters;                    // what must be the same for rows to keep what they show
  std::uint32_t release = 1;          // how often all rows were released anew
  std::uint32_t build = 1;            // how often the index was built in this release
  std::vector<std::string> left_out;  // private attributes that are not served
  // Coarser lists of public columns when this release began. Nothing: the book does not say.
  std::optional<std::vector<std::vector<std::string>>> ladder;
  // How many rows had each private value when this release began, by attribute; of ldp, how many
  // said it. Values that came later stand behind, with 0 rows.
  std::vector<std::pair<std::string, FrozenValues>> shares;
  std::uint64_t share_rows = 0;
  // What was said of the rows that were released so far. Nothing: the book does not say.
  std::optional<ReportSoFar> told;
  // The same for each group of rows that were released together: what rows are served that show
  // nothing. Nothing: the book does not say.
  std::optional<std::vector<FrozenRung>> groups;
  std::unordered_map<std::string, LedgerEntry> rows;  // by name
};

// Of one row's private values, as text.
VectorHash hash_of_values(const SecretKey& key, const Table& table, RowId row);

// "people.rankveil" has its book in "people.rankveil.ledger".
std::string ledger_path(const std::string& index_path);

// Mode 0600; rows sorted by name, so that equal books are equal files.
Status write_ledger(const Ledger& ledger, const std::string& path);
// Refuses a file that others may read.
Result<Ledger> read_ledger(const std::string& path);

}  // namespace rankveil

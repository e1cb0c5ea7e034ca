// The owner's book about the people of a population: what each of them got to show, and every
// output made from it. It stays with the owner beside the key; the next build reads it, and nobody
// is served it.
//
// There is one book a key and population, whatever is built from it: two outputs of the same people
// must show the same (release.h). Private values stand in it sealed: with the key one can read
// them, to see whether somebody still has them, without the key they are random digits. What rows
// show stands in it plainly, as answers tell it; so do how often each value occurs in the whole
// table, and in each group of rows that were released together. Of somebody who left nothing stays
// but a keyed hash of the name.
//
// The file: docs/reference/key-and-ledger.md.
#pragma once

#include <array>
#include <cstdint>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <unordered_map>
#include <unordered_set>
#include <utility>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/protect/report.h"

namespace rankveil {

enum class RowStatus {
  Shown,    // has what its scheme gave it, for good
  Changed,  // shows it still: its private values changed, and it waits to be withdrawn with others
  Waiting,  // shows nothing until enough new rows have come
  Withdrawn,  // shows nothing until the owner releases it anew
  Company,    // nor does this one: it was withdrawn beside rows that changed, so that they hide
};

bool shows(RowStatus status);

// One person; a row, where rows are not several to a person.
struct LedgerEntry {
  // The rows it last was released among have the same number, which no other batch has. Nobody: it
  // has shown nothing, or its scheme needs no company.
  static constexpr std::uint32_t nobody = UINT32_MAX;

  RowStatus status = RowStatus::Waiting;
  std::uint32_t releases = 0;  // how often it got something to show
  std::uint32_t group = nobody;
  std::uint32_t since = 0;  // Waiting, Changed: the day (days.h)
  std::uint32_t rows = 1;
  std::uint64_t at = 0;  // of its codes, in Ledger::codes
};

// A private column: its values in the order in which they were first served. A value's place is its
// code, for good: a rename changes the text, and a value that nobody has any more stays.
struct LedgerColumn {
  std::string name;
  std::vector<std::string> values;
  std::string bins;  // edges of numbers, as the policy has them; empty: no bins
  bool operator==(const LedgerColumn&) const = default;

  static void fields(auto& self, auto visit) {
    visit("name", self.name);
    visit("values", self.values);
    visit("bins", self.bins);
  }
};

// A file made from this book.
struct LedgerOutput {
  std::string path;  // absolute
  std::uint32_t build = 0;
  Json parameters;  // as its index has them
  std::vector<std::string> public_columns;

  static void fields(auto& self, auto visit) {
    visit("path", self.path);
    visit("build", self.build);
    visit("parameters", self.parameters);
    visit("public", self.public_columns);
  }
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

  static void fields(auto& self, auto visit) {
    visit("values", self.values);
    visit("group", self.number);
    visit("rows", self.rows);
    visit("counts", self.counts);
  }
};
struct FrozenRung {
  std::vector<std::string> columns;
  std::vector<FrozenGroup> groups;

  static void fields(auto& self, auto visit) {
    visit("columns", self.columns);
    visit("groups", self.groups);
  }
};

using NameHash = std::array<std::uint64_t, 2>;
struct NameHasher {
  std::size_t operator()(const NameHash& hash) const { return hash[0]; }
};

// All of a ledger but its people.
struct LedgerHead {
  std::string population = "default";
  Json parameters;                          // what must be the same for rows to keep what they show
  std::uint32_t release = 1;                // how often all rows were released anew
  std::uint32_t build = 1;                  // builds in this release, of all outputs
  std::vector<LedgerOutput> outputs;        // of this release
  std::vector<std::string> left_out;        // private attributes that are not served
  std::vector<LedgerColumn> columns;        // the private ones that are
  std::vector<std::string> public_columns;  // those that codes have hashes of
  std::vector<std::string> fit_columns;     // public ones that outputs may show
  // Coarser lists of public columns when this release began.
  std::vector<std::vector<std::string>> ladder;
  // How many rows had each private value when this release began, by attribute; of ldp, how many
  // said it. Values that came later stand behind, with 0 rows.
  std::vector<std::pair<std::string, FrozenValues>> shares;
  std::uint64_t share_rows = 0;
  ReportSoFar told;  // what was said of the rows that were released so far
  // The same for each group of rows that were released together: what rows are served that show
  // nothing. Nothing: the scheme has no groups.
  std::optional<std::vector<FrozenRung>> groups;
  Json scheme_state;        // Protection::scheme_state
  bool has_values = false;  // whether codes tell what rows show

  static void fields(auto& self, auto visit) {
    visit("population", self.population);
    visit("parameters", self.parameters);
    visit("release", self.release);
    visit("build", self.build);
    visit("outputs", self.outputs);
    visit("left_out", self.left_out);
    visit("columns", self.columns);
    visit("public_columns", self.public_columns);
    visit("fit_columns", self.fit_columns);
    visit("ladder", self.ladder);
    visit("share_rows", self.share_rows);
    visit("shares", self.shares);
    visit("told", self.told);
    visit("groups", self.groups);
    visit("has_values", self.has_values);
    visit("scheme_state", self.scheme_state);
  }
};

struct Ledger : LedgerHead {
  static constexpr std::uint16_t no_code = 0xFFFF;  // a missing value

  std::unordered_map<std::string, LedgerEntry> rows;  // by name
  // Who was renamed (--ids-from): the name that the key's draws go by.
  std::unordered_map<std::string, std::string> first_names;
  std::unordered_set<NameHash, NameHasher> gone;  // who showed something and left
  // One after the other, for each entry: hashes of its public values; if it shows something, its
  // private values, sealed, row by row; and, with has_values, what its rows show, in places of
  // `columns`.
  std::vector<std::uint16_t> codes;

  std::span<const std::uint16_t> public_hashes(const LedgerEntry& entry) const;
  // REQUIRES: it shows something.
  std::span<const std::uint16_t> sealed_values(const LedgerEntry& entry) const;
  // REQUIRES: the same, and has_values.
  std::span<const std::uint16_t> shown_values(const LedgerEntry& entry) const;
  std::size_t code_count(const LedgerEntry& entry) const;

  // Nothing: it has not been made from this book, or not in this release.
  const LedgerOutput* find_output(std::string_view path) const;
  // The one that was built last. REQUIRES: there is one.
  const LedgerOutput& last_output() const;
};

// Mode 0600; rows sorted by name, so that equal books are equal files.
Status write_ledger(const Ledger& ledger, const std::string& path);
// Refuses a file that others may read.
Result<Ledger> read_ledger(const std::string& path);
// `source` names the text in messages.
Result<Ledger> parse_ledger(std::string_view text, std::string_view source);

}  // namespace rankveil

// Public columns that tell a private one before anybody asks a ranking.
//
//   auto told = telling_columns(table, {.l = 3});
//   say(to_text(table.schema(), told.front(), 3));
//   // "q0026 tells 99.1% of orientation, 87.0% without it"
//
// Rule      Columns, alone or in pairs, tell a private column if what they guess is right for more
//           than 95% of the rows that have a value, where less than 90% is right without them; or
//           if a value's belief rises by a gain above 1/l for 10% of them. A value that is believed
//           to 90% anyway gains nothing. Pairs are told where neither column tells alone.
// Without   is what `known` columns guess: those that the owner says are known to tell.
// Held out  Each row is guessed from the others (held_out.h). What is told is right six standard
//           deviations more often than chance, so false alarms come to less than 1e-6 over 1,000
//           pairs and private columns.
// Rows      300,000 at most, evenly spread: a share is off by at most .3% (three deviations). Pairs
//           of columns of up to 1,000 values are looked at on 20,000 of them first; the 16 of each
//           private column that tell most there, with a margin, are held against all of these rows.
// Cost      docs/reference/policy.md has a measured figure.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/table/table.h"

namespace rankveil {

struct TellingColumns {
  AttributeId told;               // private
  std::vector<AttributeId> seen;  // public: one or two
  double right = 0;               // share of rows that have a value, guessed right by them
  double without = 0;             // the same by what is known anyway
  double gaining = 0;       // share of rows about which a value is believed by a gain above 1/l
  bool tells_most = false;  // the first rule, else the second
};

struct TellingColumnsAsked {
  std::uint32_t l = 3;
  // Per private attribute: public ones that are known to tell it. Empty: none of any.
  std::vector<std::vector<AttributeId>> known = {};
  // A mark for each row to look at; empty: all.
  std::vector<std::uint8_t> some_rows = {};
  std::uint32_t threads = 0;
};

// What tells private columns: in order of private attributes, the strongest of each first.
std::vector<TellingColumns> telling_columns(const Table& table, const TellingColumnsAsked& asked);

// Columns that would have to be `known` as well, so that no others tell the private ones named in
// `told`: the strongest is taken, and what is left is looked at again.
std::vector<std::vector<AttributeId>> columns_to_know(const Table& table,
                                                      const TellingColumnsAsked& asked,
                                                      const std::vector<TellingColumns>& told);

// How much of each private attribute `known` columns tell by themselves, where it has some.
std::vector<TellingColumns> told_by_known(const Table& table, const TellingColumnsAsked& asked);

// A public column whose values stand in a few rows each, in which private ones stay the same: as
// the number of a patient does, whose rows are visits.
struct PersonColumn {
  AttributeId column;
  std::uint64_t values = 0;
  double rows = 0;  // of a value, on average: from 1.5 to 100
  std::vector<AttributeId> told = {};
};

// Columns of 50 values or more that tell private columns by the rule above, whatever is known.
std::vector<PersonColumn> columns_like_persons(const Table& table,
                                               const TellingColumnsAsked& asked);

// "patient_nbr has 1,500 values, each in 18.0 rows on average, and religion stays the same in them"
std::string to_text(const Schema& schema, const PersonColumn& found);

// "q0026 tells 99.1% of orientation, 87.0% without it"
std::string to_text(const Schema& schema, const TellingColumns& told, std::uint32_t l);

}  // namespace rankveil

// Public columns that tell a private one: what a policy accepts (`known_from`), and what it does
// not.
#pragma once

#include <cstdint>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/base/result.h"
#include "rankveil/connect/source.h"
#include "rankveil/table/policy/policy.h"
#include "rankveil/table/table.h"
#include "rankveil/table/telling/telling_columns.h"

namespace rankveil::api {

// One private column, and what its `known_from` tells of it before any ranking.
struct KnownColumn {
  std::string attribute;
  std::vector<std::string> from;
  double known = 0;    // share of rows that have a value, guessed right by those columns
  double without = 0;  // the same without them
};

// "orientation: 99.1% is known from q0026 before any ranking (87.0% without it); the promise is
// about the rest"
std::string to_text(const KnownColumn& column);
Json known_columns_json(const std::vector<KnownColumn>& columns);

// One mark a row: those of people who show their values anyway are not looked at, nor more than one
// of a person's. Empty: all are. REQUIRES: the rows of `people` are those of the table.
std::vector<std::uint8_t> rows_that_speak(const Table& table, const connect::RowPeople& people);

// What to ask of the table; an attribute that it does not have is left out.
TellingColumnsAsked telling_asked(const Policy& policy, const Table& table,
                                  const connect::RowPeople& people, std::uint32_t threads);

// Refuses columns that tell what the policy does not accept, with the lines that would.
Result<std::vector<KnownColumn>> check_public_columns(const Policy& policy, const Table& table,
                                                      const connect::RowPeople& people,
                                                      std::uint32_t threads);

// The same for `inspect`: one sentence each, and the lines to write. Nothing: none tells.
std::vector<std::string> telling_columns_hints(const Policy& policy, const Table& table,
                                               const connect::RowPeople& people,
                                               std::uint32_t threads);

// Sentences about columns whose values repeat like a person's, where the policy names no person.
std::vector<std::string> person_warnings(const Policy& policy, const Table& table,
                                         std::uint32_t threads);
// The same of columns that the policy ignores or does not name: nobody is served them, but whoever
// knows them from elsewhere adds up rows. They are read again; not those of over 65,535 values.
std::vector<std::string> unread_person_warnings(const connect::Source& source, const Policy& policy,
                                                std::uint32_t threads);

}  // namespace rankveil::api

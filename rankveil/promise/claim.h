// What a release claims, for how many rows, and against whom on which condition: the words that
// `protect`, `inspect`, audits and the notes of an index share, so that none of them claims more
// than another.
//
//   claim_text(promise, {.rows = 2000, .covered = 571, .base_only = 12})
//   // "covers 571 of 2,000 rows, with a gain of at most 0.333; 12 rows have nothing of their own"
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <vector>

#include "rankveil/base/json.h"
#include "rankveil/promise/promise.h"

namespace rankveil {

// For which rows of a table a promise is made.
struct Coverage {
  std::uint64_t rows = 0;       // of the table
  std::uint64_t covered = 0;    // the promise is about these
  std::uint64_t base_only = 0;  // they show nothing of their own, so nothing need be promised
  std::uint64_t open = 0;       // they show their own values, because their people chose so
  // Of the covered, those for whom no model of people is assumed: they stand in classes of 100 rows
  // that are equal in public. Nothing: the promise assumes no model of anybody.
  std::optional<std::uint64_t> without_model = {};

  // The share of rows that show something of their own which nobody promises anything about.
  double uncovered() const;
  // Whether a claim must begin with that.
  bool covers_few() const { return uncovered() > most_uncovered; }
  static constexpr double most_uncovered = 0.2;

  bool operator==(const Coverage&) const = default;
};

// The claim as one phrase; it never leaves out for how many rows it is made, and begins with
// "covers" where these are few.
std::string claim_text(const Promise& promise, const Coverage& coverage);

// "covered_rows", "covered_without_model" and "rows_of_base_only" as members of `json`, beside what
// is in it; and back. Nothing: they are not there, or do not fit the number of rows.
void add_coverage(const Coverage& coverage, Json& json);
std::optional<Coverage> coverage_in(const Json& json, std::uint64_t rows);

// What must hold beside the promise's words where it is made against this level: a phrase. Never
// empty for joint, bayesian-joint, population and intersecting: no claim names them without it.
std::string_view level_condition(const Promise& promise, AdversaryLevel level);

// Levels as a claim names them, those on one condition together: {"ignorant, mechanism-aware",
// "joint, bayesian-joint: about rows ..."}; {"nobody"} for none.
std::vector<std::string> claimed_levels(const Promise& promise,
                                        const std::vector<AdversaryLevel>& levels);
// {"joint": "about rows ..."}, levels without a condition left out.
Json conditions_json(const Promise& promise, const std::vector<AdversaryLevel>& levels);

}  // namespace rankveil
